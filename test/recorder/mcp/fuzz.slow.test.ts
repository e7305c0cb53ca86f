// Any message of MCP from either side, and any export of OpenTelemetry, changed at random: no crash, nothing that passes unseen, bounded memory.
import { describe, expect, it } from 'vitest';
import { exactJsonText, utf8 } from '../../../src/protocol/index.ts';
import { RecordError } from '../../../src/recorder/base/record-error.ts';
import { readSeenBody } from '../../../src/recorder/listen/seen-body.ts';
import { MCP } from '../../../src/recorder/mcp/mcp-protocol.ts';
import { readMessages } from '../../../src/recorder/mcp/message.ts';
import { Recording } from '../../../src/recorder/mcp/recording.ts';
import { ProtobufCondenser } from '../../../src/recorder/otlp/protobuf-condenser.ts';
import { receiveOtlp } from '../../../src/recorder/otlp/receive.ts';
import { type NewCondenser, type Received, Receiving, received } from '../../../src/recorder/seen/received.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';
import { changedJson, changedMessage, changedProtobuf } from '../../support/changed-messages.ts';
import { IS_NIGHTLY, seedOf } from '../../support/extent.ts';
import { inRequest, logFields, logRecord, NOBODY, RECEIVED_AT, span, spanFields } from '../../support/otlp.ts';
import { SeededRandom } from '../../support/random.ts';
import { Collector, recordingSettings } from './support.ts';

const SEED = seedOf(20_271);
const COUNT = IS_NIGHTLY ? 100_000 : 4_000;
const BLOCKED = { allowed: false, reason: 'not recorded', operation_ids: [] };
const ALLOWED = { allowed: true, reason: null, operation_ids: [] };
const MOST_BYTES = 400 << 20;

const CALL = { name: 'write', arguments: { path: '/a', text: 'é\u{1f600}' }, _meta: { callId: 'c1' } };
const BASES: readonly object[] = [
  { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', clientInfo: { name: 'x', version: '1' } } },
  { id: 1, result: { protocolVersion: '2025-06-18', serverInfo: { name: 'files', version: '1' } } },
  { id: 2, method: 'tools/list', params: {} },
  { id: 2, result: { tools: [{ name: 'write', inputSchema: { type: 'object' } }], nextCursor: 'c' } },
  { id: 3, method: 'tools/call', params: CALL },
  { id: 3, result: { content: [{ type: 'text', text: 'ok' }], isError: true } },
  { id: 3, error: { code: -32603, message: 'no' } },
  { id: 'r', method: 'resources/read', params: { uri: 'file:///a' } },
  { id: 'p', method: 'prompts/get', params: { name: 'p', arguments: {} } },
  { id: 's', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
  { id: 's', result: { model: 'm', role: 'assistant', content: { type: 'text', text: 'x' } } },
  { id: 'e', method: 'elicitation/create', params: { message: 'who?', requestedSchema: {} } },
  { id: 'e', result: { action: 'decline' } },
  { method: 'notifications/cancelled', params: { requestId: 3, reason: 'x' } },
  { method: 'notifications/tools/list_changed' },
  { id: 4, method: 'tasks/get', params: { taskId: 't' } },
  { id: 3, result: { task: { taskId: 't', status: 'working' } } },
  { id: 3, result: { resultType: 'input_required', requestState: 's', inputRequests: { a: { method: 'x' } } } },
];

/** As it is, or as what is too long to be kept. */
function taken(draw: SeededRandom, bytes: Buffer): Received {
  return draw.below(4) > 0 ? received(bytes) : shorter(bytes);
}

/** As what is too long to be kept. */
function shorter(bytes: Buffer, newCondenser?: NewCondenser): Received {
  const receiving = new Receiving(16, newCondenser);
  for (let at = 0; at < bytes.length; at += 7) receiving.data(bytes.subarray(at, at + 7));
  return receiving.end();
}

function expectForm(seen: readonly Seen[]): void {
  if (seen.length > 0) readSeenBody(received(utf8(exactJsonText({ seen: seen.slice(0, 1_000) }))));
}

describe(`${COUNT} changed messages of MCP (seed ${SEED})`, () => {
  it.each([
    ['allows', ALLOWED],
    ['blocks', BLOCKED],
  ])(
    'end no recording where the policy %s what is unread, and none passes that is neither understood nor noted',
    async (_, unrecorded) => {
      const draw = new SeededRandom(SEED);
      const recorder = new Collector();
      recorder.unrecorded = unrecorded;
      const start = (): Recording => new Recording(recordingSettings(recorder, { protocol: MCP }));
      let recording = start();
      // Of this test alone: other files of the run share the process.
      const before = process.memoryUsage().heapUsed;
      let most = 0;
      for (let n = 0; n < COUNT; n++) {
        if (n % 200 === 199) {
          recording.closed();
          recording = start();
          most = Math.max(most, process.memoryUsage().heapUsed - before);
        }
        const message = taken(draw, changedMessage(draw, BASES));
        recorder.seen.length = 0;
        if (draw.below(2) === 0) {
          recording.forwarded('server', message, '', null);
          continue;
        }
        const refusal = await recording.beforeForwarding('client', message, '', null);
        const reading = message.json && readMessages(message.json, MCP.acts);
        const isUnderstood = reading !== null && reading.others === 0;
        const where = `message ${n}: ${String(message.json)}`;
        const isBlank = message.json?.every((byte) => byte <= 0x20) === true;
        if (unrecorded === BLOCKED) expect(refusal === null, where).toBe(isUnderstood || isBlank);
        else expect(refusal, where).toBeNull();
        if (!isUnderstood && !isBlank && n % 200 < 50) {
          expect(
            recorder.seen.map(({ raw_event }) => raw_event),
            where,
          ).toContain('mcp.not_understood');
        }
        const isAction = reading?.messages.some((one) => MCP.isAction(one)) === true;
        if (isAction && refusal === null) expect(recorder.seen.length, where).toBeGreaterThan(0);
        expectForm(recorder.seen);
      }
      expect(most).toBeLessThan(MOST_BYTES);
    },
  );
});

const TOOL = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'note', 'gen_ai.tool.call.id': 'c1' };
const EXPORTS: readonly object[] = [
  {
    resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 's' }, spans: [span('x', TOOL)] }] }],
  },
  {
    resourceSpans: [
      {
        scopeSpans: [
          { spans: [span('y', { 'openinference.span.kind': 'TOOL', 'output.value': '{"tool_call_id":"c"}' })] },
        ],
      },
    ],
  },
  {
    resourceLogs: [
      { scopeLogs: [{ logRecords: [logRecord({ 'event.name': 'codex.tool_result', tool_name: 'shell' })] }] },
    ],
  },
];

const IN_PROTOBUF = {
  traces: [
    spanFields('x', 'eee19b7ec3c1b174', TOOL),
    spanFields('y', '00f067aa0ba902b7', { 'openinference.span.kind': 'TOOL', 'output.value': '{"tool_call_id":"c"}' }),
    logFields(TOOL),
  ],
  logs: [
    logFields({ 'event.name': 'codex.tool_result', tool_name: 'shell', output: 'é\u{1f600}' }),
    spanFields('x', 'eee19b7ec3c1b174', TOOL),
  ],
};

/** What comes of an export: the names of the tools that it has calls of, or the code by which it is refused. */
function readExport(path: 'traces' | 'logs', contentType: string, body: Received): string {
  const request = { path, contentType, body, feed: null, installed: NOBODY, receivedAt: RECEIVED_AT };
  try {
    const { byFeed } = receiveOtlp(request);
    for (const seen of byFeed.values()) expectForm(seen);
    const calls = [...byFeed.values()].flat();
    return calls.map((call) => (call.kind === 'call' ? call.tool.name : call.kind)).join();
  } catch (error) {
    if (!(error instanceof RecordError) || error.cause instanceof TypeError) throw error;
    expect(['EVENT_INVALID', 'EVENT_TOO_LARGE']).toContain(error.code);
    return error.code;
  }
}

describe(`${COUNT} changed exports of OpenTelemetry (seed ${SEED})`, () => {
  /** Reads each with what the memory holds. */
  function readAll(make: (draw: SeededRandom, path: 'traces' | 'logs') => void): void {
    const draw = new SeededRandom(SEED);
    // Of this test alone: other files of the run share the process.
    const before = process.memoryUsage().heapUsed;
    let most = 0;
    for (let n = 0; n < COUNT; n++) {
      if (n % 200 === 199) most = Math.max(most, process.memoryUsage().heapUsed - before);
      make(draw, draw.below(2) === 0 ? 'traces' : 'logs');
    }
    expect(most).toBeLessThan(MOST_BYTES);
  }

  it('in JSON are read, or refused by a code', () => {
    readAll((draw, path) => void readExport(path, 'application/json', taken(draw, changedJson(draw, EXPORTS))));
  });

  it('in protobuf are read, or refused by a code, and have the same calls where they are too long to be kept', () => {
    let shortened = 0;
    readAll((draw, path) => {
      const bytes = changedProtobuf(draw, IN_PROTOBUF[path], inRequest);
      const found = readExport(path, 'application/x-protobuf', received(bytes));
      const less = shorter(bytes, () => new ProtobufCondenser(path));
      if (less.json === null) return;
      shortened++;
      const where = bytes.toString('hex');
      expect(readExport(path, 'application/x-protobuf', less), where).toBe(found);
    });
    expect(shortened).toBeGreaterThan(COUNT / 4);
  });
});
