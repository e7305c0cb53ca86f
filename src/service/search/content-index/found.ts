import type { Query } from '../../../actions/index.ts';
import type { Unit } from '../../../api/index.ts';
import type { Bits } from './bits.ts';
import type { Direction } from './record-source.ts';
import type { Window } from './shelf-reader.ts';

/** What a query finds. */
export interface Found {
  /** Of actions the first record of each. */
  readonly records: Bits;
  /** Whether all records were looked at: where they have to be read, the time for that is limited. */
  readonly complete: boolean;
}

/** What was found so far, for the next call with the same query. */
export interface Kept {
  readonly unit: Unit;
  readonly must: Bits;
  /** Records that still have to be read. */
  readonly open: Bits;
  /** Whether there were any. */
  isRead: boolean;
  /** Those of them that took all the time of an earlier question: they are read after all others. */
  readonly late: Set<number>;
  /** All that there is to look at, from the oldest on, and what was not looked at yet. Actions go across windows. */
  readonly all: readonly Window[];
  readonly windows: Set<Window>;
  /** Whether the queries within it were answered to the end. */
  partsComplete: boolean;
}

/** A part of what a query means, in an order. */
export interface Page {
  readonly order: Direction;
  /** The number of the last record of the page before. */
  readonly place: number | null;
  readonly limit: number;
}

export interface FoundPage {
  readonly ns: readonly number[];
  /** Whether no record of it was left out because there was no time to look at it. */
  readonly complete: boolean;
  /** The records up to this number were looked at. */
  readonly to: number;
  /** Where there was no time to look at records that the index does not have: the one behind which the next page begins. */
  readonly resume: number | null;
}

/** Which records are read, and in which order. */
export interface Reading {
  readonly order: Direction;
  /** The record behind which it begins. */
  readonly behind: number;
  /** Whether no record from the next one on has to be read; -1 stands for the end of all. */
  readonly isEnough: (next: number) => boolean;
  /** Whether those are read as well that took all the time of an earlier question. */
  readonly withLate: boolean;
}

export function nextOf(records: Bits, order: Direction, n: number): number {
  return order === 'newest' ? records.before(n) : records.from(n + 1);
}

/** The first records of a set behind one. */
export function firstOf(records: Bits, order: Direction, behind: number, most: number): number[] {
  const ns: number[] = [];
  for (let n = nextOf(records, order, behind); n >= 0 && ns.length < most; n = nextOf(records, order, n)) ns.push(n);
  return ns;
}

/** The questions about sessions in a query, without those within them. */
export function sessionParts(query: Query): Query[] {
  switch (query.kind) {
    case 'and':
    case 'or':
      return query.parts.flatMap(sessionParts);
    case 'not':
      return sessionParts(query.part);
    case 'session':
      return [query.part];
    default:
      return [];
  }
}
