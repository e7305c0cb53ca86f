import type { DrawnRun } from './damage-map.ts';

/** What was found of a record by itself: that its signatures and hashes hold, and that it is a leaf of the log as it was read. */
export interface RecordState {
  readonly sound: boolean;
  readonly included: boolean;
}

interface Run extends RecordState {
  readonly first: number;
  last: number;
  /** Index of the epoch that covers it; -1 where none does. */
  readonly epoch: number;
}

/** This many runs besides one for each epoch: whoever sends a bundle chooses how its records alternate. */
const MAX_RUNS = 100_000;

/**
 * The records as runs of equal state, so that millions of them take a few bytes an epoch until the end, when it is known
 * which epochs are intact.
 */
export class RecordRuns {
  readonly #runs: Run[] = [];
  readonly #most: number;

  /** @param epochs how many there are */
  constructor(epochs: number) {
    this.#most = MAX_RUNS + epochs;
  }

  add(seqNo: number, epoch: number, { sound, included }: RecordState): void {
    const last = this.#runs.at(-1);
    // Gaps are painted over by what is known of them: in a bundle of one agent every other record makes one.
    if (last?.epoch === epoch && last.sound === sound && last.included === included && seqNo > last.last) {
      last.last = seqNo;
      return;
    }
    if (last !== undefined && this.#runs.length >= this.#most) {
      // Too many to tell apart: from here on nothing is claimed.
      const from = Math.min(last.first, seqNo);
      this.#runs[this.#runs.length - 1] = {
        first: from,
        last: Math.max(last.last, seqNo),
        epoch: -1,
        sound: false,
        included: false,
      };
      return;
    }
    this.#runs.push({ first: seqNo, last: seqNo, epoch, sound, included });
  }

  /**
   * @param intact whether the epoch of this index is signed, and whether the records in the bundle give its root
   * @param provenTo up to which number a signed root of the log covers the leaves that were read
   */
  judge(
    intact: (epoch: number) => { readonly signed: boolean; readonly whole: boolean },
    provenTo: number,
  ): DrawnRun[] {
    return this.#runs.map(({ first, last, epoch, sound, included }) => {
      const { signed, whole } = epoch < 0 ? { signed: false, whole: false } : intact(epoch);
      const proven = sound && ((signed && whole) || (included && last <= provenTo));
      return { first_seq_no: first, last_seq_no: last, state: proven ? 'proven' : 'unproven' };
    });
  }
}
