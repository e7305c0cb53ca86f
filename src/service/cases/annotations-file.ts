import Database from 'better-sqlite3';
import { OF_CASE } from '../search/annotations/annotations.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { CUSTODY_TABLES } from './custody/custody-log.ts';
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
CREATE TABLE IF NOT EXISTS looks (
  org_id TEXT NOT NULL, item_id TEXT NOT NULL, looked_at INTEGER NOT NULL, looked_by TEXT, PRIMARY KEY (org_id, item_id)
) STRICT, WITHOUT ROWID;
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
    // In one transaction: a commit for each table and column takes a new case longer than to read it.
    sqlite.transaction(() => bringUpToDate(sqlite))();
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function bringUpToDate(sqlite: Database.Database): void {
  const id = sqlite.pragma('application_id', { simple: true });
  if (id === 0) {
    sqlite.exec(TABLES);
    sqlite.pragma(`application_id = ${APPLICATION_ID}`);
  } else if (id !== APPLICATION_ID) {
    throw new ServiceError('CONFLICT', 'the file of tags and notes is not valid');
  }
  sqlite.exec(READING_TABLES);
  sqlite.exec(CUSTODY_TABLES);
  sqlite.exec(ITEM_TABLES);
  addLaterColumns(sqlite);
}

/**
 * Columns that came later, each with its table. Of what was written before no author is known. `org_id` is what the ledger's own
 * tables tell organizations by (search/annotations/annotations.ts): here it is always OF_CASE.
 */
const LATER_COLUMNS = [
  ['annotations', 'updated_by', 'TEXT'],
  ['annotations', 'bookmarked', 'INTEGER NOT NULL DEFAULT 0'],
  ['annotations', 'org_id', `TEXT NOT NULL DEFAULT '${OF_CASE}'`],
  ['tags', 'org_id', `TEXT NOT NULL DEFAULT '${OF_CASE}'`],
  ['saved_searches', 'org_id', `TEXT NOT NULL DEFAULT '${OF_CASE}'`],
] as const;

function addLaterColumns(sqlite: Database.Database): void {
  for (const [table, column, form] of LATER_COLUMNS) {
    const columns = sqlite.pragma(`table_info(${table})`) as { readonly name: string }[];
    if (columns.some(({ name }) => name === column)) continue;
    sqlite.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${form}`);
  }
}
