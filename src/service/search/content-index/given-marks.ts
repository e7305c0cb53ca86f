import type Database from 'better-sqlite3';
import { Bits } from './bits.ts';
import type { SourceRecord } from './record-source.ts';

/** What people gave records: it changes with no trace in the index, and is read for each question. */
export interface GivenMarks {
  /** Tags with the numbers of their records. */
  tagged(): ReadonlyMap<string, readonly number[]>;
  /** Numbers of the records with a bookmark. */
  bookmarked(): readonly number[];
  of(record: Pick<SourceRecord, 'operationId'>): Given;
  looks(): Looks;
  /** Submissions that were refused; a case knows of none. */
  refused(): readonly RefusedSubmissions[];
}

/** Submissions of one agent with one key, of one day, that were refused for one reason. Whoever sent them wrote both names. */
export interface RefusedSubmissions {
  readonly code: string;
  readonly agentId: string;
  readonly kid: string;
  /** In days since 1970. */
  readonly day: number;
  readonly times: number;
  /** In milliseconds since 1970. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** What somebody looked at, of what needs a look, by item: when, in milliseconds since 1970, and by whom. */
export type Looks = ReadonlyMap<string, { readonly at: number; readonly by: string | null }>;

/** @param sqlite the ledger's database, or the file of a case (annotations/looks.ts) */
export function looksOf(sqlite: Database.Database, orgId: string): Looks {
  const sql = 'SELECT item_id AS id, looked_at AS at, looked_by AS by FROM looks WHERE org_id = ?';
  const rows = sqlite.prepare(sql).all(orgId) as {
    readonly id: string;
    readonly at: number;
    readonly by: string | null;
  }[];
  return new Map(rows.map(({ id, ...look }) => [id, look]));
}

export const NOTHING_GIVEN: GivenMarks = {
  tagged: () => new Map(),
  bookmarked: () => [],
  of: () => ({ tags: [], bookmarked: false }),
  looks: () => new Map(),
  refused: () => [],
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
