import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { OtlpRequest } from '../../../src/recorder/otlp/receive.ts';
import { received } from '../../../src/recorder/seen/received.ts';
import { NOBODY, RECEIVED_AT, wrapped } from '../../support/otlp.ts';
import type { Outcome } from '../../support/otlp-in-little-heap.ts';

const PROTOBUF = 'application/x-protobuf';
const JSON_TYPE = 'application/json';

function request(contentType: string, body: Uint8Array): OtlpRequest {
  return {
    path: 'traces',
    contentType,
    body: received(body),
    feed: null,
    installed: NOBODY,
    receivedAt: RECEIVED_AT,
  };
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const MIB = 1024 * 1024;
const SIZE = 16 * MIB;
/** What a recorder can spare for a moment: the body itself, if it is protobuf, comes on top. */
const HEAP_MB = 192;

/** As many repetitions as fit into 16 MiB between a beginning and an end. */
function filled(begin: string, repeated: string, end: string): Uint8Array {
  const times = Math.floor((SIZE - begin.length - end.length) / repeated.length);
  return utf8(begin + repeated.repeat(times) + end);
}

function filledWith(...bytes: number[]): Uint8Array {
  return new Uint8Array(SIZE - (SIZE % bytes.length)).fill(0).map((_, at) => bytes[at % bytes.length] ?? 0);
}

const inAttributes = (repeated: string): Uint8Array =>
  filled('{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[', repeated, '{}]}]}]}]}');

const inArguments = (repeated: string): Uint8Array => {
  const begin = JSON.stringify([
    { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
    { key: 'gen_ai.tool.name', value: { stringValue: 't' } },
  ]).slice(0, -1);
  const ids = `"traceId":"${'1'.repeat(32)}","spanId":"${'1'.repeat(16)}"`;
  return filled(
    `{"resourceSpans":[{"scopeSpans":[{"spans":[{${ids},"attributes":${begin},{"key":"gen_ai.tool.call.arguments","value":{"stringValue":"[`,
    repeated,
    '[]]"}}]}]}]}]}',
  );
};

describe('16 MiB', () => {
  it.each<[string, string, () => Uint8Array, string | null]>([
    ['empty resources', PROTOBUF, () => filledWith(0x0a, 0), 'EVENT_TOO_LARGE'],
    ['unknown fields', PROTOBUF, () => filledWith(0x10, 1), null],
    ['empty spans', PROTOBUF, () => wrapped(filledWith(0x12, 0), 1, 2), 'EVENT_TOO_LARGE'],
    ['empty attributes', PROTOBUF, () => wrapped(filledWith(0x4a, 0), 1, 2, 2), 'EVENT_TOO_LARGE'],
    ['one name', PROTOBUF, () => wrapped(filledWith(0x61), 1, 2, 2, 5), null],
    ['brackets', JSON_TYPE, () => filled('', '[', ''), 'EVENT_INVALID'],
    ['empty resources in JSON', JSON_TYPE, () => filled('{"resourceSpans":[', '{},', '{}]}'), 'EVENT_TOO_LARGE'],
    ['empty attributes in JSON', JSON_TYPE, () => inAttributes('{},'), 'EVENT_TOO_LARGE'],
    [
      'attributes in JSON',
      JSON_TYPE,
      () => inAttributes('{"key":"a","value":{"stringValue":"b"}},'),
      'EVENT_TOO_LARGE',
    ],
    ['one text in JSON', JSON_TYPE, () => filled('{"x":"', 'x', '"}'), null],
    ['arguments that are JSON in a text', JSON_TYPE, () => inArguments('[],'), null],
  ])('of %s are read in a small heap, and in seconds', async (_, contentType, make, code) => {
    const body = make();
    expect(body.length).toBeGreaterThan(SIZE - 1000);
    const worker = new Worker(new URL('../../support/otlp-in-little-heap.ts', import.meta.url), {
      workerData: request(contentType, body),
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    // A heap that is full is an error event, which `once` rejects with.
    const [outcome]: [Outcome] = (await once(worker, 'message')) as [Outcome];
    await worker.terminate();
    expect(outcome.code).toBe(code);
    expect(outcome.milliseconds).toBeLessThan(20_000);
  });
});
