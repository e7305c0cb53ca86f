/** How often there is such a note, in milliseconds. */
export const NOTE_EVERY_MS = 60_000;

/**
 * When there is a note of what the other side may do without end, for each note takes a signature: at once, and then no more than one a minute,
 * with how often it was since the last. What is owed whoever keeps this asks for once a minute is over. Pure but for the clock.
 */
export class SpacedNote {
  readonly #monotonic: () => number;
  #notedAt = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** @param monotonic milliseconds */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Whether some of it is in no note yet. */
  get isOwed(): boolean {
    return this.#count > 0;
  }

  /** It happened. @returns what `due` returns */
  add(): number {
    this.#count++;
    return this.due();
  }

  /** @returns how often it was since the last note, which is then noted; 0 where no note is due */
  due(): number {
    return this.#monotonic() - this.#notedAt < NOTE_EVERY_MS ? 0 : this.take();
  }

  /** The same at the end of all, however long ago the last note was. */
  take(): number {
    const count = this.#count;
    if (count > 0) this.#notedAt = this.#monotonic();
    this.#count = 0;
    return count;
  }
}
