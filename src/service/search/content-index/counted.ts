import type { Unit } from '../../../api/index.ts';
import type { Bits } from './bits.ts';
import { actionsOf } from './indexed-actions.ts';
import type { ColumnsView } from './kept-of-view.ts';

/** What is counted: records, or actions, which have what any of their records has. */
export interface Counted {
  /** The records, or the first record of each action. */
  readonly found: Bits;
  /** All records. */
  readonly records: Bits;
  /** Calls with each record of what is found, and with which one is counted. */
  readonly each: (visit: (n: number, counted: number) => void) => void;
  /** The first records of the actions of some records; null where records are counted. */
  readonly actions: ((records: Bits) => Bits) | null;
}

export function countedOf(view: ColumnsView, found: Bits, unit: Unit): Counted {
  if (unit === 'records') {
    return { found, records: found, each: (visit) => found.each((n) => visit(n, n)), actions: null };
  }
  const { all, of, eachOf } = actionsOf(view);
  const each: Counted['each'] = (visit) => found.each((lead) => eachOf(lead, (n) => visit(n, lead)));
  return { found, records: all(found), each, actions: of };
}

/** Counts values, each once for what is counted, however many of its records have it. */
export class Tally {
  readonly counts: Uint32Array;
  readonly #last: Uint32Array;
  #with = 0;
  #lastWith = 0;

  constructor(values: number) {
    this.counts = new Uint32Array(values);
    this.#last = new Uint32Array(values);
  }

  /** What is counted comes one after the other: the records of an action together. */
  add(value: number, counted: number): void {
    if (this.#lastWith !== counted) this.#with++;
    this.#lastWith = counted;
    if (this.#last[value] === counted) return;
    this.#last[value] = counted;
    this.counts[value] = (this.counts[value] as number) + 1;
  }

  /** How many have a value. */
  get some(): number {
    return this.#with;
  }
}
