import Database from 'better-sqlite3';
import type { Annotation } from '../../contract/index.ts';
import { ServiceError } from '../base/errors.ts';

/** "CsA1": what investigators wrote, which is never taken for an index or a ledger. */
const APPLICATION_ID = 0x43734131;

const TABLES = `
CREATE TABLE annotations (operation_id TEXT PRIMARY KEY, note TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT;
CREATE TABLE tags (
  tag TEXT NOT NULL, operation_id TEXT NOT NULL REFERENCES annotations ON DELETE CASCADE, place INTEGER NOT NULL,
  PRIMARY KEY (tag, operation_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_operation ON tags (operation_id, place);
`;

/** Came after the others: a file that was begun before gets them when it is opened. */
const READING_TABLES = `
CREATE TABLE IF NOT EXISTS reading_rules (
  only INTEGER PRIMARY KEY CHECK (only = 1), rules TEXT, changed_at INTEGER NOT NULL, changed_by TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS saved_searches (
  search_id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, search TEXT NOT NULL, created_at INTEGER NOT NULL, created_by TEXT
) STRICT;
`;

/** Opens the tags and notes of a case, or begins them. Verifying and indexing again do not touch this file. */
export function openAnnotations(path: string): Database.Database {
  const sqlite = new Database(path);
  try {
    sqlite.pragma('journal_mode = DELETE');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    const id = sqlite.pragma('application_id', { simple: true });
    if (id === 0) {
      sqlite.transaction(() => {
        sqlite.exec(TABLES);
        sqlite.pragma(`application_id = ${APPLICATION_ID}`);
      })();
    } else if (id !== APPLICATION_ID) {
      throw new ServiceError('CONFLICT', 'the file of tags and notes is none');
    }
    sqlite.exec(READING_TABLES);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

interface Row {
  readonly operation_id: string;
  readonly note: string;
  readonly updated_at: number;
}

function view(sqlite: Database.Database, { operation_id, note, updated_at }: Row): Annotation {
  return { operation_id, tags: tagsOf(sqlite, operation_id), note, updated_at: new Date(updated_at).toISOString() };
}

/** The tags of a record, in the order they were given. */
export function tagsOf(sqlite: Database.Database, operationId: string): string[] {
  const tags = sqlite.prepare('SELECT tag FROM tags WHERE operation_id = ? ORDER BY place').pluck().all(operationId);
  return tags as string[];
}

export function operationsWithTag(sqlite: Database.Database, tag: string): string[] {
  return sqlite.prepare('SELECT operation_id FROM tags WHERE tag = ?').pluck().all(tag) as string[];
}

export function findAnnotation(sqlite: Database.Database, operationId: string): Annotation | null {
  const row = sqlite.prepare('SELECT * FROM annotations WHERE operation_id = ?').get(operationId) as Row | undefined;
  return row === undefined ? null : view(sqlite, row);
}

/** In the order of their operation_ids, after one of them. */
export function listAnnotations(sqlite: Database.Database, after: string, limit: number): Annotation[] {
  const rows = sqlite
    .prepare('SELECT * FROM annotations WHERE operation_id > ? ORDER BY operation_id LIMIT ?')
    .all(after, limit) as Row[];
  return rows.map((row) => view(sqlite, row));
}

export function countTags(sqlite: Database.Database): { tag: string; count: number }[] {
  return sqlite.prepare('SELECT tag, count(*) AS count FROM tags GROUP BY tag ORDER BY tag').all() as {
    tag: string;
    count: number;
  }[];
}

/** Sets what is given and leaves the rest as it is. An annotation that says nothing is taken away. */
export function annotate(
  sqlite: Database.Database,
  operationId: string,
  { tags, note }: { readonly tags?: readonly string[] | undefined; readonly note?: string | undefined },
  now: number,
): Annotation {
  return sqlite.transaction(() => {
    const before = findAnnotation(sqlite, operationId);
    const next = { tags: [...new Set(tags ?? before?.tags ?? [])], note: note ?? before?.note ?? '' };
    removeAnnotation(sqlite, operationId);
    if (next.tags.length > 0 || next.note !== '') {
      sqlite.prepare('INSERT INTO annotations VALUES (?, ?, ?)').run(operationId, next.note, now);
      const insert = sqlite.prepare('INSERT INTO tags VALUES (?, ?, ?)');
      next.tags.forEach((tag, place) => void insert.run(tag, operationId, place));
    }
    return { operation_id: operationId, ...next, updated_at: new Date(now).toISOString() };
  })();
}

/** @returns whether there was one */
export function removeAnnotation(sqlite: Database.Database, operationId: string): boolean {
  return sqlite.prepare('DELETE FROM annotations WHERE operation_id = ?').run(operationId).changes > 0;
}
