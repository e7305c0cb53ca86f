import { coverEnds } from '../bundle/gaps.ts';
import type { HostCrypto } from '../crypto.ts';
import { formatDigest, parseDigest } from '../digest.ts';
import { CompactRange } from '../merkle/tree.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { FindingLog } from './finding-log.ts';
import type { FindingPlace } from './report.ts';

/** An epoch whose root of the log is held against what the file gives. */
export interface SealedSize {
  readonly epoch: Epoch;
  readonly hash: string;
  /** Whether a sound service key signed it, for this organization. */
  readonly signed: boolean;
}

/** A receipt that the file shows, as a leaf of the log. */
export interface ShownLeaf {
  readonly seqNo: number;
  readonly leaf: Uint8Array;
  /** The leaves between the receipt shown before and this one, as far as the file has them. */
  readonly gap: readonly string[] | undefined;
  readonly where: FindingPlace;
}

/**
 * The log as one tree (protocol V56): from its first leaf to the end of the newest epoch, along the receipts that the
 * file shows and the gaps between them. Where a gap is not as it should be, nothing behind it leads anywhere.
 */
export class LogTrack {
  readonly #log: FindingLog;
  readonly #range: CompactRange;
  #broken = false;
  /** Whether a record was taken. */
  #begun = false;
  /** The epoch of the newest leaf: the gap behind it is cut at its end. */
  #open: SealedSize | null = null;
  /** The epoch that was looked at last. */
  #judged: SealedSize | null = null;
  #watched: ReadonlySet<number> = new Set();
  /** Of the watched sizes, those that the file leads to. */
  readonly #roots = new Map<number, string>();
  /** Up to this size a signed root of the log covers what the file shows. */
  provenTo = 0;
  /** How many epochs' roots of the log the file gives. */
  rootsGiven = 0;

  constructor(host: HostCrypto, log: FindingLog) {
    this.#log = log;
    this.#range = new CompactRange(0, host.sha256);
  }

  /** Has roots kept at these sizes; before the first leaf. */
  watch(sizes: ReadonlySet<number>): void {
    this.#watched = sizes;
  }

  /** The root at a size, as far as there is one among those; else null. */
  rootAt(size: number): string | null {
    return size <= this.provenTo ? (this.#roots.get(size) ?? null) : null;
  }

  /**
   * The roots at watched sizes and at that before the first record, from 1, as digests: where the file leads there, and a signed
   * root covers what it leads along, since somebody else may have changed anything else.
   */
  get roots(): ReadonlyMap<number, string> {
    return new Map([...this.#roots].filter(([size]) => size <= this.provenTo));
  }

  #root(): string {
    return formatDigest(this.#range.root());
  }

  /** A size was reached: is it one that somebody asks for, or the end of the epoch of the newest leaf? */
  #reach(): void {
    const size = this.#range.end;
    if (this.#watched.has(size)) this.#roots.set(size, this.#root());
    if (this.#open?.epoch.last_seq_no === size) this.#judge(this.#open);
  }

  #judge(sealed: SealedSize): void {
    const { epoch, signed } = sealed;
    this.#judged = sealed;
    const actual = this.#root();
    if (actual === epoch.log_root) {
      this.rootsGiven++;
      if (signed) this.provenTo = epoch.last_seq_no;
      return;
    }
    this.#log.add('LOG_ROOT_MISMATCH', {
      where: { epoch_id: epoch.epoch_id, epoch_no: epoch.epoch_no },
      expected: epoch.log_root,
      actual,
      message: 'What the file shows does not give the root of the log that the epoch was sealed with.',
    });
  }

  /** @returns whether the gap up to a size is as it should be */
  #pass(to: number, gap: readonly string[] | undefined, where: FindingPlace): boolean {
    const from = this.#range.end;
    // Nearly every receipt is next to the one before it.
    if (from === to && gap === undefined) return true;
    const ends = coverEnds(from, to, this.#open?.epoch);
    const hashes = (gap ?? []).map(parseDigest);
    if (this.#range.fill(ends, hashes, () => this.#reach())) return true;
    this.#broken = true;
    this.#log.add('INCLUSION_INVALID', {
      where,
      message:
        from === to
          ? 'Hashes stand where no receipt of the log is left out.'
          : `The hashes for the ${to - from} receipts of the log that are left out before this place are not as many as they should be.`,
    });
    return false;
  }

  /**
   * Takes the next receipt that the file shows. One whose number is not above that of the one before it is passed over.
   * @param open the epoch in whose run it lies, if the file shows that
   * @param isRecord whether it is a record's and not a neighbour's
   * @returns whether it is a leaf of what the file leads along
   */
  add({ seqNo, leaf, gap, where }: ShownLeaf, open: SealedSize | null, isRecord = true): boolean {
    if (this.#broken || seqNo <= this.#range.end || !this.#pass(seqNo - 1, gap, where)) return false;
    if (isRecord && !this.#begun && seqNo > 1) this.#roots.set(seqNo - 1, this.#root());
    this.#begun ||= isRecord;
    this.#range.push(leaf);
    this.#open = open;
    this.#reach();
    return true;
  }

  /** After the last receipt: the rest of the log must lead to the root of the newest epoch. */
  finish(rest: readonly string[], head: SealedSize | null, where: FindingPlace): void {
    if (this.#broken) return;
    if (head === null && this.#range.end === 0 && rest.length === 0) return;
    if (head === null || head.epoch.last_seq_no < this.#range.end) {
      this.#log.add('LOG_ROOT_MISMATCH', { where, message: 'No newest epoch seals what the file shows of the log.' });
      return;
    }
    if (!this.#pass(head.epoch.last_seq_no, rest, where)) return;
    if (this.#judged?.hash !== head.hash) this.#judge(head);
  }
}
