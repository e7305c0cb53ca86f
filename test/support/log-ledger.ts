/** Small ledgers of their own tables, and what writes and reads a log for them: for tests of one rule of a shared log at a time. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { ActiveCommits } from '../../src/service/shared/active-commits.ts';
import { type CommitLog, EntrySeal, type Place } from '../../src/service/shared/commit-log.ts';
import { Follower } from '../../src/service/shared/follower.ts';
import { setMark } from '../../src/service/shared/row-images.ts';
import { temporaryFolder } from './folders.ts';

export const SEAL = new EntrySeal(new Uint8Array(32).fill(7));

const TABLES = `
  CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT UNIQUE, photo BLOB);
  CREATE TABLE notes (person INTEGER REFERENCES people ON DELETE CASCADE, no INTEGER, text TEXT, PRIMARY KEY (person, no))`;

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** What an entry says that changes nothing. */
export const NOTHING = { rows: [], keyFile: null, node: 'a', url: '' } as const;

export function ledger(): Database.Database {
  const sqlite = connected(join(temporaryFolder(), 'ledger.sqlite'));
  sqlite.exec(TABLES);
  return sqlite;
}

/** Another connection to a ledger. */
export function connected(path: string): Database.Database {
  const sqlite = new Database(path);
  for (const pragma of ['journal_mode = WAL', 'foreign_keys = ON', 'recursive_triggers = ON', 'trusted_schema = OFF']) {
    sqlite.pragma(pragma);
  }
  return sqlite;
}

export const contentOf = (sqlite: Database.Database) =>
  ['people', 'notes'].map((table) => sqlite.prepare(`SELECT * FROM ${table}`).all());

/** Makes the first entry of a log, which these ledgers hold. */
export async function begin(log: CommitLog, ledgers: readonly Database.Database[]): Promise<Place> {
  const entry = SEAL.sealed({ no: 1, prev: NOBODY, kept: 0, schema: 1, kind: 'begin' }, NOTHING);
  expect(await log.append(entry)).toBe(true);
  for (const one of ledgers) setMark(one, entry);
  return { no: 1, id: entry.id };
}

export function active(log: CommitLog, last: Place): ActiveCommits {
  return new ActiveCommits({ log, seal: SEAL, node: 'a', keyPath: '' }, last, '');
}

/** Commits a statement as a node does whose commits these are. */
export function committed(commits: ActiveCommits, own: Database.Database, text: string): Promise<unknown> {
  return Promise.resolve(
    commits.around(
      own,
      own.transaction(() => own.exec(text)),
    ),
  );
}

/** Reads a log over a separate connection, as each start does. */
export function follower({ name }: Database.Database, log: CommitLog): Follower {
  const sqlite = connected(name);
  return new Follower({ sqlite, log, seal: SEAL, keyPath: '', applied: async (_entry, _content, apply) => apply() });
}

/** The same log but for some of what it does. */
export function logWith(log: CommitLog, own: Partial<CommitLog>): CommitLog {
  return {
    append: (entry) => log.append(entry),
    read: (from, most, bytes) => log.read(from, most, bytes),
    beat: (beat) => log.beat(beat),
    newest: () => log.newest(),
    cut: (before) => log.cut(before),
    meet: (sign) => log.meet(sign),
    close: () => log.close(),
    ...own,
  };
}
