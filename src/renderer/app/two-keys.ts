/** The second of two keys comes within this time, in milliseconds. */
const PAIR_MS = 2500;

/** Two keys pressed one after the other. Their times are those of the browser's events, which begin at 0 with the page. */
export class TwoKeys {
  #began = Number.NEGATIVE_INFINITY;

  /** Notes the first key. */
  begin(at: number): void {
    this.#began = at;
  }

  /** Whether a key is the second one. The next is not, whatever this one was. */
  take(at: number): boolean {
    const isSecond = at - this.#began < PAIR_MS;
    this.#began = Number.NEGATIVE_INFINITY;
    return isSecond;
  }
}
