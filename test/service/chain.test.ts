// docs/interface.md, Audit: parts of an agent's chain; rows before a seq_no; epochs before a number; the summary.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { registerAgent, submitNext, TestService } from '../support/service.ts';

const service = await TestService.start({ epochIntervalSeconds: 3600 });
const owner = await service.signUp();
const [mine, other] = [await registerAgent(owner, 'mine'), await registerAgent(owner, 'other')];
const base = Date.now() - 60_000;
for (let n = 0; n < 30; n++) {
  const issued_at = new Date(base + n * 1000).toISOString();
  await submitNext(owner, n % 2 === 0 ? mine : other, { issued_at, ttl_ms: 3_600_000 });
  if (n % 10 === 9 && n < 29) await owner.client.ok('closeEpoch');
}
/** Of the agent: every second one. */
const SEQ_NOS = Array.from({ length: 15 }, (_, n) => 29 - 2 * n);

const chain = (query: Record<string, string> = {}) =>
  owner.client.ok('agentChain', { params: { agent_id: 'mine' }, query });
const seqNos = ({ data }: { readonly data: readonly { readonly seq_no: number }[] }) =>
  data.map(({ seq_no }) => seq_no);

describe('GET /v1/agents/:agent_id/chain', () => {
  it('gives the newest records, each with its hash and that of the one before it', async () => {
    const all = await chain();
    expect(seqNos(all)).toEqual(SEQ_NOS);
    expect([all.older, all.newer]).toEqual([false, false]);
    for (const [n, row] of all.data.entries()) {
      expect(row.prev_chain_hash).toBe(all.data[n + 1]?.chain_hash ?? null);
      const { ear } = await owner.client.ok('getOperation', { params: { operation_id: row.operation_id } });
      expect(row.chain_hash).toBe(ear.chain_hash);
    }
  });

  it('goes down and up from any record, without gap or overlap', async () => {
    for (const limit of ['1', '4', '15']) {
      const down: number[] = [];
      for (let before = '1000'; ; ) {
        const part = await chain({ before, limit });
        down.push(...seqNos(part));
        if (!part.older) break;
        before = String(part.data.at(-1)?.seq_no);
      }
      expect(down).toEqual(SEQ_NOS);
      const up: number[] = [];
      for (let after = '0'; ; ) {
        const part = await chain({ after, limit });
        up.unshift(...seqNos(part));
        expect(part.older).toBe(after !== '0');
        if (!part.newer) break;
        after = String(part.data[0]?.seq_no);
      }
      expect(up).toEqual(SEQ_NOS);
    }
  });

  it('says before its first record that others follow', async () => {
    expect(await chain({ before: '1' })).toEqual({ data: [], older: false, newer: true });
  });

  it('goes to a time', async () => {
    const part = await chain({ at: new Date(base + 10_500).toISOString(), limit: '3' });
    expect(seqNos(part)).toEqual([11, 9, 7]);
    expect([part.older, part.newer]).toEqual([true, true]);
    const early = await chain({ at: new Date(base - 1).toISOString() });
    expect(early).toEqual({ data: [], older: false, newer: true });
    expect(seqNos(await chain({ at: new Date(base).toISOString() }))).toEqual([1]);
  });

  it('refuses two places at once, and invalid ones', async () => {
    for (const query of [{ before: '3', after: '1' }, { before: '0' }, { after: 'x' }, { at: 'noon' }]) {
      const answer = await owner.client.call('agentChain', { params: { agent_id: 'mine' }, query: { ...query } });
      expectError(answer, 'VALIDATION_ERROR');
    }
    expectError(await owner.client.call('agentChain', { params: { agent_id: 'none' } }), 'NOT_FOUND');
  });
});

it('searches below a seq_no', async () => {
  const page = await owner.client.ok('auditQuery', { body: { beforeSeq: 12, limit: 3 } });
  expect(seqNos(page)).toEqual([11, 10, 9]);
  const next = await owner.client.ok('auditQuery', { body: { beforeSeq: 12, limit: 3, cursor: page.nextCursor } });
  expect(seqNos(next)).toEqual([8, 7, 6]);
});

it('lists epochs below a number', async () => {
  const { data } = await owner.client.ok('listEpochs', { query: { before: '2' } });
  expect(data.map(({ epoch_no }) => epoch_no)).toEqual([1]);
});

it('tells the ledger in figures', async () => {
  await owner.client.ok('freezeAgent', { params: { agent_id: 'other' }, body: { reason: 'a reason' } });
  const { data } = await owner.client.ok('auditQuery', { body: { beforeSeq: 22, limit: 1 } });
  expect(await owner.client.ok('ledgerSummary')).toEqual({
    org: { org_id: owner.orgId, name: 'Organization of owner' },
    records: 30,
    unsealed: { count: 10, oldest_received_at: data[0]?.server_received_at },
    epochs: 2,
    agents: { active: 1, frozen: 1, deleted: 0 },
    resembles_home: false,
    corrected_times: [],
  });
  const stranger = await service.signUp('stranger');
  expect(await stranger.client.ok('ledgerSummary')).toMatchObject({
    records: 0,
    unsealed: { count: 0, oldest_received_at: null },
    epochs: 0,
    agents: { active: 0, frozen: 0, deleted: 0 },
  });
});
