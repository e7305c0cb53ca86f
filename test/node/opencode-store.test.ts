import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { opencodeRows } from '../../src/node/index.ts';
import { temporaryFolder } from '../support/folders.ts';

const folder = temporaryFolder();

const SESSION = 'CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, version TEXT, time_created INTEGER);';
const MESSAGE =
  'CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);';
const PART =
  'CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);';
const ROW = "INSERT INTO session VALUES ('s', NULL, '/home/ada', '1', 1);";
/** Gives rows without end. */
const ENDLESS = `CREATE VIEW session AS WITH RECURSIVE more(id) AS (SELECT 's' UNION ALL SELECT id FROM more)
  SELECT id, NULL AS parent_id, '' AS directory, '' AS version, 1 AS time_created FROM more;`;
const COMPUTED = `CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, version TEXT AS (hex(zeroblob(1000000))), time_created INTEGER);
  INSERT INTO session (id, time_created) VALUES ('s', 1);`;

function rowsOf(name: string, ...tables: readonly string[]): string[] {
  const path = join(folder, `${name}.db`);
  const sqlite = new Database(path);
  sqlite.exec(tables.join('\n'));
  sqlite.close();
  return [...opencodeRows(path)];
}

describe('a store of opencode', () => {
  it('gives its rows, the session first', () => {
    const rows = rowsOf('store', SESSION, MESSAGE, PART, ROW);
    expect(rows.map((row) => JSON.parse(row))).toEqual([
      { table: 'session', id: 's', parent_id: null, directory: '/home/ada', version: '1', time_created: 1 },
    ]);
  });

  it.each([
    ['a view in the place of a table', [ENDLESS, MESSAGE, PART]],
    ['a virtual table', [SESSION, MESSAGE, 'CREATE VIRTUAL TABLE part USING fts5(id, message_id, session_id, data);']],
    ['a column that is computed', [COMPUTED, MESSAGE, PART]],
    ['no such table', [SESSION, MESSAGE]],
  ])('is refused with %s, of which nothing is run', (name, tables) => {
    expect(() => rowsOf(name, ...tables)).toThrow("is no table of opencode's store");
  });
});
