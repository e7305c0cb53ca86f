import type Database from 'better-sqlite3';
import { nodeCrypto } from '../../node/index.ts';
import {
  CompactRange,
  coverEnds,
  type Edges,
  type Epoch,
  epochSealing,
  nodeHash,
  parseDigest,
  type ReadNode,
  receiptLeafHash,
  receiptSignedBytes,
} from '../../protocol/index.ts';

const { sha256 } = nodeCrypto;

/** Of the complete subtrees those are kept whose height is a multiple of this, and those that the bundle states itself. */
const KEPT_EVERY = 8;

const HASH_BYTES = 32;

/** Digests as the index keeps them, one behind the other; null for none. */
export function packed(digests: readonly string[] | undefined): Uint8Array | null {
  return digests === undefined ? null : Buffer.concat(digests.map(parseDigest));
}

function unpacked(bytes: Uint8Array | null): Uint8Array[] {
  const count = (bytes?.length ?? 0) / HASH_BYTES;
  return Array.from({ length: count }, (_, n) =>
    (bytes ?? new Uint8Array(0)).subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES),
  );
}

interface ShownRow {
  readonly seq_no: number;
  readonly leaf_hash: Uint8Array;
  readonly gap: Uint8Array | null;
}

/**
 * Keeps what a bundle shows of the log's tree, for proofs of its records. Nothing of it is verified: what does not lead to a
 * signed root is no proof. Where a gap does not fit, nothing behind it is kept.
 */
export function keepCaseLog(sqlite: Database.Database): void {
  const text = sqlite.prepare("SELECT value FROM facts WHERE name = 'edges'").pluck().get() as string | undefined;
  if (text === undefined) return;
  const edges = JSON.parse(text) as Edges;
  const epochs = (sqlite.prepare('SELECT epoch FROM epochs ORDER BY n').pluck().all() as string[]).map(
    (epoch) => JSON.parse(epoch) as Epoch,
  );
  const insert = sqlite.prepare('INSERT OR IGNORE INTO log_nodes VALUES (?, ?, ?)');
  let isStated = false;
  const range = new CompactRange(0, sha256, (height, index, root) => {
    if (isStated || (height > 0 && height % KEPT_EVERY === 0)) insert.run(height, index, root);
  });
  let last = 0;
  const pass = (to: number, gap: readonly Uint8Array[]): boolean => {
    isStated = true;
    const fits = to >= last && range.fill(coverEnds(last, to, epochSealing(epochs, last)), gap);
    isStated = false;
    return fits;
  };
  const take = (seqNo: number, leaf: Uint8Array, gap: readonly Uint8Array[], isRecord: boolean): boolean => {
    if (seqNo <= last) return true;
    if (!pass(seqNo - 1, gap)) return false;
    isStated = !isRecord;
    range.push(leaf);
    isStated = false;
    last = seqNo;
    return true;
  };
  const beside = (side: Edges['before']): boolean => {
    if (side === null) return true;
    const leaf = receiptLeafHash(receiptSignedBytes(side.ear), sha256);
    return take(side.ear.seq_no, leaf, unpacked(packed(side.gap)), false);
  };
  if (!beside(edges.before)) return;
  // Another connection's rows would not be there yet: the statement and the insertions share one, which reads and writes.
  const rows = sqlite.prepare('SELECT seq_no, leaf_hash, gap FROM records WHERE n > ? ORDER BY n LIMIT 1000');
  for (let n = 0; ; n += 1000) {
    const page = rows.all(n) as ShownRow[];
    if (page.length === 0) break;
    for (const { seq_no, leaf_hash, gap } of page) if (!take(seq_no, leaf_hash, unpacked(gap), true)) return;
  }
  if (beside(edges.after)) pass(edges.head?.last_seq_no ?? 0, edges.rest.map(parseDigest));
}

/** Thrown where a bundle does not show enough of the log. */
export class NotShown extends Error {}

/** The subtrees of the log that the bundle of a case shows. @throws NotShown, from what is returned */
export function caseLogNodes(open: { statement(sql: string): Database.Statement }): ReadNode {
  const kept = open.statement('SELECT hash FROM log_nodes WHERE height = ? AND node_index = ?').pluck();
  const leaf = open.statement('SELECT leaf_hash FROM records WHERE seq_no = ? ORDER BY n LIMIT 1').pluck();
  const node: ReadNode = (height, index) => {
    const found = (kept.get(height, index) ?? (height === 0 ? leaf.get(index + 1) : undefined)) as
      | Uint8Array
      | undefined;
    if (found !== undefined) return found;
    if (height % KEPT_EVERY === 0) throw new NotShown(`the bundle does not show subtree ${index} of height ${height}`);
    return nodeHash(node(height - 1, 2 * index), node(height - 1, 2 * index + 1), sha256);
  };
  return node;
}
