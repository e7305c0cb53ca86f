// docs/interface.md, Audit: counts over time.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { registerAgent, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();
const [first, second] = [await registerAgent(owner, 'first'), await registerAgent(owner, 'second')];
const HOUR = 3_600_000;
/** A whole hour, ten hours ago: records are issued 0, 1, … minutes after it. */
const base = Math.floor(Date.now() / HOUR) * HOUR - 10 * HOUR;
const at = (minutes: number): string => new Date(base + minutes * 60_000).toISOString();
const MINUTES = Array.from({ length: 300 }, (_, n) => (n * 7) % 300);
const record = (n: number) =>
  (n % 3 === 0 ? first : second).next({
    issued_at: at(MINUTES[n] ?? 0),
    ttl_ms: 24 * HOUR,
    operation_type: n % 2 === 0 ? 'even.deed' : 'odd.deed',
    subject: 'a subject',
  });
await owner.client.ok('submitBatch', { body: { records: MINUTES.slice(0, 200).map((_, n) => record(n)) } });

const count = (query: Record<string, string> = {}) => owner.client.ok('auditHistogram', { query });
/** The same, counted here. */
function expected(issued: readonly number[], start: string | null, width: number, length: number): number[] {
  const counts = new Array<number>(length).fill(0);
  for (const minutes of issued) {
    const bucket = Math.floor((Date.parse(at(minutes)) - Date.parse(start ?? '')) / width);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}

it('counts nothing where there is nothing', async () => {
  const stranger = await service.signUp('stranger');
  const empty = { start_time: null, bucket_ms: 1, counts: [], total: 0 };
  expect(await stranger.client.ok('auditHistogram')).toMatchObject(empty);
  expect(await count({ agentId: 'nobody' })).toMatchObject(empty);
  expect(await count({ startTime: at(-60), endTime: at(0) })).toMatchObject(empty);
});

it('counts what is in the index and what is not yet, with every filter', async () => {
  const index = new Database(join(service.dataDir, 'index.sqlite'), { readonly: true });
  await until('the index', () => index.prepare('SELECT max(indexed_seq) FROM orgs').pluck().get() === 200);
  index.close();
  // These are not in it yet when they are counted.
  await owner.client.ok('submitBatch', { body: { records: MINUTES.slice(200).map((_, n) => record(200 + n)) } });
  const filters: [Record<string, string>, (n: number) => boolean][] = [
    [{}, () => true],
    [{ agentId: 'first' }, (n) => n % 3 === 0],
    [{ operationType: 'odd.deed' }, (n) => n % 2 === 1],
    [{ agentId: 'second', operationType: 'even.deed', subject: 'a subject' }, (n) => n % 3 !== 0 && n % 2 === 0],
  ];
  for (const [filter, matches] of filters) {
    const issued = MINUTES.filter((_, n) => matches(n));
    const all = await count(filter);
    expect(all.total).toBe(issued.length);
    expect(all.bucket_ms).toBe(5 * 60_000);
    expect(all.counts).toEqual(expected(issued, all.start_time, all.bucket_ms, all.counts.length));
    const range = { startTime: at(60), endTime: at(180) };
    const some = await count({ ...filter, ...range, buckets: '240' });
    const within = issued.filter((minutes) => minutes >= 60 && minutes < 180);
    expect(some.start_time).toBe(at(60));
    expect(some.counts).toEqual(expected(within, some.start_time, some.bucket_ms, 240));
  }
});

it('counts nothing outside the range asked for, however its ends lie', async () => {
  const query = { startTime: at(61.5), endTime: at(178.5), buckets: '3' };
  for (const filter of [{}, { agentId: 'first' }]) {
    const { total } = await count({ ...filter, ...query });
    const within = MINUTES.filter(
      (minutes, n) => minutes > 61 && minutes < 179 && (!('agentId' in filter) || n % 3 === 0),
    );
    expect(total).toBe(within.length);
  }
});

it('counts as many stretches as it is asked for at most', async () => {
  expect((await count({ buckets: '1' })).counts).toEqual([300]);
  for (const buckets of [2, 7, 60, 239]) {
    const { counts, total } = await count({ buckets: String(buckets) });
    expect(counts.length).toBeLessThanOrEqual(buckets);
    expect(total).toBe(300);
  }
  for (const buckets of ['0', '241', '1.5', 'x']) {
    expectError(await owner.client.call('auditHistogram', { query: { buckets } }), 'VALIDATION_ERROR', 'buckets');
  }
});

it('counts without the values that are left out, and before a sequence number', async () => {
  const matches = (n: number, without: readonly (readonly [string, string])[]): boolean =>
    without.every(([member, value]) => {
      const row: Record<string, string> = {
        agent_id: n % 3 === 0 ? 'first' : 'second',
        operation_type: n % 2 === 0 ? 'even.deed' : 'odd.deed',
        subject: 'a subject',
        action: 'write',
      };
      return row[member] !== value;
    });
  const exclusions = [
    [['agent_id', 'first']],
    [
      ['agent_id', 'first'],
      ['agent_id', 'nobody'],
      ['operation_type', 'odd.deed'],
    ],
    [
      ['agent_id', 'second'],
      ['action', 'nothing like it'],
    ],
    [['subject', 'a subject']],
    [['action', 'write']],
  ] as const;
  for (const without of exclusions) {
    for (const filter of [{}, { agentId: 'second' }, { beforeSeq: '101' }, { beforeSeq: '250', agentId: 'first' }]) {
      const { beforeSeq = '301', agentId } = filter as { beforeSeq?: string; agentId?: string };
      const wanted = MINUTES.map((_, n) => n).filter(
        (n) =>
          n + 1 < Number(beforeSeq) &&
          (agentId === undefined || (n % 3 === 0 ? 'first' : 'second') === agentId) &&
          matches(n, without),
      );
      const found = await count({ ...filter, without: JSON.stringify(without) });
      expect(found.total, JSON.stringify({ filter, without })).toBe(wanted.length);
      const issued = wanted.map((n) => MINUTES[n] ?? 0);
      expect(found.counts).toEqual(expected(issued, found.start_time, found.bucket_ms, found.counts.length));
    }
  }
});

it('refuses a list of values that it cannot read', async () => {
  const many = JSON.stringify(Array.from({ length: 13 }, () => ['agent_id', 'x']));
  for (const without of ['x', '{}', '[["payload","x"]]', '[["agent_id"]]', '[["agent_id",1]]', many]) {
    expectError(await owner.client.call('auditHistogram', { query: { without } }), 'VALIDATION_ERROR', 'without');
  }
});

it('counts the agents with the most by themselves, in the range that is asked for, and the others together', async () => {
  const third = await registerAgent(owner, 'third');
  const body = third.next({ issued_at: at(1), ttl_ms: 24 * HOUR });
  await owner.client.ok('submitOperation', { body });
  const { counts, agents } = await count({ agents: '2' });
  expect(agents?.data.map(({ agent_id: id }) => id)).toEqual(['second', 'first']);
  expect(agents?.others).toBe(1);
  const sums = agents?.data.map((agent) => agent.counts.reduce((sum, n) => sum + n, 0));
  expect(sums).toEqual([200, 100]);
  expect(agents?.data[0]?.counts).toHaveLength(counts.length);
  const early = await count({
    agents: '8',
    startTime: at(0),
    endTime: at(2),
    query: 'type = even.deed or agent = third',
  });
  const within = early.agents?.data.map((agent) => [agent.agent_id, agent.counts.reduce((sum, n) => sum + n, 0)]);
  const expected = MINUTES.flatMap((minutes, n) =>
    minutes < 2 && n % 2 === 0 ? [n % 3 === 0 ? 'first' : 'second'] : [],
  );
  expect(Object.fromEntries(within ?? [])).toEqual({
    third: 1,
    ...Object.fromEntries([...new Set(expected)].map((name) => [name, expected.filter((one) => one === name).length])),
  });
  expect(early.agents?.others).toBe(0);
  expectError(await owner.client.call('auditHistogram', { query: { agents: '9' } }), 'VALIDATION_ERROR');
});

it('begins stretches with hours and days of the zone', async () => {
  for (const [zone, ahead] of [
    ['UTC', 0],
    ['Asia/Kathmandu', 5.75 * HOUR],
    ['America/Lima', -5 * HOUR],
  ] as const) {
    // As many stretches as there may be at least: they are as long as can be.
    const { start_time: start, bucket_ms: length, total } = await count({ zone, buckets: '1' });
    expect((Date.parse(start ?? '') + ahead) % length).toBe(0);
    expect(total).toBe(301);
  }
  expectError(await owner.client.call('auditHistogram', { query: { zone: 'Mars/Olympus' } }), 'VALIDATION_ERROR');
});
