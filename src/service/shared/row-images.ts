import type Database from 'better-sqlite3';
import type { RowImage } from '../store/writer.ts';
import type { Content, Place } from './commit-log.ts';

/** The one row that says up to where a ledger holds its log. It is there in the ledger of a node alone. */
export const MARK_TABLE = 'shared_log';

interface Column {
  readonly name: string;
  /** Place in the primary key, from 1 on; 0 for none. */
  readonly pk: number;
}

const quoted = (name: string): string => `"${name}"`;

/** Whether a ledger belongs to a shared log: then it must not be continued without. */
export function isShared(sqlite: Database.Database): boolean {
  return sqlite.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(MARK_TABLE) !== undefined;
}

/** The newest entry of the log that the ledger holds; null where it belongs to none. */
export function markOf(sqlite: Database.Database): Place | null {
  if (!isShared(sqlite)) return null;
  return (sqlite.prepare(`SELECT no, id FROM ${MARK_TABLE}`).get() as Place | undefined) ?? null;
}

/** Sets the mark; within the transaction of what it says. */
export function setMark(sqlite: Database.Database, { no, id }: Place): void {
  sqlite.exec(
    `CREATE TABLE IF NOT EXISTS ${MARK_TABLE} (only INTEGER PRIMARY KEY CHECK (only = 1), no INTEGER NOT NULL, id TEXT NOT NULL)`,
  );
  sqlite.prepare(`INSERT OR REPLACE INTO ${MARK_TABLE} VALUES (1, ?, ?)`).run(no, id);
}

export function dropMark(sqlite: Database.Database): void {
  sqlite.exec(`DROP TABLE IF EXISTS ${MARK_TABLE}`);
}

/**
 * The changes of a connection as images of rows: what a commit did, without what it did it by. The triggers for it are the
 * connection's own (TEMP): the file has none of them. One for each connection.
 */
export class RowImages {
  readonly #sqlite: Database.Database;
  readonly #columns = new Map<string, readonly Column[]>();
  readonly #statements = new Map<string, Database.Statement>();
  #noted: RowImage[] = [];
  #isNoting = false;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    const tables = sqlite
      .prepare(
        "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> ?",
      )
      .pluck()
      .all(MARK_TABLE) as string[];
    sqlite.function('cs_noting', { directOnly: false }, () => (this.#isNoting ? 1 : 0));
    sqlite.function('cs_note', { varargs: true, directOnly: false }, (table, act, ...values) => {
      this.#note(String(table), String(act), values);
      return null;
    });
    for (const table of tables) {
      const columns = sqlite.pragma(`main.table_info(${quoted(table)})`) as Column[];
      this.#columns.set(table, columns);
      for (const act of ['INSERT', 'UPDATE', 'DELETE'] as const) sqlite.exec(triggerOf(table, act, columns));
    }
  }

  /** Runs a change and undoes it. @returns what it returned, and the rows that it had changed, in order */
  tried<T>(change: () => T): { readonly result: T; readonly rows: readonly RowImage[] } {
    this.#noted = [];
    this.#sqlite.exec('BEGIN IMMEDIATE');
    this.#isNoting = true;
    try {
      return { result: change(), rows: this.#noted };
    } finally {
      this.#isNoting = false;
      // Some errors, of a full disk for one, have ended it already.
      if (this.#sqlite.inTransaction) this.#sqlite.exec('ROLLBACK');
    }
  }

  /**
   * Makes the changes of an entry, with the mark, in one transaction: a crash leaves all of it or nothing, and what is
   * missing is read again.
   * @throws Error where a row is not as the entry found it: then this is another ledger
   */
  apply(at: Place, { rows }: Pick<Content, 'rows'>): void {
    this.#sqlite.transaction(() => {
      // In the middle of an entry a row may name one that comes later.
      this.#sqlite.pragma('defer_foreign_keys = ON');
      for (const image of rows) this.#applyRow(image);
      setMark(this.#sqlite, at);
    })();
  }

  #note(table: string, act: string, values: readonly unknown[]): void {
    const columns = this.#columns.get(table) ?? [];
    const keys = act === 'INSERT' ? 0 : columns.filter(({ pk }) => pk > 0).length;
    const key = act === 'INSERT' ? null : values.slice(0, keys);
    const row =
      act === 'DELETE' ? null : Object.fromEntries(columns.map(({ name }, index) => [name, values[keys + index]]));
    this.#noted.push({ table, key, row });
  }

  #applyRow({ table, key, row }: RowImage): void {
    const columns = this.#columns.get(table);
    if (columns === undefined) throw new Error(`the shared log changes a table that is not there: ${table}`);
    const named = columns.filter(({ pk }) => pk > 0).map(({ name }) => `${quoted(name)} IS ?`);
    const names = row === null ? [] : Object.keys(row);
    const values = row === null ? [] : Object.values(row);
    if (key === null) {
      const places = names.map(() => '?').join(', ');
      this.#run(`INSERT INTO ${quoted(table)} (${names.map(quoted).join(', ')}) VALUES (${places})`, values);
      return;
    }
    const where = `WHERE ${named.join(' AND ')}`;
    if (row === null) {
      // It may be gone already, by a rule of the tables that follows from the entry's other rows.
      this.#run(`DELETE FROM ${quoted(table)} ${where}`, key);
      return;
    }
    const set = names.map((name) => `${quoted(name)} = ?`).join(', ');
    const { changes } = this.#run(`UPDATE ${quoted(table)} SET ${set} ${where}`, [...values, ...key]);
    if (changes !== 1) throw new Error(`the shared log changes a row of ${table} that is not there`);
  }

  #run(text: string, values: readonly unknown[]): Database.RunResult {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#sqlite.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement.run(...values);
  }
}

function triggerOf(table: string, act: 'INSERT' | 'UPDATE' | 'DELETE', columns: readonly Column[]): string {
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => `OLD.${quoted(name)}`);
  const all = columns.map(({ name }) => `NEW.${quoted(name)}`);
  const values = { INSERT: all, UPDATE: [...keys, ...all], DELETE: keys }[act];
  return `CREATE TEMP TRIGGER ${quoted(`cs_${act}_${table}`)} AFTER ${act} ON main.${quoted(table)} WHEN cs_noting()
    BEGIN SELECT cs_note(${[`'${table}'`, `'${act}'`, ...values].join(', ')}); END`;
}
