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
