// Actions: calls with all their records, joined when they are read. docs/interface.md (Actions), docs/query-language.md.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/index.ts';
import {
  action,
  actionId,
  asked,
  completed,
  decided,
  input,
  type Members,
  started,
} from '../../support/agent-actions.ts';
import { registerAgent, TestService } from '../../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();
const { client } = owner;
const payer = await registerAgent(owner, 'payer');
const ada = await registerAgent(owner, 'ada');
const began = Date.now() - 3_600_000;
let made = 0;
const ids = new Map<string, string>();

/** The next record, a minute after the one before. */
async function add(label: string, payload: Members, signer = payer): Promise<void> {
  const issuedAt = new Date(began + made++ * 60_000).toISOString();
  const members = {
    operation_type: 'tool.call',
    subject: 'work',
    action: 'x',
    issued_at: issuedAt,
    ttl_ms: 86_400_000,
  };
  const body = signer.next({ payload: payload as JsonObject, ...members });
  await client.ok('submitOperation', { body });
  ids.set(label, body.operation_id);
}

const s1 = { session: { id: 's1' }, actor: { on_behalf_of: 'ada' } };
const pay = (amount: unknown, currency: string, supplier: string): Members =>
  ({ amount, currency, supplier }) as unknown as Members;

await add('prompt', action('told', { ...s1, told: [{ kind: 'user', content: input('Pay what is due') }] }));
await add('ask', { ...asked('a', pay('0.1', 'EUR', 'Nord')), ...s1 });
await add('decide', decided('a', pay('0.1', 'EUR', 'Nord')), ada);
await add('start', started('a', pay('0.1', 'EUR', 'Nord'), { ...s1, tool: { name: 'pay' } }));
// As the agent library writes it: the end names neither tool nor session.
await add('end', completed('a', { output: input({ receipt: 'R1' }) }));
await add('start b', started('b', pay('0.2', 'EUR', 'Nord'), { ...s1, tool: { name: 'pay' } }));
await add(
  'fail b',
  action('failed', {
    action_id: actionId('b'),
    outcome: { status: 'error', exit_code: 3, error: { message: 'no funds' } },
  }),
);
const child = { session: { id: 's2', parent: 's1' } };
await add('child', action('session_started', { ...child, cause: [ids.get('start b') ?? ''] }));
await add('start c', started('c', pay('5', 'USD', 'Süd'), { ...child, tool: { name: 'pay' } }));
await add('end c', completed('c', { output: input({ receipt: 'R2' }) }));
const file = { kind: 'file', id: 'stock.csv', access: 'write' };
await add(
  'start w',
  started('w', { path: 'stock.csv' }, { ...child, tool: { name: 'save' }, touched: [{ ...file, before: 'v1' }] }),
);
await add('end w', completed('w', { touched: [{ ...file, after: 'v2' }] }));
await add('plain', { amount: 7.25, note: 'by hand' });

const of = (label: string): string => ids.get(label) ?? expect.fail(label);
const actions = async (query: string) => (await client.ok('actions', { body: { query, order: 'oldest' } })).data;

describe('a list of actions', () => {
  it('has a row for each call, with what its records come to', async () => {
    const { data, total } = await client.ok('actions', { body: { order: 'oldest' } });
    expect(data.map(({ kind, tool }) => tool ?? kind)).toEqual([
      'told',
      'pay',
      'pay',
      'start',
      'pay',
      'save',
      'record',
    ]);
    expect(total).toBe(7);
    const [, paid, failed] = data;
    expect(paid).toMatchObject({
      operation_id: of('ask'),
      last_operation_id: of('end'),
      record_count: 4,
      agent_id: 'payer',
      title: 'pay(amount: 0.1, currency: EUR, supplier: Nord) → receipt: R1',
      outcome: 'ok',
      session: 's1',
      person: 'ada',
      duration_ms: 60_000,
    });
    expect(paid?.records.map(({ phase, agent_id }) => `${phase} ${agent_id}`)).toEqual([
      'asked payer',
      'decided ada',
      'started payer',
      'completed payer',
    ]);
    expect(failed).toMatchObject({ outcome: 'failed', exit_code: 3, error: 'no funds', record_count: 2 });
  });

  it('is found by what any of the records of a call has, and not found by what one of them has', async () => {
    expect((await actions('supplier:Nord outcome = failed')).map((row) => row.operation_id)).toEqual([of('start b')]);
    expect((await actions('agent = ada tool = pay')).map((row) => row.operation_id)).toEqual([of('ask')]);
    expect((await actions('tool = pay not receipt:*')).map((row) => row.operation_id)).toEqual([of('start b')]);
    expect(await actions('supplier:Nord receipt = R2')).toEqual([]);
  });

  it('comes in pages that have each action once', async () => {
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await client.ok('actions', { body: { limit: 2, cursor } });
      seen.push(...page.data.map((row) => row.operation_id));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(seen).toEqual((await actions('seq > 0')).map((row) => row.operation_id).toReversed());
  });
});

describe('an end that does not name its call', () => {
  it('is read, found and counted with the tool and session of its beginning', async () => {
    const { data } = await client.ok('auditQuery', { body: { query: 'tool = pay phase = completed', details: true } });
    expect(data.map((row) => row.operation_id)).toEqual([of('end c'), of('end')]);
    expect(data[1]?.details).toMatchObject({
      tool: 'pay',
      session: 's1',
      summary: 'pay(amount: 0.1, currency: EUR, supplier: Nord) → receipt: R1',
    });
    const { facets } = await client.ok('facets', { body: { fields: ['tool'] } });
    expect(facets[0]?.values).toEqual([
      { value: 'pay', count: 7 },
      { value: 'save', count: 2 },
    ]);
  });
});

describe('counts of actions', () => {
  it('are of calls, in facets, charts and sessions', async () => {
    const body = { fields: ['tool', 'outcome'], unit: 'actions' };
    const { total, facets } = await client.ok('facets', { body });
    expect(total).toBe(7);
    expect(facets[0]).toMatchObject({
      values: [
        { value: 'pay', count: 3 },
        { value: 'save', count: 1 },
      ],
      none: 3,
    });
    expect(facets[1]?.values).toContainEqual({ value: 'failed', count: 1 });
    expect((await client.ok('auditHistogram', { query: { unit: 'actions' } })).total).toBe(7);
    const { data } = await client.ok('sessions', { body: { order: 'oldest' } });
    expect(data.map(({ session, actions: count }) => [session, count])).toEqual([
      ['s1', 3],
      ['s2', 3],
    ]);
  });

  it('say once that a call changed something, with its state before and after', async () => {
    const { data } = await client.ok('entities', { body: { kind: 'file', unit: 'actions' } });
    expect(data).toMatchObject([{ id: 'stock.csv', actions: 1, writes: 1 }]);
    const touches = await client.ok('entityTouches', { body: { kind: 'file', id: 'stock.csv', unit: 'actions' } });
    expect(touches.data).toMatchObject([{ access: 'write', before: 'v1', after: 'v2', of_action: { tool: 'save' } }]);
  });
});

describe('groups', () => {
  it('add decimal numbers up exactly, and never those of different currencies', async () => {
    const measures = [{ op: 'sum', of: 'amount' }, { op: 'count' }];
    const body = { by: ['supplier'], measures, unit: 'actions', order: 'key' };
    const answer = await client.ok('groups', { body });
    expect(answer.data).toEqual([
      {
        keys: ['Nord'],
        count: 2,
        measures: [{ amounts: [{ value: '0.3', currency: 'EUR' }], without: 0, more: 0 }, expect.anything()],
      },
      {
        keys: ['Süd'],
        count: 1,
        measures: [{ amounts: [{ value: '5', currency: 'USD' }], without: 0, more: 0 }, expect.anything()],
      },
      {
        keys: [null],
        count: 4,
        measures: [{ amounts: [{ value: '7.25', currency: null }], without: 3, more: 0 }, expect.anything()],
      },
    ]);
    expect(answer.all[0]?.amounts).toEqual([
      { value: '7.25', currency: null },
      { value: '0.3', currency: 'EUR' },
      { value: '5', currency: 'USD' },
    ]);
    expect(answer).toMatchObject({ total: 7, groups: 3 });
  });

  it('come to one total, however they are made', async () => {
    const measures = ['sum', 'min', 'max', 'median'].map((op) => ({ op, of: 'amount' }));
    for (const unit of ['actions', 'records']) {
      const { all } = await client.ok('groups', { body: { by: [], measures, unit } });
      for (const by of [['supplier'], ['tool'], ['day', 'tool'], ['outcome']]) {
        expect((await client.ok('groups', { body: { by, measures, unit } })).all).toEqual(all);
      }
    }
  });

  it('are told apart by steps of time in a zone, and measured by how long calls took', async () => {
    const body = { by: ['day'], zone: 'Asia/Tokyo', unit: 'actions', measures: [{ op: 'median', of: 'duration' }] };
    const { data } = await client.ok('groups', { body: { ...body, query: 'receipt = R1' } });
    const day = new Date(began + 60_000).toLocaleDateString('sv-SE', { timeZone: 'Asia/Tokyo' });
    const amounts = [{ value: '60000', currency: null }];
    expect(data).toEqual([{ keys: [day], count: 1, measures: [{ amounts, without: 0, more: 0 }] }]);
  });

  it('are refused where there is nothing to group by', async () => {
    const { status } = await client.call('groups', { body: { by: ['seq'] } });
    expect(status).toBe(400);
  });
});

describe('what an action had been told', () => {
  it('is what came before it in its session and in those that led to it', async () => {
    const context = await client.ok('actionContext', { body: { operation_id: of('end c') } });
    expect(context).toMatchObject({ of: 'session', sessions: ['s2', 's1'], total: 4, action: { tool: 'pay' } });
    expect(context.data.map(({ kind, operation_id }) => [kind, operation_id])).toEqual([
      ['told', of('prompt')],
      ['decision', of('decide')],
      ['output', of('end')],
      ['error', of('fail b')],
    ]);
    expect(context.data[0]?.contents).toMatchObject([{ kind: 'user', content: { value: 'Pay what is due' } }]);
  });
});

describe('two sessions', () => {
  it('stand side by side with what differs between them', async () => {
    const answer = await client.ok('compareSessions', { body: { left: 's1', right: 's2' } });
    const calls = answer.data.filter(({ left, right }) => left?.kind === 'call' || right?.kind === 'call');
    expect(calls.map(({ left, right }) => [left?.tool ?? null, right?.tool ?? null])).toEqual([
      ['pay', null],
      ['pay', 'pay'],
      [null, 'save'],
    ]);
    expect(calls[1]?.differences).toEqual([
      { part: 'outcome', pointer: '', kind: 'changed' },
      { part: 'input', pointer: '/amount', kind: 'changed' },
      { part: 'input', pointer: '/currency', kind: 'changed' },
      { part: 'input', pointer: '/supplier', kind: 'changed' },
      { part: 'output', pointer: '', kind: 'added' },
    ]);
    expect(answer).toMatchObject({ changed: 1, cut: false });
    const same = await client.ok('compareSessions', { body: { left: 's1', right: 's1', differing: true } });
    expect(same.data).toEqual([]);
  });
});
