import type { ChainRow } from '../../../api/index.ts';
import { formatDigest, formatTime } from '../../../protocol/index.ts';
import type { OperationSource } from '../../ledger/operations/operation-queries.ts';
import type { ContentQuestions, Reader } from '../../search/content-index/queries/content-queries.ts';
import type { Chain, Side } from '../../search/queries/chain.ts';
import { readPlace } from '../../search/queries/places.ts';
import { and, eq, inArray } from '../../store/drizzle.ts';
import { operations } from '../../store/schema.ts';

interface ChainSource extends OperationSource {
  readonly content: Pick<ContentQuestions, 'askNow'>;
}

/** The chain of an agent of the live ledger. */
export function liveChain({ content, ...source }: ChainSource, by: Reader, agentId: string): Chain {
  return {
    links: (side, most) => agentRecords(source, by.orgId, agentId, side, most),
    newestAt: (time) => newestAt(content, by, agentId, time),
  };
}

async function newestAt(content: ChainSource['content'], by: Reader, agentId: string, time: number): Promise<number> {
  const now = time + 1;
  const asked = { order: 'newest', details: false, limit: 1, now } as const;
  // A page may have ended by time, before the record: then the next one continues there.
  for (let place: number | null = null; ; ) {
    const filter = { agentId, endTime: formatTime(now) };
    const { data, nextCursor } = await content.askNow(by, 'search', filter, { ...asked, place });
    const [newest] = data;
    if (newest !== undefined) return newest.seq_no;
    place = readPlace(nextCursor ?? undefined);
    if (place === null) return 0;
  }
}

/** Records of an agent on one side of a sequence number, the nearest first. */
export function agentRecords(
  { store: { db }, index }: OperationSource,
  orgId: string,
  agentId: string,
  side: Side,
  most: number,
): ChainRow[] {
  const seqNos = index.ofAgent(orgId, agentId, side, most);
  const found = db
    .select({
      operation_id: operations.operationId,
      agent_id: operations.agentId,
      operation_type: operations.operationType,
      subject: operations.subject,
      action: operations.action,
      issued_at: operations.issuedAt,
      seq_no: operations.seqNo,
      receivedAt: operations.receivedAt,
      chainHash: operations.chainHash,
      prevChainHash: operations.prevChainHash,
      agent_pubkey_kid: operations.agentPubkeyKid,
    })
    .from(operations)
    .where(and(eq(operations.orgId, orgId), inArray(operations.seqNo, [...seqNos])))
    .all();
  const rows = new Map(
    found.map(({ receivedAt, chainHash, prevChainHash, agent_pubkey_kid, ...row }) => [
      row.seq_no,
      {
        ...row,
        server_received_at: formatTime(receivedAt),
        chain_hash: formatDigest(chainHash),
        prev_chain_hash: prevChainHash && formatDigest(prevChainHash),
        agent_pubkey_kid,
      },
    ]),
  );
  return seqNos.flatMap((seqNo) => rows.get(seqNo) ?? []);
}
