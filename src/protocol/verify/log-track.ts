import type { Edges } from '../bundle/edges.ts';
import type { HostCrypto } from '../crypto.ts';
import { formatDigest, parseDigest } from '../digest.ts';
import { verifyConsistency } from '../merkle/consistency.ts';
import { frontierLength, MerkleAccumulator } from '../merkle/tree.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { FindingLog } from './finding-log.ts';

/** The log as one tree (protocol §6): from the frontier before the first record on, along the records as they come. */
export class LogTrack {
  readonly #host: HostCrypto;
  readonly #log: FindingLog;
  #frontier: readonly Uint8Array[] = [];
  #consistency: readonly Uint8Array[] = [];
  /** The epoch of the receipt next before the range. */
  #epochBefore: Epoch | null = null;
  /** Grows with the records; null before the first, and from the first on that does not follow. */
  #tree: MerkleAccumulator | null = null;
  /** Size and root of the log before the first record; null where there is no record, or the frontier is of no such size. */
  #before: { readonly size: number; readonly root: Uint8Array } | null = null;
  #first: number | null = null;
  #watched: ReadonlySet<number> = new Set();
  /** Of the watched sizes, those that the bundle leads to. */
  readonly #roots = new Map<number, string>();

  constructor(host: HostCrypto, log: FindingLog) {
    this.#host = host;
    this.#log = log;
  }

  load({ frontier, consistency, before }: Pick<Edges, 'frontier' | 'consistency' | 'before'>): void {
    this.#frontier = frontier.map(parseDigest);
    this.#consistency = consistency.map(parseDigest);
    this.#epochBefore = before?.epoch ?? null;
  }

  /** Has roots kept at these sizes; before the first record. */
  watch(sizes: ReadonlySet<number>): void {
    this.#watched = sizes;
  }

  /** The root at a watched size from 1, as a digest; null where frontier and records, one after the other, do not lead there. */
  rootAt(size: number): string | null {
    return this.#roots.get(size) ?? null;
  }

  #keepRoot({ size }: MerkleAccumulator, root: () => Uint8Array): void {
    if (size > 0 && this.#watched.has(size)) this.#roots.set(size, formatDigest(root()));
  }

  /** Takes the next record. */
  add(seqNo: number, leaf: Uint8Array): void {
    if (this.#first === null) this.#begin(seqNo);
    const tree = this.#tree;
    if (tree !== null && seqNo === tree.size + 1) {
      tree.append(leaf);
      this.#keepRoot(tree, () => tree.root());
    } else this.#tree = null;
  }

  #begin(seqNo: number): void {
    this.#first = seqNo;
    const size = seqNo - 1;
    if (this.#frontier.length !== frontierLength(size)) return;
    this.#tree = MerkleAccumulator.from(size, this.#frontier, this.#host.sha256);
    const root = this.#tree.root();
    this.#before = { size, root };
    this.#keepRoot(this.#tree, () => root);
  }

  #mismatch(epoch: Epoch | null, message: string, actual?: string): void {
    this.#log.add('LOG_ROOT_MISMATCH', {
      where: epoch === null ? { member: 'edges.frontier' } : { epoch_id: epoch.epoch_id, epoch_no: epoch.epoch_no },
      ...(epoch === null ? {} : { expected: epoch.log_root }),
      ...(actual === undefined ? {} : { actual }),
      message,
    });
  }

  /** The end of an epoch was met: where every record up to there came in order, they must give the log's root. */
  atEndOf(epoch: Epoch): void {
    if (this.#tree === null || this.#tree.size !== epoch.last_seq_no) return;
    const root = formatDigest(this.#tree.root());
    if (root !== epoch.log_root) {
      this.#mismatch(epoch, 'The records do not give the root of the log that the epoch was sealed with.', root);
    }
  }

  /** After the last record: the consistency proof must lead from the frontier to the last epoch. */
  finish(last: Epoch | undefined): void {
    if (this.#first === null || last === undefined) {
      if (this.#frontier.length + this.#consistency.length > 0) {
        this.#mismatch(null, 'The bundle holds no record, but a frontier of the log.');
      }
      return;
    }
    const before = this.#before;
    if (before === null) {
      this.#mismatch(
        null,
        `The frontier of the log is not one of the ${this.#first - 1} receipts before the first record.`,
      );
      return;
    }
    const sealed = this.#epochBefore;
    if (sealed !== null && sealed.last_seq_no === before.size && sealed.log_root !== formatDigest(before.root)) {
      this.#mismatch(
        sealed,
        'The frontier does not give the root of the log that the epoch next before the first record was sealed with.',
        formatDigest(before.root),
      );
    }
    const holds =
      before.size === 0
        ? this.#consistency.length === 0
        : verifyConsistency(
            {
              firstSize: before.size,
              secondSize: last.last_seq_no,
              firstRoot: before.root,
              secondRoot: parseDigest(last.log_root),
              path: this.#consistency,
            },
            this.#host.sha256,
          );
    if (!holds) {
      this.#mismatch(
        last,
        'The proof does not lead from the log before the first record to the one that the last epoch sealed.',
      );
    }
  }
}
