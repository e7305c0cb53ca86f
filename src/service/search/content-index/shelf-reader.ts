import type Database from 'better-sqlite3';
import { type SegmentRow, type Shelf, segmentPath } from './catalog.ts';
import { SegmentColumns } from './columns.ts';
import { SegmentFile } from './segment-file.ts';
import { TermNames } from './term-names.ts';

/** A segment that is open for reading. */
export interface OpenSegment {
  readonly row: SegmentRow;
  readonly file: SegmentFile;
  readonly columns: SegmentColumns;
}

/** Records that are next to each other, and the segments that have any of them. */
export interface Window {
  readonly start: number;
  /** One more than the greatest number. */
  readonly size: number;
  readonly segments: readonly OpenSegment[];
}

/** Whether a segment has most of the records from its first to its last: what was written again after an erasure may have few. */
function isDense({ row: { base, last, records } }: OpenSegment): boolean {
  return records * 2 > last - base;
}

/** Divides records where segments begin, so that what is asked of one part is asked of few of these. */
function windowsOf(segments: readonly OpenSegment[], size: number): Window[] {
  const cuts = new Set(segments.filter(isDense).map(({ row }) => row.base));
  const starts = [1, ...[...cuts].filter((cut) => cut > 1 && cut < size).sort((a, b) => a - b)];
  return starts.map((start, at) => {
    const end = starts[at + 1] ?? size;
    return { start, size: end, segments: segments.filter(({ row }) => row.base < end && row.last >= start) };
  });
}

/** The segments of a shelf as the catalog lists them at one moment. */
export class ShelfReader {
  readonly #folder: string;
  readonly #catalog: Database.Database;
  readonly #owner: string;
  #shelf: Shelf | null = null;
  #names = new TermNames(0);
  #open = new Map<number, OpenSegment>();
  /** Its records in parts, the oldest first. */
  windows: readonly Window[] = [];
  /** Rises whenever something else may be found than before. */
  version = 0;

  /** @param catalog a connection of the caller's */
  constructor(catalog: Database.Database, folder: string, owner: string) {
    this.#catalog = catalog;
    this.#folder = folder;
    this.#owner = owner;
  }

  get segments(): readonly OpenSegment[] {
    return [...this.#open.values()];
  }

  /** All of its records. */
  get whole(): Window {
    return { start: 1, size: this.indexedTo + 1, segments: this.segments };
  }

  get names(): TermNames {
    return this.#names;
  }

  /** Records up to this number are found. */
  get indexedTo(): number {
    return this.#shelf?.indexed_to ?? 0;
  }

  /** Which shelf it is and which erasures it knows of: what was read from it before another one is to be read again. */
  get identity(): string {
    return this.#shelf === null ? '' : `${this.#shelf.shelf} ${this.#shelf.seed} ${this.#shelf.erased_to}`;
  }

  /**
   * Opens what was added since, and closes what is gone.
   * @throws ContentDamaged
   */
  refresh(): void {
    const { shelf, rows } = this.#catalog.transaction(() => {
      const found = this.#catalog.prepare('SELECT * FROM shelves WHERE owner = ?').get(this.#owner);
      const listed =
        found === undefined
          ? []
          : this.#catalog
              .prepare(
                'SELECT segment, base, last, records, bytes FROM segments WHERE shelf = ? ORDER BY base, segment',
              )
              .all((found as Shelf).shelf);
      return { shelf: (found as Shelf | undefined) ?? null, rows: listed as SegmentRow[] };
    })();
    const isSame = rows.length === this.#open.size && rows.every(({ segment }) => this.#open.has(segment));
    if (isSame && shelf?.shelf === this.#shelf?.shelf && shelf?.indexed_to === this.#shelf?.indexed_to) {
      this.#shelf = shelf;
      return;
    }
    const opened = new Map<number, OpenSegment>();
    try {
      for (const row of rows) opened.set(row.segment, this.#open.get(row.segment) ?? this.#opened(row));
    } catch (error) {
      for (const [segment, { file }] of opened) if (!this.#open.has(segment)) file.close();
      throw error;
    }
    for (const [segment, { file }] of this.#open) if (!opened.has(segment)) file.close();
    this.#open = opened;
    this.#shelf = shelf;
    this.windows = windowsOf(this.segments, this.indexedTo + 1);
    this.#names = new TermNames(shelf?.seed ?? 0);
    this.version++;
  }

  #opened(row: SegmentRow): OpenSegment {
    const file = new SegmentFile(segmentPath(this.#folder, row.segment), row.base);
    try {
      return { row, file, columns: new SegmentColumns(file) };
    } catch (error) {
      file.close();
      throw error;
    }
  }

  close(): void {
    for (const { file } of this.#open.values()) file.close();
    this.#open.clear();
  }
}
