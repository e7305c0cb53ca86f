import type { EpochRow, ListAnswer } from '../../../contract/index.ts';
import {
  type Epoch,
  formatDigest,
  type Inclusion,
  parseDigest,
  type Receipt,
  receiptLeafHash,
  receiptSignedBytes,
  TreeLevels,
  verifyInclusion,
} from '../../../protocol/index.ts';
import { nodeCrypto } from '../../../runtime/index.ts';
import { ServiceError } from '../../base/service-error.ts';
import { listPage } from '../../http/cursor.ts';
import type { OpenCase } from './open-case.ts';

/** A larger tree is nobody's: the service seals at most a million records at once. */
const MAX_LEAVES = 1_048_576;

/** An epoch as the bundle has it, and its row. */
export interface CaseEpoch {
  readonly n: number;
  readonly value: Epoch;
}

interface StoredEpoch {
  readonly n: number;
  readonly epoch: string;
}

function read(row: unknown): CaseEpoch | null {
  if (row === undefined) return null;
  const { n, epoch } = row as StoredEpoch;
  return { n, value: JSON.parse(epoch) as Epoch };
}

/** Epochs of a case, newest first. */
export function listCaseEpochs(
  open: OpenCase,
  place: readonly [epochNo: number, n: number] | null,
  limit: number,
): ListAnswer<EpochRow> {
  const [epochNo, n] = place ?? [Number.MAX_SAFE_INTEGER, 0];
  const sql = 'SELECT n, epoch FROM epochs WHERE (epoch_no, n) < (?, ?) ORDER BY epoch_no DESC, n DESC LIMIT ?';
  const rows = open.statement(sql).all(epochNo, n, limit + 1) as StoredEpoch[];
  const found = rows.map((row) => ({ n: row.n, value: JSON.parse(row.epoch) as Epoch }));
  const { data, ...rest } = listPage(found, limit, (last) => [last.value.epoch_no, last.n]);
  return { ...rest, data: data.map(({ value: { org_id: _, signature_by_service: __, ...row } }) => row) };
}

/** @throws ServiceError NOT_FOUND */
export function findCaseEpoch(open: OpenCase, epochId: string): Epoch {
  const found = read(open.statement('SELECT n, epoch FROM epochs WHERE epoch_id = ? ORDER BY n LIMIT 1').get(epochId));
  if (found === null) throw new ServiceError('NOT_FOUND', 'there is no such epoch in this case');
  return found.value;
}

/** The epoch that the record's own proof names, or else the one whose range it is in; null where the bundle has none. */
export function epochOf(open: OpenCase, seqNo: number, epochId: string | undefined): CaseEpoch | null {
  if (epochId !== undefined) {
    return read(open.statement('SELECT n, epoch FROM epochs WHERE epoch_id = ? ORDER BY n LIMIT 1').get(epochId));
  }
  const sql = `SELECT n, epoch FROM epochs
    WHERE last_seq_no >= @seqNo AND first_seq_no <= @seqNo ORDER BY last_seq_no, n LIMIT 1`;
  return read(open.statement(sql).get({ seqNo }));
}

/**
 * The proof that a record is in its epoch: its own, or one made from the epoch's other records.
 * @returns null where there is none that holds
 */
export function inclusionOf(
  open: OpenCase,
  epoch: CaseEpoch,
  ear: Receipt,
  own: Inclusion | undefined,
): Inclusion | null {
  const { epoch_id, first_seq_no, leaf_count, root_hash } = epoch.value;
  if (own !== undefined) return own;
  const leafIndex = ear.seq_no - first_seq_no;
  const tree = treeOf(open, epoch);
  if (tree === null || leafIndex >= leaf_count) return null;
  const path = tree.path(leafIndex);
  const leafHash = receiptLeafHash(receiptSignedBytes(ear), nodeCrypto.sha256);
  const root = parseDigest(root_hash);
  const holds = verifyInclusion({ leafHash, leafIndex, treeSize: leaf_count, path, root }, nodeCrypto.sha256);
  return holds ? { epoch_id, leaf_index: leafIndex, path: path.map(formatDigest) } : null;
}

/** The tree over an epoch's records; null where the bundle does not hold exactly as many as the epoch says. */
function treeOf(open: OpenCase, { n, value }: CaseEpoch): TreeLevels | null {
  const kept = open.trees.get(n);
  if (kept !== undefined) return kept;
  const { first_seq_no: first, last_seq_no: last, leaf_count: count } = value;
  if (count > MAX_LEAVES) return null;
  const sql = 'SELECT leaf_hash FROM records WHERE seq_no BETWEEN ? AND ? ORDER BY seq_no, n LIMIT ?';
  const leaves = open
    .statement(sql)
    .pluck()
    .iterate(first, last, count + 1) as Iterable<Uint8Array>;
  const tree = new TreeLevels(leaves, nodeCrypto.sha256);
  if (tree.size !== count) return null;
  open.keepTree(n, tree);
  return tree;
}
