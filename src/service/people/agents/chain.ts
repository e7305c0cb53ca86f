import { type AuditRow, type ChainAnswer, type ChainPart, type ChainRow, LIMITS } from '../../../api/index.ts';
import { formatDigest, formatTime, parseTime } from '../../../protocol/index.ts';
import type { OperationSource } from '../../ledger/operations/operation-queries.ts';
import type { ContentQuestions, Reader } from '../../search/content-index/queries/content-queries.ts';
import { readPlace } from '../../search/queries/places.ts';
import { and, eq, inArray } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { operations } from '../../store/schema.ts';

interface ChainSource extends OperationSource {
  readonly content: Pick<ContentQuestions, 'askNow'>;
}

/** A part of an agent's chain, newest first. @throws what LedgerReads.ask throws, of a part that is named by a time */
export async function readChain(
  { store, index, content }: ChainSource,
  by: Reader,
  agentId: string,
  { before, after, at, limit = LIMITS.page.default }: ChainPart,
): Promise<ChainAnswer> {
  const { orgId } = by;
  const following = (seqNo: number, most: number): number[] => index.ofAgent(orgId, agentId, { after: seqNo }, most);
  if (after !== undefined) {
    const seqNos = following(after, limit + 1);
    const rows = rowsOf(store, orgId, seqNos.slice(0, limit).reverse());
    return { data: rows, older: rows.at(-1)?.prev_chain_hash != null, newer: seqNos.length > limit };
  }
  const end = at === undefined ? (before ?? null) : await endAt(content, by, agentId, at);
  if (end === 0) return { data: [], older: false, newer: following(0, 1).length > 0 };
  const seqNos = index.ofAgent(orgId, agentId, { before: end ?? Number.MAX_SAFE_INTEGER }, limit + 1);
  const [newest] = seqNos;
  const newer = newest === undefined || end === null ? false : following(newest, 1).length > 0;
  return { data: rowsOf(store, orgId, seqNos.slice(0, limit)), older: seqNos.length > limit, newer };
}

/** The sequence number after the newest record that was issued at a time or before; 0 where there is none. */
async function endAt(content: ChainSource['content'], by: Reader, agentId: string, at: string): Promise<number> {
  const now = parseTime(at) + 1;
  const asked = { order: 'newest', details: false, limit: 1, now } as const;
  // A page may have ended by time, before the record: then the next one continues there.
  for (let place: number | null = null; ; ) {
    const filter = { agentId, endTime: formatTime(now) };
    const { data, nextCursor } = await content.askNow(by, 'search', filter, { ...asked, place });
    const [newest] = data;
    if (newest !== undefined) return newest.seq_no + 1;
    place = readPlace(nextCursor ?? undefined);
    if (place === null) return 0;
  }
}

/** Operations of an agent before a sequence number, newest first, without their payloads. */
export function agentOperations(
  { store, index }: OperationSource,
  orgId: string,
  agentId: string,
  before: number | null,
  limit: number,
): AuditRow[] {
  const seqNos = index.ofAgent(orgId, agentId, { before: before ?? Number.MAX_SAFE_INTEGER }, limit);
  return rowsOf(store, orgId, seqNos).map(
    ({ chain_hash: _, prev_chain_hash: __, agent_pubkey_kid: ___, ...row }) => row,
  );
}

/** Operations by their sequence numbers, in the order of these. */
function rowsOf({ db }: Store, orgId: string, seqNos: readonly number[]): ChainRow[] {
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
