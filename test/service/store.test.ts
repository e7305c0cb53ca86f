import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { StartError } from '../../src/service/store/base/service-error.ts';
import { getTableConfig, is, SQLiteTable } from '../../src/service/store/drizzle.ts';
import { FIRST_SCHEMA, SCHEMA_VERSION } from '../../src/service/store/migrations.ts';
import { openStore } from '../../src/service/store/open.ts';
import * as schema from '../../src/service/store/schema.ts';
import { temporaryFolder } from '../support/folders.ts';
import { exportOf, registerAgent, submitNext, TestService } from '../support/service.ts';

const folder = temporaryFolder();
let files = 0;
const newPath = (): string => join(folder, `ledger-${files++}.sqlite`);

function refusal(path: string): string {
  try {
    openStore(path).close();
    return 'opened';
  } catch (error) {
    if (error instanceof StartError) return error.code;
    throw error;
  }
}

describe('the schema', () => {
  const path = newPath();
  openStore(path).close();
  const sqlite = new Database(path);
  const tables = Object.values(schema).filter((entry) => is(entry, SQLiteTable));

  it('is what a database of the first version is brought to', () => {
    const old = newPath();
    openStore(old).close();
    const database = new Database(old);
    // As that version made it: without what was added since.
    database.pragma('foreign_keys = OFF');
    database.exec('DROP TABLE time_stamps; DROP TABLE witness_asks; DROP TABLE cosignatures; DROP TABLE witnesses');
    database.pragma(`user_version = ${FIRST_SCHEMA}`);
    database.close();
    openStore(old).close();
    const statements = (file: Database.Database) =>
      file.prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name').all();
    expect(statements(new Database(old))).toEqual(statements(sqlite));
  });

  it('is what the file has: every table', () => {
    const made = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    expect(made.toSorted()).toEqual(tables.map((table) => getTableConfig(table).name).toSorted());
  });

  it.each([
    [
      'a row of an organization that is not there',
      "INSERT INTO exports VALUES ('e', 'nobody', '', '', '', '', NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL)",
    ],
    [
      'an agent without its organization',
      "INSERT INTO agents (org_id, agent_id, display_name, integration_type, status, created_at, updated_at) VALUES ('nobody', 'a', '', '', '', 1, 1)",
    ],
    ['a second home organization', "INSERT INTO home_organization VALUES (2, 'org')"],
    [
      'an address in other letters',
      "INSERT INTO users (user_id, email, name, created_at) VALUES ('v', 'ADA@example.com', '', 1)",
    ],
    ['a second name of a saved search', "INSERT INTO saved_searches VALUES ('t', 'org', 'name', '', 1, '')"],
    ['a number as text', "INSERT INTO latest_manifest VALUES ('org', 'yesterday')"],
    ['an organization without an id', "INSERT INTO organizations (org_id, name, created_at) VALUES (NULL, '', 1)"],
  ])('refuses %s', (_, insert) => {
    const store = openStore(newPath());
    store.sqlite.exec(`
      INSERT INTO organizations (org_id, name, created_at) VALUES ('org', 'Org', 1);
      INSERT INTO users (user_id, email, name, created_at) VALUES ('u', 'ada@example.com', '', 1);
      INSERT INTO saved_searches VALUES ('s', 'org', 'name', '', 1, '');
      INSERT INTO home_organization (org_id) VALUES ('org');`);
    expect(() => store.sqlite.exec(insert)).toThrow(/constraint failed|cannot store TEXT value/);
    store.close();
  });

  it('holds every table to its types', () => {
    const strict = sqlite.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict").pluck().all();
    for (const table of tables) expect(strict).toContain(getTableConfig(table).name);
  });
});

describe('the database', () => {
  it('survives a power cut after a commit: WAL, synchronous=FULL, foreign keys held', () => {
    const store = openStore(newPath());
    const pragma = (name: string) => store.sqlite.pragma(name, { simple: true });
    expect(['journal_mode', 'synchronous', 'foreign_keys', 'user_version'].map(pragma)).toEqual([
      'wal',
      2,
      1,
      SCHEMA_VERSION,
    ]);
    store.close();
  });

  it('opens again what it made, and changes nothing', () => {
    const path = newPath();
    openStore(path).close();
    const before = new Database(path).prepare('SELECT * FROM sqlite_schema').all();
    openStore(path).close();
    expect(new Database(path).prepare('SELECT * FROM sqlite_schema').all()).toEqual(before);
  });

  it('takes an empty file, and an empty SQLite file', () => {
    const [empty, sqlite] = [newPath(), newPath()];
    writeFileSync(empty, '');
    const database = new Database(sqlite);
    database.exec('CREATE TABLE t (x); DROP TABLE t;');
    database.close();
    expect([empty, sqlite].map(refusal)).toEqual(['opened', 'opened']);
  });

  it('of a newer version is refused and left alone', () => {
    const path = newPath();
    openStore(path).close();
    const database = new Database(path);
    database.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
    database.close();
    expect(refusal(path)).toBe('DATABASE_NEWER');
    expect(new Database(path).pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION + 1);
  });

  it('of a form that was never released is refused and left alone', () => {
    const path = newPath();
    openStore(path).close();
    const database = new Database(path);
    database.pragma(`user_version = ${FIRST_SCHEMA - 1}`);
    expect(refusal(path)).toBe('DATABASE_OLDER');
    expect(database.pragma('user_version', { simple: true })).toBe(FIRST_SCHEMA - 1);
    database.close();
  });

  it('of another program is refused and left alone', () => {
    const path = newPath();
    const database = new Database(path);
    database.exec('CREATE TABLE recipes (name TEXT)');
    expect(refusal(path)).toBe('NOT_OUR_DATABASE');
    expect(database.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['recipes']);
    database.close();
  });

  it.each<[string, Uint8Array]>([
    ['text', Buffer.from('no database at all, but long enough to have been one\n'.repeat(100))],
    ['a damaged header', Buffer.concat([Buffer.from('SQLite format 4\0'), Buffer.alloc(4096, 7)])],
  ])('that is not one is refused and left alone: %s', (_, content) => {
    const path = newPath();
    writeFileSync(path, content);
    expect(refusal(path)).toBe('NOT_OUR_DATABASE');
    expect(statSync(path).size).toBe(content.length);
  });

  it('that is a folder cannot be opened', () => {
    const path = newPath();
    mkdirSync(path);
    expect(refusal(path)).toBe('DATA_DIR_UNUSABLE');
  });
});

describe('evidence', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  await submitNext(owner, await registerAgent(owner));
  await exportOf(owner);

  it.each(['operations', 'epochs', 'admin_events'])('%s: is neither changed nor deleted', (table) => {
    const { sql } = service;
    const columns = sql.pragma(`table_info(${table})`) as { readonly name: string }[];
    const before = sql.prepare(`SELECT * FROM ${table}`).all();
    expect(before.length).toBeGreaterThan(0);
    for (const { name } of columns) {
      expect(() => sql.prepare(`UPDATE ${table} SET ${name} = ${name}`).run()).toThrow(/evidence/);
    }
    expect(() => sql.prepare(`DELETE FROM ${table}`).run()).toThrow(/evidence/);
    const upsert = `INSERT INTO ${table} SELECT * FROM ${table} WHERE true ON CONFLICT DO UPDATE SET org_id = org_id`;
    expect(() => sql.prepare(upsert).run()).toThrow(/evidence/);
    expect(sql.prepare(`SELECT * FROM ${table}`).all()).toEqual(before);
  });

  it.each([
    ['operations', 'subject'],
    ['epochs', 'end_time'],
    ['admin_events', 'actor'],
  ])('%s: is not replaced by the service', (table, column) => {
    // With a connection as the service has it: what this forbids are its own mistakes.
    const store = openStore(join(service.dataDir, 'ledger.sqlite'));
    const { sqlite } = store;
    try {
      const before = sqlite.prepare(`SELECT * FROM ${table}`).all();
      sqlite.exec(`CREATE TEMP TABLE copy AS SELECT * FROM ${table}; UPDATE copy SET ${column} = ''`);
      expect(() => sqlite.exec(`INSERT OR REPLACE INTO ${table} SELECT * FROM copy`)).toThrow(/evidence/);
      expect(sqlite.prepare(`SELECT * FROM ${table}`).all()).toEqual(before);
    } finally {
      store.close();
    }
  });
});
