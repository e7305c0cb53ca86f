// What the workspace is asked about the 1,164 real actions: docs/investigating.md, docs/interface.md (Investigation).
import { describe, expect, it } from 'vitest';
import type { AnswerOf } from '../../../src/api/index.ts';
import { airlineActions, submitAirlineActions } from '../../support/airline-actions.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();
await submitAirlineActions(owner);
const actions = airlineActions();
const { client } = owner;

/** Waits until the index has all records. */
const indexed = () =>
  until('all records to be indexed', async () => (await client.ok('sessions', { body: {} })).coverage.pending === 0);

await indexed();

/** All pages of a list. */
async function allPages<T>(
  ask: (cursor: string | undefined) => Promise<{ readonly data: readonly T[]; readonly nextCursor: string | null }>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask(cursor);
    all.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

const sessions = (body: object) =>
  allPages((cursor) => client.ok('sessions', { body: { ...body, cursor, limit: 50 } }));
const count = (test: (action: (typeof actions)[number]) => boolean): number => actions.filter(test).length;
const isFailed = ({ result }: { readonly result: string }): boolean => result.startsWith('Error');

describe('sessions', () => {
  it('are listed newest first, each once, with what happened in them', async () => {
    const listed = await sessions({});
    expect(listed).toHaveLength(new Set(actions.map(({ session }) => session)).size);
    expect(listed.map(({ last_seq: last }) => last)).toEqual(
      listed.map(({ last_seq: last }) => last).toSorted((a, b) => b - a),
    );
    for (const { session, agents, calls, records, failed, tools } of listed) {
      const own = actions.filter((action) => action.session === session);
      expect({ agents, calls, records, failed }).toEqual({
        agents: [...new Set(own.map(({ agent }) => agent))],
        calls: own.length,
        records: own.length,
        failed: own.filter(isFailed).length,
      });
      expect(tools.every(({ value, count: used }) => own.filter(({ tool }) => tool === value).length === used)).toBe(
        true,
      );
    }
  });

  it('are those in which a search finds records, in the order that was asked for', async () => {
    const failing = await sessions({ query: 'outcome=failed', order: 'oldest' });
    expect(failing.map(({ session }) => session)).toEqual([
      ...new Set(actions.filter(isFailed).map(({ session }) => session)),
    ]);
    const longest = await sessions({ order: 'longest' });
    const lengths = longest.map(({ first_at: first, last_at: last }) => Date.parse(last) - Date.parse(first));
    expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
  });

  it('tell what agent 2 did in airline-000-2, in order, with inputs and outputs', async () => {
    const own = actions.filter(({ session }) => session === 'airline-000-2');
    const story = await client.ok('sessionSteps', { body: { session: 'airline-000-2' } });
    expect(story.session).toMatchObject({ agents: ['airline-agent-2'], calls: own.length, ended: null, parent: null });
    expect(story.data.map(({ tool, kind, lane }) => [tool, kind, lane.kind])).toEqual(
      own.map(({ tool }) => [tool, 'call', 'tool']),
    );
    expect(story.data.map(({ input }) => input?.value)).toEqual(own.map((action) => action.arguments));
    const opened = own.map(({ result }) => (/^[[{]/.test(result) ? JSON.parse(result) : result));
    expect(story.data.map(({ output }) => output?.value)).toEqual(opened);
    expect(story.coverage).toEqual({ indexed_to: 1164, pending: 0, complete: true });
  });

  it('come a page at a time', async () => {
    const ask = (limit: number, cursor?: string) =>
      client.ok('sessionSteps', { body: { session: 'airline-000-2', limit, cursor } });
    const whole = await ask(1000);
    const pages = await allPages((cursor) => ask(2, cursor));
    expect(pages).toEqual(whole.data);
    expect((await client.call('sessionSteps', { body: { session: 'none' } })).status).toBe(404);
  });
});

describe('entities', () => {
  it('are those of most records first, and of the kind that was asked for', async () => {
    const found = await client.ok('entities', { body: { limit: 100 } });
    const counts = found.data.map(({ records }) => records);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(found.kinds.map(({ value }) => value).toSorted()).toEqual([
      'email',
      'flight',
      'payment_method',
      'reservation',
      'user',
    ]);
    const users = await allPages((cursor) => client.ok('entities', { body: { kind: 'user', cursor, limit: 7 } }));
    expect(users).toHaveLength(found.kinds.find(({ value }) => value === 'user')?.count ?? 0);
    expect(new Set(users.map(({ id }) => id)).size).toBe(users.length);
    expect(users.every(({ kind }) => kind === 'user')).toBe(true);
  });

  it('are found by a part of their id, in any case', async () => {
    const { data } = await client.ok('entities', { body: { contains: 'MIA_LI' } });
    expect(data.map(({ kind, id }) => `${kind} ${id}`)).toEqual(['user mia_li_3668']);
  });

  it('tell which reservation of mia_li_3668 was cancelled, and by which agent', async () => {
    const deleted = (
      await client.ok('auditQuery', { body: { query: 'tool=cancel_reservation entity="user:mia_li_3668"' } })
    ).data;
    expect(deleted).toHaveLength(1);
    const touches = await client.ok('entityTouches', { body: { kind: 'reservation', id: 'HATHAU' } });
    expect(touches.entity).toMatchObject({ kind: 'reservation', id: 'HATHAU' });
    const cancelled = touches.data.filter(({ access }) => access === 'delete');
    expect(cancelled).toMatchObject([
      { agent_id: 'airline-agent-3', details: { session: 'airline-000-3', tool: 'cancel_reservation' } },
    ]);
    expect(touches.data).toHaveLength(
      count(
        (action) =>
          JSON.stringify(action).includes('HATHAU') && !['think', 'transfer_to_human_agents'].includes(action.tool),
      ),
    );
  });

  it('have all that touched them, either way round, a page at a time', async () => {
    const ask = (order: 'newest' | 'oldest') =>
      allPages((cursor) =>
        client.ok('entityTouches', { body: { kind: 'user', id: 'mia_li_3668', order, cursor, limit: 3 } }),
      );
    const oldest = await ask('oldest');
    expect(oldest.map(({ seq_no }) => seq_no)).toEqual(oldest.map(({ seq_no }) => seq_no).toSorted((a, b) => a - b));
    expect(await ask('newest')).toEqual(oldest.toReversed());
    const { entity } = await client.ok('entityTouches', { body: { kind: 'user', id: 'mia_li_3668' } });
    expect(entity.records).toBe(oldest.length);
    const times = (access: string): number => oldest.filter((touch) => touch.access === access).length;
    expect(entity).toMatchObject({
      reads: times('read'),
      writes: times('write'),
      sends: times('send'),
      deletes: times('delete'),
      agents: [...new Set(oldest.map(({ agent_id: id }) => id))],
    });
    expect((await client.call('entityTouches', { body: { kind: 'user', id: 'nobody' } })).status).toBe(404);
  });

  it('carry amounts', async () => {
    const { data } = await client.ok('auditQuery', { body: { query: 'tool=send_certificate' } });
    const given = actions.filter(({ tool }) => tool === 'send_certificate');
    expect(data).toHaveLength(given.length);
    const user = String(given[0]?.arguments['user_id']);
    const touches = await client.ok('entityTouches', { body: { kind: 'user', id: user } });
    expect(touches.data.find(({ access }) => access === 'send')?.amount).toEqual({
      value: String(given[0]?.arguments['amount']),
      currency: null,
    });
  });
});

describe('the reading of a record', () => {
  const newest = async (query: string) => {
    const { data } = await client.ok('auditQuery', { body: { query, limit: 1, order: 'oldest' } });
    const params = { operation_id: data[0]?.operation_id ?? '' };
    return client.ok('operationReading', { params });
  };

  it('says why a call counts as failed', async () => {
    const { marks, details, call } = await newest('mark:failed');
    expect(details.outcome).toBe('failed');
    expect(marks[0]).toMatchObject({ code: 'FAILED', why: `The call failed: ${details.error}` });
    expect(call).toHaveLength(1);
  });

  it('names the failed call that another one tried again', async () => {
    const { marks } = await newest('mark:retried');
    const [mark] = marks.filter(({ code }) => code === 'RETRIED');
    const tried = await client.ok('operationReading', { params: { operation_id: mark?.evidence[0] ?? '' } });
    expect(tried.details.outcome).toBe('failed');
    expect(mark?.why).toBe('The tool was called again in this session after its last call there had not succeeded.');
  });

  it('counts the calls before a first use', async () => {
    const { marks, details } = await newest('mark:first_tool');
    const at = actions.findIndex(({ tool }, n) => tool === details.tool && n > 20);
    expect(at).toBeGreaterThan(0);
    expect(marks.find(({ code }) => code === 'FIRST_TOOL')?.why).toMatch(
      /^None of the \d+ calls of airline-agent-\d that are recorded here before used /,
    );
  });

  it('is of records of this organization only', async () => {
    const { data } = await client.ok('auditQuery', { body: { limit: 1 } });
    const stranger = await service.signUp();
    const asked = await stranger.client.call('operationReading', {
      params: { operation_id: data[0]?.operation_id ?? '' },
    });
    expect(asked.status).toBe(404);
  });
});

describe('the activity', () => {
  it('is that of the last 24 hours before the newest record', async () => {
    const activity = await client.ok('activity');
    expect(activity).toMatchObject({ records: 1164, calls: 1164, failed: 73, refused: 0, unfinished: 0 });
    expect(activity.sessions).toHaveLength(8);
    expect(activity.troubles).toHaveLength(8);
    expect(activity.troubles.every(({ details }) => details.outcome === 'failed')).toBe(true);
    expect(activity.marks).toContainEqual({ value: 'FAILED', count: 73 });
    expect(activity.agents.map(({ agent_id: id }) => id).toSorted()).toEqual(
      [0, 1, 2, 3].map((n) => `airline-agent-${n}`),
    );
  });
});

describe('rules', () => {
  const answer = async (): Promise<AnswerOf<'investigationRules'>> => client.ok('investigationRules');

  it('are those of the product first, and read all records again once they are changed', async () => {
    expect(await answer()).toMatchObject({ is_default: true, changed_at: null, changed_by: null });
    const rules = { version: 1, sessions: ['subject'], tools: ['type'] };
    const changed = await client.ok('setInvestigationRules', { body: { rules } });
    expect(changed).toMatchObject({ is_default: false, changed_by: owner.email, rules: { sessions: ['subject'] } });
    await indexed();
    const listed = await sessions({});
    expect(listed.length).toBeGreaterThan(182);
    expect(listed[0]?.tools[0]?.value).toMatch(/^airline\./);
    await client.ok('setInvestigationRules', { body: { rules: null } });
    expect(await answer()).toMatchObject({ is_default: true, changed_by: owner.email });
    await indexed();
    expect(await sessions({})).toHaveLength(182);
  });

  it('are refused with the place of what is wrong', async () => {
    const { status, body } = await client.call('setInvestigationRules', {
      body: { rules: { version: 1, tools: ['tool'] } },
    });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('rules.tools.0')]);
  });
});

describe('saved searches', () => {
  it('are shared in the organization, one of each name', async () => {
    const save = (name: string, query: string) => client.ok('saveSearch', { body: { name, search: { query } } });
    await save('Failures', 'outcome=failed');
    const { search_id: id } = await save('Failures', 'mark:failed');
    await save('Cancelled', 'tool=cancel_reservation');
    const { searches } = await client.ok('savedSearches');
    expect(searches.map(({ name, search, created_by: by }) => [name, search['query'], by])).toEqual([
      ['Cancelled', 'tool=cancel_reservation', owner.email],
      ['Failures', 'mark:failed', owner.email],
    ]);
    const params = { search_id: id };
    const stranger = await service.signUp();
    expect((await stranger.client.call('deleteSearch', { params })).status).toBe(404);
    await client.ok('deleteSearch', { params });
    expect((await client.call('deleteSearch', { params })).status).toBe(404);
    expect((await client.ok('savedSearches')).searches).toHaveLength(1);
  });
});
