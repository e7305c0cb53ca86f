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
  readonly n: number;
  readonly seq_no: number;
  readonly leaf_hash: Uint8Array;
  readonly gap: Uint8Array | null;
}

/** What a bundle shows of the log besides its records, and where these are in the index. */
export interface ShownLog {
  readonly edges: Edges;
  readonly epochs: readonly Epoch[];
  /** The number before that of the first record. */
  readonly before: number;
  /** What is added to sequence numbers in the index. */
  readonly shift: number;
  readonly insert: (height: number, index: number, root: Uint8Array) => void;
}

/** Keeps what the bundle of a case shows of the log's tree. */
export function keepCaseLog(sqlite: Database.Database): void {
  const text = sqlite.prepare("SELECT value FROM facts WHERE name = 'edges'").pluck().get() as string | undefined;
  if (text === undefined) return;
  const edges = JSON.parse(text) as Edges;
  const epochs = (sqlite.prepare('SELECT epoch FROM epochs ORDER BY n').pluck().all() as string[]).map(
    (epoch) => JSON.parse(epoch) as Epoch,
  );
  const insert = sqlite.prepare('INSERT OR IGNORE INTO log_nodes VALUES (?, ?, ?)');
  keepLog(sqlite, { edges, epochs, before: 0, shift: 0, insert: (...node) => insert.run(...node) });
}

/**
 * Keeps what a bundle shows of the log's tree, for proofs of its records. Nothing of it is verified: what does not lead to a
 * signed root is no proof. Where a gap does not fit, nothing behind it is kept.
 */
export function keepLog(sqlite: Database.Database, { edges, epochs, before, shift, insert }: ShownLog): void {
  let isStated = false;
  const range = new CompactRange(0, sha256, (height, index, root) => {
    if (isStated || (height > 0 && height % KEPT_EVERY === 0)) insert(height, index, root);
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
  const rows = sqlite.prepare('SELECT n, seq_no, leaf_hash, gap FROM records WHERE n > ? ORDER BY n LIMIT 1000');
  for (let n = before; ; ) {
    const page = rows.all(n) as ShownRow[];
    if (page.length === 0) break;
    for (const { seq_no, leaf_hash, gap } of page) if (!take(seq_no - shift, leaf_hash, unpacked(gap), true)) return;
    n = page.at(-1)?.n ?? n;
  }
  if (beside(edges.after)) pass(edges.head?.last_seq_no ?? 0, edges.rest.map(parseDigest));
}

/** Thrown where a bundle does not show enough of the log. */
export class NotShown extends Error {}

/** A run of an archive, by its number in the index and those of its records. */
export interface RunOfRecord {
  readonly run_no: number;
  readonly ledger_no: number;
  readonly first_n: number;
  readonly last_n: number;
  /** The sequence number of its first record. */
  readonly first_seq_no: number;
}

/**
 * The subtrees of the log that the bundle of a case shows, or a run of an archive.
 * @param run null for a case
 * @throws NotShown, from what is returned
 */
export function caseLogNodes(open: { statement(sql: string): Database.Statement }, run: RunOfRecord | null): ReadNode {
  const table = run === null ? 'log_nodes WHERE' : `run_log_nodes WHERE run_no = ${run.run_no} AND`;
  const kept = open.statement(`SELECT hash FROM ${table} height = ? AND node_index = ?`).pluck();
  const leaf = open.statement('SELECT leaf_hash FROM records WHERE seq_no = ? ORDER BY n LIMIT 1').pluck();
  const leafAt = (seqNo: number): unknown => {
    const n = run === null ? seqNo : seqNo - run.first_seq_no + run.first_n;
    return run === null || (n >= run.first_n && n <= run.last_n) ? leaf.get(n) : undefined;
  };
  const node: ReadNode = (height, index) => {
    const found = (kept.get(height, index) ?? (height === 0 ? leafAt(index + 1) : undefined)) as Uint8Array | undefined;
    if (found !== undefined) return found;
    if (height % KEPT_EVERY === 0) throw new NotShown(`the bundle does not show subtree ${index} of height ${height}`);
    return nodeHash(node(height - 1, 2 * index), node(height - 1, 2 * index + 1), sha256);
  };
  return node;
}
