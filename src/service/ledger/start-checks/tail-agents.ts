import { formatDigest } from '../../../protocol/index.ts';
import { and, desc, eq, isNotNull } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { agents, operations } from '../../store/schema.ts';
import type { Damage } from './damage.ts';
import type { RecordTail } from './tail-records.ts';

/**
 * Looks at where agents' chains end by the word of their rows, those with the newest records first. Records and heads move
 * in one commit: a difference is nothing that a crash leaves, so that it is reported and not mended.
 * @param depth the most agents to look at
 */
export function examineAgentHeads(store: Store, orgId: string, tail: RecordTail, depth: number): Damage[] {
  const rows = store.db
    .select({
      agentId: agents.agentId,
      headSeqNo: agents.headSeqNo,
      headChainHash: agents.headChainHash,
      recordAgentId: operations.agentId,
      recordChainHash: operations.chainHash,
    })
    .from(agents)
    .leftJoin(operations, and(eq(operations.orgId, agents.orgId), eq(operations.seqNo, agents.headSeqNo)))
    .where(and(eq(agents.orgId, orgId), isNotNull(agents.headSeqNo)))
    .orderBy(desc(agents.headSeqNo))
    .limit(depth)
    .all();
  const damages: Damage[] = [];
  for (const { agentId, headSeqNo, headChainHash, recordAgentId, recordChainHash } of rows) {
    const at = { orgId, place: `agent ${agentId}` };
    const found = `${headChainHash === null ? 'none' : formatDigest(headChainHash)} at record ${headSeqNo}`;
    const newest = tail.newestOfAgent.get(agentId);
    if (newest !== undefined) {
      const expected = `${newest.chainHash} at record ${newest.seqNo}`;
      const message = 'the head of its chain is not its newest record';
      if (expected !== found) damages.push({ ...at, message, expected, found });
      continue;
    }
    if (recordAgentId !== agentId || recordChainHash === null) {
      damages.push({
        ...at,
        message: `the head of its chain is at record ${headSeqNo}, which is not one of its records`,
      });
    } else if (`${formatDigest(recordChainHash)} at record ${headSeqNo}` !== found) {
      const expected = `${formatDigest(recordChainHash)} at record ${headSeqNo}`;
      damages.push({ ...at, message: 'the head of its chain is not the hash of that record', expected, found });
    }
  }
  // An agent of whom there are records, and whose row says that there are none.
  const seen = new Set(rows.map(({ agentId }) => agentId));
  if (rows.length < depth) {
    for (const [agentId, { seqNo }] of tail.newestOfAgent) {
      if (seen.has(agentId)) continue;
      damages.push({ orgId, place: `agent ${agentId}`, message: `has no head, although record ${seqNo} is its own` });
    }
  }
  return damages;
}
