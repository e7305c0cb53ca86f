import { hash } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { NameFilter } from './name-filter.ts';

/**
 * Records in a segment. What is taken up is written all over the open segment: a larger one costs more of that, and smaller
 * ones cost searches, which look into each.
 */
export const SEGMENT_SIZE = 65_536;

/** The segment that records are added to, and how many more it takes. */
export interface OpenSegment {
  readonly segment: number;
  readonly room: number;
}

/** The segments of an index (index-file.ts), and their parts of the filter of names. */
export class Segments {
  readonly #filter: NameFilter;
  readonly #size: number;
  readonly #statements: ReturnType<typeof prepare>;

  /** @param size how many records a segment has when it is full */
  constructor(index: Database.Database, filter: NameFilter, size = SEGMENT_SIZE) {
    this.#filter = filter;
    this.#size = size;
    this.#statements = prepare(index);
  }

  /** The segment that records are added to; there is no row of it before it has some. */
  open(): OpenSegment {
    const newest = this.#statements.newest.get() as { segment: number; records: number } | undefined;
    if (newest === undefined) return { segment: 0, room: this.#size };
    const room = this.#size - newest.records;
    return room > 0 ? { segment: newest.segment, room } : { segment: newest.segment + 1, room: this.#size };
  }

  /** The segment that a record of an organization is in; null where it is in none. */
  of(orgNo: number, seqNo: number): number | null {
    return (this.#statements.of.get(orgNo, seqNo) as number | undefined) ?? null;
  }

  /** Takes note of records of an organization that were added to the open segment, whose names the filter has. */
  added(segment: number, orgNo: number, firstSeq: number, count: number): void {
    const { add, records, of, addStretch, storeFilter } = this.#statements;
    add.run(segment, count);
    if (of.get(orgNo, firstSeq) !== segment) addStretch.run(orgNo, firstSeq, segment);
    // Where the filter is not whole, it will be made of the names again.
    if ((records.get(segment) as number) < this.#size || !this.#filter.isSettled) return;
    const bits = this.#filter.bitsOf(segment);
    storeFilter.run(bits, digestOf(bits), segment);
  }

  /** Takes all names into the filter, and settles it. */
  loadFilter(): void {
    const { all, stored, keys } = this.#statements;
    for (const segment of all.all() as number[]) {
      const { filter, filter_digest } = stored.get(segment) as { filter: Buffer | null; filter_digest: Buffer | null };
      // A bit that was lost would hide a name.
      if (filter !== null && filter_digest?.equals(digestOf(filter)) === true) this.#filter.load(segment, filter);
      else for (const key of keys.iterate(segment) as Iterable<number>) this.#filter.add(segment, key);
    }
    this.#filter.settle();
  }
}

function digestOf(bits: Buffer): Buffer {
  return hash('sha256', bits, 'buffer');
}

function prepare(index: Database.Database) {
  return {
    newest: index.prepare('SELECT segment, records FROM segments ORDER BY segment DESC LIMIT 1'),
    records: index.prepare('SELECT records FROM segments WHERE segment = ?').pluck(),
    all: index.prepare('SELECT segment FROM segments ORDER BY segment').pluck(),
    of: index
      .prepare('SELECT segment FROM stretches WHERE org_no = ? AND first_seq <= ? ORDER BY first_seq DESC LIMIT 1')
      .pluck(),
    add: index.prepare(
      `INSERT INTO segments (segment, records) VALUES (?, ?)
       ON CONFLICT (segment) DO UPDATE SET records = records + excluded.records`,
    ),
    addStretch: index.prepare('INSERT INTO stretches (org_no, first_seq, segment) VALUES (?, ?, ?)'),
    storeFilter: index.prepare('UPDATE segments SET filter = ?, filter_digest = ? WHERE segment = ?'),
    stored: index.prepare('SELECT filter, filter_digest FROM segments WHERE segment = ?'),
    keys: index.prepare('SELECT key FROM names WHERE segment = ?').pluck(),
  };
}
