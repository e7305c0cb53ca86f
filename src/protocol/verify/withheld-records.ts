/** Records next to one another in a bundle that are not shown whole; both numbers inclusive. */
export interface WithheldRun {
  readonly first_seq_no: number;
  readonly last_seq_no: number;
  /** Whether the bundle shows that what is missing is salted. */
  readonly salted: boolean;
}

export interface WithheldMap {
  readonly runs: readonly WithheldRun[];
  /** How many runs there are beyond the listed ones. */
  readonly joined: number;
}

/** More runs than these tell nobody anything. */
const MAX_RUNS = 10_000;

/** Which records of a bundle are not shown whole (protocol V145). */
export class WithheldRecords {
  readonly #runs: WithheldRun[] = [];
  #beyond = 0;
  #open: WithheldRun | null = null;
  count = 0;
  salted = 0;

  /** Takes every record, in order. @param withheld null for a record that is shown whole */
  add(seqNo: number, withheld: { readonly salted: boolean } | null): void {
    if (withheld !== null) {
      this.count++;
      if (withheld.salted) this.salted++;
    }
    if (this.#open !== null && withheld?.salted === this.#open.salted) {
      this.#open = { ...this.#open, last_seq_no: seqNo };
      return;
    }
    this.#close();
    if (withheld !== null) this.#open = { first_seq_no: seqNo, last_seq_no: seqNo, salted: withheld.salted };
  }

  #close(): void {
    if (this.#open === null) return;
    if (this.#runs.length < MAX_RUNS) this.#runs.push(this.#open);
    else this.#beyond++;
    this.#open = null;
  }

  /** To be called once, after the last record. */
  map(): WithheldMap {
    this.#close();
    return { runs: this.#runs, joined: this.#beyond };
  }
}
