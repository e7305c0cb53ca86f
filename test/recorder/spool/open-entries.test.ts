import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { Spool } from '../../../src/recorder/spool/spool.ts';
import { temporaryFolder } from '../../support/folders.ts';

const AGENT = { org_id: 'org', agent_id: 'codex', feed: 'codex', head: null };

it('keeps what each entry was set to last, in the order in which they came', async () => {
  const path = join(temporaryFolder(), 'spool.sqlite');
  const spool = new Spool(path);
  const { id } = spool.chains.open(AGENT);
  const other = spool.chains.open({ ...AGENT, agent_id: 'other' }).id;
  const keys = Array.from({ length: 300 }, () => `call/${randomUUID()}`);
  for (const key of keys) spool.open.set(id, { key, value: { state: 'begun' } });
  for (const key of keys) spool.open.set(id, { key, value: { state: 'ended' } });
  for (const key of keys.slice(0, 100)) spool.open.set(id, { key, value: null });
  spool.open.set(id, { key: 'never there', value: null });
  const expected = keys.slice(100).map((key) => ({ key, value: { state: 'ended' } }));
  expect(spool.open.of(id)).toEqual(expected);
  expect([spool.open.hasAny(id), spool.open.hasAny(other), spool.open.of(other)]).toEqual([true, false, []]);
  await spool.close();
  const next = new Spool(path);
  // Known without having been read as a whole.
  next.open.set(id, { key: keys[299] ?? '', value: null });
  expect(next.open.of(id)).toEqual(expected.slice(0, -1));
  await next.close();
});

it('has what there was once a transaction is undone, and takes changes of it', () => {
  const spool = new Spool(join(temporaryFolder(), 'spool.sqlite'));
  const { id } = spool.chains.open(AGENT);
  spool.open.set(id, { key: 'kept', value: 1 });
  const stop = new Error('stop');
  expect(() =>
    spool.transaction(() => {
      spool.open.set(id, { key: 'kept', value: null });
      spool.open.set(id, { key: 'added', value: 2 });
      throw stop;
    }),
  ).toThrow(stop);
  expect(spool.open.of(id)).toEqual([{ key: 'kept', value: 1 }]);
  spool.open.set(id, { key: 'added', value: 3 });
  spool.open.set(id, { key: 'kept', value: 4 });
  expect(spool.open.of(id)).toEqual([
    { key: 'kept', value: 4 },
    { key: 'added', value: 3 },
  ]);
});

it('says so where a row is not there that it knew, and changes nothing else', () => {
  const spool = new Spool(join(temporaryFolder(), 'spool.sqlite'));
  const { id } = spool.chains.open(AGENT);
  const stop = new Error('stop');
  expect(() =>
    spool.transaction(() => {
      spool.open.set(id, { key: 'undone', value: 1 });
      throw stop;
    }),
  ).toThrow(stop);
  expect(() => spool.open.set(id, { key: 'undone', value: 2 })).toThrow('no entry undone');
});

it.each([
  ['an older', 1],
  ['a newer', 3],
])('refuses a spool of %s version, and leaves it alone', async (which, version) => {
  const path = join(temporaryFolder(), 'spool.sqlite');
  await new Spool(path).close();
  const sqlite = new Database(path);
  sqlite.pragma(`user_version = ${version}`);
  expect(() => new Spool(path)).toThrow(`was written by ${which} version of Countersign`);
  expect(sqlite.pragma('user_version', { simple: true })).toBe(version);
  sqlite.close();
});
