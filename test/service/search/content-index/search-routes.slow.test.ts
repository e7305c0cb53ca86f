import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { registerAgent, TestService } from '../../../support/service.ts';

async function serviceWithRecords() {
  const service = await TestService.start();
  const [owner, other] = [await service.signUp('owner'), await service.signUp('other')];
  const [signer, stranger] = [await registerAgent(owner), await registerAgent(other)];
  const payloads = [
    { tool: 'get_user', arguments: { user_id: 'ada_7' }, result: 'Ada, credit card 12' },
    { tool: 'pay', arguments: { user_id: 'ada_7', amount: 12.5 }, result: 'Error: no credit' },
    { tool: 'pay', arguments: { user_id: 'bob_1', amount: 99 }, result: 'paid' },
  ];
  for (const payload of payloads) await owner.client.ok('submitOperation', { body: signer.next({ payload }) });
  await other.client.ok('submitOperation', { body: stranger.next({ payload: { note: 'a credit card of others' } }) });
  return { service, owner, other, ids: payloads.map((_, n) => n + 1) };
}

it('finds records by what is in them, as soon as they are accepted, and only those of the organization', async () => {
  const { owner, other } = await serviceWithRecords();
  const seqNos = async (query: string, more: object = {}): Promise<number[]> =>
    (await owner.client.ok('auditQuery', { body: { query, ...more } })).data.map(({ seq_no }) => seq_no);
  expect(await seqNos('credit')).toEqual([2, 1]);
  expect(await seqNos('"credit card"')).toEqual([1]);
  expect(await seqNos('user_id = ada_7', { order: 'oldest' })).toEqual([1, 2]);
  expect(await seqNos('amount > 12.5')).toEqual([3]);
  expect(await seqNos('outcome:failed')).toEqual([2]);
  expect(await seqNos('others')).toEqual([]);
  expect((await other.client.ok('auditQuery', { body: { query: 'credit' } })).data).toHaveLength(1);
  const page = await owner.client.ok('auditQuery', { body: { query: 'user_id:*', limit: 2, details: true } });
  expect(page).toMatchObject({ hasMore: true, coverage: { indexed_to: 3, pending: 0, complete: true } });
  expect(page.data[1]?.details).toMatchObject({ tool: 'pay', outcome: 'failed', marks: ['FAILED'], withheld: false });
  const next = { query: 'user_id:*', limit: 2, cursor: page.nextCursor ?? '' };
  expect((await owner.client.ok('auditQuery', { body: next })).data.map(({ seq_no }) => seq_no)).toEqual([1]);
});

it('counts over time, and the values of fields, what the list finds', async () => {
  const { owner } = await serviceWithRecords();
  const { total } = await owner.client.ok('auditHistogram', { query: { query: 'tool:pay' } });
  expect(total).toBe(2);
  const body = { query: 'user_id:*', fields: ['agent', 'tool', 'outcome', '/arguments/user_id'], values: 1 };
  const facets = await owner.client.ok('facets', { body });
  expect(facets.total).toBe(3);
  const [, tool, outcome, user] = facets.facets;
  expect(tool).toEqual({ field: 'tool', values: [{ value: 'pay', count: 2 }], more: 1, none: 0 });
  expect(outcome?.values).toEqual([{ value: 'ok', count: 2 }]);
  expect(user).toEqual({ field: '/arguments/user_id', values: [{ value: 'ada_7', count: 2 }], more: 1, none: 0 });
  const names = await owner.client.ok('names', { body: { begins: 'us' } });
  expect(names.data).toEqual([{ text: 'user_id', count: 3 }]);
  const values = await owner.client.ok('names', { body: { field: 'user_id', begins: 'a' } });
  expect(values.data).toEqual([{ text: 'ada_7', count: 2 }]);
});

it('says of an invalid query what is wrong, and where', async () => {
  const { owner } = await serviceWithRecords();
  const { status, body } = await owner.client.call('auditQuery', { body: { query: 'credit (card' } });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  expect(JSON.stringify(body)).toMatch(/at character \d+/);
});

it('lists a record right after its receipt, also where the index of payloads is damaged, and counts it', async () => {
  const service = await TestService.start();
  const owner = await service.signUp('owner');
  const signer = await registerAgent(owner);
  const client = () => service.client(owner.client.token);
  const submit = () => client().ok('submitOperation', { body: signer.next({ payload: { note: 'a refund' } }) });
  for (let n = 0; n < 4; n++) await submit();
  expect((await client().ok('auditQuery', { body: { query: 'refund' } })).data).toHaveLength(4);
  const body = { agentId: signer.agentId, details: true };
  for (const damage of [() => undefined, damageSegments]) {
    await service.stop();
    damage(service.dataDir);
    await service.restart();
    await submit();
    const { data, coverage } = await client().ok('auditQuery', { body });
    const newest = data[0]?.seq_no ?? 0;
    expect(data.map(({ seq_no }) => seq_no)).toEqual(Array.from({ length: newest }, (_, n) => newest - n));
    expect(newest).toBe(damage === damageSegments ? 6 : 5);
    expect(coverage).toEqual({ indexed_to: newest, pending: 0, complete: true });
    expect((await client().ok('auditHistogram', { query: { agentId: signer.agentId } })).total).toBe(newest);
    expect((await client().ok('auditQuery', { body: { query: 'refund' } })).data).toHaveLength(newest);
  }
});

function damageSegments(dataDir: string): void {
  const folder = join(dataDir, 'content');
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    // Of the same length, with its directory as it was.
    const bytes = readFileSync(path);
    bytes.fill(0xff, 20, 60);
    writeFileSync(path, bytes);
  }
}
