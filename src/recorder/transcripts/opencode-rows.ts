import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { TranscriptLine } from '../../actions/transcripts/index.ts';

/** Of a session: its row, then its messages and their parts, in the order of their ids, which is that of time. */
const TABLES = [
  ['session', 'SELECT * FROM session WHERE id = ?'],
  ['message', 'SELECT * FROM message WHERE session_id = ? ORDER BY id'],
  ['part', 'SELECT * FROM part WHERE session_id = ? ORDER BY id'],
] as const;

/**
 * A session in opencode's store, as the reader of its transcripts takes it: a row a line. The store is not written to.
 * @returns nothing where there is no store, or no such session in it
 * @throws SqliteError for a store of another form
 */
export function* opencodeLines(store: string, session: string): Generator<TranscriptLine> {
  if (!existsSync(store)) return;
  const sqlite = new Database(store, { readonly: true, fileMustExist: true });
  try {
    let line = 0;
    for (const [table, sql] of TABLES) {
      for (const row of sqlite.prepare<[string], object>(sql).iterate(session)) {
        yield { line: ++line, text: JSON.stringify({ ...row, table }) };
      }
    }
  } finally {
    sqlite.close();
  }
}
