import Database from 'better-sqlite3';
import type { Annotation } from '../../contract/index.ts';
import { ServiceError } from '../base/errors.ts';
import { appendCustody, CUSTODY_TABLES, type Examiner } from './custody/custody-log.ts';
import { ITEM_TABLES } from './items/items-table.ts';

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
    sqlite.exec(CUSTODY_TABLES);
    sqlite.exec(ITEM_TABLES);
    addAuthors(sqlite);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** Authors came later: of what was written before nobody is known. */
function addAuthors(sqlite: Database.Database): void {
  const columns = sqlite.pragma('table_info(annotations)') as { readonly name: string }[];
  if (columns.some(({ name }) => name === 'updated_by')) return;
  sqlite.exec('ALTER TABLE annotations ADD COLUMN updated_by TEXT');
}

interface Row {
  readonly operation_id: string;
  readonly note: string;
  readonly updated_at: number;
  readonly updated_by: string | null;
}

function view(sqlite: Database.Database, { updated_at, ...row }: Row): Annotation {
  return { ...row, tags: tagsOf(sqlite, row.operation_id), updated_at: new Date(updated_at).toISOString() };
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
  examiner: Examiner,
): Annotation {
  const { by, at } = examiner;
  return sqlite.transaction(() => {
    const before = findAnnotation(sqlite, operationId);
    const next = { tags: [...new Set(tags ?? before?.tags ?? [])], note: note ?? before?.note ?? '' };
    deleteAnnotation(sqlite, operationId);
    if (next.tags.length > 0 || next.note !== '') {
      insertAnnotation(sqlite, { operation_id: operationId, ...next, updated_at: at, updated_by: by });
    }
    appendCustody(sqlite, examiner, 'annotation.set', { operation_id: operationId, ...next });
    return { operation_id: operationId, ...next, updated_at: new Date(at).toISOString(), updated_by: by };
  })();
}

/** Writes tags and note of a record that has none. */
export function insertAnnotation(
  sqlite: Database.Database,
  { tags, ...row }: Row & { readonly tags: readonly string[] },
): void {
  sqlite.prepare('INSERT INTO annotations VALUES (@operation_id, @note, @updated_at, @updated_by)').run(row);
  const insert = sqlite.prepare('INSERT INTO tags VALUES (?, ?, ?)');
  tags.forEach((tag, place) => void insert.run(tag, row.operation_id, place));
}

function deleteAnnotation(sqlite: Database.Database, operationId: string): boolean {
  return sqlite.prepare('DELETE FROM annotations WHERE operation_id = ?').run(operationId).changes > 0;
}

/** @returns whether there was one */
export function removeAnnotation(sqlite: Database.Database, operationId: string, examiner: Examiner): boolean {
  return sqlite.transaction(() => {
    const before = findAnnotation(sqlite, operationId);
    if (before === null || !deleteAnnotation(sqlite, operationId)) return false;
    const { tags, note } = before;
    appendCustody(sqlite, examiner, 'annotation.remove', { operation_id: operationId, tags, note });
    return true;
  })();
}
