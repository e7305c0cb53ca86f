// docs/interface.md, Refusals: what was refused is listed, without secrets, bounded, and without holding anybody up.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { registerAgent, submitNext, TestService } from '../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();
const signer = await registerAgent(owner, 'agent-1');
const list = (query: Record<string, string> = {}) => owner.client.ok('listRefusals', { query });

describe('a refused submission', () => {
  it('of a frozen agent is listed as an alarm, with what the record claims', async () => {
    await owner.client.ok('freezeAgent', { params: { agent_id: 'agent-1' }, body: { reason: 'suspicious' } });
    await expect(submitNext(owner, signer)).rejects.toThrow();
    const { data, last_24_hours, last_24_hours_alarms } = await list();
    expect(data[0]).toMatchObject({
      kind: 'submission',
      code: 'AGENT_FROZEN',
      is_alarm: true,
      agent_id: 'agent-1',
      user_id: null,
      times: 1,
      operation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect([last_24_hours, last_24_hours_alarms]).toEqual([1, 1]);
  });

  it('of nonsense is listed without what is not well formed', async () => {
    const body = { agent_id: '<b>\u202e', operation_id: 'x', agent_pubkey_kid: 'a b' } as never;
    expectError(await owner.client.call('submitOperation', { body }), 'VALIDATION_ERROR');
    expect((await list()).data[0]).toMatchObject({ agent_id: null, operation_id: null, kid: null, is_alarm: false });
  });

  it('is counted, not listed, once there are many in a minute', async () => {
    const body = { agent_id: 'flood' } as never;
    for (let n = 0; n < 60; n++) await owner.client.call('submitOperation', { body });
    const { data } = await list({ agentId: 'flood', limit: '200' });
    expect(data.length).toBeLessThanOrEqual(22);
    expect(data.reduce((sum, { times }) => sum + times, 0)).toBe(60);
  });
});

describe('a failed sign-in', () => {
  it('is listed for the account that was tried, without its password', async () => {
    const body = { email: owner.email, password: 'a wrong password' };
    expectError(await service.client().call('signIn', { body }), 'UNAUTHORIZED');
    const found = await list({ kind: 'sign_in' });
    expect(found.data[0]).toMatchObject({ code: 'UNAUTHORIZED', user_id: owner.userId, agent_id: null });
    expect(JSON.stringify(found)).not.toContain('a wrong password');
  });

  it('leaves nothing where there is no such account', async () => {
    const before = (await list()).data.length;
    await service.client().call('signIn', { body: { email: 'my-password@example.org', password: 'some password' } });
    expect((await list()).data.length).toBe(before);
  });
});

describe('the list', () => {
  it('is of one code where that is asked for, and takes codes of the interface only', async () => {
    const { data, last_24_hours, last_24_hours_alarms } = await list({ code: 'AGENT_FROZEN' });
    expect(data.map(({ code }) => code)).toEqual(['AGENT_FROZEN']);
    expect(last_24_hours).toBeGreaterThan(last_24_hours_alarms);
    expectError(await owner.client.call('listRefusals', { query: { code: 'frozen' } }), 'VALIDATION_ERROR', 'code');
  });

  it("is an organization's own, in pages", async () => {
    const stranger = await service.signUp('stranger');
    expect(await stranger.client.ok('listRefusals', {})).toMatchObject({
      data: [],
      last_24_hours: 0,
      last_24_hours_alarms: 0,
    });
    const first = await list({ limit: '1' });
    expect(first.hasMore).toBe(true);
    const second = await list({ limit: '1', cursor: first.nextCursor ?? '' });
    expect(second.data[0]?.refusal_no).toBeLessThan(first.data[0]?.refusal_no ?? 0);
  });
});
