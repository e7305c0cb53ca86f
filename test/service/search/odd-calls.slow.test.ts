// Calls, sessions and numbers as nobody expects them: docs/interface.md (Investigation), docs/query-language.md.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/index.ts';
import { action, actionId, completed, decided, input, type Members, started } from '../../support/agent-actions.ts';
import { registerAgent, TestService } from '../../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();
const { client } = owner;
const payer = await registerAgent(owner, 'payer');
const ada = await registerAgent(owner, 'ada');
const began = Date.now() - 3 * 3_600_000;

interface Given {
  readonly minute?: number;
  readonly signer?: typeof payer;
  readonly salted?: readonly string[];
}

/** @param salted members of which the digest alone is submitted @returns the operation_id */
async function add(payload: Members, { minute = 0, signer = payer, salted }: Given = {}): Promise<string> {
  const issued_at = new Date(began + minute * 60_000).toISOString();
  const members = { operation_type: 'tool.call', subject: 'work', action: 'x', issued_at, ttl_ms: 86_400_000 };
  if (salted === undefined) {
    const body = signer.next({ payload: payload as JsonObject, ...members });
    await client.ok('submitOperation', { body });
    return body.operation_id;
  }
  const { disclosures, ...body } = signer.nextSalted(payload as JsonObject, members);
  const shown = Object.fromEntries(Object.entries(disclosures).filter(([name]) => !salted.includes(name)));
  await client.ok('submitOperation', { body: { ...body, disclosures: shown } });
  return body.operation_id;
}

const inSession = (id: string): Members => ({ session: { id } });
const pages = async <T>(
  ask: (cursor?: string) => Promise<{ data: readonly T[]; nextCursor: string | null }>,
  between?: () => Promise<unknown>,
) => {
  const all: T[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await ask(cursor);
    all.push(...page.data);
    if (page.nextCursor === null) return all;
    cursor = page.nextCursor;
    await between?.();
  }
};

describe('how long a call took', () => {
  it('is from its beginning to its end, in rows, sums and searches, whichever of them was recorded first', async () => {
    const end = await add(completed('turned', inSession('times')), { minute: 30 });
    await add(started('turned', { n: 1 }, inSession('times')), { minute: 10 });
    const { data } = await client.ok('actions', { body: { query: 'session = times' } });
    expect(data).toMatchObject([{ operation_id: end, duration_ms: 1_200_000, outcome: 'ok' }]);
    expect(data[0]?.started_at).toBe(new Date(began + 600_000).toISOString());
    const measures = [{ op: 'sum', of: 'duration' }];
    const groups = await client.ok('groups', { body: { query: 'session = times', unit: 'actions', measures } });
    expect(groups.all[0]?.amounts).toEqual([{ value: '1200000', currency: null }]);
    const found = async (query: string) => (await client.ok('actions', { body: { query } })).data.length;
    expect([await found('session = times duration > 19m'), await found('session = times duration > 21m')]).toEqual([
      1, 0,
    ]);
  });

  it('is not known where by the clocks it ended before it began', async () => {
    await add(started('back', { n: 1 }, inSession('back')), { minute: 20 });
    await add(completed('back'), { minute: 10 });
    const { data } = await client.ok('actions', { body: { query: 'session = back' } });
    expect(data).toMatchObject([{ duration_ms: null }]);
    expect((await client.ok('actions', { body: { query: 'session = back duration:*' } })).data).toEqual([]);
  });
});

it('an action of more records than are read ends as its end says', async () => {
  await add(started('long', { n: 1 }, inSession('long')));
  for (let n = 0; n < 70; n++)
    await add(
      action('asked', { action_id: actionId('long'), tool: { name: 'pay' }, input: input(n), presented: input(n) }),
    );
  await add(action('failed', { action_id: actionId('long'), outcome: { status: 'error', exit_code: 7 } }), {
    minute: 5,
  });
  const { data } = await client.ok('actions', { body: { query: 'session = long' } });
  expect(data).toMatchObject([{ record_count: 72, outcome: 'failed', exit_code: 7, duration_ms: 300_000 }]);
  expect(data[0]?.marks).toContain('FAILED');
  expect(data[0]?.records.at(-1)).toMatchObject({ phase: 'failed' });
  expect(data[0]?.records.length).toBeLessThanOrEqual(64);
});

describe('records of one call', () => {
  const rowsOf = async (query: string) => (await client.ok('actions', { body: { query } })).data;

  it('of another agent than the one that acts change nothing of what became of it', async () => {
    await add(started('mine', { n: 1 }, inSession('mine')));
    const error = { message: 'no funds' };
    const outcome = { status: 'error', exit_code: 3, error };
    await add(action('failed', { action_id: actionId('mine'), outcome }), { minute: 1 });
    const before = await rowsOf('session = mine');
    await add(completed('mine', { tool: { name: 'other' }, session: { id: 'theirs' }, output: input('fine') }), {
      signer: ada,
      minute: 9,
    });
    expect(before).toMatchObject([{ outcome: 'failed', exit_code: 3, error: 'no funds', duration_ms: 60_000 }]);
    const { outcome: ends, exit_code, error: says, duration_ms, title, session, agent_id } = before[0] ?? {};
    const same = { outcome: ends, exit_code, error: says, duration_ms, title, session, agent_id };
    expect(await rowsOf('session = mine')).toMatchObject([{ ...same, record_count: 3 }]);
    expect(await rowsOf('session = mine outcome = ok')).toEqual([]);
    const { data } = await client.ok('sessions', { body: { query: 'session = mine' } });
    expect(data).toMatchObject([{ failed: 1 }]);
    expect((await client.ok('sessionSteps', { body: { session: 'mine' } })).data).toMatchObject([
      { outcome: 'failed' },
    ]);
  });

  it.each([0, 20])('name for an end what it does not, the first that does, with %d more between', async (between) => {
    const id = `short-${between}`;
    const more = { action_id: actionId(id), input: input(1), presented: input(1), tool: { name: 'late' } };
    const by = (person: string): Members => ({ actor: { on_behalf_of: person } });
    await add(started(id, 1, { tool: { name: 'transfer' } }));
    for (let n = 0; n < between; n++) await add(action('asked', more));
    await add(action('asked', { ...more, ...inSession(id), ...by('Ada') }));
    await add(action('asked', { ...more, ...inSession('later'), ...by('Grace') }));
    const operation_id = await add(completed(id));
    const found = await client.ok('auditQuery', { body: { query: `session = ${id} person = Ada tool = transfer` } });
    expect(found.data).toMatchObject([{ operation_id }]);
    const reading = await client.ok('operationReading', { params: { operation_id } });
    expect(reading).toMatchObject({ person: 'Ada', details: { session: id, tool: 'transfer' } });
  });

  it('of another agent name no session and no tool for an end that names none', async () => {
    await add(completed('bare'));
    await add(started('bare', { n: 1 }, inSession('lent')), { signer: ada });
    expect(await rowsOf('call = ' + actionId('bare'))).toMatchObject([
      { agent_id: 'payer', session: null, tool: null },
    ]);
  });
});

describe('payloads of no profile with the id of a call', () => {
  const asked = (id: string, more: Members = {}): Members => ({
    role: 'assistant',
    ...more,
    tool_calls: [{ id, type: 'function', function: { name: 'get_rate', arguments: '{"pair":"EURUSD"}' } }],
  });
  const answered = (id: string, content: string, more: Members = {}): Members => ({
    role: 'tool',
    ...more,
    tool_call_id: id,
    content,
  });
  const rows = async (query: string) => (await client.ok('actions', { body: { query, contents: true } })).data;

  it('are one action of an agent in a session', async () => {
    await add(asked('call_a', { session_id: 'plain-a' }));
    await add(answered('call_a', 'Error: no such pair', { session_id: 'plain-a' }));
    expect(await rows('session = plain-a')).toMatchObject([
      { record_count: 2, tool: 'get_rate', outcome: 'failed', error: 'Error: no such pair', call: 'call_a' },
    ]);
    expect(await rows('session = plain-a tool = get_rate outcome = failed')).toHaveLength(1);
  });

  it('are read so of common frameworks', async () => {
    const pairs: readonly (readonly [Members, Members])[] = [
      // LangChain: AIMessage and ToolMessage
      [
        { type: 'ai', content: '', tool_calls: [{ name: 'look', args: { q: 1 }, id: 'call_l', type: 'tool_call' }] },
        { type: 'tool', tool_call_id: 'call_l', name: 'look', content: 'seen', status: 'success' },
      ],
      // Anthropic: blocks of messages
      [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: { q: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'seen' }] },
      ],
      // OpenAI: items of responses
      [
        { type: 'function_call', id: 'fc_1', call_id: 'call_o', name: 'look', arguments: '{"q":1}' },
        { type: 'function_call_output', call_id: 'call_o', output: 'seen' },
      ],
      // Bedrock
      [
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'tu_1', name: 'look', input: { q: 1 } } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'tu_1', content: [{ text: 'seen' }] } }] },
      ],
    ] as unknown as readonly (readonly [Members, Members])[];
    for (const [at, pair] of pairs.entries()) {
      for (const payload of pair) await add({ ...payload, session_id: `framework-${at}` });
      const found = await rows(`session = framework-${at}`);
      expect(found).toMatchObject([{ record_count: 2, tool: 'look' }]);
      expect(JSON.stringify(found[0]?.contents?.output)).toContain('seen');
    }
  });

  it('are not joined across agents, sessions or subjects, nor where a whole conversation is handed over', async () => {
    await add(asked('call_b', { session_id: 'plain-b' }));
    await add(answered('call_b', 'Error: theirs', { session_id: 'plain-b' }), { signer: ada });
    await add(answered('call_b', 'Error: elsewhere', { session_id: 'plain-c' }));
    await add(answered('call_b', 'Error: nowhere'));
    expect(await rows('agent = payer session = plain-b')).toMatchObject([{ record_count: 1, outcome: null }]);
    const history = { session_id: 'whole', messages: [asked('call_h'), answered('call_h', 'seen')] };
    await add(history as unknown as Members);
    await add({
      ...history,
      messages: [...history.messages, { role: 'user', content: 'go on' }],
    } as unknown as Members);
    expect(await rows('session = whole')).toHaveLength(2);
  });

  it('are another call where one begins under the id of a call that has ended', async () => {
    for (const answer of ['seen', 'Error: gone']) {
      await add(asked('call_0', { session_id: 'again' }));
      await add(answered('call_0', answer, { session_id: 'again' }));
    }
    const ends = { record_count: 2, tool: 'get_rate', call: 'call_0' };
    expect(await rows('session = again')).toMatchObject([
      { ...ends, outcome: 'failed', error: 'Error: gone' },
      { ...ends, outcome: 'ok', error: null },
    ]);
    expect(await rows('session = again outcome = ok')).toHaveLength(1);
    for (const result of ['one', 'two'])
      await add({
        session_id: 'whole calls',
        tool: 'look',
        call_id: '1',
        args: { result },
        result,
      } as unknown as Members);
    expect(await rows('session = "whole calls"')).toMatchObject([{ record_count: 1 }, { record_count: 1 }]);
    expect((await client.ok('sessionSteps', { body: { session: 'again' } })).data).toHaveLength(2);
  });

  it('are the same call where its end is told again, or names its tool again', async () => {
    const ids = { session_id: 'told twice', call_id: 'call_t' };
    await add({ ...ids, tool: 'look', args: { q: 1 } } as unknown as Members);
    await add({ ...ids, tool: 'look', args: { q: 1 }, result: 'seen' } as unknown as Members);
    await add({ ...ids, tool: 'look', result: 'seen' } as unknown as Members);
    expect(await rows('session = "told twice"')).toMatchObject([{ record_count: 3, outcome: 'ok' }]);
  });

  it('take nothing from a call of the profile that has the same id', async () => {
    await add(started('shared', { n: 1 }, inSession('shared')));
    await add(answered(actionId('shared'), 'Error: none', { session_id: 'shared' }));
    expect(await rows('session = shared tool = pay')).toMatchObject([{ record_count: 1, outcome: 'unfinished' }]);
  });
});

it('what an action had been told names decisions that people recorded in no session', async () => {
  await add(started('one', { n: 1 }, inSession('told')));
  const decision = await add(decided('one', { n: 1 }), { signer: ada });
  const operation_id = await add(started('two', { n: 1 }, inSession('told')));
  const { data } = await client.ok('actionContext', { body: { operation_id } });
  expect(data).toMatchObject([{ operation_id: decision, kind: 'decision' }]);
});

describe('numbers with their currencies', () => {
  const sums = async (query: string) => {
    const measures = [{ op: 'sum', of: 'amount' }];
    return (await client.ok('groups', { body: { query, measures } })).all[0]?.amounts;
  };

  it('are of the currency next to a list of them', async () => {
    await add({ lot: 'list', amount: [1, 2, 2], currency: 'EUR' } as unknown as Members);
    await add({ lot: 'list', amount: ['4', '4'], currency: 'USD' } as unknown as Members);
    expect(await sums('lot = list')).toEqual([
      { value: '5', currency: 'EUR' },
      { value: '8', currency: 'USD' },
    ]);
  });

  it('are of none that stands with an equal number elsewhere, or says nothing', async () => {
    await add({ lot: 'two', charge: { amount: 5 }, refund: { amount: 5, currency: 'EUR' } } as unknown as Members);
    await add({ lot: 'two', charge: { amount: 2, currency: null } } as unknown as Members);
    await add({ lot: 'two', charge: { amount: 1, currency: '' } } as unknown as Members);
    expect(await sums('lot = two')).toEqual([{ value: '8', currency: null }]);
  });

  it('follow what comes in later, and what is erased', async () => {
    const grow = (amount: number) => add({ lot: 'grow', amount, currency: 'EUR' } as unknown as Members);
    const first = await grow(5);
    expect(await sums('lot = grow')).toEqual([{ value: '5', currency: 'EUR' }]);
    await grow(5);
    await grow(2.25);
    expect(await sums('lot = grow')).toEqual([{ value: '12.25', currency: 'EUR' }]);
    await client.ok('eraseOperation', { params: { operation_id: first }, body: { reason: 'asked for' } });
    await grow(1);
    expect(await sums('lot = grow')).toEqual([{ value: '8.25', currency: 'EUR' }]);
  });

  it('are listed for 64 currencies, and counted beyond', async () => {
    for (let n = 0; n < 66; n++) await add({ lot: 'many', amount: 1, currency: `C${n}` } as unknown as Members);
    const { all } = await client.ok('groups', {
      body: { query: 'lot = many', measures: [{ op: 'sum', of: 'amount' }] },
    });
    expect(all[0]).toMatchObject({ without: 0, more: 2 });
    expect(all[0]?.amounts).toHaveLength(64);
  });
});

it('groups are refused where there are too many to be made', async () => {
  const some = Array.from({ length: 400 }, (_, n) => `v${n}`);
  await add({ lot: 'wide', left: some, right: some } as unknown as Members);
  const { status, body } = await client.call('groups', { body: { query: 'lot = wide', by: ['left', 'right'] } });
  expect([status, body]).toMatchObject([400, { error: { code: 'VALIDATION_ERROR' } }]);
});

describe('two sessions next to each other', () => {
  const compared = (left: string, right: string) => client.ok('compareSessions', { body: { left, right } });

  it('differ where payloads that name no input do', async () => {
    for (const [session_id, order] of [
      ['p1', 1],
      ['p2', 2],
    ] as const) {
      await add({ session_id, order } as unknown as Members);
      await add({ session_id, tool: 'ship', crate: order } as unknown as Members);
    }
    const { same, changed, data } = await compared('p1', 'p2');
    expect([same, changed]).toEqual([0, 2]);
    expect(data.map(({ differences }) => differences)).toEqual([
      [{ part: 'input', pointer: '/order', kind: 'changed' }],
      [{ part: 'input', pointer: '/crate', kind: 'changed' }],
    ]);
  });

  it('differ in decisions, notes, and who told something', async () => {
    for (const [id, outcome, kind] of [
      ['d1', 'approved', 'user'],
      ['d2', 'modified', 'memory'],
    ] as const) {
      await add(action('told', { ...inSession(id), told: [{ kind, content: input('Go') }] }));
      await add(started(`of ${id}`, { n: 1 }, inSession(id)));
      await add(decided(`of ${id}`, { n: 1 }, { outcome }), { signer: ada });
      await add(action('note', { ...inSession(id), note: { kind: 'n', text: id } }));
    }
    const { same, changed, data } = await compared('d1', 'd2');
    expect([same, changed]).toEqual([1, 3]);
    expect(data.flatMap(({ differences }) => differences.map(({ pointer }) => pointer))).toEqual([
      '/told/0/kind',
      '/decision/outcome',
      '/note/text',
    ]);
  });

  it('are not called the same where a part is withheld', async () => {
    for (const id of ['w1', 'w2']) {
      await add(started(`of ${id}`, { n: id }, inSession(id)), { salted: ['input'] });
      await add(completed(`of ${id}`, { ...inSession(id), output: input('x') }));
    }
    const { same, changed, not_shown, data } = await compared('w1', 'w2');
    expect({ same, changed, not_shown }).toEqual({ same: 0, changed: 0, not_shown: 1 });
    expect(data[0]).toMatchObject({ differences: [], not_shown: ['input'] });
  });
});

describe('a list whose order changes while its pages are read', () => {
  it('has each session once', async () => {
    for (const n of [1, 2, 3, 4]) await add({ session_id: `m${n}`, moving: 1 } as unknown as Members);
    const ask = (cursor?: string) =>
      client.ok('sessions', { body: { query: 'moving = 1', limit: 1, ...(cursor && { cursor }) } });
    const found = await pages(ask, () => add({ session_id: 'm1', moving: 1 } as unknown as Members));
    expect(found.map(({ session }) => session)).toEqual(['m4', 'm3', 'm2', 'm1']);
  });

  it('has each entity once', async () => {
    for (const id of ['e1', 'e1', 'e1', 'e2', 'e2', 'e3'])
      await add({ lot: 'entities', user_id: id } as unknown as Members);
    const ask = (cursor?: string) =>
      client.ok('entities', { body: { query: 'lot = entities', kind: 'user', limit: 1, ...(cursor && { cursor }) } });
    const found = await pages(ask, async () => {
      for (let n = 0; n < 4; n++) await add({ lot: 'entities', user_id: 'e3' } as unknown as Members);
    });
    expect(found.map(({ id }) => id)).toEqual(['e1', 'e2', 'e3']);
  });

  it('has each destination once', async () => {
    for (const n of [1, 2, 3])
      await add({ tool: 'http', url: `https://d${n}.example/` } as unknown as Members, { minute: n });
    let more = 10;
    const ask = (cursor?: string) =>
      client.ok('whatLeft', { body: { limit: 1, contains: '.example', ...(cursor && { cursor }) } });
    const found = await pages(ask, () =>
      add({ tool: 'http', url: `https://d${++more}.example/` } as unknown as Members, { minute: more }),
    );
    expect(found.map(({ destination }) => destination)).toEqual(['d3.example', 'd2.example', 'd1.example']);
  });

  it('puts the longest session first, in whatever order its records came', async () => {
    await add({ session_id: 'l1', long: 1 } as unknown as Members, { minute: 50 });
    await add({ session_id: 'l1', long: 1 } as unknown as Members, { minute: 0 });
    await add({ session_id: 'l2', long: 1 } as unknown as Members, { minute: 0 });
    await add({ session_id: 'l2', long: 1 } as unknown as Members, { minute: 10 });
    const { data } = await client.ok('sessions', { body: { query: 'long = 1', order: 'longest' } });
    expect(data.map(({ session }) => session)).toEqual(['l1', 'l2']);
  });
});

describe('what needs a look', () => {
  const failures = async (query: string) => {
    const found = new Set(
      (await client.ok('auditQuery', { body: { query, limit: 200 } })).data.map((row) => row.operation_id),
    );
    const { data } = await client.ok('needsLook', { body: { kinds: ['failed'], limit: 200 } });
    return data.filter(({ evidence }) => evidence.some(({ operation_id: id }) => found.has(id)));
  };

  it('keeps a failure whose tool nobody named, whatever comes after, and says so', async () => {
    await add({ lot: 'failing', status: 'failed', error: 'no route' } as unknown as Members, { signer: ada });
    await add({ lot: 'failing', n: 2 } as unknown as Members, { signer: ada });
    const [item, ...more] = await failures('lot = failing');
    expect(more).toEqual([]);
    expect(item?.sentence).toBe('ada: the call failed: no route. Which tool it called is not recorded.');
  });
});
