import type { EpochRow, ListAnswer } from '../../../api/index.ts';
import { nodeCrypto } from '../../../node/index.ts';
import {
  auditPath,
  type Epoch,
  formatDigest,
  type Inclusion,
  isSealedIn,
  type Receipt,
  receiptLeafHash,
  receiptSignedBytes,
} from '../../../protocol/index.ts';
import { listPage } from '../../http/cursor.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { caseLogNodes, NotShown, type RunOfRecord } from '../case-log.ts';
import type { OpenCase } from './open-case.ts';

interface StoredEpoch {
  readonly n: number;
  readonly epoch: string;
}

function read(row: unknown): Epoch | null {
  return row === undefined ? null : (JSON.parse((row as StoredEpoch).epoch) as Epoch);
}

/** Epochs of a case, newest first. */
export function listCaseEpochs(
  open: OpenCase,
  place: readonly [epochNo: number, n: number] | null,
  limit: number,
  of?: string,
): ListAnswer<EpochRow> {
  const [epochNo, n] = place ?? [Number.MAX_SAFE_INTEGER, 0];
  const isOfOne = open.isArchive && of !== undefined;
  const ofLedger = isOfOne ? 'ledger_no = (SELECT ledger_no FROM epochs WHERE epoch_id = ?) AND' : '';
  const sql = `SELECT n, epoch FROM epochs WHERE ${ofLedger} (epoch_no, n) < (?, ?) ORDER BY epoch_no DESC, n DESC LIMIT ?`;
  const rows = open.statement(sql).all(...(isOfOne ? [of] : []), epochNo, n, limit + 1) as StoredEpoch[];
  const found = rows.map((row) => ({ n: row.n, value: JSON.parse(row.epoch) as Epoch }));
  return listPage(
    found,
    limit,
    (last) => [last.value.epoch_no, last.n],
    ({ value: { org_id: _, signature_by_service: __, ...row } }) => row,
  );
}

/** @throws ServiceError NOT_FOUND */
export function findCaseEpoch(open: OpenCase, epochId: string): Epoch {
  const found = read(open.statement('SELECT n, epoch FROM epochs WHERE epoch_id = ? ORDER BY n LIMIT 1').get(epochId));
  if (found === null) throw new ServiceError('NOT_FOUND', 'there is no such epoch in this case');
  return found;
}

/** The epoch in whose range a record is; null where the bundle has none. */
export function epochOf(open: OpenCase, seqNo: number): Epoch | null {
  const sql = `SELECT n, epoch FROM epochs
    WHERE last_seq_no >= @seqNo AND first_seq_no <= @seqNo ORDER BY last_seq_no, n LIMIT 1`;
  return read(open.statement(sql).get({ seqNo }));
}

/**
 * The place of a record in the log that its epoch sealed, from what the bundle shows of the log.
 * @returns null where it does not show enough, or something else than was sealed
 */
export function inclusionOf(open: OpenCase, epoch: Epoch, ear: Receipt, run: RunOfRecord | null): Inclusion | null {
  const { sha256 } = nodeCrypto;
  const place = { seqNo: ear.seq_no, leafHash: receiptLeafHash(receiptSignedBytes(ear), sha256) };
  try {
    const path = auditPath(epoch.last_seq_no, ear.seq_no - 1, caseLogNodes(open, run), sha256);
    const inclusion = { leaf_index: ear.seq_no - 1, path: path.map(formatDigest) };
    return isSealedIn(epoch, place, inclusion, sha256) ? inclusion : null;
  } catch (error) {
    if (error instanceof NotShown) return null;
    throw error;
  }
}
