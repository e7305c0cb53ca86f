// What agents did lately, as the dashboard shows it: docs/interface.md (Investigation).
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/index.ts';
import { action, actionId, asked, completed, decided, type Members, started } from '../../support/agent-actions.ts';
import { expectError } from '../../support/client.ts';
import { registerAgent, TestService } from '../../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();
const { client } = owner;
const coder = await registerAgent(owner, 'coder');
const ada = await registerAgent(owner, 'ada');

async function add(payload: Members, signer = coder): Promise<string> {
  const body = signer.next({ payload: payload as JsonObject });
  await client.ok('submitOperation', { body });
  return body.operation_id;
}

const failed = (label: string) => {
  return action('failed', { action_id: actionId(label), tool: { name: 'pay' }, outcome: { status: 'error' } });
};
const refused = (label: string) => action('refused', { action_id: actionId(label), outcome: { status: 'denied' } });

describe('the newest failures and refusals', () => {
  it('have a call once, with its newest record, whoever else recorded that it was refused', async () => {
    await add(started('build', { n: 1 }));
    const build = await add(failed('build'));
    await add(asked('pay', { amount: 5 }));
    await add(decided('pay', { amount: 5 }, { outcome: 'denied' }), ada);
    const pay = await add(refused('pay'));
    await add(asked('send', { amount: 7 }));
    const send = await add(decided('send', { amount: 7 }, { outcome: 'denied' }), ada);
    await add(started('look', { n: 2 }));
    await add(completed('look'));
    const { troubles, refused: refusedCalls } = await client.ok('activity');
    expect(troubles.map(({ operation_id: id }) => id)).toEqual([send, pay, build]);
    expect(troubles.map(({ details }) => details.outcome)).toEqual(['refused', 'refused', 'failed']);
    // What was called, and with what: the newest record of a call is its end, which need not say so.
    expect(troubles[2]?.details.summary).toMatch(/^pay\(1\) → failed/);
    expect(refusedCalls).toBe(2);
  });

  it('have every record that belongs to no call, and eight in all', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.push(await add(action('failed', { outcome: { status: 'error' } })));
    const { troubles } = await client.ok('activity');
    expect(troubles).toHaveLength(8);
    expect(troubles.slice(0, 7).map(({ operation_id: id }) => id)).toEqual(ids.toReversed());
    expect(troubles[7]?.details.outcome).toBe('refused');
  });
});

describe('what agents did in a range', () => {
  it('is what was issued within it, without what is usual on a day', async () => {
    const { until, records } = await client.ok('activity');
    expect(until).toBeNull();
    const now = Date.now();
    const issued_at = new Date(now - 60_000).toISOString();
    const late = await registerAgent(owner, 'late');
    const body = late.next({ issued_at, ttl_ms: 3_600_000, payload: failed('late') as JsonObject });
    await client.ok('submitOperation', { body });
    const startTime = new Date(now - 61_000).toISOString();
    const endTime = new Date(now - 59_000).toISOString();
    const within = await client.ok('activity', { query: { startTime, endTime } });
    expect(within).toMatchObject({ since: startTime, until: endTime, records: 1, further_agents: 0 });
    expect(within.agents).toEqual([{ agent_id: 'late', records: 1, usual: null, state: 'usual', last_at: issued_at }]);
    expect(within.troubles.map(({ operation_id: id }) => id)).toEqual([body.operation_id]);
    expect((await client.ok('activity', { query: { startTime } })).records).toBe(records + 1);
    const before = await client.ok('activity', { query: { endTime: startTime } });
    expect(before).toMatchObject({ records: 0, agents: [], troubles: [], sessions: [] });
    expectError(await client.call('activity', { query: { startTime: 'yesterday' } }), 'VALIDATION_ERROR');
  });
});
