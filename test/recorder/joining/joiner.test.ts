// What becomes one record, and what each says: docs/recorders.md and docs/agent-actions.md.
import { describe, expect, it } from 'vitest';
import { at } from '../../support/bytes.ts';
import { Watching } from '../../support/seen-events.ts';
import { actionOf, COMMAND, codes, phases } from './said-of-drafts.ts';

describe('the moments of a call', () => {
  it('share an action, whether the program has an id for it or not', () => {
    for (const call_id of ['c1', null]) {
      const watching = new Watching();
      watching.call('proposed', { call_id, given: COMMAND });
      watching.call('completed', { call_id, given: COMMAND, gave: 'clean', duration_ms: 12 });
      const [before, after] = watching.drafts;
      expect(phases(watching.drafts)).toEqual(['proposed', 'completed']);
      expect(actionOf(at(watching.drafts, 1))).toBe(actionOf(at(watching.drafts, 0)));
      expect(before?.payload).toMatchObject({
        input: { value: COMMAND },
        tool: { pairing: call_id ? 'id' : 'inferred' },
      });
      expect(after?.payload).toMatchObject({
        output: { value: 'clean' },
        timing: { duration_ms: 12 },
        outcome: { status: 'ok' },
      });
      expect(after?.payload).not.toHaveProperty('input');
      expect(codes(watching)).toEqual([]);
    }
  });

  it('end by what is said of all calls once more, where nothing said it before', () => {
    const watching = new Watching();
    const denied = { outcome: { status: 'denied' }, again: true } as const;
    watching.call('proposed', { call_id: 'a', given: COMMAND });
    watching.call('completed', { call_id: 'a', given: COMMAND, gave: 'clean' });
    watching.call('completed', { call_id: 'a', given: COMMAND, gave: 'clean, once more', again: true });
    watching.call('proposed', { call_id: 'b', given: { command: 'rm b' } });
    watching.call('refused', { call_id: 'b', given: { command: 'rm b' }, ...denied });
    watching.call('refused', { call_id: 'c', given: { command: 'rm c' }, ...denied });
    expect(phases(watching.drafts)).toEqual(['proposed', 'completed', 'proposed', 'refused', 'refused']);
    // Of the two denied calls of one tool, the later one counts as another try.
    expect(codes(watching)).toEqual(['RETRIED n']);
  });

  it('are one call where its beginning was cut off before its id, whoever says it once more', () => {
    const watching = new Watching();
    watching.call('proposed', { call_id: null, given: COMMAND });
    watching.call('completed', { call_id: 'a', gave: 'clean' });
    watching.call('completed', { call_id: 'a', given: COMMAND, gave: 'clean, once more', again: true });
    watching.call('completed', { call_id: 'a', given: COMMAND, gave: 'clean', source: 'transcript' });
    expect(phases(watching.drafts)).toEqual(['proposed', 'completed']);
    expect(codes(watching)).toEqual([]);
  });

  it('are one call where its end was cut off before its id, unless it may be that of another', () => {
    const shortened = { bytes: 9_000_000, left_out: [], cut_off: true } as const;
    const cut = { call_id: null, given: 'a beginning', shortened } as const;
    const watching = new Watching();
    watching.call('proposed', { call_id: 'a', given: COMMAND });
    watching.call('completed', cut);
    watching.call('proposed', { call_id: 'b', given: COMMAND });
    watching.call('proposed', { call_id: 'c', given: COMMAND });
    watching.call('completed', cut);
    expect(phases(watching.drafts)).toEqual(['proposed', 'completed', 'proposed', 'proposed', 'completed']);
    const ids = watching.drafts.map(({ payload }) => payload['action_id']);
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(4);
    expect(at(watching.drafts, 1).payload).not.toHaveProperty('input');
  });

  it('end without an outcome where the program says only that it was carried out', () => {
    const unknown = { outcome: { status: 'unknown' } } as const;
    const watching = new Watching();
    watching.call('proposed', { given: COMMAND });
    watching.call('completed', unknown);
    const after = at(watching.drafts, 1);
    expect(after.action).toBe('completed');
    expect(after.payload).not.toHaveProperty('outcome');
    // Who knows more afterwards is no contradiction.
    const span = { source: 'otlp', outcome: { status: 'error', exit_code: 2 } } as const;
    watching.call('failed', span);
    expect(at(watching.drafts, 2)).toMatchObject({ action: 'failed' });
    expect(at(watching.drafts, 2).payload).toMatchObject({
      action_id: at(watching.drafts, 0).payload['action_id'],
      outcome: { status: 'error', exit_code: 2 },
      witnesses: [{ source: 'otlp' }],
    });
    const early = new Watching();
    early.call('proposed', { given: COMMAND });
    early.call('failed', span);
    early.call('completed', unknown);
    expect(at(early.drafts, 1).payload).toMatchObject({ phase: 'failed', outcome: { status: 'error', exit_code: 2 } });
    expect([...codes(watching), ...codes(early)]).toEqual([]);
  });

  it('are joined after the recorder was killed between them', () => {
    const watching = new Watching();
    watching.call('proposed', { given: COMMAND });
    watching.restart();
    watching.call('completed', { gave: 'clean' });
    expect(actionOf(at(watching.drafts, 1))).toBe(actionOf(at(watching.drafts, 0)));
    expect(codes(watching)).toEqual([]);
  });

  it('of parallel equal calls without ids are joined one by one, the oldest first', () => {
    const watching = new Watching();
    for (const stage of ['proposed', 'proposed', 'completed', 'completed'] as const) {
      watching.call(stage, { call_id: null, given: COMMAND });
    }
    const [a, b, c, d] = watching.drafts.map(actionOf);
    expect(a).not.toBe(b);
    expect([c, d]).toEqual([a, b]);
    expect(codes(watching)).toEqual([]);
  });

  it('of equal calls without ids that begin when they run are two calls', () => {
    const watching = new Watching();
    for (const stage of ['started', 'started', 'completed', 'completed'] as const) {
      watching.call(stage, { call_id: null, given: COMMAND });
    }
    expect(phases(watching.drafts)).toEqual(['started', 'started', 'completed', 'completed']);
    expect(codes(watching)).toEqual([]);
  });

  it('belong to another call where an id is used again after its end', () => {
    const watching = new Watching();
    for (const stage of ['proposed', 'completed', 'proposed', 'failed'] as const)
      watching.call(stage, { given: COMMAND });
    const [a, b, c, d] = watching.drafts.map(actionOf);
    expect([b, d]).toEqual([a, c]);
    expect(a).not.toBe(c);
    expect(codes(watching)).toEqual([]);
  });

  it('are one call where its beginning reaches the recorder after its end, with an id or without', () => {
    for (const call_id of ['c1', null]) {
      const watching = new Watching();
      const observed_at = '2026-11-22T10:00:00.500Z';
      watching.call('completed', { call_id, given: COMMAND });
      watching.call('proposed', { call_id, given: COMMAND, observed_at });
      expect(phases(watching.drafts)).toEqual(['completed']);
      watching.call('proposed', { call_id, given: COMMAND });
      watching.call('completed', { call_id, given: COMMAND });
      expect(phases(watching.drafts)).toEqual(['completed', 'proposed', 'completed']);
      const [a, b, c] = watching.drafts.map(actionOf);
      expect([a === b, b === c]).toEqual([false, true]);
      expect(codes(watching)).toEqual([]);
    }
  });

  it('of two sub-agents with one id are two calls, each caused by the call of its sub-agent', () => {
    const watching = new Watching();
    watching.session('session_started');
    const agentTool = { name: 'Task', type: 'agent', server: null } as const;
    const [task] = watching.call('proposed', { call_id: 't1', tool: agentTool, given: 1 });
    for (const id of ['a', 'b']) watching.call('proposed', { sub_agent: { id }, given: COMMAND });
    for (const id of ['a', 'b']) watching.call('completed', { sub_agent: { id } });
    const [a, b, c, d] = watching.drafts.slice(2).map(actionOf);
    expect([c, d]).toEqual([a, b]);
    expect(a).not.toBe(b);
    expect(at(watching.drafts, 2).payload['cause']).toEqual([task?.operationId]);
    expect(at(watching.drafts, 3).payload).not.toHaveProperty('cause');
  });

  it('of a sub-agent with a separate session are caused by the call in the other session', () => {
    const watching = new Watching();
    watching.session('session_started');
    const agentTool = { name: 'task', type: 'agent', server: null } as const;
    const [task] = watching.call('proposed', { call_id: 't1', tool: agentTool, given: 1 });
    const [started] = watching.session('session_started', { session: { id: 's2', parent: 's1' } });
    expect(started?.payload['cause']).toEqual([task?.operationId]);
    expect(codes(watching)).not.toContain('SUBAGENT_WITHOUT_CAUSE o');
  });

  it('are recorded once where a hook is configured twice', () => {
    const watching = new Watching();
    for (const stage of ['proposed', 'proposed', 'completed', 'completed'] as const)
      watching.call(stage, { given: COMMAND });
    expect(phases(watching.drafts)).toEqual(['proposed', 'completed']);
  });

  it('end once where a program says twice that it failed', () => {
    const watching = new Watching();
    watching.call('proposed', { given: COMMAND });
    watching.call('failed', { outcome: { status: 'error', exit_code: 2 } });
    watching.call('failed', { outcome: { status: 'error', error: { message: 'Exit code 2' } } });
    expect(phases(watching.drafts)).toEqual(['proposed', 'failed']);
    expect(at(watching.drafts, 1).payload).toMatchObject({ outcome: { status: 'error', exit_code: 2 } });
  });

  it('tell of another input than was proposed', () => {
    const watching = new Watching();
    watching.call('proposed', { given: COMMAND });
    watching.call('completed', { given: { command: 'git push' } });
    expect(codes(watching)).toEqual(['INPUT_CHANGED o']);
  });

  it.each([
    ['all', ['proposed', 'completed', 'proposed', 'completed']],
    ['changes', ['completed', 'proposed', 'completed']],
    ['none', ['completed', 'completed']],
  ] as const)('are recorded before they run: %s', (before, expected) => {
    const watching = new Watching(before);
    const read = { name: 'Read', type: 'file', server: null } as const;
    watching.call('proposed', { call_id: 'r', tool: read, given: { path: 'a' } });
    watching.call('completed', { call_id: 'r', tool: read, gave: 'text' });
    watching.call('proposed', { given: COMMAND });
    watching.call('completed', { gave: 'clean' });
    expect(phases(watching.drafts)).toEqual(expected);
    expect(codes(watching)).toEqual([]);
    const whole = watching.drafts.filter(({ payload }) => payload['whole_call'] === true);
    expect(whole).toHaveLength({ all: 0, changes: 1, none: 2 }[before]);
  });
});

describe('a session', () => {
  it('ends with the number of its records, and with its open calls closed', () => {
    const watching = new Watching();
    watching.session('session_started');
    watching.call('proposed', { call_id: 'open', given: COMMAND });
    watching.call('proposed', { given: COMMAND });
    watching.call('completed', { gave: 'clean' });
    watching.restart();
    watching.session('session_ended');
    expect(phases(watching.drafts)).toEqual([
      ...['session_started', 'proposed', 'proposed', 'completed', 'failed', 'session_ended'],
    ]);
    expect(at(watching.drafts, 4).payload).toMatchObject({ outcome: { status: 'unknown' } });
    expect(at(watching.drafts, 5).payload).toMatchObject({ session: { id: 's1', totals: { records: 5 } } });
    expect(codes(watching)).toEqual([]);
  });

  it('leaves nothing behind', () => {
    const watching = new Watching();
    watching.session('session_started');
    watching.call('proposed', { given: COMMAND });
    watching.call('completed', {});
    watching.session('session_ended');
    expect(watching.kept).toHaveLength(1);
    watching.later(16 * 60_000);
    expect(watching.kept).toEqual([]);
  });
});

describe('decisions', () => {
  it("in the program's dialog are the acting agent's word", () => {
    const watching = new Watching();
    watching.call('proposed', { given: COMMAND });
    const [asked] = watching.call('asked', { call_id: null, given: COMMAND });
    watching.decide('approved');
    watching.call('completed', {});
    expect(phases(watching.drafts)).toEqual(['proposed', 'asked', 'decided', 'completed']);
    const decision = { outcome: 'approved', of: asked?.operationId, by: { kind: 'human', id: 'ada', reported: true } };
    expect(at(watching.drafts, 2).payload).toMatchObject({ decision });
    expect(new Set(watching.drafts.map(actionOf)).size).toBe(1);
    expect(codes(watching)).toEqual(['SELF_APPROVED o']);
  });

  it('that deny end the call where the program says so', () => {
    const watching = new Watching();
    watching.call('proposed', { given: COMMAND });
    watching.decide('denied');
    watching.call('refused', { outcome: { status: 'denied' } });
    expect(phases(watching.drafts)).toEqual(['proposed', 'decided', 'refused']);
    expect(codes(watching).filter((code) => code.endsWith('c'))).toEqual([]);
  });

  it('of the service stop a call that was recorded', () => {
    const watching = new Watching();
    const [proposed] = watching.call('proposed', { given: COMMAND });
    const [refused] = watching.block(String(proposed?.payload['action_id']));
    expect(refused?.payload).toMatchObject({
      phase: 'refused',
      outcome: { status: 'blocked', error: { message: 'the agent is frozen' } },
    });
    expect(codes(watching)).toEqual([]);
    expect(watching.block(String(proposed?.payload['action_id']))).toEqual([]);
  });
});

it('definitions of tools are recorded when they are first seen, and when they change', () => {
  const watching = new Watching();
  watching.tools('a');
  watching.tools('a');
  watching.restart();
  watching.tools('b');
  expect(phases(watching.drafts)).toEqual(['tools', 'tools']);
  const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;
  expect(at(watching.drafts, 1).payload).toMatchObject({ tools: { digest: digest('b'), previous: digest('a') } });
  expect(codes(watching)).toEqual([]);
});
