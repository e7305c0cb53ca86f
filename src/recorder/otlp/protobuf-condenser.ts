import { StringDecoder } from 'node:string_decoder';
import { JsonCondenser } from '../seen/json-condenser.ts';
import type { Condenser } from '../seen/received.ts';
import type { OtlpSignal } from './request.ts';

type Scalar = 'string' | 'bytes' | 'hex' | 'bool' | 'integer' | 'count' | 'double' | 'nanoseconds';

/** A field by its name in the JSON form of OTLP, and what it holds. */
interface Field {
  readonly name: string;
  readonly holds: Scalar | Shape;
  readonly isRepeated: boolean;
}

/** A message by its field numbers; fields that nothing reads are not listed. */
type Shape = Map<number, Field>;

const one = (name: string, holds: Scalar | Shape): Field => ({ name, holds, isRepeated: false });
const many = (name: string, holds: Shape): Field => ({ name, holds, isRepeated: true });

const ANY_VALUE: Shape = new Map();
const KEY_VALUE: Shape = new Map([
  [1, one('key', 'string')],
  [2, one('value', ANY_VALUE)],
]);
for (const [number, field] of [
  one('stringValue', 'string'),
  one('boolValue', 'bool'),
  one('intValue', 'integer'),
  one('doubleValue', 'double'),
  one('arrayValue', new Map([[1, many('values', ANY_VALUE)]])),
  one('kvlistValue', new Map([[1, many('values', KEY_VALUE)]])),
  one('bytesValue', 'bytes'),
].entries()) {
  ANY_VALUE.set(number + 1, field);
}
const ATTRIBUTES = many('attributes', KEY_VALUE);

const SPAN: Shape = new Map([
  [1, one('traceId', 'hex')],
  [2, one('spanId', 'hex')],
  [4, one('parentSpanId', 'hex')],
  [5, one('name', 'string')],
  [6, one('kind', 'count')],
  [7, one('startTimeUnixNano', 'nanoseconds')],
  [8, one('endTimeUnixNano', 'nanoseconds')],
  [9, ATTRIBUTES],
  [10, one('droppedAttributesCount', 'count')],
  [
    11,
    many(
      'events',
      new Map([
        [2, one('name', 'string')],
        [3, ATTRIBUTES],
      ]),
    ),
  ],
  [
    15,
    one(
      'status',
      new Map([
        [2, one('message', 'string')],
        [3, one('code', 'count')],
      ]),
    ),
  ],
]);

const LOG: Shape = new Map([
  [1, one('timeUnixNano', 'nanoseconds')],
  [5, one('body', ANY_VALUE)],
  [6, ATTRIBUTES],
  [7, one('droppedAttributesCount', 'count')],
  [9, one('traceId', 'hex')],
  [10, one('spanId', 'hex')],
  [11, one('observedTimeUnixNano', 'nanoseconds')],
  [12, one('eventName', 'string')],
]);

function requestOf(names: { resources: string; scopes: string; items: string }, item: Shape): Shape {
  const scope: Shape = new Map([
    [1, one('name', 'string')],
    [2, one('version', 'string')],
  ]);
  const scoped: Shape = new Map([
    [1, one('scope', scope)],
    [2, many(names.items, item)],
  ]);
  const ofResource: Shape = new Map([
    [1, one('resource', new Map([[1, ATTRIBUTES]]))],
    [2, many(names.scopes, scoped)],
  ]);
  return new Map([[1, many(names.resources, ofResource)]]);
}

const REQUESTS: { readonly [Signal in OtlpSignal]: Shape } = {
  traces: requestOf({ resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans' }, SPAN),
  logs: requestOf({ resources: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords' }, LOG),
  metrics: new Map(),
};

/** The wire type of each kind of value. */
const WIRE: { readonly [S in Scalar]: number } = {
  string: 2,
  bytes: 2,
  hex: 2,
  bool: 0,
  integer: 0,
  count: 0,
  double: 1,
  nanoseconds: 1,
};

/** A value of an attribute may nest 64 deep, in two messages a level. */
const MOST_LEVELS = 160;

/** A message that is being read. */
interface Level {
  readonly shape: Shape;
  /** Where it ends, in bytes from the beginning. */
  readonly end: number;
  /** Which fields were there, as bits. */
  seen: number;
  /** The list that is being written. */
  list: Field | null;
}

/** Writes the bytes of a field's value as the inside of a text of JSON, piece by piece. */
interface Leaf {
  write(bytes: Buffer): string;
  end(): string;
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

function leafOf(holds: Scalar): Leaf {
  const decoder = new StringDecoder(holds === 'string' ? 'utf8' : holds === 'hex' ? 'hex' : 'base64');
  return { write: (bytes) => escaped(decoder.write(bytes)), end: () => escaped(decoder.end()) };
}

/**
 * Makes an export request in protobuf shorter while it comes: writes it as the JSON form of OTLP (the JSON mapping of proto3, with ids in
 * hex), and has that made shorter as every other JSON is. Fields of a message that come twice, and lists that others stand between,
 * which proto3 allows and no exporter writes, make it unreadable.
 */
export class ProtobufCondenser implements Condenser {
  readonly #json = new JsonCondenser();
  readonly #levels: Level[];
  #out = '{';
  #at = 0;
  #isBroken = false;
  /** A number that is being read, and what becomes of it. */
  #value = 0n;
  #bits = 0n;
  #next: 'tag' | 'varint' | 'length' | 'fixed' = 'tag';
  #field: Field | null = null;
  /** Bytes of a fixed number that are still to come, and those that came. */
  #fixed: number[] = [];
  #width = 0;
  /** Bytes of a text, or of what is passed over, that are still to come. */
  #left = 0;
  #leaf: Leaf | null = null;

  constructor(signal: OtlpSignal) {
    this.#levels = [{ shape: REQUESTS[signal], end: Number.POSITIVE_INFINITY, seen: 0, list: null }];
  }

  /** Protobuf does not say where a message ends that is in no other. */
  get hasEnded(): boolean {
    return false;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#isBroken) {
      if (this.#left > 0) {
        const piece = chunk.subarray(at, at + this.#left);
        if (this.#leaf !== null) this.#out += this.#leaf.write(piece);
        this.#left -= piece.length;
        this.#at += piece.length;
        at += piece.length;
        if (this.#left === 0) this.#lengthEnded();
      } else {
        this.#at++;
        this.#byte(chunk[at++] ?? 0);
      }
      if (this.#out.length > 65_536) this.#flush();
    }
    this.#flush();
  }

  end(): ReturnType<JsonCondenser['end']> {
    const [root, ...open] = this.#levels;
    if (this.#isBroken || root === undefined || open.length > 0 || this.#left > 0 || this.#next !== 'tag') return null;
    if (this.#bits > 0n) return null;
    this.#out += root.list === null ? '}' : ']}';
    this.#flush();
    return this.#json.end();
  }

  #flush(): void {
    if (this.#out === '') return;
    this.#json.push(Buffer.from(this.#out));
    this.#out = '';
  }

  #byte(byte: number): void {
    if (this.#next === 'fixed') {
      this.#fixed.push(byte);
      if (this.#fixed.length === this.#width) this.#fixedEnded();
      return;
    }
    this.#value |= BigInt(byte & 0x7f) << this.#bits;
    this.#bits += 7n;
    if (byte >= 0x80) {
      if (this.#bits >= 70n) this.#isBroken = true;
      return;
    }
    const value = BigInt.asUintN(64, this.#value);
    // The number of a field has 29 bits, and may not be written longer: what is read past it would be missing.
    if (this.#next === 'tag' && (this.#bits > 35n || value > 0xffff_ffffn)) this.#isBroken = true;
    this.#value = 0n;
    this.#bits = 0n;
    if (this.#next === 'tag') this.#tag(Number(value));
    else if (this.#next === 'length') this.#length(Number(value));
    else {
      if (this.#field !== null) this.#scalar(this.#field, value);
      this.#fieldEnded();
    }
  }

  #tag(tag: number): void {
    const wire = tag & 7;
    const field = this.#levels.at(-1)?.shape.get(Math.floor(tag / 8)) ?? null;
    const wanted = field === null ? null : typeof field.holds === 'string' ? WIRE[field.holds] : 2;
    this.#field = wire === wanted ? field : null;
    if (wire === 0) this.#next = 'varint';
    else if (wire === 2) this.#next = 'length';
    else if (wire === 1 || wire === 5) {
      this.#next = 'fixed';
      this.#width = wire === 1 ? 8 : 4;
      this.#fixed = [];
    } else this.#isBroken = true;
    // No field has the number 0.
    if (tag < 8) this.#isBroken = true;
  }

  #length(length: number): void {
    const field = this.#field;
    const end = this.#at + length;
    if (end > (this.#levels.at(-1)?.end ?? 0)) {
      this.#isBroken = true;
    } else if (field !== null && typeof field.holds !== 'string') {
      this.#name(field);
      this.#out += '{';
      this.#levels.push({ shape: field.holds, end, seen: 0, list: null });
      if (this.#levels.length > MOST_LEVELS) this.#isBroken = true;
      this.#fieldEnded();
    } else {
      if (field !== null && typeof field.holds === 'string') {
        this.#name(field);
        this.#out += '"';
        this.#leaf = leafOf(field.holds);
      }
      this.#left = length;
      if (length === 0) this.#lengthEnded();
    }
  }

  #lengthEnded(): void {
    if (this.#leaf !== null) this.#out += `${this.#leaf.end()}"`;
    this.#leaf = null;
    this.#fieldEnded();
  }

  #fixedEnded(): void {
    const bytes = Buffer.from(this.#fixed);
    if (this.#field?.holds === 'double') {
      const number = bytes.readDoubleLE();
      this.#name(this.#field);
      this.#out += Number.isFinite(number) ? JSON.stringify(number) : `"${number}"`;
    } else if (this.#field !== null) this.#scalar(this.#field, bytes.readBigUInt64LE());
    this.#fieldEnded();
  }

  #scalar(field: Field, value: bigint): void {
    this.#name(field);
    if (field.holds === 'bool') this.#out += value !== 0n;
    else if (field.holds === 'count') this.#out += BigInt.asIntN(32, value);
    else this.#out += `"${field.holds === 'integer' ? BigInt.asIntN(64, value) : value}"`;
  }

  /** Writes what stands before a value. */
  #name(field: Field): void {
    const level = this.#levels.at(-1);
    if (level === undefined) return;
    if (level.list === field) {
      this.#out += ',';
      return;
    }
    if (level.list !== null) this.#out += ']';
    const bit = 1 << [...level.shape.values()].indexOf(field);
    if ((level.seen & bit) !== 0) this.#isBroken = true;
    this.#out += `${level.seen === 0 ? '' : ','}"${field.name}":${field.isRepeated ? '[' : ''}`;
    level.seen |= bit;
    level.list = field.isRepeated ? field : null;
  }

  #fieldEnded(): void {
    this.#next = 'tag';
    this.#field = null;
    for (let level = this.#levels.at(-1); level !== undefined && this.#at >= level.end; level = this.#levels.at(-1)) {
      if (this.#at > level.end) this.#isBroken = true;
      this.#out += level.list === null ? '}' : ']}';
      this.#levels.pop();
    }
  }
}
