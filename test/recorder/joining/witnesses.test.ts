// What becomes one record where several saw the same call: docs/recorders.md and docs/agent-actions.md.
import { describe, expect, it } from 'vitest';
import { at } from '../../support/bytes.ts';
import { Watching } from '../../support/seen-events.ts';
import { COMMAND, codes, phases } from './said-of-drafts.ts';

describe('several witnesses of one call', () => {
  const MCP = { source: 'mcp', witness: 'probe', tool: { name: 'echo', type: 'mcp', server: 'probe' } } as const;
  const HOOK = { tool: { name: 'mcp__probe__echo', type: 'mcp', server: 'probe' } } as const;

  it.each(['c1', null])('make one record that lists what each saw (id %s)', (call_id) => {
    const watching = new Watching();
    watching.call('proposed', { ...HOOK, call_id, given: COMMAND });
    watching.call('started', { ...MCP, call_id, session: null, given: COMMAND });
    watching.call('completed', { ...MCP, call_id, session: null, gave: 'hi' });
    watching.call('completed', { ...HOOK, call_id, given: COMMAND, gave: 'hi' });
    expect(phases(watching.drafts)).toEqual(['proposed', 'completed']);
    const further = { source: 'mcp', name: 'probe', input: { value: COMMAND }, output: { value: 'hi' }, status: 'ok' };
    expect(at(watching.drafts, 1).payload['witnesses']).toMatchObject([{ source: 'hook' }, further]);
    expect(codes(watching)).toEqual([]);
  });

  it('are at odds where the server was given something else', () => {
    const watching = new Watching();
    watching.call('proposed', { ...HOOK, given: COMMAND });
    watching.call('started', { ...MCP, given: { command: 'rm -rf /' } });
    watching.call('completed', { ...MCP, gave: 'hi' });
    watching.call('completed', { ...HOOK, given: COMMAND, gave: 'hi' });
    expect(codes(watching)).toEqual(['WITNESSES_DISAGREE c']);
  });

  it('are one call where the first of them never saw the end', () => {
    const watching = new Watching();
    watching.call('proposed', { ...HOOK, given: COMMAND });
    watching.call('started', { ...MCP, given: COMMAND });
    watching.call('completed', { ...MCP, gave: 'hi' });
    expect(phases(watching.later(9_999 - 1000))).toEqual([]);
    watching.restart();
    const [end] = watching.later(1002);
    expect(end?.payload).toMatchObject({ phase: 'completed', witnesses: [{ source: 'hook' }, { status: 'ok' }] });
    expect(codes(watching)).toEqual([]);
    // The hook says so later: nothing new.
    expect(watching.call('completed', { ...HOOK, given: COMMAND, gave: 'hi' })).toEqual([]);
  });

  it('are counted where they come after the end and agree, and make another view where they do not', () => {
    const watching = new Watching();
    watching.session('session_started');
    watching.call('proposed', { given: COMMAND });
    watching.call('completed', { gave: 'clean' });
    const span = { source: 'otlp', witness: 'scope' } as const;
    expect(watching.call('completed', { ...span, given: COMMAND, gave: 'clean' })).toEqual([]);
    expect(phases(watching.call('failed', { ...span, given: COMMAND, gave: 'clean' }))).toEqual(['failed']);
    watching.session('session_ended');
    expect(at(watching.drafts, -1).payload).toMatchObject({ x_recorder: { agreed: 1 } });
    expect(codes(watching)).toEqual(['WITNESSES_DISAGREE c']);
  });

  it('are not held against each other where instrumentation tells the input in another form', () => {
    for (const isLate of [false, true]) {
      const watching = new Watching();
      watching.call('proposed', { given: { command: 'git status', description: 'look' } });
      const span = (): unknown => watching.call('completed', { source: 'otlp', given: COMMAND, gave: 'x' });
      if (!isLate) span();
      watching.call('completed', { gave: 'clean' });
      if (isLate) span();
      expect(phases(watching.drafts)).toEqual(['proposed', 'completed']);
      expect(codes(watching)).toEqual([]);
    }
  });

  it('without ids are each joined to a separate call', () => {
    const watching = new Watching();
    watching.session('session_started');
    for (const call_id of ['a', 'b']) {
      watching.call('proposed', { call_id, given: COMMAND });
      watching.call('completed', { call_id });
    }
    for (const _ of 'ab') watching.call('completed', { source: 'otlp', call_id: null, given: COMMAND });
    expect(phases(watching.call('completed', { source: 'otlp', call_id: null, given: COMMAND }))).toEqual([
      'completed',
    ]);
    expect(at(watching.session('session_ended'), 0).payload).toMatchObject({ x_recorder: { agreed: 2 } });
  });

  it('a span alone is a whole call, the same however often it comes', () => {
    const span = { source: 'otlp', witness: 'scope', event_id: 'trace/span' } as const;
    const [first] = new Watching().call('completed', { ...span, given: COMMAND, gave: 'x' });
    const [again] = new Watching().call('completed', { ...span, given: COMMAND, gave: 'x' });
    expect(first?.payload).toMatchObject({ whole_call: true, input: { value: COMMAND } });
    expect(again?.operationId).toBe(first?.operationId);
    expect(first?.operationId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
