import type { CaseAuditRow, ChainAnswer, ChainPart, ChainRow, StoredOperation } from '../../../api/index.ts';
import { LIMITS } from '../../../api/index.ts';
import { formatDigest, parseTime } from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { epochOf, inclusionOf } from './case-epochs.ts';
import { readRecord } from './case-record-text.ts';
import { requireAgent } from './directory.ts';
import type { OpenCase } from './open-case.ts';

const ROW = `n, operation_id, agent_id, operation_type, subject, action, issued_at, seq_no, server_received_at`;

type StoredRow = Omit<CaseAuditRow, 'tags' | 'bookmarked' | 'findings'> & { readonly n: number };

/** Where the records of a case are in the ledger that it was exported from, as the bundle says it; in the order of the file. */
export function recordPlaces(
  open: OpenCase,
  after: number,
  limit: number,
): { readonly n: number; readonly seqNo: number; readonly operationId: string }[] {
  const sql = 'SELECT n, seq_no AS seqNo, operation_id AS operationId FROM records WHERE n > ? ORDER BY n LIMIT ?';
  return open.statement(sql).all(after, limit) as { n: number; seqNo: number; operationId: string }[];
}

interface StoredLink extends StoredRow {
  readonly chain_hash: Uint8Array;
  readonly prev_chain_hash: Uint8Array | null;
  readonly agent_pubkey_kid: string;
}

function link({ n: _, chain_hash, prev_chain_hash, ...row }: StoredLink): ChainRow {
  return {
    ...row,
    chain_hash: formatDigest(chain_hash),
    prev_chain_hash: prev_chain_hash && formatDigest(prev_chain_hash),
  };
}

/** A part of an agent's chain in a case, newest first: as the live ledger's, as far as the bundle goes. */
export function readCaseChain(open: OpenCase, agentId: string, part: ChainPart): ChainAnswer {
  requireAgent(open, agentId);
  const { before, after, at, limit = LIMITS.page.default } = part;
  const links = (condition: string, order: string, bound: number): ChainRow[] => {
    const columns = `${ROW}, chain_hash, prev_chain_hash, agent_pubkey_kid`;
    const sql = `SELECT ${columns} FROM records WHERE agent_id = ? AND ${condition} ORDER BY seq_no ${order}, n ${order} LIMIT ?`;
    return (open.statement(sql).all(agentId, bound, limit + 1) as StoredLink[]).map(link);
  };
  const exists = (condition: string, bound: number): boolean =>
    open.statement(`SELECT 1 FROM records WHERE agent_id = ? AND ${condition} LIMIT 1`).get(agentId, bound) !==
    undefined;
  if (after !== undefined) {
    const following = links('seq_no > ?', 'ASC', after);
    const data = following.slice(0, limit).reverse();
    const oldest = data.at(-1)?.seq_no;
    const older = oldest === undefined ? false : exists('seq_no < ?', oldest);
    return { data, older, newer: following.length > limit };
  }
  const newestAt = 'SELECT max(seq_no) FROM records WHERE agent_id = ? AND issued_at_ms <= ?';
  const end =
    at === undefined
      ? (before ?? Number.MAX_SAFE_INTEGER)
      : ((open.statement(newestAt).pluck().get(agentId, parseTime(at)) as number | null) ?? 0) + 1;
  const found = links('seq_no < ?', 'DESC', end);
  const data = found.slice(0, limit);
  const newest = data[0]?.seq_no ?? end - 1;
  return { data, older: found.length > limit, newer: exists('seq_no > ?', newest) };
}

/** A record, its receipt, and where it is sealed. @throws ServiceError NOT_FOUND */
export function readCaseOperation(open: OpenCase, operationId: string, seqNo: number | undefined): StoredOperation {
  const { eor, ear, disclosures } = readRecord(open, operationId, seqNo).record;
  const shown = { eor, ear, ...(disclosures === undefined ? {} : { disclosures }) };
  const epoch = epochOf(open, ear.seq_no);
  if (epoch === null) return { ...shown, epoch: null };
  const { epoch_id, epoch_no } = epoch;
  return { ...shown, epoch: { epoch_id, epoch_no, inclusion: inclusionOf(open, epoch, ear) } };
}

/** @throws ServiceError NOT_FOUND */
export function requireOperation(open: OpenCase, operationId: string): void {
  const isThere = (table: 'records' | 'found'): boolean =>
    open.statement(`SELECT 1 FROM ${table} WHERE operation_id = ? LIMIT 1`).get(operationId) !== undefined;
  if (!isThere('records') && !isThere('found')) {
    throw new ServiceError('NOT_FOUND', 'there is no such operation in this case');
  }
}
