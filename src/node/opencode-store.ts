import Database from 'better-sqlite3';

/** How often a store in use is asked again before it is given up, in milliseconds. */
const BUSY_MS = 2_000;

/** What its transcripts are in. Nothing of its other tables is read: they have the tokens of accounts. */
const COLUMNS = {
  session: 'id, parent_id, directory, version, time_created',
  message: 'id, session_id, time_created, time_updated, data',
  part: 'id, message_id, session_id, time_created, time_updated, data',
} as const;
type Table = keyof typeof COLUMNS;

const rowsOf = (table: Table, rest: string): string => `SELECT ${COLUMNS[table]} FROM ${table} ${rest}`;

/** What changed of a session since a time, its messages before their parts, numbered by their order, which stays when a row is rewritten. */
const CHANGED = `
  SELECT rows.kind, rows.number, rows.id, rows.time_updated FROM (
    SELECT 'session' AS kind, 1 AS number, id, time_created AS time_updated FROM session WHERE id = @session
    UNION ALL
    SELECT 'message', row_number() OVER (ORDER BY id), id, time_updated FROM message WHERE session_id = @session
    UNION ALL
    SELECT 'part', row_number() OVER (ORDER BY id), id, time_updated FROM part WHERE session_id = @session
  ) AS rows WHERE rows.time_updated >= @since
  ORDER BY CASE rows.kind WHEN 'session' THEN 0 WHEN 'message' THEN 1 ELSE 2 END, rows.number`;

/** A row that was written, or written again. */
export interface ChangedRow {
  readonly kind: Table;
  readonly number: number;
  readonly id: string;
  /** In milliseconds since the Unix epoch. */
  readonly time_updated: number;
}

/**
 * opencode's store: `opencode.db`, and `opencode.db-wal` beside it. It is only read, and it may be anybody's file: a view, a virtual table
 * or a column that is computed is code of whoever made it, and may run without end.
 */
export class OpencodeStore {
  readonly #sqlite: Database.Database;

  /**
   * @param busyMs how long a store in use is waited for: this thread does nothing else meanwhile
   * @throws SqliteError where it is not a database, is damaged, or is no store of opencode
   */
  constructor(path: string, busyMs = BUSY_MS) {
    this.#sqlite = new Database(path, { readonly: true, fileMustExist: true, timeout: busyMs });
    try {
      this.#sqlite.pragma('trusted_schema = OFF');
      this.#needTables();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #needTables(): void {
    const kinds = this.#sqlite.prepare("SELECT type FROM pragma_table_list WHERE schema = 'main' AND name = ?").pluck();
    const computed = this.#sqlite.prepare('SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden <> 0').pluck();
    for (const name of Object.keys(COLUMNS)) {
      if (kinds.get(name) !== 'table' || computed.get(name) !== undefined) {
        throw new Database.SqliteError(`${name} is no table of opencode's store`, 'SQLITE_ERROR');
      }
    }
  }

  /** The ids of all sessions, the first one first. */
  sessions(): readonly string[] {
    return this.#sqlite.prepare<[], string>('SELECT id FROM session ORDER BY time_created, id').pluck().all();
  }

  /** A session, its messages and its parts, each as JSON with the name of its `table`. */
  *rows(session: string): Generator<string> {
    const own = { session: 'WHERE id = ?', message: 'WHERE session_id = ? ORDER BY time_created, id' };
    for (const [table, rest] of Object.entries({ ...own, part: 'WHERE session_id = ? ORDER BY id' })) {
      const statement = this.#sqlite.prepare<[string], object>(rowsOf(table as Table, rest));
      for (const row of statement.iterate(session)) yield JSON.stringify({ table, ...row });
    }
  }

  changed(session: string, since: number): readonly ChangedRow[] {
    return this.#sqlite.prepare<object, ChangedRow>(CHANGED).all({ session, since });
  }

  /** One row, as those of `rows`. */
  row({ kind: table, id }: ChangedRow): string {
    return JSON.stringify({ table, ...this.#sqlite.prepare<[string], object>(rowsOf(table, 'WHERE id = ?')).get(id) });
  }

  close(): void {
    this.#sqlite.close();
  }
}

/**
 * The rows of opencode's store that its transcripts are in.
 * @param of a session; without it those of all, one after the other
 * @throws SqliteError where it is not a database, is damaged, or is no store of opencode
 */
export function* opencodeRows(path: string, of?: string): Generator<string> {
  const store = new OpencodeStore(path);
  try {
    for (const session of of === undefined ? store.sessions() : [of]) yield* store.rows(session);
  } finally {
    store.close();
  }
}
