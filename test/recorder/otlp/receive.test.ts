import { describe, expect, it } from 'vitest';
import { checkPayload } from '../../../src/actions/profile/index.ts';
import { ExactNumber } from '../../../src/protocol/index.ts';
import { type FeedId, programName, serviceFeed } from '../../../src/recorder/base/programs.ts';
import { otlpAnswer, otlpRefusal } from '../../../src/recorder/otlp/answer.ts';
import { receiveOtlp } from '../../../src/recorder/otlp/receive.ts';
import { received } from '../../../src/recorder/seen/received.ts';
import { cleaned } from '../../support/hooks.ts';
import { callsOf, logRecord, NOBODY, RECEIVED_AT, receiveLogs, receiveSpans, span } from '../../support/otlp.ts';

const TOOL = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' };
const within = (spanId: string, parentSpanId: string): Record<string, string> => ({ spanId, parentSpanId });
const A = 'a000000000000000';
const B = 'b000000000000000';
const C = 'c000000000000000';
const D = 'd000000000000000';
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('a request of spans', () => {
  it('gives a call its session and model from the spans that it lies in', () => {
    const received = receiveSpans([
      span('execute_tool search', TOOL, within(C, B)),
      span(
        'chat',
        { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm-1', 'gen_ai.provider.name': 'p' },
        within(B, A),
      ),
      span('invoke_agent', { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.conversation.id': 's-1' }, within(A, '')),
    ]);
    expect(received.passedOver).toBe(2);
    expect(callsOf(received, 'enterprise')).toMatchObject([
      { session: { id: 's-1' }, model: { name: 'm-1', provider: 'p' }, sub_agent: null },
    ]);
  });

  it('names the agent within another agent as sub-agent, and its session as begun by the other', () => {
    const agent = (id: string, conversation: string): Record<string, string> => ({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': id,
      'gen_ai.agent.name': `the ${id}`,
      'gen_ai.conversation.id': conversation,
    });
    const calls = callsOf(
      receiveSpans([
        span('invoke_agent', agent('planner', 's-1'), within(A, '')),
        span('invoke_agent', agent('researcher', 's-2'), within(B, A)),
        span('execute_tool search', TOOL, within(C, B)),
        span('execute_tool search', TOOL, within(D, A)),
      ]),
      'enterprise',
    );
    expect(calls).toMatchObject([
      { sub_agent: { id: 'researcher', type: 'the researcher' }, session: { id: 's-2', parent: 's-1' } },
      { sub_agent: null, session: { id: 's-1' } },
    ]);
  });

  it('makes one call of a span and the one within it that have one id, and two of those side by side', () => {
    const withId = { ...TOOL, 'gen_ai.tool.call.id': 'call_1' };
    const mcp = {
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'search',
      'gen_ai.tool.call.id': 'call_1',
      'gen_ai.tool.call.result': 'found',
      'mcp.server.name': 'probe',
    };
    const nested = callsOf(
      receiveSpans([span('tools/call search', mcp, within(B, A)), span('t', withId, within(A, ''))]),
      'enterprise',
    );
    expect(nested).toMatchObject([
      {
        trace: { span_id: A },
        raw_event: 't',
        output: 'found',
        tool: { name: 'search', type: 'mcp', server: 'probe' },
        extra: { within: [{ span_id: B, name: 'tools/call search' }] },
      },
    ]);
    const apart = receiveSpans([span('t', withId, within(A, '')), span('t', withId, within(B, ''))]);
    expect(callsOf(apart, 'enterprise')).toHaveLength(2);
    const other = span('t', { ...TOOL, 'gen_ai.tool.call.id': 'call_2' }, within(B, A));
    expect(callsOf(receiveSpans([span('t', withId, within(A, '')), other]), 'enterprise')).toHaveLength(2);
  });

  it('takes a span that is there twice once, and one that is its own parent', () => {
    const own = span('t', { ...TOOL, 'gen_ai.tool.call.id': 'call_1' }, within(A, A));
    expect(callsOf(receiveSpans([own, own]), 'enterprise')).toHaveLength(1);
  });

  it('gives a call that comes again the same event id, and every other call another one', () => {
    const spans = [span('t', TOOL, within(A, '')), span('t', TOOL, within(B, ''))];
    const first = callsOf(receiveSpans(spans), 'enterprise').map(({ event_id }) => event_id);
    const again = callsOf(receiveSpans([...spans].reverse()), 'enterprise').map(({ event_id }) => event_id);
    expect(again.reverse()).toEqual(first);
    expect(new Set(first).size).toBe(2);
    const record = (seq: number): object =>
      logRecord({ 'event.name': 'codex.tool_result', tool_name: 't', tool_result_seq: seq });
    const logs = callsOf(receiveLogs([record(1), record(2), record(1)]), 'enterprise');
    expect(new Set(logs.map(({ event_id }) => event_id)).size).toBe(2);
    expect(logs).toHaveLength(2);
  });

  it('rejects calls without ids, and says so', () => {
    const received = receiveSpans([
      span('t', TOOL, { traceId: '0'.repeat(32) }),
      span('t', TOOL, { spanId: 'abc' }),
      span('t', TOOL),
    ]);
    expect(received.rejected).toEqual({ count: 2, reason: 'Calls without a valid trace id and span id: 2.' });
    expect(text(received.answer.body)).toBe(
      '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"Calls without a valid trace id and span id: 2."}}',
    );
    expect(callsOf(received, 'enterprise')).toHaveLength(1);
  });

  it('takes ids in capitals, and numbers that a double does not keep with all digits', () => {
    const values = {
      ...TOOL,
      large: { intValue: '9007199254740993' },
      zero: { doubleValue: -0 },
      none: { doubleValue: 'NaN' },
    };
    const calls = callsOf(receiveSpans([span('t', values, { spanId: A.toUpperCase() })]), 'enterprise');
    expect(calls).toMatchObject([
      {
        trace: { span_id: A },
        extra: { attributes: { large: new ExactNumber('9007199254740993'), zero: 0, none: new ExactNumber('NaN') } },
      },
    ]);
  });

  it('takes when it came in for the time of a span that has none', () => {
    const calls = callsOf(
      receiveSpans([span('t', TOOL, { startTimeUnixNano: 0, endTimeUnixNano: null })]),
      'enterprise',
    );
    expect(calls[0]?.observed_at).toBe(RECEIVED_AT);
    expect(calls[0]).not.toHaveProperty('duration_ms');
  });

  it('has names that the profile takes, however long they come', () => {
    const long = '🙂'.repeat(300);
    const values = { ...TOOL, 'gen_ai.tool.name': long, 'gen_ai.tool.call.id': long, 'gen_ai.conversation.id': long };
    const [call] = callsOf(receiveSpans([span('t', values)]), 'enterprise')
      .map(cleaned)
      .filter((seen) => seen.kind === 'call');
    const payload = {
      profile: 'countersign.agent-action/1',
      phase: 'completed',
      action_id: call?.event_id,
      session: call?.session,
      tool: { name: call?.tool.name, call_id: call?.call_id },
      trace: call?.trace,
      outcome: call?.outcome,
      whole_call: true,
      timing: { observed_at: call?.observed_at, duration_ms: call?.duration_ms },
    };
    expect(checkPayload(payload, true)).toMatchObject({ ok: true });
  });
});

describe('the feed', () => {
  it.each([
    ['claude-code', 'claudecode'],
    ['codex_exec', 'codex'],
    ['codex-app-server', 'codex'],
    ['gemini-cli', 'gemini'],
    ['github-copilot', 'copilot'],
    ['opencode', 'opencode'],
    ['codexample', 'enterprise'],
    ['my-agent', 'enterprise'],
  ] as const)('of service.name %s is %s', (service, feed) => {
    expect([...receiveSpans([span('t', TOOL)], { 'service.name': service }).byFeed.keys()]).toEqual([feed]);
  });

  it.each([
    ['checkout', 'enterprise@checkout'],
    ['Kasse 3.1', 'enterprise@Kasse%203%2E1'],
    ['会计/a', 'enterprise@%E4%BC%9A%E8%AE%A1%2Fa'],
    ["it's (new)!*", 'enterprise@it%27s%20%28new%29%21%2A'],
  ] as const)('of the service %s is that of its agent, where it has one', (service, feed) => {
    const feedsWith = (installed: readonly FeedId[]): FeedId[] => [
      ...receiveSpans([span('t', TOOL)], { 'service.name': service }, { installed }).byFeed.keys(),
    ];
    expect(feedsWith([feed])).toEqual([feed]);
    expect(programName(feed)).toBe(service);
    expect(feedsWith(['enterprise', 'enterprise@another'])).toEqual(['enterprise']);
  });

  it.each(['', 'x'.repeat(101), 'ä'.repeat(17)])(
    'of a service whose name is no feed is enterprise: "%s"',
    (service) => {
      expect(serviceFeed(service)).toBeNull();
      expect([...receiveSpans([span('t', TOOL)], { 'service.name': service }).byFeed.keys()]).toEqual(['enterprise']);
    },
  );

  it('is what the header names, if there is one', () => {
    const received = receiveSpans([span('t', TOOL)], { 'service.name': 'codex_exec' }, { feed: 'kimi' });
    expect([...received.byFeed.keys()]).toEqual(['kimi']);
    expect(() => receiveSpans([span('t', TOOL)], {}, { feed: 'nobody' })).toThrow(
      expect.objectContaining({ code: 'EVENT_INVALID' }),
    );
  });
});

describe('the answer', () => {
  const nothing = { count: 0, reason: '' };

  it('is empty where everything was taken', () => {
    expect(text(otlpAnswer('traces', 'application/json; charset=utf-8', nothing).body)).toBe('{}');
    expect(otlpAnswer('logs', 'application/x-protobuf', nothing)).toEqual({
      contentType: 'application/x-protobuf',
      body: new Uint8Array(),
    });
  });

  it('says in protobuf what was rejected', () => {
    const { body } = otlpAnswer('traces', 'application/x-protobuf', { count: 300, reason: 'No.' });
    // partial_success = 1 {rejected_spans = 1: 300, error_message = 2: "No."}
    expect([...body]).toEqual([0x0a, 8, 0x08, 0xac, 0x02, 0x12, 3, 0x4e, 0x6f, 0x2e]);
  });

  it('to metrics says that they are not recorded', () => {
    const answered = receiveOtlp({
      path: 'metrics',
      contentType: 'application/json',
      body: received(new TextEncoder().encode('{"resourceMetrics":[]}')),
      feed: null,
      installed: NOBODY,
      receivedAt: RECEIVED_AT,
    });
    expect(answered.byFeed.size).toBe(0);
    expect(text(answered.answer.body)).toBe(
      '{"partialSuccess":{"rejectedDataPoints":"0","errorMessage":"Metrics are not recorded."}}',
    );
  });

  it('that refuses has the message in the encoding of the request', () => {
    expect(text(otlpRefusal('application/json', 'No.').body)).toBe('{"message":"No."}');
    expect([...otlpRefusal('application/x-protobuf', 'No.').body]).toEqual([0x12, 3, 0x4e, 0x6f, 0x2e]);
    expect(otlpRefusal('text/plain', 'No.').contentType).toBe('application/json');
  });

  it('to another content type is a refusal', () => {
    for (const contentType of ['text/plain', null]) {
      const request = {
        path: 'traces',
        contentType,
        body: received(new Uint8Array()),
        feed: null,
        installed: NOBODY,
        receivedAt: RECEIVED_AT,
      } as const;
      expect(() => receiveOtlp(request)).toThrow(expect.objectContaining({ code: 'EVENT_INVALID' }));
    }
  });
});
