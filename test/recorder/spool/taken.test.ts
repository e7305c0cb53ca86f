import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventPlaces } from '../../../src/recorder/spool/event-places.ts';
import { Spool } from '../../../src/recorder/spool/spool.ts';
import { Taken } from '../../../src/recorder/spool/taken.ts';
import { runs } from '../../support/extent.ts';
import { temporaryFolder } from '../../support/folders.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');

function newSpool(): { path: string; spool: Spool; agent: number } {
  const path = join(temporaryFolder(), 'spool.sqlite');
  const spool = new Spool(path);
  const agent = spool.chains.open({ org_id: 'org', agent_id: 'codex', feed: 'codex', head: null }).id;
  return { path, spool, agent };
}

it('knows each of thousands of events that it took, also after a start, and no other', async () => {
  const { path, spool, agent } = newSpool();
  const events = Array.from({ length: 3000 }, () => randomUUID());
  for (const [n, event] of events.entries()) {
    expect(spool.taken.find(agent, event)).toBeNull();
    spool.taken.add(agent, event, [`operation ${n}`], NOW);
  }
  const found = (taken: Taken): unknown[] => events.map((event) => taken.find(agent, event));
  const expected = events.map((_, n) => [`operation ${n}`]);
  expect(found(spool.taken)).toEqual(expected);
  expect(spool.taken.find(agent + 1, events[0] ?? '')).toBeNull();
  await spool.close();
  const next = new Spool(path);
  expect(found(next.taken)).toEqual(expected);
  expect(next.taken.find(agent, randomUUID())).toBeNull();
  await next.close();
});

it('knows the second of two that have the same mark and place', () => {
  const places = new EventPlaces(0, 40);
  const name = createHash('sha256').update('event').digest();
  places.add(name, 41);
  places.add(name, 42);
  expect([...places.of(name)]).toEqual([41, 42]);
});

it('names the place of each event, whatever their names', () => {
  const names = fc.array(
    fc.uint8Array({ minLength: 8, maxLength: 8, max: 3 }).map((bytes) => Buffer.from(bytes)),
    { maxLength: 700 },
  );
  fc.assert(
    fc.property(names, (all) => {
      const places = new EventPlaces(0, 1000);
      for (const [n, name] of all.entries()) places.add(name, 1001 + n);
      for (const [n, name] of all.entries()) expect([...places.of(name)]).toContain(1001 + n);
    }),
    runs(30),
  );
});

it('takes an event whose transaction was undone as one that never came', () => {
  const { spool, agent } = newSpool();
  const undone = randomUUID();
  const stop = new Error('stop');
  expect(() =>
    spool.transaction(() => {
      spool.taken.add(agent, undone, ['undone'], NOW);
      expect(spool.taken.find(agent, undone)).toEqual(['undone']);
      throw stop;
    }),
  ).toThrow(stop);
  expect(spool.taken.find(agent, undone)).toBeNull();
  const other = randomUUID();
  // In the row that the first one would have had.
  spool.taken.add(agent, other, ['other'], NOW);
  expect(spool.taken.find(agent, undone)).toBeNull();
  spool.taken.add(agent, undone, ['again'], NOW);
  expect([spool.taken.find(agent, undone), spool.taken.find(agent, other)]).toEqual([['again'], ['other']]);
});

it('knows the newest events, and forgets those before them', () => {
  const sqlite = new Database(':memory:');
  sqlite.exec(
    'CREATE TABLE taken (seq INTEGER PRIMARY KEY AUTOINCREMENT, event BLOB, operation_ids TEXT, taken_at INTEGER)',
  );
  const taken = new Taken(sqlite, 500);
  const events = Array.from({ length: 5000 }, () => randomUUID());
  for (const event of events) {
    taken.add(1, event, ['one'], NOW);
    taken.forgetSome(NOW);
  }
  expect(events.slice(-500).filter((event) => taken.find(1, event) === null)).toEqual([]);
  expect(events.slice(0, 4000).filter((event) => taken.find(1, event) !== null)).toEqual([]);
});
