import { type ChainAnswer, type ChainPart, type ChainRow, LIMITS } from '../../../api/index.ts';
import { formatDigest, parseTime } from '../../../protocol/index.ts';
import type { OperationSource } from '../../ledger/operations/operation-queries.ts';
import { listOperations } from '../../search/search/search-queries.ts';
import { and, eq, inArray } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { operations } from '../../store/schema.ts';

/** A part of an agent's chain, newest first. */
export function readChain(
  { store, index }: OperationSource,
  orgId: string,
  agentId: string,
  { before, after, at, limit = LIMITS.page.default }: ChainPart,
): ChainAnswer {
  if (after !== undefined) {
    const following = index.following(orgId, agentId, after, limit + 1);
    const seqNos = following.slice(0, limit).reverse();
    const rows = rowsOf({ store, index }, orgId, agentId, (seqNos[0] ?? 0) + 1, seqNos.length);
    return { data: rows, older: rows.at(-1)?.prev_chain_hash != null, newer: following.length > limit };
  }
  const end = at === undefined ? (before ?? null) : endAt({ store, index }, orgId, agentId, at);
  if (end === 0) return { data: [], older: false, newer: index.following(orgId, agentId, 0, 1).length > 0 };
  const rows = rowsOf({ store, index }, orgId, agentId, end, limit + 1);
  const newest = rows[0]?.seq_no;
  const newer = newest === undefined || end === null ? false : index.following(orgId, agentId, newest, 1).length > 0;
  return { data: rows.slice(0, limit), older: rows.length > limit, newer };
}

/** The sequence number after the newest record that was issued at a time or before; 0 where there is none. */
function endAt({ index }: OperationSource, orgId: string, agentId: string, at: string): number {
  const to = parseTime(at) + 1;
  const newest = index.search(orgId, { agentId, to }, null, 1)[0];
  return newest === undefined ? 0 : newest.seq_no + 1;
}

function rowsOf(
  { store, index }: OperationSource,
  orgId: string,
  agentId: string,
  before: number | null,
  limit: number,
): ChainRow[] {
  const rows = listOperations(index, orgId, { agentId }, before, limit);
  const links = linksOf(
    store,
    orgId,
    rows.map(({ seq_no }) => seq_no),
  );
  return rows.flatMap((row) => {
    const link = links.get(row.seq_no);
    return link === undefined ? [] : [{ ...row, ...link }];
  });
}

type Link = Pick<ChainRow, 'chain_hash' | 'prev_chain_hash' | 'agent_pubkey_kid'>;

function linksOf({ db }: Store, orgId: string, seqNos: readonly number[]): Map<number, Link> {
  const found = db
    .select({
      seqNo: operations.seqNo,
      chainHash: operations.chainHash,
      prevChainHash: operations.prevChainHash,
      kid: operations.agentPubkeyKid,
    })
    .from(operations)
    .where(and(eq(operations.orgId, orgId), inArray(operations.seqNo, [...seqNos])))
    .all();
  return new Map(
    found.map(({ seqNo, chainHash, prevChainHash, kid }) => [
      seqNo,
      {
        chain_hash: formatDigest(chainHash),
        prev_chain_hash: prevChainHash && formatDigest(prevChainHash),
        agent_pubkey_kid: kid,
      },
    ]),
  );
}
