import { readFileSync } from 'node:fs';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { FeedId } from '../../src/recorder/base/programs.ts';
import { type OtlpReceived, type OtlpRequest, receiveOtlp } from '../../src/recorder/otlp/receive.ts';
import { received } from '../../src/recorder/seen/received.ts';
import type { Seen, SeenCall } from '../../src/recorder/seen/seen.ts';

export const RECEIVED_AT = '2026-11-22T10:00:00.000Z';
export const TRACE_ID = '5b8efff798038103d269b633813fc60c';

export type AttributeValues = Readonly<Record<string, unknown>>;

/** Attributes in the JSON form of OTLP: a value that is an object is given as it is, such as {intValue: '1'}. */
export function attributes(values: AttributeValues): unknown[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: unknown): unknown {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return value;
}

/** A span in the JSON form of OTLP, of a second, that lies in no other one. */
export function span(name: string, values: AttributeValues, members: Readonly<Record<string, unknown>> = {}): object {
  return {
    traceId: TRACE_ID,
    spanId: 'eee19b7ec3c1b174',
    name,
    kind: 1,
    startTimeUnixNano: '1795303169000000000',
    endTimeUnixNano: '1795303170000000000',
    attributes: attributes(values),
    ...members,
  };
}

/** A message of protobuf within others, the outermost first. */
export function wrapped(body: Uint8Array, ...fields: number[]): Uint8Array {
  return fields.reduceRight(
    (inner, field) => new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(inner).finish(),
    body,
  );
}

/** Attributes in protobuf, each as the field of a span (9) or of a log record (6). */
function attributesInProtobuf(field: number, values: Readonly<Record<string, string>>): Uint8Array[] {
  return Object.entries(values).map(([key, value]) =>
    wrapped(Buffer.concat([wrapped(Buffer.from(key), 1), wrapped(Buffer.from(value), 2, 1)]), field),
  );
}

/** The fields of a span in protobuf. */
export function spanFields(name: string, spanId: string, values: Readonly<Record<string, string>>): Uint8Array[] {
  const ids = [wrapped(Buffer.from(TRACE_ID, 'hex'), 1), wrapped(Buffer.from(spanId, 'hex'), 2)];
  return [...ids, wrapped(Buffer.from(name), 5), ...attributesInProtobuf(9, values)];
}

/** The fields of a log record in protobuf. */
export function logFields(values: Readonly<Record<string, string>>): Uint8Array[] {
  return [
    new BinaryWriter().tag(1, WireType.Bit64).fixed64('1795303170000000000').finish(),
    ...attributesInProtobuf(6, values),
  ];
}

/** A request with one span or log record, in protobuf. */
export function inRequest(item: Uint8Array): Uint8Array {
  return wrapped(item, 1, 2, 2);
}

/** A request with one span, in protobuf. */
export function spanInProtobuf(name: string, spanId: string, values: Readonly<Record<string, string>>): Uint8Array {
  return inRequest(Buffer.concat(spanFields(name, spanId, values)));
}

/** A log record in the JSON form of OTLP. */
export function logRecord(values: AttributeValues, members: Readonly<Record<string, unknown>> = {}): object {
  return { timeUnixNano: '1795303170000000000', attributes: attributes(values), ...members };
}

/** No agent is installed for anything. */
export const NOBODY: ReadonlySet<FeedId> = new Set();

/** What decides whose the calls of a request are: the header, and the feeds that have an agent. */
interface Whose {
  readonly feed?: string | null;
  readonly installed?: readonly FeedId[];
}

function request(path: 'traces' | 'logs', body: unknown, { feed = null, installed = [] }: Whose): OtlpRequest {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return {
    path,
    contentType: 'application/json',
    body: received(bytes),
    feed,
    installed: new Set(installed),
    receivedAt: RECEIVED_AT,
  };
}

export function receiveSpans(
  spans: readonly object[],
  resource: AttributeValues = {},
  whose: Whose = {},
): OtlpReceived {
  const scopeSpans = [{ scope: { name: 'test' }, spans }];
  const body = { resourceSpans: [{ resource: { attributes: attributes(resource) }, scopeSpans }] };
  return receiveOtlp(request('traces', body, whose));
}

export function receiveLogs(
  logRecords: readonly object[],
  resource: AttributeValues = {},
  whose: Whose = {},
): OtlpReceived {
  const scopeLogs = [{ scope: { name: 'test' }, logRecords }];
  const body = { resourceLogs: [{ resource: { attributes: attributes(resource) }, scopeLogs }] };
  return receiveOtlp(request('logs', body, whose));
}

/** The calls of one feed; fails where there is anything else. */
export function callsOf(received: OtlpReceived, feed: FeedId): SeenCall[] {
  if ([...received.byFeed.keys()].some((other) => other !== feed)) throw new Error('calls of other feeds');
  return [...(received.byFeed.get(feed) ?? [])].filter(isCall);
}

function isCall(seen: Seen): seen is SeenCall {
  if (seen.kind !== 'call') throw new Error(`a ${seen.kind}`);
  return true;
}

const FIXTURES = new URL('../recorder/fixtures/otlp/', import.meta.url);

/** What a program sent: the requests of a file in test/recorder/fixtures/otlp. */
export function captured(file: string): Record<'traces' | 'logs', OtlpReceived> {
  const taken = new Map<string, OtlpReceived>();
  for (const line of readFileSync(new URL(file, FIXTURES), 'utf8').trim().split('\n')) {
    const { path, body }: { path: string; body: unknown } = JSON.parse(line);
    const signal = path === '/v1/traces' ? 'traces' : 'logs';
    taken.set(signal, receiveOtlp(request(signal, body, {})));
  }
  const nothing = receiveSpans([]);
  return { traces: taken.get('traces') ?? nothing, logs: taken.get('logs') ?? nothing };
}
