import type { Ids } from './columns.ts';
import { keptOfView } from './kept-of-view.ts';

/** Records by the number of their value in a column. */
export class Groups {
  readonly #starts: Uint32Array;
  readonly #ns: Uint32Array;

  constructor(ids: Ids, values: number) {
    const starts = new Uint32Array(values + 1);
    this.#starts = starts;
    this.#ns = new Uint32Array();
    // The first value stands for none: of a column in which no record has one, there is nothing to go through.
    if (values <= 1) return;
    for (let n = 1; n < ids.length; n++) {
      const id = ids[n] ?? 0;
      if (id !== 0) starts[id + 1] = (starts[id + 1] ?? 0) + 1;
    }
    for (let id = 1; id <= values; id++) starts[id] = (starts[id] ?? 0) + (starts[id - 1] ?? 0);
    const next = starts.slice();
    const ns = new Uint32Array(starts[values] ?? 0);
    for (let n = 1; n < ids.length; n++) {
      const id = ids[n] ?? 0;
      if (id === 0) continue;
      ns[next[id] ?? 0] = n;
      next[id] = (next[id] ?? 0) + 1;
    }
    this.#ns = ns;
  }

  /** One more than the greatest number of a value. */
  get values(): number {
    return this.#starts.length - 1;
  }

  /** The records with a value, in rising order. */
  of(id: number): Uint32Array {
    return this.#ns.subarray(this.#starts[id] ?? 0, this.#starts[id + 1] ?? 0);
  }

  /** Calls with each of them. To make a list for each of a million values takes longer than to go through them all. */
  each(id: number, visit: (n: number) => void): void {
    const end = this.#starts[id + 1] ?? 0;
    for (let at = this.#starts[id] ?? 0; at < end; at++) visit(this.#ns[at] as number);
  }
}

/** The records of each call. */
export const recordsOfCalls = keptOfView((view) => {
  const { ids, digests } = view.columns.category('call');
  return new Groups(ids, digests.length);
});
