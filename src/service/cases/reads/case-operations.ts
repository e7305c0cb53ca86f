import type { ChainRow, StoredOperation } from '../../../api/index.ts';
import { formatDigest } from '../../../protocol/index.ts';
import type { Chain } from '../../search/queries/chain.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { epochOf, inclusionOf } from './case-epochs.ts';
import { readRecord } from './case-record-text.ts';
import { requireAgent } from './directory.ts';
import type { OpenCase } from './open-case.ts';

const LINK = `operation_id, agent_id, operation_type, subject, action, issued_at, seq_no, server_received_at,
  chain_hash, prev_chain_hash, agent_pubkey_kid`;

/** Where the records of a case are in the ledger that it was exported from, as the bundle says it; in the order of the file. */
export function recordPlaces(
  open: OpenCase,
  after: number,
  limit: number,
): { readonly n: number; readonly seqNo: number; readonly operationId: string }[] {
  const sql = 'SELECT n, seq_no AS seqNo, operation_id AS operationId FROM records WHERE n > ? ORDER BY n LIMIT ?';
  return open.statement(sql).all(after, limit) as { n: number; seqNo: number; operationId: string }[];
}

interface StoredLink extends Omit<ChainRow, 'chain_hash' | 'prev_chain_hash'> {
  readonly chain_hash: Uint8Array;
  readonly prev_chain_hash: Uint8Array | null;
}

function link({ chain_hash, prev_chain_hash, ...row }: StoredLink): ChainRow {
  return {
    ...row,
    chain_hash: formatDigest(chain_hash),
    prev_chain_hash: prev_chain_hash && formatDigest(prev_chain_hash),
  };
}

/** The chain of an agent of a case, as far as the bundle goes. @throws ServiceError NOT_FOUND */
export function caseChain(open: OpenCase, agentId: string): Chain {
  requireAgent(open, agentId);
  return {
    links: (side, most) => {
      const [within, seqNo, order] = 'before' in side ? ['<', side.before, 'DESC'] : ['>', side.after, 'ASC'];
      const sql = `SELECT ${LINK} FROM records WHERE agent_id = ? AND seq_no ${within} ?
        ORDER BY seq_no ${order}, n ${order} LIMIT ?`;
      return (open.statement(sql).all(agentId, seqNo, most) as StoredLink[]).map(link);
    },
    newestAt: (time) => {
      const sql = 'SELECT coalesce(max(seq_no), 0) FROM records WHERE agent_id = ? AND issued_at_ms <= ?';
      return open.statement(sql).pluck().get(agentId, time) as number;
    },
  };
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
