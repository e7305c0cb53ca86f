// docs/interface.md, Audit.
import { describe, expect, it } from 'vitest';
import type { AuditRow, ListAnswer } from '../../src/api/index.ts';
import { parseTime } from '../../src/protocol/index.ts';
import { expectError } from '../support/client.ts';
import { registerAgent, submitNext, TestService } from '../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();
const base = Date.now();
/** So many seconds after the first record, as a record says it. */
const at = (seconds: number): string => new Date(base + seconds * 1000).toISOString();

const AGENTS = ['reader', 'writer', 'Reader'];
const TYPES = ['file.read', 'file.write', 'file'];
const SUBJECTS = ['a', 'A', 'ä', "'; DROP TABLE operations; --", '%', 'a%', '\u0000a'];

// Every combination that there is, a second apart by the agents' clocks, which is not the order of their arrival.
const signers = await Promise.all(AGENTS.map((id) => registerAgent(owner, id)));
const { results } = await owner.client.ok('submitBatch', {
  body: {
    records: Array.from({ length: 126 }, (_, n) =>
      (signers[n % 3] ?? signers[0])?.next({
        operation_type: TYPES[Math.floor(n / 3) % 3] ?? '',
        subject: SUBJECTS[Math.floor(n / 9) % 7] ?? '',
        issued_at: at((n * 5) % 126),
        ttl_ms: 3_600_000,
      }),
    ),
  },
});
const all: AuditRow[] = [];
for (const result of results) {
  if (!('receipt' in result)) throw new Error(JSON.stringify(result));
  const { operation_id } = result.receipt;
  const { eor, ear } = await owner.client.ok('getOperation', { params: { operation_id } });
  all.unshift({
    operation_id,
    agent_id: eor.agent_id,
    operation_type: eor.operation_type,
    subject: eor.subject,
    action: eor.action,
    issued_at: eor.issued_at,
    seq_no: ear.seq_no,
    server_received_at: ear.server_received_at,
  });
}

const call = (body: object) => owner.client.call('auditQuery', { body });

/** Everything that a query finds, page by page. */
async function find(query: object, limit = 200): Promise<AuditRow[]> {
  const found: AuditRow[] = [];
  let cursor: string | null = null;
  do {
    const page: ListAnswer<AuditRow> = await owner.client.ok('auditQuery', {
      body: { ...query, limit, ...(cursor === null ? {} : { cursor }) },
    });
    expect(page.hasMore).toBe(page.nextCursor !== null);
    if (page.hasMore) expect(page.data).toHaveLength(limit);
    found.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

describe('POST /v1/audit/query', () => {
  it('finds everything where nothing is asked for, newest first, 50 at a time', async () => {
    const answer = await call({});
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual(all.slice(0, 50));
    expect(answer.body.hasMore).toBe(true);
    expect(await find({})).toEqual(all);
    const empty = await owner.client.send({ method: 'POST', path: '/v1/audit/query' });
    expect(empty.body).toMatchObject({ data: all.slice(0, 50) });
  });

  it.each(AGENTS)('filters by the agent %s, to the letter', async (agentId) => {
    const found = await find({ agentId });
    expect(found).toHaveLength(42);
    expect(found).toEqual(all.filter(({ agent_id }) => agent_id === agentId));
  });

  it.each(TYPES)('filters by the operation type %s, whole', async (operationType) => {
    const found = await find({ operationType });
    expect(found).toHaveLength(42);
    expect(found).toEqual(all.filter(({ operation_type }) => operation_type === operationType));
  });

  it.each(SUBJECTS)('filters by the subject %j, which is no pattern', async (subject) => {
    const found = await find({ subject });
    expect(found).toHaveLength(18);
    expect(found).toEqual(all.filter((row) => row.subject === subject));
  });

  it('filters by all of them together', async () => {
    for (const agentId of AGENTS) {
      for (const operationType of TYPES) {
        for (const subject of SUBJECTS) {
          const query = { agentId, operationType, subject, startTime: at(20), endTime: at(90) };
          const expected = all.filter(
            (row) =>
              row.agent_id === agentId &&
              row.operation_type === operationType &&
              row.subject === subject &&
              parseTime(row.issued_at) >= base + 20_000 &&
              parseTime(row.issued_at) < base + 90_000,
          );
          expect(await find(query)).toEqual(expected);
        }
      }
    }
  });

  it.each([
    { agentId: 'nobody' },
    { operationType: 'nothing' },
    { operationType: '' },
    { subject: 'b' },
    { startTime: at(126) },
    { endTime: at(0) },
    { startTime: at(50), endTime: at(50) },
    { startTime: at(60), endTime: at(50) },
    { endTime: '0001-01-01T00:00:00Z' },
  ])('finds nothing for %j', async (query) => {
    expect((await call(query)).body).toMatchObject({ data: [], nextCursor: null, hasMore: false });
  });

  it('takes the start in and leaves the end out, by issued_at, to the millisecond', async () => {
    const issuedAt = (found: readonly AuditRow[]): number[] =>
      found.map(({ issued_at }) => (parseTime(issued_at) - base) / 1000).toSorted((a, b) => a - b);
    expect(issuedAt(await find({ startTime: at(123) }))).toEqual([123, 124, 125]);
    expect(issuedAt(await find({ startTime: at(123.001) }))).toEqual([124, 125]);
    expect(issuedAt(await find({ endTime: at(2) }))).toEqual([0, 1]);
    expect(issuedAt(await find({ endTime: at(2.001) }))).toEqual([0, 1, 2]);
    expect(issuedAt(await find({ startTime: at(7), endTime: at(9) }))).toEqual([7, 8]);
  });

  it('reads times with offsets', async () => {
    const shifted = (seconds: number, offset: string, hours: number): string =>
      new Date(base + seconds * 1000 + hours * 3_600_000).toISOString().replace('Z', offset);
    const expected = await find({ startTime: at(7), endTime: at(9) });
    expect(expected).toHaveLength(2);
    for (const [offset, hours] of [
      ['+02:00', 2],
      ['-11:30', -11.5],
      ['+00:00', 0],
      ['-00:00', 0],
    ] as const) {
      const query = { startTime: shifted(7, offset, hours), endTime: shifted(9, offset, hours) };
      expect(await find(query)).toEqual(expected);
    }
  });

  it.each([1, 2, 41, 42, 43, 125, 126, 127, 200])('pages of %i: each record once, in order', async (limit) => {
    expect(await find({}, limit)).toEqual(all);
    expect(await find({ agentId: 'writer' }, limit)).toEqual(all.filter(({ agent_id }) => agent_id === 'writer'));
  });

  it('loses and repeats nothing while records arrive', async () => {
    const account = await service.signUp('busy');
    const busy = await registerAgent(account);
    for (let n = 0; n < 10; n++) await submitNext(account, busy);
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const body: object = { limit: 3, agentId: busy.agentId, ...(cursor === null ? {} : { cursor }) };
      const page: ListAnswer<AuditRow> = await account.client.ok('auditQuery', { body });
      seen.push(...page.data.map(({ seq_no }) => seq_no));
      cursor = page.nextCursor;
      for (let n = 0; n < 3; n++) await submitNext(account, busy);
    } while (cursor !== null);
    expect(seen).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it.each<[string, object]>([
    ['limit', { limit: 0 }],
    ['limit', { limit: 201 }],
    ['limit', { limit: 1.5 }],
    ['limit', { limit: '50' }],
    ['limit', { limit: null }],
    ['agentId', { agentId: '' }],
    ['agentId', { agentId: 'a b' }],
    ['agentId', { agentId: ['reader'] }],
    ['operationType', { operationType: 5 }],
    ['operationType', { operationType: 'x'.repeat(129) }],
    ['subject', { subject: '' }],
    ['subject', { subject: 'x'.repeat(513) }],
    ['startTime', { startTime: 'yesterday' }],
    ['startTime', { startTime: '2026-01-01' }],
    ['startTime', { startTime: '2026-01-01T00:00:00' }],
    ['startTime', { startTime: 0 }],
    ['endTime', { endTime: '2026-02-30T00:00:00Z' }],
    ['endTime', { endTime: '2026-01-01T25:00:00Z' }],
    ['endTime', { endTime: null }],
    ['cursor', { cursor: 'nonsense' }],
    ['cursor', { cursor: '' }],
    ['cursor', { cursor: 5 }],
    ['cursor', { cursor: Buffer.from('null').toString('base64url') }],
    ['cursor', { cursor: Buffer.from('-1').toString('base64url') }],
    ['cursor', { cursor: Buffer.from('1e99').toString('base64url') }],
    ['cursor', { cursor: Buffer.from('{"seq_no":5}').toString('base64url') }],
    ['cursor', { cursor: 'A'.repeat(513) }],
    ['agent_id', { agent_id: 'reader' }],
    ['offset', { offset: 5 }],
  ])('refuses a wrong %s: %j', async (member, body) => {
    expectError(await call(body), 'VALIDATION_ERROR', member);
  });

  it('finds nothing of another organization', async () => {
    const stranger = await service.signUp('stranger');
    const { nextCursor } = (await call({ limit: 1 })).body;
    for (const body of [{}, { agentId: 'reader' }, { cursor: nextCursor }]) {
      expect((await stranger.client.ok('auditQuery', { body })).data).toEqual([]);
    }
  });
});
