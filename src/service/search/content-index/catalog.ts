import { randomInt } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { RecordSource } from './record-source.ts';

/** Changes with the tables below, the files of segments, or what is read out of payloads: an index of another version is made again. */
const VERSION = 10;

/**
 * Which segments there are and how far they reach, what was found about records, and what the judge of them keeps. Texts of payloads are
 * in the files of segments, which never change and are removed whole, and in the state and the findings of the judge: with an erasure
 * these are deleted, what they took is overwritten (`secure_delete`), and the write-ahead log is emptied.
 */
const SCHEMA = `
  CREATE TABLE shelves (
    shelf INTEGER PRIMARY KEY,
    owner TEXT NOT NULL UNIQUE,
    seed INTEGER NOT NULL,
    indexed_to INTEGER NOT NULL,
    leaf_hash BLOB,
    erased_to INTEGER NOT NULL,
    rules TEXT NOT NULL,
    judged_to INTEGER NOT NULL DEFAULT 0,
    judgings INTEGER NOT NULL DEFAULT 0,
    coherence TEXT
  ) STRICT;
  CREATE TABLE segments (
    segment INTEGER PRIMARY KEY AUTOINCREMENT,
    shelf INTEGER NOT NULL,
    base INTEGER NOT NULL,
    last INTEGER NOT NULL,
    records INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE findings (
    finding INTEGER PRIMARY KEY AUTOINCREMENT,
    shelf INTEGER NOT NULL,
    standing INTEGER NOT NULL,
    code TEXT NOT NULL,
    severity TEXT,
    seq_no INTEGER NOT NULL,
    operation_id TEXT NOT NULL,
    other_seq_no INTEGER,
    pointer TEXT,
    message TEXT,
    figures TEXT NOT NULL
  ) STRICT;
  CREATE INDEX findings_in_order ON findings (shelf, standing, finding);
  CREATE INDEX findings_of_record ON findings (shelf, seq_no);
  CREATE TABLE judge_states (
    shelf INTEGER PRIMARY KEY,
    state_to INTEGER NOT NULL,
    state BLOB NOT NULL
  ) STRICT;
`;

/** What the records of one organization, or of a case, are indexed in. */
export interface Shelf {
  readonly shelf: number;
  /** The organization; empty for a case. */
  readonly owner: string;
  /** Keys the digests of terms. */
  readonly seed: number;
  /** Records up to this number are found. */
  readonly indexed_to: number;
  /** The ledger's leaf hash of the last of them. */
  readonly leaf_hash: Buffer | null;
  /** Erasures up to this event of the administrative log were carried out. */
  readonly erased_to: number;
  /** The rules by which payloads were read. */
  readonly rules: string;
  /** What was found about records up to this number is listed. */
  readonly judged_to: number;
  /** How often it was judged from the first record on. */
  readonly judgings: number;
  /** The report of coherence without its findings; null where records are still to be judged. */
  readonly coherence: string | null;
}

/** Whether a shelf was made from this ledger. */
export function isShelfOf(
  { indexed_to, leaf_hash }: Pick<Shelf, 'indexed_to' | 'leaf_hash'>,
  source: Pick<RecordSource, 'leafHash'>,
): boolean {
  if (indexed_to === 0) return true;
  const hash = source.leafHash(indexed_to);
  return hash !== null && leaf_hash?.equals(hash) === true;
}

export interface SegmentRow {
  readonly segment: number;
  /** No record has a smaller number. */
  readonly base: number;
  readonly last: number;
  readonly records: number;
  readonly bytes: number;
}

/** The names of an index's files in a folder. */
export function contentPaths(folder: string): { readonly catalog: string; readonly segments: string } {
  return { catalog: join(folder, 'content.sqlite'), segments: join(folder, 'content') };
}

export function segmentPath(folder: string, segment: number): string {
  return join(contentPaths(folder).segments, `${segment}.segment`);
}

function connect(path: string): Database.Database {
  const sqlite = new Database(path);
  sqlite.pragma('journal_mode = WAL');
  // What a power cut takes from it is made again from the ledger.
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma('trusted_schema = OFF');
  sqlite.pragma('secure_delete = ON');
  return sqlite;
}

/** Takes away an index that is not open. */
export function removeContent(folder: string): void {
  const { catalog, segments } = contentPaths(folder);
  for (const ending of ['', '-wal', '-shm']) rmSync(catalog + ending, { force: true });
  rmSync(segments, { recursive: true, force: true });
}

/** The catalog of an index, for the one thread that writes it. */
export class Catalog {
  readonly sqlite: Database.Database;
  readonly #folder: string;
  #taken = 0;
  readonly #statements = new Map<string, Database.Statement>();

  private constructor(sqlite: Database.Database, folder: string) {
    this.sqlite = sqlite;
    this.#folder = folder;
  }

  /** Opens the index of a folder, or makes an empty one where there is none, or one that is damaged or of another version. */
  static open(folder: string): Catalog {
    const { catalog, segments } = contentPaths(folder);
    let sqlite: Database.Database | undefined;
    try {
      sqlite = connect(catalog);
      if (sqlite.pragma('user_version', { simple: true }) === VERSION && isWhole(sqlite)) {
        const opened = new Catalog(sqlite, folder);
        if (opened.#hasItsFiles()) return opened;
      }
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error;
    }
    sqlite?.close();
    removeContent(folder);
    mkdirSync(segments, { recursive: true, mode: 0o700 });
    const fresh = connect(catalog);
    // A crash in here leaves version 0, and the next opening begins again.
    fresh.transaction(() => {
      fresh.exec(SCHEMA);
      fresh.pragma(`user_version = ${VERSION}`);
    })();
    return new Catalog(fresh, folder);
  }

  /** Removes files that a crash left over. @returns whether all that are listed are there and as long as they were */
  #hasItsFiles(): boolean {
    const { segments } = contentPaths(this.#folder);
    mkdirSync(segments, { recursive: true, mode: 0o700 });
    const rows = this.statement('SELECT segment, bytes FROM segments').all() as Pick<SegmentRow, 'segment' | 'bytes'>[];
    const listed = new Map(rows.map(({ segment, bytes }) => [`${segment}.segment`, bytes]));
    for (const name of readdirSync(segments)) {
      const path = join(segments, name);
      if (!listed.has(name)) rmSync(path, { recursive: true, force: true });
      else if (statSync(path).size === listed.get(name)) listed.delete(name);
    }
    return listed.size === 0;
  }

  statement(text: string): Database.Statement {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.sqlite.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  transact<T>(change: () => T): T {
    return this.sqlite.transaction(change)();
  }

  shelf(owner: string): Shelf | null {
    return (this.statement('SELECT * FROM shelves WHERE owner = ?').get(owner) as Shelf | undefined) ?? null;
  }

  owners(): string[] {
    return this.statement('SELECT owner FROM shelves').pluck().all() as string[];
  }

  /** A new shelf without records. @param erasedTo what was erased until then is in no record that will be read */
  addShelf(owner: string, rules: string, erasedTo: number): Shelf {
    this.statement('INSERT INTO shelves (owner, seed, indexed_to, erased_to, rules) VALUES (?, ?, 0, ?, ?)').run(
      owner,
      randomInt(2 ** 31),
      erasedTo,
      rules,
    );
    const made = this.shelf(owner);
    if (made === null) throw new Error('a shelf was not made');
    return made;
  }

  removeShelf({ shelf }: Shelf): void {
    const removed = this.segments(shelf);
    this.transact(() => {
      for (const table of ['segments', 'findings', 'judge_states', 'shelves']) {
        this.statement(`DELETE FROM ${table} WHERE shelf = ?`).run(shelf);
      }
    });
    this.removeFiles(removed);
  }

  /** Deletes what was found about a shelf's records, and what was kept to find more. */
  forgetJudgement(shelf: number): void {
    this.statement('DELETE FROM findings WHERE shelf = ?').run(shelf);
    this.statement('DELETE FROM judge_states WHERE shelf = ?').run(shelf);
    const sql = 'UPDATE shelves SET judged_to = 0, judgings = judgings + 1, coherence = NULL WHERE shelf = ?';
    this.statement(sql).run(shelf);
  }

  /** Empties the write-ahead log, so that nothing is left there of what was deleted. @throws Error while somebody reads for long */
  emptyLog(): void {
    const [result] = this.sqlite.pragma('wal_checkpoint(TRUNCATE)') as [{ readonly busy: number }];
    if (result.busy !== 0) throw new Error('the log of the content index cannot be emptied while it is read');
  }

  segments(shelf: number): SegmentRow[] {
    const sql = 'SELECT segment, base, last, records, bytes FROM segments WHERE shelf = ? ORDER BY segment';
    return this.statement(sql).all(shelf) as SegmentRow[];
  }

  /** A number that no segment has or had. */
  takeNumber(): number {
    const used = this.statement("SELECT seq FROM sqlite_sequence WHERE name = 'segments'").pluck().get();
    this.#taken = Math.max(this.#taken, typeof used === 'number' ? used : 0) + 1;
    return this.#taken;
  }

  addSegment(shelf: number, { segment, base, last, records, bytes }: SegmentRow): void {
    this.statement('INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?)').run(segment, shelf, base, last, records, bytes);
  }

  dropSegments(rows: readonly SegmentRow[]): void {
    for (const { segment } of rows) this.statement('DELETE FROM segments WHERE segment = ?').run(segment);
  }

  removeFiles(rows: readonly SegmentRow[]): void {
    for (const { segment } of rows) rmSync(segmentPath(this.#folder, segment), { force: true });
  }

  close(): void {
    this.sqlite.close();
  }
}

function isWhole(sqlite: Database.Database): boolean {
  return sqlite.pragma('quick_check(1)', { simple: true }) === 'ok';
}
