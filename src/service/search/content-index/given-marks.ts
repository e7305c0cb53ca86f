import { Bits } from './bits.ts';
import type { SourceRecord } from './record-source.ts';

/** What people gave records: it changes with no trace in the index, and is read for each question. */
export interface GivenMarks {
  /** Tags with the numbers of their records. */
  tagged(): ReadonlyMap<string, readonly number[]>;
  /** Numbers of the records with a bookmark. */
  bookmarked(): readonly number[];
  of(record: Pick<SourceRecord, 'operationId'>): Given;
}

export const NOTHING_GIVEN: GivenMarks = {
  tagged: () => new Map(),
  bookmarked: () => [],
  of: () => ({ tags: [], bookmarked: false }),
};

export interface Given {
  readonly tags: string[];
  readonly bookmarked: boolean;
}

function bitsOf(ns: readonly number[], size: number): Bits {
  const bits = new Bits(size);
  for (const n of ns) if (n < size) bits.add(n);
  return bits;
}

/** Which records have which tag. @param size one more than the greatest number of a record */
export function taggedRecords(given: GivenMarks, size: number): ReadonlyMap<string, Bits> {
  return new Map(Array.from(given.tagged(), ([tag, ns]) => [tag, bitsOf(ns, size)]));
}

/** Which records have a bookmark, and which have none. @param size one more than the greatest number of a record */
export function bookmarkedRecords(given: GivenMarks, size: number): ReadonlyMap<string, Bits> {
  const bookmarked = bitsOf(given.bookmarked(), size);
  const others = Bits.all(size);
  others.delete(0);
  return new Map([
    ['true', bookmarked],
    ['false', others.without(bookmarked)],
  ]);
}
