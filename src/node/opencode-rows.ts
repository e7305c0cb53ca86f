import Database from 'better-sqlite3';

/** How often a store in use is asked again before it is given up, in milliseconds. */
const BUSY_MS = 2_000;

const ROWS = {
  session: 'SELECT id, parent_id, directory, version, time_created FROM session ORDER BY time_created, id',
  message:
    'SELECT id, session_id, time_created, time_updated, data FROM message WHERE session_id = ? ORDER BY time_created, id',
  part: 'SELECT id, message_id, session_id, time_created, time_updated, data FROM part WHERE session_id = ? ORDER BY id',
} as const;

/**
 * A view, a virtual table or a column that is computed is code of whoever made the file, and may run without end.
 * @throws SqliteError
 */
function needTables(sqlite: Database.Database): void {
  const kinds = sqlite.prepare("SELECT type FROM pragma_table_list WHERE schema = 'main' AND name = ?").pluck();
  const computed = sqlite.prepare('SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden <> 0').pluck();
  for (const name of Object.keys(ROWS)) {
    if (kinds.get(name) !== 'table' || computed.get(name) !== undefined) {
      throw new Database.SqliteError(`${name} is no table of opencode's store`, 'SQLITE_ERROR');
    }
  }
}

/**
 * The rows of opencode's store that its transcripts are in, each as JSON with the name of its `table`: for each session the session, its
 * messages and its parts. Nothing of its other tables is read: they have the tokens of accounts.
 * @param path of `opencode.db`; what is in `opencode.db-wal` beside it is read as well
 * @throws SqliteError where it is not a database, is damaged, or is no store of opencode
 */
export function* opencodeRows(path: string): Generator<string> {
  const sqlite = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  try {
    sqlite.pragma('trusted_schema = OFF');
    needTables(sqlite);
    const [messages, parts] = [sqlite.prepare(ROWS.message), sqlite.prepare(ROWS.part)];
    for (const session of sqlite.prepare(ROWS.session).iterate() as Iterable<{ readonly id: string }>) {
      yield JSON.stringify({ table: 'session', ...session });
      for (const row of messages.iterate(session.id)) yield JSON.stringify({ table: 'message', ...(row as object) });
      for (const row of parts.iterate(session.id)) yield JSON.stringify({ table: 'part', ...(row as object) });
    }
  } finally {
    sqlite.close();
  }
}
