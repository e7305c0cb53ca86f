import type Database from 'better-sqlite3';
import type { Mark } from '../../../actions/index.ts';
import type { CoherenceCode, CoherenceSeverity } from '../../../actions/profile/index.ts';
import { isShelfOf, type SegmentRow, type Shelf, segmentPath } from './catalog.ts';
import { SegmentColumns } from './columns.ts';
import type { RecordSource } from './record-source.ts';
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

/** What was found about a record, as the catalog has it. */
export interface FindingRow {
  readonly code: Mark;
  readonly severity: CoherenceSeverity | null;
  readonly seq_no: number;
  readonly operation_id: string;
  readonly other_seq_no: number | null;
  readonly pointer: string | null;
  /** Null for what is explained by its figures. */
  readonly message: string | null;
  readonly figures: string;
}

/** What coherence found: it has its sentence. */
export type CoherenceRow = FindingRow & {
  readonly code: CoherenceCode;
  readonly severity: CoherenceSeverity;
  readonly message: string;
};

const NOTHING = { shelf: 0, judged_to: 0, coherence: null };
const FINDING = 'code, severity, seq_no, operation_id, other_seq_no, pointer, message, figures';

/** Which records have which mark by what was found; a number of a record may be there more than once. */
export interface Marked {
  readonly code: Mark;
  readonly severity: CoherenceSeverity | null;
  readonly seq_no: number;
  readonly other_seq_no: number | null;
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
  /** What no later record takes back: it grows, until all is judged once more. */
  #settled: { readonly of: string; readonly rows: Marked[]; last: number } = { of: '', rows: [], last: 0 };
  readonly #texts = new Map<string, string>();
  /** Rises whenever something else may be found than before. */
  version = 0;
  /** Another object once something was erased: what is kept by this one alone is let go of then. */
  unerased: object = {};

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
    if (isSame && isSameMark(shelf, this.#shelf)) {
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
    const before = this.identity;
    this.#open = opened;
    this.#shelf = shelf;
    if (this.identity !== before) this.unerased = {};
    this.windows = windowsOf(this.segments, this.indexedTo + 1);
    this.#names = new TermNames(shelf?.seed ?? 0);
    this.version++;
  }

  /** Whether it is known what was found about all records here, also what only stands as long as no further record takes it back. */
  get isJudged(): boolean {
    const { indexed_to: indexedTo, judged_to: judgedTo, coherence } = this.#shelf ?? { ...NOTHING, indexed_to: 0 };
    return indexedTo === 0 || (judgedTo >= indexedTo && coherence !== null);
  }

  /** What was found about records: which have which mark. */
  marked(): { readonly settled: readonly Marked[]; readonly standing: readonly Marked[] } {
    const { shelf = 0, judgings = 0 } = this.#shelf ?? {};
    const of = `${shelf} ${judgings}`;
    if (this.#settled.of !== of) this.#settled = { of, rows: [], last: 0 };
    const sql =
      'SELECT finding, code, severity, seq_no, other_seq_no FROM findings WHERE shelf = ? AND standing = ? AND finding > ? ORDER BY finding';
    const select = this.#catalog.prepare(sql);
    const more = select.iterate(shelf, 0, this.#settled.last) as Iterable<Marked & { readonly finding: number }>;
    for (const { finding, code, severity, seq_no, other_seq_no } of more) {
      this.#settled.rows.push({
        code: this.#one(code),
        severity: severity && this.#one(severity),
        seq_no,
        other_seq_no,
      });
      this.#settled.last = finding;
    }
    return { settled: this.#settled.rows, standing: select.all(shelf, 1, 0) as Marked[] };
  }

  /** The same text for all rows that have it: SQLite makes one for each. */
  #one<T extends string>(text: T): T {
    const known = this.#texts.get(text) as T | undefined;
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }

  /** What was found about a record. */
  findingsOf(seqNo: number): FindingRow[] {
    const sql = `SELECT ${FINDING} FROM findings WHERE shelf = ? AND seq_no = ? ORDER BY standing, finding`;
    return this.#catalog.prepare(sql).all(this.#shelf?.shelf ?? 0, seqNo) as FindingRow[];
  }

  /** How far records are judged, the report of coherence (null where some are still to be), and its first findings, of one moment. */
  judgement(most: number): {
    readonly judgedTo: number;
    readonly coherence: string | null;
    readonly findings: readonly CoherenceRow[];
  } {
    return this.#catalog.transaction(() => {
      const found = this.#catalog.prepare('SELECT * FROM shelves WHERE owner = ?').get(this.#owner);
      const { shelf, judged_to: judgedTo, coherence } = (found as Shelf | undefined) ?? NOTHING;
      const rows = (standing: 0 | 1, order: string, left: number): CoherenceRow[] => {
        const sql = `SELECT ${FINDING} FROM findings
          WHERE shelf = ? AND standing = ? AND severity IS NOT NULL ORDER BY ${order} LIMIT ?`;
        return this.#catalog.prepare(sql).all(shelf, standing, left) as CoherenceRow[];
      };
      const settled = rows(0, 'finding', most);
      const standing = rows(1, 'seq_no, code, other_seq_no, finding', most - settled.length);
      return { judgedTo, coherence, findings: [...settled, ...standing] };
    })();
  }

  /** Whether what is read here was made from this ledger. */
  isOf(source: RecordSource): boolean {
    return this.#shelf === null || isShelfOf(this.#shelf, source);
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

/** Whether the same records are found, with the same marks. */
function isSameMark(a: Shelf | null, b: Shelf | null): boolean {
  return (
    a?.shelf === b?.shelf &&
    a?.indexed_to === b?.indexed_to &&
    a?.judged_to === b?.judged_to &&
    a?.judgings === b?.judgings
  );
}
