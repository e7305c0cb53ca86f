// docs/interface.md, Agents: GET /v1/agents/:agent_id/operations.
import { describe, expect, it } from 'vitest';
import type { AuditRow } from '../../src/api/index.ts';
import type { Receipt } from '../../src/protocol/index.ts';
import { expectError } from '../support/client.ts';
import { type Account, registerAgent, submitNext, TestService } from '../support/service.ts';
import type { Signer } from '../support/signer.ts';

const service = await TestService.start();
const owner = await service.signUp();
const [signer, other] = [await registerAgent(owner, 'chain'), await registerAgent(owner, 'other')];
const receipts: Receipt[] = [];
const { results } = await owner.client.ok('submitBatch', {
  // Every third record is the other agent's.
  body: { records: Array.from({ length: 90 }, (_, n) => (n % 3 === 2 ? other : signer).next({ subject: `no. ${n}` })) },
});
for (const result of results) if ('receipt' in result) receipts.push(result.receipt);
const chain = receipts.filter(({ agent_id }) => agent_id === 'chain').toReversed();

/** The whole chain, page by page; `between` happens after each page. */
async function pages(
  { client }: Account,
  { agentId }: Signer,
  limit: string,
  between: () => unknown = () => undefined,
): Promise<AuditRow[][]> {
  const found: AuditRow[][] = [];
  let cursor: Record<string, string> = {};
  for (;;) {
    const query = { limit, ...cursor };
    const page = await client.ok('agentOperations', { params: { agent_id: agentId }, query });
    found.push([...page.data]);
    expect(page.hasMore).toBe(page.nextCursor !== null);
    if (page.nextCursor === null) return found;
    cursor = { cursor: page.nextCursor };
    await between();
  }
}

const call = (query: Record<string, string>) =>
  owner.client.call('agentOperations', { params: { agent_id: 'chain' }, query });

describe('GET /v1/agents/:agent_id/operations', () => {
  it("lists the agent's own operations, newest first, 50 unless told otherwise", async () => {
    const page = await owner.client.ok('agentOperations', { params: { agent_id: 'chain' } });
    expect(page.data).toHaveLength(50);
    expect(page.hasMore).toBe(true);
    expect(page.data.map(({ seq_no }) => seq_no)).toEqual(chain.slice(0, 50).map(({ seq_no }) => seq_no));
    const { eor } = await owner.client.ok('getOperation', { params: { operation_id: chain[0]?.operation_id ?? '' } });
    expect(page.data[0]).toEqual({
      operation_id: chain[0]?.operation_id,
      agent_id: 'chain',
      operation_type: eor.operation_type,
      subject: 'no. 88',
      action: eor.action,
      issued_at: eor.issued_at,
      seq_no: chain[0]?.seq_no,
      server_received_at: chain[0]?.server_received_at,
    });
  });

  it.each(['1', '7', '30', '59', '60', '61', '200'])('in pages of %s: each once, in order', async (limit) => {
    const found = await pages(owner, signer, limit);
    for (const page of found.slice(0, -1)) expect(page).toHaveLength(Number(limit));
    expect(found.flat().map(({ seq_no }) => seq_no)).toEqual(chain.map(({ seq_no }) => seq_no));
  });

  it('keeps its place while operations arrive', async () => {
    const account = await service.signUp('busy');
    const busy = await registerAgent(account);
    for (let n = 0; n < 8; n++) await submitNext(account, busy);
    const found = await pages(account, busy, '3', () => submitNext(account, busy));
    expect(found.flat().map(({ seq_no }) => seq_no)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('is empty at first', async () => {
    await registerAgent(owner, 'idle');
    const page = await owner.client.ok('agentOperations', { params: { agent_id: 'idle' } });
    expect(page).toEqual({ data: [], nextCursor: null, hasMore: false });
  });

  it.each<[string, Record<string, string>]>([
    ['limit', { limit: '0' }],
    ['limit', { limit: '201' }],
    ['limit', { limit: 'ten' }],
    ['limit', { limit: '' }],
    ['cursor', { cursor: 'nonsense' }],
    ['cursor', { cursor: '' }],
    ['cursor', { cursor: Buffer.from('0').toString('base64url') }],
    ['cursor', { cursor: Buffer.from('"5"').toString('base64url') }],
    ['cursor', { cursor: Buffer.from('1.5').toString('base64url') }],
    ['cursor', { cursor: 'x'.repeat(513) }],
    ['agentId', { agentId: 'other' }],
  ])('refuses a wrong %s: %j', async (member, query) => {
    expectError(await call(query), 'VALIDATION_ERROR', member);
  });

  it('does not know agents that are not there, nor those of elsewhere', async () => {
    const stranger = await service.signUp('stranger');
    const answer = await stranger.client.call('agentOperations', { params: { agent_id: 'chain' } });
    expectError(answer, 'NOT_FOUND');
    // An agent of the same name has its own chain; a cursor of elsewhere shows nothing of elsewhere.
    const namesake = await registerAgent(stranger, 'chain');
    await submitNext(stranger, namesake);
    const { nextCursor } = (await call({ limit: '1' })).body;
    const query = { cursor: nextCursor ?? '' };
    const page = await stranger.client.ok('agentOperations', { params: { agent_id: 'chain' }, query });
    expect(page.data.map(({ seq_no }) => seq_no)).toEqual([1]);
  });
});
