// A group leads to what is in it, and to nothing else: what it counts is what a search for its terms finds. docs/investigating.md.
import { describe, expect, it } from 'vitest';
import { parseQuery, printQuery, termsOfGroup } from '../../../src/actions/index.ts';
import type { JsonObject } from '../../../src/protocol/index.ts';
import { completed, decided, started } from '../../support/agent-actions.ts';
import { registerAgent, TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();
const { client } = owner;
const worker = await registerAgent(owner, 'worker');
const approver = await registerAgent(owner, 'approver');

const HOUR = 3_600_000;
/** A whole hour some time ago, and a zone in which that is midnight. */
const MIDNIGHT = Math.floor(Date.now() / HOUR - 10) * HOUR;
const hour = new Date(MIDNIGHT).getUTCHours();
const ZONE = hour <= 12 ? `Etc/GMT+${hour}` : `Etc/GMT-${24 - hour}`;

async function add(at: number, payload: JsonObject, by = worker): Promise<void> {
  const body = by.next({ payload, issued_at: new Date(at).toISOString(), ttl_ms: 24 * HOUR });
  await client.ok('submitOperation', { body });
}

// Two calls that are under way at midnight, and what others say of themselves in one record.
for (const label of ['a', 'b']) await add(MIDNIGHT - HOUR, started(label, { label }, { tool: { name: 'copy' } }));
await add(MIDNIGHT, decided('a', { label: 'a' }), approver);
for (const label of ['a', 'b']) await add(MIDNIGHT + HOUR, completed(label, { status: label }));
const PLAIN: readonly JsonObject[] = [
  { tool: 'shell', command: 'ls', exit_code: 0, dry: false },
  { tool: 'shell', command: 'ls', exit_code: '0', dry: 'false' },
  { tool: 'shell', command: 'ls', exit_code: '00', dry: true },
  { tool: 'shell', command: 'curl https://one.example/', exit_code: 7.5 },
  { tool: 'http', method: 'GET', url: 'https://two.example/', http_status: 201 },
  { tool: 'pay', amount: { value: 5, currency: 'EUR' } },
  { tool: 'pay', amount: 5, of: { amount: 6, status: 'a' } },
  { tool: 'pay', amounts: [], amount: {}, status: '*' },
  { note: 'nothing of any of these' },
];
for (const [n, payload] of PLAIN.entries()) await add(MIDNIGHT + n * HOUR, payload);

const of = { measures: [{ op: 'count' }], zone: ZONE };
await until('all records to be indexed', async () => {
  return (await client.ok('groups', { body: { ...of, by: [] } })).coverage.pending === 0;
});

describe.each(['actions', 'records'])('groups of %s', (unit) => {
  it.each([
    ...[['day'], ['hour'], ['week'], ['month'], ['host'], ['tool'], ['outcome'], ['session'], ['mark']],
    ...[['agent'], ['type'], ['subject'], ['action'], ['phase'], ['call'], ['person'], ['agent', 'phase']],
    ...[['amount'], ['amount.value'], ['of.amount'], ['/amount'], ['status'], ['label'], ['amount', 'agent']],
    ...[['exit_code'], ['dry'], ['http_status'], ['command'], ['day', 'tool'], ['host', 'exit_code']],
  ])('by %s %s lead to as many as they count', async (...by) => {
    const names = by.filter((name) => name !== undefined);
    const { data, groups } = await client.ok('groups', { body: { ...of, by: names, unit } });
    expect(data).toHaveLength(groups);
    for (const { keys, count } of data) {
      const terms = termsOfGroup(names, keys, ZONE) ?? expect.fail(`${keys} is no query`);
      const query = printQuery({ kind: 'and', parts: terms });
      expect(parseQuery(query, { now: 0, zone: 'UTC' }).ok).toBe(true);
      const { total } = await client.ok('groups', { body: { ...of, by: [], unit, query } });
      expect([query, total]).toEqual([query, count]);
    }
  });

  it.each(['agent', 'type', 'subject', 'action', 'phase', 'tool', 'session', 'host', 'outcome', 'mark', 'person'])(
    'by %s are as many as the values next to a search say',
    async (name) => {
      const { data } = await client.ok('groups', { body: { ...of, by: [name], unit } });
      const { facets } = await client.ok('facets', { body: { fields: [name], values: 50, unit } });
      const [{ values, none } = { values: [], none: 0 }] = facets;
      const counted = new Map(data.map(({ keys: [key = null], count }) => [key, count]));
      expect(counted).toEqual(
        new Map([...values.map(({ value, count }) => [value, count] as const), ...nothing(none)]),
      );
    },
  );
});

function nothing(count: number): (readonly [null, number])[] {
  return count === 0 ? [] : [[null, count]];
}
