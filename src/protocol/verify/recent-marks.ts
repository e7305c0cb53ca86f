/** At least this number of marks is remembered, and at most twice as many and those of one record. */
const KEPT = 65_536;

/**
 * Salts and salted digests of members met lately (protocol V36). No agent can be held to drawing salts at random;
 * one that uses a salt again by mistake does so soon, so that memory for the newest is enough.
 */
export class RecentMarks {
  #older: ReadonlySet<string> = new Set();
  #newer = new Set<string>();

  /** Takes the marks of the next record. @returns whether one of them was met before, or is there twice */
  meet(marks: readonly string[]): boolean {
    let met = false;
    for (const mark of marks) {
      met ||= this.#older.has(mark) || this.#newer.has(mark);
      this.#newer.add(mark);
    }
    if (this.#newer.size >= KEPT) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    return met;
  }
}
