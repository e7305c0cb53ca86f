// docs/interface.md, Exports: what an export would hold, whom it may be of, and what its file is called.
import { describe, expect, it } from 'vitest';
import { contentDisposition, fileNameOf } from '../../src/service/http/file-names.ts';
import { expectError } from '../support/client.ts';
import { ALWAYS, registerAgent, submitNext, TestService } from '../support/service.ts';
import { nextMillisecond } from '../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();
const [first, second] = [await registerAgent(owner, 'first'), await registerAgent(owner, 'second')];
await submitNext(owner, first);
await submitNext(owner, second);
await submitNext(owner, first);
const middle = new Date(await nextMillisecond()).toISOString();
await submitNext(owner, first);

const preview = (range: object) => owner.client.call('previewExport', { body: { ...ALWAYS, ...range } });

describe('the preview of an export', () => {
  it.each([
    [{}, 4],
    [{ agentId: 'first' }, 3],
    [{ agentId: 'second' }, 1],
    [{ endTime: middle }, 3],
    [{ startTime: middle }, 1],
    [{ startTime: middle, agentId: 'second' }, 0],
    [{ endTime: middle, agentId: 'first' }, 2],
    [{ endTime: '2001-01-01T00:00:00Z' }, 0],
  ])('counts what %j would hold', async (query, records) => {
    expect((await preview(query)).body).toMatchObject({ records });
  });

  it('names the agents whose records it would hold, and how many it lists', async () => {
    const named = (records: number, agent_id: string) =>
      expect.objectContaining({ agent_id, records, more_records: false });
    const { body } = await preview({});
    expect(body).toMatchObject({
      agents: { listed: 2, not_examined: 0, with_records: [named(3, 'first'), named(1, 'second')] },
    });
    expect((await preview({ startTime: middle })).body).toMatchObject({
      agents: { listed: 2, with_records: [named(1, 'first')] },
    });
    expect((await preview({ agentId: 'second' })).body).toMatchObject({
      agents: { listed: 1, with_records: [named(1, 'second')] },
    });
  });

  it('names the people and receivers whose addresses the administrative events would show', async () => {
    await owner.client.ok('invite', { body: { email: 'Auditor@example.org', role: 'compliance_auditor' } });
    const { body } = await preview({});
    expect(body).toMatchObject({
      admin_events: { all: { addresses: expect.arrayContaining(['auditor@example.org']) } },
    });
    expect(body).toMatchObject({ admin_events: { agents: { addresses: [] } } });
  });

  it('refuses a range that ends before it begins, and an agent that there never was', async () => {
    expectError(await preview({ endTime: '1999-01-01T00:00:00Z' }), 'VALIDATION_ERROR', 'endTime');
    expectError(await preview({ agentId: 'nobody' }), 'VALIDATION_ERROR', 'agentId');
  });

  it('counts nothing of another organization', async () => {
    const stranger = await service.signUp('stranger');
    expect(await stranger.client.ok('previewExport', { body: ALWAYS })).toMatchObject({ records: 0 });
    const answer = await stranger.client.call('previewExport', { body: { ...ALWAYS, agentId: 'first' } });
    expectError(answer, 'VALIDATION_ERROR', 'agentId');
  });
});

describe('an export', () => {
  it('is refused of an agent that there never was, and made of one that was deleted', async () => {
    const body = { ...ALWAYS, agentId: 'nobody' };
    expectError(await owner.client.call('createExport', { body }), 'VALIDATION_ERROR', 'agentId: no agent "nobody"');
    expect((await owner.client.ok('listExports')).data).toEqual([]);
    await owner.client.ok('deleteAgent', { params: { agent_id: 'second' } });
    await owner.client.ok('createExport', { body: { ...ALWAYS, agentId: 'second' } });
  });
});

describe('what an export withholds', () => {
  const body = { ...ALWAYS, redact: { agent_ids: ['first'] }, reason: 'privacy of the customer' };

  it('is kept with its reason, by the job and by the administrative log', async () => {
    const { exportId } = await owner.client.ok('createExport', { body });
    const withholding = {
      agent_ids: ['first'],
      operation_types: [],
      pointers: [],
      admin_events: 'all',
      reason: 'privacy of the customer',
    };
    const job = await owner.client.ok('getExport', { params: { export_id: exportId } });
    expect(job).toMatchObject({ withholding });
    const { events } = await owner.client.ok('listAdminEvents');
    const event = events.find(({ target_id }) => target_id === exportId);
    expect(event).toMatchObject({ action: 'export.create', details: { reason: 'privacy of the customer' } });
  });

  it('is refused of an agent that there never was: a slip would give away what is to be withheld', async () => {
    const slip = { ...body, redact: { agent_ids: ['frist'] } };
    expectError(await owner.client.call('createExport', { body: slip }), 'VALIDATION_ERROR', 'redact.agent_ids');
  });

  it('has a reason with words in it, or none', async () => {
    const blank = { ...body, reason: '  ' };
    expectError(await owner.client.call('createExport', { body: blank }), 'VALIDATION_ERROR', 'reason');
    const long = { ...body, reason: 'x'.repeat(501) };
    expectError(await owner.client.call('createExport', { body: long }), 'VALIDATION_ERROR', 'reason');
  });
});

describe('the list of agents', () => {
  it('says how many keys each can sign with', async () => {
    const keysOf = async () =>
      (await owner.client.ok('listAgents')).agents.map(({ agent_id, active_keys }) => [agent_id, active_keys]);
    expect(await keysOf()).toEqual([['first', 1]]);
    const body = { kid: first.kid, reason: 'lost' };
    await owner.client.ok('revokeKey', { params: { agent_id: 'first' }, body });
    expect(await keysOf()).toEqual([['first', 0]]);
  });
});

describe('the name of a file', () => {
  it('is of letters, digits, dots and dashes, whatever its parts hold', () => {
    expect(fileNameOf(['Acme Airlines', '2026-11-21', '1167-records'], '.csbundle')).toBe(
      'Acme-Airlines_2026-11-21_1167-records.csbundle',
    );
    expect(fileNameOf(['Prüfstelle "Beispiel" – مكتب', '../../etc'], '.pdf')).toBe('Prufstelle-Beispiel_etc.pdf');
    expect(fileNameOf(['北京', '\r\n'], '.pdf')).toBe('countersign.pdf');
    expect(fileNameOf(['x'.repeat(500)], '.pdf').length).toBeLessThan(80);
  });

  it('is given to browsers in quotes, and exactly where it is not of ASCII', () => {
    expect(contentDisposition('a_b.pdf')).toBe('attachment; filename="a_b.pdf"');
    expect(contentDisposition('é"\r\n.pdf')).toBe(
      `attachment; filename="____.pdf"; filename*=UTF-8''%C3%A9%22%0D%0A.pdf`,
    );
  });
});
