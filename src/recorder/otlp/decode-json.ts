import { type ExactJson, ExactNumber, isMembers, readExactJson } from '../../protocol/light.ts';
import { RecordError } from '../base/record-error.ts';
import { Bounds, checkDepth } from './bounds.ts';
import { measureJson } from './json-structure.ts';
import type { Attributes, Origin, OtlpEvent, OtlpItem, OtlpLog, OtlpSpan } from './model.ts';
import { bytesValue, numberValue } from './values.ts';

function refuse(what: string): never {
  throw new RecordError('EVENT_INVALID', `The body is not an OTLP request in JSON: ${what}.`);
}

/** An object that was sent; unknown members are left alone. */
type Members = { readonly [name: string]: unknown };

/** A member that is an object; empty where it is absent or null, which mean the same in the JSON form of protobuf. */
function members(value: unknown, what: string): Members {
  if (value === undefined || value === null) return {};
  return isMembers(value) ? value : refuse(`${what} has to be an object`);
}

function list(value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : refuse(`${what} has to be an array`);
}

function text(value: unknown, what: string): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value.toWellFormed() : refuse(`${what} has to be a text`);
}

/** A 64-bit integer, as a text or a number. */
function integer(value: unknown, what: string): bigint {
  if (value === undefined || value === null) return 0n;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  const digits = value instanceof ExactNumber ? value.text : value;
  if (typeof digits === 'string' && /^-?\d{1,20}$/.test(digits)) return BigInt(digits);
  return refuse(`${what} has to be an integer`);
}

function nanoseconds(value: unknown, what: string): bigint {
  const time = integer(value, what);
  return time >= 0n ? time : refuse(`${what} is negative`);
}

/** An enumeration, by number or by name. */
function enumeration(value: unknown, names: readonly string[], what: string): number {
  if (typeof value !== 'string') return Number(BigInt.asIntN(32, integer(value, what)));
  const number = names.indexOf(value);
  return number >= 0 ? number : refuse(`${what} has an unknown name`);
}

const STATUS_CODES = ['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR'];
const SPAN_KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (name) => `SPAN_KIND_${name}`,
);

function double(value: unknown): ExactJson {
  if (typeof value === 'number') return value + 0;
  if (value instanceof ExactNumber) return value;
  if (typeof value === 'string' && /^(-?\d+(\.\d+)?([eE][+-]?\d+)?|NaN|-?Infinity)$/.test(value))
    return numberValue(value);
  return refuse('doubleValue has to be a number');
}

/** What an AnyValue may have, and how it is read; of several the last listed here counts, which no sender has. */
const KINDS: { readonly [member: string]: (value: unknown, bounds: Bounds, depth: number) => ExactJson } = {
  stringValue: (value) => text(value, 'stringValue'),
  boolValue: (value) => (typeof value === 'boolean' ? value : refuse('boolValue has to be true or false')),
  intValue: (value) => numberValue(String(integer(value, 'intValue'))),
  doubleValue: (value) => double(value),
  arrayValue: (value, bounds, depth) =>
    list(members(value, 'arrayValue')['values'], 'values').map((element) => anyValue(element, bounds, depth) ?? null),
  kvlistValue: (value, bounds, depth) => {
    const object = new Map<string, ExactJson>();
    for (const entry of list(members(value, 'kvlistValue')['values'], 'values')) {
      bounds.addValue();
      const { key, value: member } = members(entry, 'an element of values');
      object.set(text(key, 'key'), anyValue(member, bounds, depth) ?? null);
    }
    return Object.fromEntries(object);
  },
  bytesValue: (value) => bytesValue(Buffer.from(text(value, 'bytesValue'), 'base64')),
};

/** The value of an AnyValue; undefined where it has none. */
function anyValue(value: unknown, bounds: Bounds, depth: number): ExactJson | undefined {
  bounds.addValue();
  checkDepth(depth);
  const sent = members(value, 'value');
  let json: ExactJson | undefined;
  for (const [kind, read] of Object.entries(KINDS)) {
    const found = sent[kind];
    if (found !== undefined && found !== null) json = read(found, bounds, depth + 1);
  }
  return json;
}

function attributes(value: unknown, bounds: Bounds): Attributes {
  const found = new Map<string, ExactJson>();
  for (const entry of list(value, 'attributes')) {
    bounds.addValue();
    const { key, value: sent } = members(entry, 'an attribute');
    const json = anyValue(sent, bounds, 0);
    if (json !== undefined) found.set(text(key, 'key'), json);
  }
  return found;
}

function item(sent: Members, origin: Origin, bounds: Bounds): OtlpItem {
  return {
    origin,
    traceId: text(sent['traceId'], 'traceId').toLowerCase(),
    spanId: text(sent['spanId'], 'spanId').toLowerCase(),
    attributes: attributes(sent['attributes'], bounds),
    droppedAttributes: Number(BigInt.asUintN(32, integer(sent['droppedAttributesCount'], 'droppedAttributesCount'))),
  };
}

function event(value: unknown, bounds: Bounds): OtlpEvent {
  bounds.addValue();
  const sent = members(value, 'an event');
  return { name: text(sent['name'], 'name'), attributes: attributes(sent['attributes'], bounds) };
}

function span(sent: Members, origin: Origin, bounds: Bounds): OtlpSpan {
  const status = members(sent['status'], 'status');
  return {
    ...item(sent, origin, bounds),
    parentSpanId: text(sent['parentSpanId'], 'parentSpanId').toLowerCase(),
    name: text(sent['name'], 'name'),
    kind: enumeration(sent['kind'], SPAN_KINDS, 'kind'),
    startNano: nanoseconds(sent['startTimeUnixNano'], 'startTimeUnixNano'),
    endNano: nanoseconds(sent['endTimeUnixNano'], 'endTimeUnixNano'),
    events: list(sent['events'], 'events').map((each) => event(each, bounds)),
    status: { code: enumeration(status['code'], STATUS_CODES, 'code'), message: text(status['message'], 'message') },
  };
}

function log(sent: Members, origin: Origin, bounds: Bounds): OtlpLog {
  return {
    ...item(sent, origin, bounds),
    eventName: text(sent['eventName'], 'eventName'),
    timeNano: nanoseconds(sent['timeUnixNano'], 'timeUnixNano'),
    observedNano: nanoseconds(sent['observedTimeUnixNano'], 'observedTimeUnixNano'),
    body: sent['body'] === undefined ? undefined : anyValue(sent['body'], bounds, 0),
  };
}

/** JSON values of a body: some three times as many as the attributes that are read have. */
const MAX_JSON_VALUES = 1_500_000;

/** How deep a body may nest: each level of an attribute's value takes four. */
const MAX_JSON_DEPTH = 512;

function parse(body: Uint8Array): Members {
  const { values, depth } = measureJson(body);
  if (depth > MAX_JSON_DEPTH) refuse(`it nests deeper than ${MAX_JSON_DEPTH} levels`);
  if (values > MAX_JSON_VALUES) {
    throw new RecordError('EVENT_TOO_LARGE', `The body has more than ${MAX_JSON_VALUES} JSON values.`);
  }
  let value: unknown;
  try {
    value = readExactJson(new TextDecoder().decode(body), JSON.parse);
  } catch (error) {
    throw new RecordError('EVENT_INVALID', 'The body is not JSON.', { cause: error });
  }
  return isMembers(value) ? value : refuse('it has to be an object');
}

/** Reads the items in scopes in resources, whose members traces and logs name differently. */
function decode<T>(
  body: Uint8Array,
  names: { readonly resources: string; readonly scopes: string; readonly items: string },
  read: (sent: Members, origin: Origin, bounds: Bounds) => T,
): T[] {
  const bounds = new Bounds();
  const items: T[] = [];
  for (const ofResource of list(parse(body)[names.resources], names.resources)) {
    bounds.addValue();
    const sent = members(ofResource, `an element of ${names.resources}`);
    const resource = attributes(members(sent['resource'], 'resource')['attributes'], bounds);
    for (const ofScope of list(sent[names.scopes], names.scopes)) {
      bounds.addValue();
      const scoped = members(ofScope, `an element of ${names.scopes}`);
      const scope = members(scoped['scope'], 'scope');
      const origin = {
        resource,
        scope: { name: text(scope['name'], 'name'), version: text(scope['version'], 'version') },
      };
      for (const each of list(scoped[names.items], names.items)) {
        bounds.addItem();
        items.push(read(members(each, `an element of ${names.items}`), origin, bounds));
      }
    }
  }
  return items;
}

/** The spans of an ExportTraceServiceRequest. */
export function jsonSpans(body: Uint8Array): OtlpSpan[] {
  return decode(body, { resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans' }, span);
}

/** The records of an ExportLogsServiceRequest. */
export function jsonLogs(body: Uint8Array): OtlpLog[] {
  return decode(body, { resources: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords' }, log);
}
