// docs/interface.md, Cases: the ledger of a case answers as the live one does, for the same records.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { RouteName } from '../../../src/api/index.ts';
import type { Receipt } from '../../../src/protocol/index.ts';
import { enterWorkstation, importCase } from '../../support/cases.ts';
import { type Arguments, type Client, expectError } from '../../support/client.ts';
import { bundleOf, registerAgent, submitNext, TestService } from '../../support/service.ts';

const service = await TestService.start({ epochMaxLeaves: 4 });
const owner = await service.signUp('issuer');
const agents = [await registerAgent(owner, 'agent-1'), await registerAgent(owner, 'agent-2')];
const submitted: Receipt[] = [];
for (let n = 0; n < 11; n++) {
  const signer = agents[n % 2] ?? expect.fail();
  submitted.push(await submitNext(owner, signer, { subject: `subject-${n % 3}`, operation_type: `type.${n % 2}` }));
}
const agent = { agent_id: 'agent-1' };
await owner.client.ok('freezeAgent', { params: { agent_id: 'agent-2' }, body: { reason: 'for the test' } });
const bundle = await bundleOf(owner);
const desk = await enterWorkstation(service);
const file = { name: 'bundle', bytes: gzipSync(bundle) };
const { case_id } = await importCase(desk, file, { trusted_kids: [service.kid] });
const receipt = submitted[4] ?? expect.fail();
const epochs = (await owner.client.ok('listEpochs')).data;

/** The same call of both, and what each answered. */
async function both(
  live: RouteName,
  mirror: RouteName,
  given: Arguments = {},
): Promise<{ live: unknown; mirror: unknown }> {
  const params = { ...given.params, case_id };
  return {
    live: await owner.client.ok(live, given),
    mirror: await desk.ok(mirror, { ...given, params }),
  };
}

/** Every page of a list, in one. */
async function pagesOf(
  client: Client,
  route: RouteName,
  given: Arguments,
  member: 'body' | 'query',
): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const limit = member === 'body' ? 3 : '3';
    const page = { ...(given[member] as object), limit, ...(cursor === '' ? {} : { cursor }) };
    const answer = (await client.ok(route, { ...given, [member]: page })) as {
      data: unknown[];
      nextCursor: string | null;
    };
    rows.push(...answer.data);
    cursor = answer.nextCursor;
  }
  return rows;
}

describe('the ledger of a case', () => {
  it.each<[RouteName, RouteName, Arguments]>([
    ['listAgents', 'caseAgents', {}],
    ['getAgent', 'caseAgent', { params: agent }],
    ['agentHead', 'caseAgentHead', { params: agent }],
    ['agentChain', 'caseAgentChain', { params: agent }],
    ['agentChain', 'caseAgentChain', { params: agent, query: { limit: '2' } }],
    ['agentChain', 'caseAgentChain', { params: agent, query: { before: '7', limit: '2' } }],
    ['agentChain', 'caseAgentChain', { params: agent, query: { before: '1' } }],
    ['agentChain', 'caseAgentChain', { params: agent, query: { after: '0', limit: '2' } }],
    ['agentChain', 'caseAgentChain', { params: agent, query: { after: '3', limit: '50' } }],
    ['agentChain', 'caseAgentChain', { params: agent, query: { at: new Date().toISOString(), limit: '2' } }],
    ['agentChain', 'caseAgentChain', { params: agent, query: { at: '2001-01-01T00:00:00Z' } }],
    ['getOperation', 'caseOperation', { params: { operation_id: receipt.operation_id } }],
    ['getEpoch', 'caseEpoch', { params: { epoch_id: epochs[0]?.epoch_id ?? '' } }],
    ['listEpochs', 'caseEpochs', {}],
    ['listEpochs', 'caseEpochs', { query: { before: '2' } }],
    ['auditHistogram', 'caseHistogram', {}],
    ['auditHistogram', 'caseHistogram', { query: { agentId: 'agent-1', buckets: '7' } }],
    ['auditHistogram', 'caseHistogram', { query: { subject: 'none' } }],
    ['jwks', 'caseJwks', {}],
  ])('%s', async (live, mirror, given) => {
    const answers = await both(live, mirror, given);
    expect(answers.mirror).toEqual(answers.live);
  });

  it('counts as the live one', async () => {
    const { live, mirror } = await both('ledgerSummary', 'caseSummary');
    // Whether its name resembles the home organization's is said of a case by the case itself.
    const { resembles_home: _, ...counts } = live as { readonly resembles_home?: boolean };
    expect(mirror).toEqual({ ...counts, unreadable: 0 });
  });

  it('has the administrative log up to the export', async () => {
    const { live, mirror } = await both('listAdminEvents', 'caseAdminEvents', { query: { limit: '100' } });
    const { events } = mirror as { events: unknown[] };
    expect(events.length).toBeGreaterThan(3);
    // The live log goes on: the export's own event, and its download.
    expect((live as { events: unknown[] }).events.slice(-events.length)).toEqual(events);
  });

  it.each([
    {},
    { agentId: 'agent-1' },
    { operationType: 'type.1' },
    { subject: 'subject-0' },
    { agentId: 'agent-2', subject: 'subject-1', operationType: 'type.1' },
    { startTime: '2001-01-01T00:00:00Z', endTime: '2001-01-02T00:00:00Z' },
    { startTime: '2001-01-01T00:00:00Z', endTime: '2100-01-02T00:00:00Z' },
    { beforeSeq: 5 },
  ])('is searched by %j, page by page', async (body) => {
    const live = await pagesOf(owner.client, 'auditQuery', { body }, 'body');
    const mirror = await pagesOf(desk, 'caseAuditQuery', { body, params: { case_id } }, 'body');
    expect(mirror).toEqual(live.map((row) => ({ ...(row as object), tags: [], bookmarked: false, findings: 0 })));
    expect(mirror.length).toBe((await owner.client.ok('auditQuery', { body })).data.length);
  });

  it('lists epochs page by page', async () => {
    const live = await pagesOf(owner.client, 'listEpochs', {}, 'query');
    expect(await pagesOf(desk, 'caseEpochs', { params: { case_id } }, 'query')).toEqual(live);
  });

  it('shows each record as the bundle has it', async () => {
    const { operation_id, seq_no } = receipt;
    const found = await desk.ok('caseRecordText', { params: { case_id, operation_id } });
    expect(found).toMatchObject({ operation_id, seq_no });
    expect(bundle.toString('utf8')).toContain(found.text);
    expect(bundle.toString('utf8').split('\n')[found.line - 1]).toContain(operation_id);
    expect(JSON.parse(found.text).ear).toEqual(receipt);
  });

  it('proves each record by its epoch', async () => {
    for (const { operation_id } of submitted) {
      const { live, mirror } = await both('getOperation', 'caseOperation', { params: { operation_id } });
      expect(mirror).toEqual(live);
      expect((mirror as { epoch: { inclusion: unknown } }).epoch.inclusion).not.toBeNull();
    }
  });

  it.each<[RouteName, Record<string, string>]>([
    ['caseAgent', { agent_id: 'none' }],
    ['caseAgentHead', { agent_id: 'none' }],
    ['caseAgentChain', { agent_id: 'none' }],
    ['caseOperation', { operation_id: 'none' }],
    ['caseRecordText', { operation_id: 'none' }],
    ['caseEpoch', { epoch_id: 'none' }],
  ])('%s: NOT_FOUND where the bundle has no such thing', async (route, params) => {
    expectError(await desk.call(route, { params: { ...params, case_id } }), 'NOT_FOUND');
  });
});

describe('a case of one agent', async () => {
  const part = await bundleOf(owner, {
    startTime: '2000-01-01T00:00:00Z',
    endTime: '2100-01-01T00:00:00Z',
    agentId: 'agent-1',
  });
  const found = await importCase(desk, { name: 'part', bytes: part }, { trusted_kids: [service.kid] });

  it('proves its records by the proofs it carries', async () => {
    const params = { operation_id: receipt.operation_id };
    const live = await owner.client.ok('getOperation', { params });
    expect(await desk.ok('caseOperation', { params: { ...params, case_id: found.case_id } })).toEqual(live);
  });
});
