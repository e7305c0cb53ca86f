import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { LoggerProvider, type LogRecordExporter, type ReadableLogRecord } from '@opentelemetry/sdk-logs';
import { NodeTracerProvider, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { decodeLogs, decodeSpans } from '../../../src/recorder/otlp/decode.ts';
import type { OtlpEncoding } from '../../../src/recorder/otlp/encoding.ts';
import type { OtlpSpan } from '../../../src/recorder/otlp/model.ts';
import { ProtobufCondenser } from '../../../src/recorder/otlp/protobuf-condenser.ts';
import type { OtlpSignal } from '../../../src/recorder/otlp/receive.ts';
import { runs, share } from '../../support/extent.ts';
import { callsOf } from '../../support/otlp.ts';
import { type Exported, otlpServer } from '../../support/otlp-server.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Spans as the SDK hands them to exporters. */
function endedSpans(make: (provider: NodeTracerProvider) => void): ReadableSpan[] {
  const ended: ReadableSpan[] = [];
  const processor = {
    onStart: () => {},
    onEnd: (span: ReadableSpan) => void ended.push(span),
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  make(new NodeTracerProvider({ spanProcessors: [processor] }));
  return ended;
}

function emittedLogs(make: (provider: LoggerProvider) => void): ReadableLogRecord[] {
  const emitted: ReadableLogRecord[] = [];
  const processor = {
    onEmit: (record: ReadableLogRecord) => void emitted.push(record),
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  make(new LoggerProvider({ processors: [processor] }));
  return emitted;
}

async function exportAll<T>(
  exporter: { export: SpanExporter['export'] | LogRecordExporter['export'] },
  items: T[],
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const send = exporter.export as (items: T[], done: (result: { code: number; error?: Error }) => void) => void;
    send.call(exporter, items, ({ code, error }) =>
      code === 0 ? resolve() : reject(error ?? new Error('not exported')),
    );
  });
}

type Pair = readonly [json: Exported, protobuf: Exported];

function pairOf(exported: readonly Exported[]): Pair {
  const [json, protobuf] = exported;
  if (json === undefined || protobuf === undefined || exported.length > 2) throw new Error('not two requests');
  return [json, protobuf];
}

/** Sends the same with the official exporters of both encodings, packed. */
async function sendSpans(spans: ReadableSpan[], headers: Record<string, string> = {}): Promise<Pair> {
  vi.stubEnv('OTEL_EXPORTER_OTLP_COMPRESSION', 'gzip');
  const { url, exported } = await otlpServer();
  for (const Exporter of [JsonTraceExporter, ProtobufTraceExporter]) {
    const exporter = new Exporter({ url: `${url}/v1/traces`, headers });
    await exportAll(exporter, spans);
    await exporter.shutdown();
  }
  return pairOf(exported);
}

async function sendLogs(records: ReadableLogRecord[]): Promise<Pair> {
  vi.stubEnv('OTEL_EXPORTER_OTLP_COMPRESSION', 'gzip');
  const { url, exported } = await otlpServer();
  for (const Exporter of [JsonLogExporter, ProtobufLogExporter]) {
    const exporter = new Exporter({ url: `${url}/v1/logs` });
    await exportAll(exporter, records);
    await exporter.shutdown();
  }
  return pairOf(exported);
}

function withoutDigest({ received }: Exported, feed: 'enterprise' | 'kimi'): object[] {
  return callsOf(received, feed).map(({ raw_sha256: _, ...call }) => call);
}

describe('the official exporters of OpenTelemetry', () => {
  it('give the same calls in JSON and in protobuf, packed with gzip', async () => {
    const spans = endedSpans((provider) => {
      const tracer = provider.getTracer('agent', '1.2.3');
      const call = tracer.startSpan('execute_tool search', {
        startTime: [1_795_303_169, 0],
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'search',
          'gen_ai.tool.call.id': 'call_1',
          'gen_ai.tool.call.arguments': '{"query":"Zürich 🙂"}',
          'gen_ai.conversation.id': 's-1',
          'app.scores': [0.5, 1, 2],
          'app.tags': ['a', 'b'],
        },
      });
      call.recordException(new TypeError('no'), [1_795_303_169, 5]);
      call.setStatus({ code: 2, message: 'no' });
      call.end([1_795_303_169, 250_000_000]);
      tracer.startSpan('chat').end();
    });
    const [json, protobuf] = await sendSpans(spans, { 'x-countersign-feed': 'kimi' });
    expect([json.contentType, protobuf.contentType]).toEqual(['application/json', 'application/x-protobuf']);
    expect([json.gzip, protobuf.gzip]).toEqual([true, true]);
    const calls = withoutDigest(json, 'kimi');
    expect(calls).toMatchObject([
      {
        stage: 'failed',
        call_id: 'call_1',
        input: { query: 'Zürich 🙂' },
        outcome: { status: 'error', error: { type: 'TypeError', message: 'no' } },
        duration_ms: 250,
        observed_at: '2026-11-21T23:19:29.250Z',
        session: { id: 's-1' },
        witness: 'agent',
        extra: { attributes: { 'app.scores': '[0.5,1,2]', 'app.tags': '["a","b"]' } },
      },
    ]);
    expect(withoutDigest(protobuf, 'kimi')).toEqual(calls);
    expect([json.received.passedOver, protobuf.received.passedOver]).toEqual([1, 1]);
  });

  it('give the same calls of log records', async () => {
    const records = emittedLogs((provider) => {
      const attributes = {
        tool_name: 'Bash',
        tool_use_id: 'toolu_1',
        success: 'true',
        tool_input: '{"command":"ls"}',
        nested: { list: [1, 'two', null, { three: 3 }], empty: {} },
      };
      provider.getLogger('events').emit({ body: 'claude_code.tool_result', attributes, timestamp: [1_795_303_169, 0] });
      provider.getLogger('events').emit({ body: { any: 'thing' } });
    });
    const [json, protobuf] = await sendLogs(records);
    const calls = withoutDigest(json, 'enterprise');
    expect(calls).toMatchObject([
      {
        call_id: 'toolu_1',
        input: { command: 'ls' },
        extra: { attributes: { nested: '{"list":[1,"two",null,{"three":3}],"empty":{}}' } },
      },
    ]);
    expect(withoutDigest(protobuf, 'enterprise')).toEqual(calls);
  });

  it('are told in their own encoding what was rejected', async () => {
    const spans = endedSpans((provider) => {
      const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 't' };
      provider.getTracer('agent').startSpan('t', { attributes }).end();
    });
    const invalid = spans.map((span): ReadableSpan => {
      const context = { traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 1 };
      return Object.create(span, { spanContext: { value: () => context } });
    });
    const [json, protobuf] = await sendSpans(invalid);
    expect([json, protobuf].map(({ received }) => received.rejected.count)).toEqual([1, 1]);
  });
});

/** Also texts with lone surrogates, which protobuf cannot hold. */
/** Of each kind of record. */
const SAMPLE = 300;

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 5 }).map((codes) => String.fromCharCode(...codes)),
);

// The JSON exporter writes NaN as null, and both write an integral double as an integer, which has 64 bits.
const anyNumber = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value));

const anyScalar = fc.oneof(anyText, fc.maxSafeInteger(), anyNumber, fc.boolean());
const anyList = fc.oneof(
  ...[anyText, fc.maxSafeInteger(), fc.boolean()].map((each) => fc.array<unknown>(each, { maxLength: 4 })),
);
const anyAttributes = fc.dictionary(anyText, fc.oneof(anyScalar, anyList), { maxKeys: 6 });
const anyId = (bytes: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((id) => Buffer.from(id).toString('hex'));
const anyTime = fc.tuple(fc.integer({ min: 0, max: 2 ** 33 }), fc.integer({ min: 0, max: 999_999_999 }));

const anySpan = fc.record({
  name: anyText,
  kind: fc.integer({ min: 0, max: 4 }),
  startTime: anyTime,
  endTime: anyTime,
  attributes: anyAttributes,
  droppedAttributesCount: fc.nat(1000),
  status: fc.record({ code: fc.integer({ min: 0, max: 2 }), message: fc.option(anyText, { nil: undefined }) }),
  events: fc.array(
    fc.record({ name: anyText, time: anyTime, attributes: anyAttributes, droppedAttributesCount: fc.nat(9) }),
    { maxLength: 3 },
  ),
  context: fc.record({ traceId: anyId(16), spanId: anyId(8), traceFlags: fc.constant(1) }),
  parentSpanContext: fc.option(fc.record({ traceId: anyId(16), spanId: anyId(8), traceFlags: fc.constant(1) }), {
    nil: undefined,
  }),
  instrumentationScope: fc.record({ name: anyText, version: fc.option(anyText, { nil: undefined }) }),
});

/** What is made of protobuf that is too long to be kept, though this one is not, in pieces of every size. */
function condensed(signal: OtlpSignal, body: Uint8Array): Buffer {
  const condenser = new ProtobufCondenser(signal);
  for (let at = 0, size = 1; at < body.length; at += size, size = (size % 97) + 1) {
    condenser.push(Buffer.from(body.subarray(at, at + size)));
  }
  return Buffer.from(condenser.end()?.json ?? '');
}

describe('the decoder', () => {
  it('reads the same of random spans as the official exporters write them in JSON and in protobuf', async () => {
    const [template] = endedSpans((provider) => provider.getTracer('x').startSpan('x').end());
    if (template === undefined) throw new Error('no span');
    const spans = fc.sample(anySpan, runs(SAMPLE)).map(({ context, ...members }): ReadableSpan => {
      const own = { ...members, spanContext: () => context };
      return Object.create(template, Object.getOwnPropertyDescriptors(own));
    });
    const [json, protobuf] = await sendSpans(spans);
    // The two exporters group spans by their scopes in different orders.
    const sorted = (encoding: OtlpEncoding, body: Uint8Array): OtlpSpan[] =>
      decodeSpans(encoding, body).sort((a, b) => (a.spanId < b.spanId ? -1 : 1));
    const read = sorted('application/json', json.body);
    expect(read).toHaveLength(share(SAMPLE));
    expect(sorted('application/x-protobuf', protobuf.body)).toEqual(read);
    expect(sorted('application/json', condensed('traces', protobuf.body))).toEqual(read);
  });

  it('reads the same of random log records, whose values nest', async () => {
    const { value: anyBody } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.oneof(anyScalar, fc.constant(null), fc.uint8Array({ maxLength: 9 })),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(anyText, tie('value'), { maxKeys: 4 }),
      ),
    }));
    const records = emittedLogs((provider) => {
      const logger = provider.getLogger('x');
      const anyRecord = fc.record({
        body: anyBody,
        attributes: fc.dictionary(anyText, anyBody, { maxKeys: 5 }),
        eventName: anyText,
        timestamp: anyTime,
      });
      for (const record of fc.sample(anyRecord, runs(SAMPLE))) logger.emit(record as Parameters<typeof logger.emit>[0]);
    });
    const [json, protobuf] = await sendLogs(records);
    const read = decodeLogs('application/json', json.body);
    expect(read).toHaveLength(share(SAMPLE));
    expect(decodeLogs('application/x-protobuf', protobuf.body)).toEqual(read);
    expect(decodeLogs('application/json', condensed('logs', protobuf.body))).toEqual(read);
  });

  it('makes of changed or cut protobuf nothing but JSON, or nothing', async () => {
    const spans = endedSpans((provider) => {
      const attributes = { a: 'text', list: [1, 2], number: 0.5 };
      provider.getTracer('agent').startSpan('call', { attributes }).addEvent('e', attributes).end();
    });
    const [, { body }] = await sendSpans(spans);
    const changed = fc.tuple(fc.nat(body.length - 1), fc.nat(255), fc.integer({ min: 1, max: body.length }));
    for (const [at, byte, length] of fc.sample(changed, runs(SAMPLE))) {
      const bytes = Buffer.from(body.subarray(0, length));
      if (at < length) bytes[at] = byte;
      const json = condensed('traces', bytes).toString();
      expect(() => json === '' || JSON.parse(json)).not.toThrow();
    }
  });
});
