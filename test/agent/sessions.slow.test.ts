// What an agent records of itself, at a real service: the records verify, are of the profile, and fit together.
import { describe, expect, it } from 'vitest';
import { AgentError, currentSession, EndNotRecorded, recorded } from '../../src/agent/index.ts';
import { newAgentOf, whatIsTold } from '../support/agent-sessions.ts';
import { TestProxy } from '../support/proxy.ts';
import { TestService } from '../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();
const OPERATIONS = /^\/v1\/operations$/;

describe('a session', () => {
  it('records calls, what was told, decisions and its end, and all of it fits together', async () => {
    const { agent, agentId } = await newAgentOf(owner);
    const { agent: person, agentId: personId } = await newAgentOf(owner);
    const session = agent.session({
      id: 'run 7',
      onBehalfOf: 'ada',
      model: 'm-1',
      program: { name: 'p', version: '2' },
    });
    await session.told({ kind: 'system', value: 'Be brief.' }, { kind: 'user', value: { text: 'Pay 12' } });
    const read = await session.call(
      {
        tool: { name: 'read', type: 'file' },
        input: { path: 'a' },
        touched: [{ kind: 'file', id: '/a', access: 'read' }],
      },
      async (call) => {
        call.touch({ kind: 'file', id: '/b', access: 'read' });
        return { text: 'x' };
      },
    );
    expect(read).toEqual({ text: 'x' });
    const asked = await session.ask({ tool: 'pay', input: { amount: 12 }, presented: 'Pay 12?' });
    const decision = { outcome: 'modified', by: { kind: 'human', id: 'ada' }, input: { amount: 10 } } as const;
    const mayPay = await person.session({ id: 'desk' }).decided(asked, decision);
    expect(await session.call({ tool: 'pay', question: mayPay }, () => 'paid')).toBe('paid');
    const no = await session.ask({ tool: 'drop', input: 'all' });
    await session.decided(no, { outcome: 'denied', by: { kind: 'policy', id: 'never' }, justification: 'No.' });
    await session.refused(no);
    await session.end();
    await Promise.all([agent.close(), person.close()]);

    const { records, coherence, phases } = await whatIsTold(service, owner, agentId, personId);
    expect(phases).toEqual([
      ...['session_started', 'told', 'started', 'completed', 'asked', 'session_started', 'decided', 'started'],
      ...['completed', 'asked', 'decided', 'refused denied', 'session_ended'],
    ]);
    expect(coherence).toMatchObject({ status: 'coherent', codes: { SESSION_OPEN: 1 } });
    expect(records[2]).toMatchObject({ operationType: 'tool.file_read', subject: 'read' });
    expect(records[3]?.payload).toMatchObject({ touched: [{ id: '/a' }, { id: '/b' }] });
    expect(records[7]?.payload['input']).toMatchObject({ value: { amount: 10 } });
    expect(records[6]?.payload['decision']).not.toHaveProperty('by.reported');
    expect(records[2]?.payload['actor']).toEqual({
      on_behalf_of: 'ada',
      identity_source: 'asserted',
      model: { name: 'm-1' },
      program: { name: 'p', version: '2' },
    });
    expect(records.at(-1)?.payload['session']).toEqual({ id: 'run 7', totals: { records: 10 } });
  });

  it('names the call around a call as its cause, over child sessions and wrapped functions too', async () => {
    const { agent, agentId } = await newAgentOf(owner);
    const session = agent.session({ id: 'outer' });
    const double = recorded('double', (n: number) => n * 2);
    await expect(double(1)).rejects.toMatchObject({ code: 'SESSION_ENDED' });
    const add = session.recorded({ name: 'add', type: 'function' }, (a: number, b: number) => a + b);
    const result = await session.call({ tool: { name: 'plan', type: 'agent' } }, async () => {
      const child = session.child({ id: 'inner', subAgent: { id: 's1' } });
      const sum = await child.run(() => double(4));
      await child.end();
      expect(currentSession()).toBe(session);
      return sum + (await add(1, 2));
    });
    expect(result).toBe(11);
    await session.end();
    await agent.close();

    const { records, coherence, phases } = await whatIsTold(service, owner, agentId);
    expect(phases).toEqual([
      ...['session_started', 'started', 'session_started', 'started', 'completed', 'session_ended'],
      ...['started', 'completed', 'completed', 'session_ended'],
    ]);
    const plan = records[1]?.operationId;
    expect([2, 3, 6].map((index) => records[index]?.payload['cause'])).toEqual([[plan], [plan], [plan]]);
    expect(records[3]?.payload).toMatchObject({ session: { id: 'inner', parent: 'outer' }, input: { value: 4 } });
    expect(records[6]?.payload['input']).toMatchObject({ value: [1, 2] });
    expect(coherence.findings.filter(({ where }) => records.some((r) => r.operationId === where.operation_id))).toEqual(
      [],
    );
  });

  it('records how a call failed, and what was left open when it ended', async () => {
    const { agent, agentId } = await newAgentOf(owner);
    const session = agent.session();
    const failure = new RangeError('too far');
    const fail = (error: unknown) => () => Promise.reject(error);
    await expect(session.call({ tool: 'a' }, fail(failure))).rejects.toBe(failure);
    await expect(session.call({ tool: 'b' }, fail(new DOMException('x', 'AbortError')))).rejects.toThrow();
    await expect(session.call({ tool: 'c' }, fail(new DOMException('', 'TimeoutError')))).rejects.toThrow();
    await session.begin({ tool: 'd' }, 'proposed');
    const closed = await session.begin({ tool: 'e' });
    await closed.completed('one', { exitCode: 0 });
    await closed.failed('two');
    await Promise.all([session.end(), session.end()]);
    await expect(session.note('late')).rejects.toMatchObject({ code: 'SESSION_ENDED' });
    await agent.close();

    const { records, phases } = await whatIsTold(service, owner, agentId);
    expect(phases.slice(1)).toEqual([
      ...['started', 'failed error', 'started', 'failed cancelled', 'started', 'failed timeout', 'proposed', 'started'],
      ...['completed', 'failed unknown', 'session_ended'],
    ]);
    expect(records[2]?.payload['outcome']).toEqual({
      status: 'error',
      error: { type: 'RangeError', message: 'too far' },
    });
    expect(records[2]?.payload['timing']).toMatchObject({ duration_ms: expect.any(Number) });
  });

  it('shows of inputs and outputs what it was told to show', async () => {
    const { agent, agentId } = await newAgentOf(owner);
    for (const capture of ['full', 'input', 'digest'] as const) {
      const session = agent.session({ capture });
      await session.call({ tool: 't', input: 'in' }, () => 'out');
      await session.end();
    }
    await agent.session().call({ tool: 't', input: 'in', output: () => 'less' }, () => 'more');
    await agent.close();
    const { records } = await whatIsTold(service, owner, agentId);
    const shown = records.flatMap(({ payload }) =>
      ['input', 'output'].flatMap((member) => {
        const content = payload[member] as { value?: string; digest?: string } | undefined;
        return content === undefined ? [] : [content.value ?? (content.digest === undefined ? 'nothing' : 'digest')];
      }),
    );
    expect(shown).toEqual(['in', 'out', 'in', 'digest', 'digest', 'digest', 'in', 'less']);
  });
});

describe('where a record cannot be made', () => {
  const behindProxy = async () => {
    const proxy = await TestProxy.start(service.url);
    return { proxy, ...(await newAgentOf(owner, { serviceUrl: proxy.url, retryForMs: 0 })) };
  };
  const down = { kind: 'answer', status: 503, body: '{}' } as const;

  it('does not carry the action out, under the policy throw, and works again after', async () => {
    const { proxy, agent, agentId } = await behindProxy();
    const session = agent.session();
    let calls = 0;
    const call = () => session.call({ tool: 't' }, () => ++calls);
    proxy.next(OPERATIONS, down);
    await expect(call()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(calls).toBe(0);
    await call();
    expect([calls, session.counts]).toEqual([1, { records: 4, lost: 1 }]);
    proxy.next(OPERATIONS, { kind: 'pass' });
    proxy.next(OPERATIONS, down);
    const error = await call().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(EndNotRecorded);
    expect(error).toMatchObject({
      code: 'END_NOT_RECORDED',
      settled: { status: 'fulfilled', value: 2 },
      cause: { code: 'SERVICE_UNAVAILABLE' },
    });
    await session.end();
    await agent.close();
    const { coherence, phases, records } = await whatIsTold(service, owner, agentId);
    expect(phases).toEqual(['gap', 'session_started', 'started', 'completed', 'started', 'gap', 'session_ended']);
    expect(records[0]?.payload['gap']).toMatchObject({
      count: 1,
      reason: expect.stringMatching(/^SERVICE_UNAVAILABLE/),
    });
    expect(records.at(-1)?.payload['session']).not.toHaveProperty('totals');
    expect(coherence.status).not.toBe('incoherent');
  });

  it('carries it out all the same under the policy continue, and says what is missing', async () => {
    const { proxy, agent, agentId } = await behindProxy();
    const losses: unknown[] = [];
    const session = agent.session({
      onFailure: 'continue',
      onLoss: (error, { kind }) => losses.push([kind, error instanceof AgentError && error.code]),
    });
    for (let i = 0; i < 20; i++) proxy.next(OPERATIONS, down);
    expect(await session.call({ tool: 'one' }, () => 1)).toBe(1);
    await expect.poll(() => losses.length).toBe(3);
    proxy.clear();
    expect(await session.call({ tool: 'two' }, () => 2)).toBe(2);
    await session.end();
    await agent.close();
    expect(losses).toEqual([
      ['session_started', 'SERVICE_UNAVAILABLE'],
      ['call', 'SERVICE_UNAVAILABLE'],
      ['call', 'SERVICE_UNAVAILABLE'],
    ]);
    const { records, phases, coherence } = await whatIsTold(service, owner, agentId);
    expect(phases).toEqual(['gap', 'started', 'completed', 'session_ended']);
    expect(records[0]?.payload['gap']).toMatchObject({ count: 3 });
    expect(coherence.status).not.toBe('incoherent');
  });
});
