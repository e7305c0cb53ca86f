// docs/interface.md, Admin events: filters and pages beyond the newest hundred, and how far the log verifies.
import { describe, expect, it } from 'vitest';
import type { AnswerOf } from '../../../src/api/index.ts';
import type { AdminEvent } from '../../../src/protocol/index.ts';
import { registerAgent, submitNext, TestService } from '../../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();
const other = service.addMember(owner, 'security_admin');
const { client } = owner;

const signer = await registerAgent(owner, 'agent-1');
for (let n = 0; n < 70; n++) {
  const call = { params: { agent_id: 'agent-1' }, body: { reason: `round ${n}` } };
  await other.client.ok('freezeAgent', call);
  await client.ok('unfreezeAgent', call);
}

async function all(query: Record<string, string>, limit = '40'): Promise<AdminEvent[]> {
  const events: AdminEvent[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer: AnswerOf<'listAdminEvents'> = await client.ok('listAdminEvents', {
      query: { ...query, limit, cursor },
    });
    events.push(...(answer.events as AdminEvent[]));
    expect(answer.hasMore).toBe(answer.nextCursor !== null);
    cursor = answer.nextCursor ?? null;
  }
  return events;
}

describe('GET /v1/admin/events', () => {
  it('answers as ever without a cursor', async () => {
    expect(Object.keys(await client.ok('listAdminEvents'))).toEqual(['events']);
  });

  it('pages through everything, once each and newest first', async () => {
    const events = await all({});
    expect(events).toHaveLength(142);
    for (const [index, event] of events.entries()) {
      expect(event.prev_event_hash).toBe(events[index + 1]?.event_hash ?? null);
    }
  });

  it.each<[string, Record<string, string>, number]>([
    ['an action', { action: 'agent.freeze' }, 70],
    ['an actor', { actor: other.userId }, 70],
    ['a kind of target', { targetType: 'organization' }, 1],
    ['a target', { targetId: 'agent-1' }, 141],
    ['an actor and an action', { actor: other.userId, action: 'agent.unfreeze' }, 0],
    ['a time to come', { startTime: '2100-01-01T00:00:00Z' }, 0],
    ['all time', { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' }, 142],
    ['nothing that is there', { action: "x' OR 1=1 --" }, 0],
  ])('filters by %s', async (_, query, expected) => {
    const events = await all(query);
    expect(events).toHaveLength(expected);
    if (query['action'] !== undefined) expect(events.every(({ action }) => action === query['action'])).toBe(true);
  });

  it('takes the start of a time with it, and not its end', async () => {
    const [newest] = await all({});
    const time = new Date(newest?.created_at ?? 0).toISOString();
    expect((await all({ startTime: time })).map(({ event_id: id }) => id)).toContain(newest?.event_id);
    expect((await all({ endTime: time })).map(({ event_id: id }) => id)).not.toContain(newest?.event_id);
  });
});

describe('GET /v1/admin/chain', () => {
  it('verifies every event, and says how many an epoch has sealed', async () => {
    expect(await client.ok('adminChain')).toMatchObject({
      events: 142,
      verified: 142,
      sealed: 0,
      sealed_by_epoch_no: null,
    });
    await submitNext(owner, signer);
    await client.ok('closeEpoch');
    const [head] = await all({});
    const expected = { events: 143, verified: 143, sealed: 143, sealed_by_epoch_no: 1, head_hash: head?.event_hash };
    expect(await client.ok('adminChain')).toMatchObject({ ...expected, broken_event_id: null });
  });

  it('names the first event that was altered', async () => {
    service.sql.exec('DROP TRIGGER admin_events_keep_values');
    service.sql.exec(`UPDATE admin_events SET actor = 'nobody' WHERE event_no = 50`);
    const id = service.sql.prepare('SELECT event_id FROM admin_events WHERE event_no = 50').pluck().get();
    const answer = await client.ok('adminChain');
    expect(answer).toMatchObject({ events: 143, verified: 49, broken_event_id: id, sealed: 0 });
  });
});
