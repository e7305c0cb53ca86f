import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { type ExactJson, messageOf } from '../../protocol/light.ts';
import { RecordError } from '../base/record-error.ts';
import { Bounds, checkDepth } from './bounds.ts';
import type { OtlpEvent, OtlpLog, OtlpSpan } from './model.ts';
import { bytesValue, numberValue } from './values.ts';

/** What is read, and what has been counted of it. */
interface Input {
  readonly reader: BinaryReader;
  readonly bounds: Bounds;
  /** Where the message ends that is being read. */
  end: number;
  /** How deep the value nests that is being read. */
  depth: number;
}

/** A field of a message: the wire type that it has to have, and where its value goes. */
type Field<T> = readonly [wireType: WireType, read: (into: T, input: Input) => unknown];

/** A message by its field numbers. Fields that are not listed, or come with another wire type, are skipped. */
type Message<T> = { readonly [number: number]: Field<T> };

type Draft<T> = { -readonly [K in keyof T]: T[K] };

function readFields<T>(input: Input, message: Message<T>, into: T): void {
  const { reader, end } = input;
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    const field = message[number];
    if (field?.[0] === wireType) field[1](into, input);
    else reader.skip(wireType, number);
  }
  if (reader.pos !== end) throw new RangeError('a field is longer than the message that it is in');
}

/** Reads a message within a message. */
function nested<T>(input: Input, message: Message<T>, into: T): T {
  const outer = input.end;
  const length = input.reader.uint32();
  // An end beyond that of the outer message is found when that one ends.
  input.end = input.reader.pos + length;
  readFields(input, message, into);
  input.end = outer;
  return into;
}

const { Varint, Bit64, LengthDelimited } = WireType;

/** Reads the value of a field into a member. */
function set<T, K extends keyof T>(member: K, read: (input: Input) => T[K]): Field<T>[1] {
  return (into, input) => {
    into[member] = read(input);
  };
}

const text = ({ reader }: Input): string => reader.string();
const int32 = ({ reader }: Input): number => reader.int32();
const uint32 = ({ reader }: Input): number => reader.uint32();
const hex = (input: Input): string => Buffer.from(input.reader.bytes()).toString('hex');
const nanoseconds = (input: Input): bigint => BigInt(input.reader.fixed64());

interface Value {
  json?: ExactJson;
}

const ANY_VALUE: Message<Value> = {
  1: [LengthDelimited, set('json', text)],
  2: [Varint, set('json', ({ reader }) => reader.bool())],
  3: [Varint, set('json', ({ reader }) => numberValue(String(reader.int64())))],
  4: [Bit64, set('json', ({ reader }) => numberValue(String(reader.double())))],
  5: [LengthDelimited, set('json', (input) => nested<ExactJson[]>(input, ARRAY_VALUE, []))],
  6: [LengthDelimited, set('json', (input) => asObject(nested(input, KEY_VALUE_LIST, new Map())))],
  7: [LengthDelimited, set('json', ({ reader }) => bytesValue(reader.bytes()))],
};

/** The value of an AnyValue message; undefined where it has none. */
function anyValue(input: Input): ExactJson | undefined {
  input.bounds.addValue();
  checkDepth(input.depth);
  input.depth++;
  const { json } = nested<Value>(input, ANY_VALUE, {});
  input.depth--;
  return json;
}

const ARRAY_VALUE: Message<ExactJson[]> = {
  1: [LengthDelimited, (into, input) => into.push(anyValue(input) ?? null)],
};

const KEY_VALUE: Message<{ key: string; value: ExactJson | undefined }> = {
  1: [LengthDelimited, set('key', text)],
  2: [LengthDelimited, set('value', anyValue)],
};

/** Within a value, a member without a value is null: it was named. */
const KEY_VALUE_LIST: Message<Map<string, ExactJson>> = {
  1: [
    LengthDelimited,
    (into, input) => {
      input.bounds.addValue();
      const { key, value } = nested(input, KEY_VALUE, { key: '', value: undefined });
      into.set(key, value ?? null);
    },
  ],
};

function asObject(members: ReadonlyMap<string, ExactJson>): ExactJson {
  return Object.fromEntries(members);
}

function attribute(into: { attributes: Map<string, ExactJson> }, input: Input): void {
  input.bounds.addValue();
  const { key, value } = nested(input, KEY_VALUE, { key: '', value: undefined });
  if (value !== undefined) into.attributes.set(key, value);
}

const RESOURCE: Message<{ attributes: Map<string, ExactJson> }> = { 1: [LengthDelimited, attribute] };

const SCOPE: Message<{ name: string; version: string }> = {
  1: [LengthDelimited, set('name', text)],
  2: [LengthDelimited, set('version', text)],
};

const EVENT: Message<{ name: string; attributes: Map<string, ExactJson> }> = {
  2: [LengthDelimited, set('name', text)],
  3: [LengthDelimited, attribute],
};

const STATUS: Message<{ code: number; message: string }> = {
  2: [LengthDelimited, set('message', text)],
  3: [Varint, set('code', int32)],
};

type SpanDraft = Draft<Omit<OtlpSpan, 'attributes' | 'events' | 'origin' | 'status'>> & {
  attributes: Map<string, ExactJson>;
  events: OtlpEvent[];
  status: { code: number; message: string };
};

const SPAN: Message<SpanDraft> = {
  1: [LengthDelimited, set('traceId', hex)],
  2: [LengthDelimited, set('spanId', hex)],
  4: [LengthDelimited, set('parentSpanId', hex)],
  5: [LengthDelimited, set('name', text)],
  6: [Varint, set('kind', int32)],
  7: [Bit64, set('startNano', nanoseconds)],
  8: [Bit64, set('endNano', nanoseconds)],
  9: [LengthDelimited, attribute],
  10: [Varint, set('droppedAttributes', uint32)],
  11: [
    LengthDelimited,
    (into, input) => {
      input.bounds.addValue();
      into.events.push(nested(input, EVENT, { name: '', attributes: new Map() }));
    },
  ],
  15: [LengthDelimited, (into, input) => nested(input, STATUS, into.status)],
};

type LogDraft = Draft<Omit<OtlpLog, 'attributes' | 'origin'>> & { attributes: Map<string, ExactJson> };

const LOG: Message<LogDraft> = {
  1: [Bit64, set('timeNano', nanoseconds)],
  5: [LengthDelimited, set('body', anyValue)],
  6: [LengthDelimited, attribute],
  7: [Varint, set('droppedAttributes', uint32)],
  9: [LengthDelimited, set('traceId', hex)],
  10: [LengthDelimited, set('spanId', hex)],
  11: [Bit64, set('observedNano', nanoseconds)],
  12: [LengthDelimited, set('eventName', text)],
};

/** What a request holds: for traces and logs alike items in scopes in resources, under the same field numbers. */
interface Scoped<T> {
  scope: { name: string; version: string };
  items: T[];
}
interface OfResource<T> {
  resource: { attributes: Map<string, ExactJson> };
  scopes: Scoped<T>[];
}

/** The messages around items of one kind. */
function requestOf<T>(item: (input: Input) => T): Message<OfResource<T>[]> {
  const scoped: Message<Scoped<T>> = {
    1: [LengthDelimited, (into, input) => nested(input, SCOPE, into.scope)],
    2: [
      LengthDelimited,
      (into, input) => {
        input.bounds.addItem();
        into.items.push(item(input));
      },
    ],
  };
  const ofResource: Message<OfResource<T>> = {
    1: [LengthDelimited, (into, input) => nested(input, RESOURCE, into.resource)],
    2: [
      LengthDelimited,
      (into, input) => {
        input.bounds.addValue();
        into.scopes.push(nested<Scoped<T>>(input, scoped, { scope: { name: '', version: '' }, items: [] }));
      },
    ],
  };
  return {
    1: [
      LengthDelimited,
      (into, input) => {
        input.bounds.addValue();
        into.push(nested<OfResource<T>>(input, ofResource, { resource: { attributes: new Map() }, scopes: [] }));
      },
    ],
  };
}

const NO_IDS = { traceId: '', spanId: '', droppedAttributes: 0 } as const;

const TRACES = requestOf<SpanDraft>((input) =>
  nested<SpanDraft>(input, SPAN, {
    ...NO_IDS,
    parentSpanId: '',
    name: '',
    kind: 0,
    startNano: 0n,
    endNano: 0n,
    attributes: new Map(),
    events: [],
    status: { code: 0, message: '' },
  }),
);

const LOGS = requestOf<LogDraft>((input) =>
  nested<LogDraft>(input, LOG, {
    ...NO_IDS,
    eventName: '',
    timeNano: 0n,
    observedNano: 0n,
    body: undefined,
    attributes: new Map(),
  }),
);

function decode<T>(body: Uint8Array, request: Message<OfResource<T>[]>): OfResource<T>[] {
  const input: Input = { reader: new BinaryReader(body), bounds: new Bounds(), end: body.length, depth: 0 };
  const resources: OfResource<T>[] = [];
  try {
    readFields(input, request, resources);
  } catch (error) {
    if (error instanceof RecordError) throw error;
    const why = messageOf(error);
    throw new RecordError('EVENT_INVALID', `The body is not the protobuf message of its path: ${why}.`, {
      cause: error,
    });
  }
  return resources;
}

function* withOrigin<T>(resources: readonly OfResource<T>[]): Generator<T & { origin: OtlpSpan['origin'] }> {
  for (const { resource, scopes } of resources) {
    for (const { scope, items } of scopes) {
      const origin = { resource: resource.attributes, scope };
      for (const item of items) yield { ...item, origin };
    }
  }
}

/** The spans of an ExportTraceServiceRequest. */
export function protobufSpans(body: Uint8Array): OtlpSpan[] {
  return [...withOrigin(decode(body, TRACES))];
}

/** The records of an ExportLogsServiceRequest. */
export function protobufLogs(body: Uint8Array): OtlpLog[] {
  return [...withOrigin(decode(body, LOGS))];
}
