import { BYTE_ORDER_MARK, concatBytes } from '../bytes.ts';
import { parseJsonBytes } from '../json.ts';
import { ProtocolError } from '../protocol-error.ts';
import { MAX_VALUES, mostBytes } from './sizes.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const NEWLINE = 0x0a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A piece of the document: an element of a top-level array, or any other top-level member; still unparsed JSON. */
export interface ScannedValue {
  readonly member: string;
  /** Whether the member is an array and this is one of its elements. */
  readonly element: boolean;
  readonly bytes: Uint8Array;
  /** Where it begins: line from 1. */
  readonly line: number;
}

/** Called for every value, in order, and with `begin` when a top-level array opens. */
export interface ScanSink {
  begin(member: string, line: number): void;
  value(value: ScannedValue): void;
}

/** The document is not one JSON object, or there is more after it. `line` is where reading stopped. */
export class ScanError extends ProtocolError {
  readonly line: number;
  constructor(message: string, line: number) {
    super('JSON_INVALID', message);
    this.line = line;
  }
}

type State =
  | 'start'
  | 'first-name'
  | 'name'
  | 'in-name'
  | 'colon'
  | 'value'
  | 'in-value'
  | 'after-value'
  | 'first-element'
  | 'element'
  | 'in-element'
  | 'after-element'
  | 'end';

const EXPECTED: Record<State, string> = {
  start: 'an object',
  'first-name': 'a member or }',
  name: 'a member',
  'in-name': 'the end of a member name',
  colon: 'a colon',
  value: 'a value',
  'in-value': 'the end of a value',
  'after-value': 'a comma or }',
  'first-element': 'an element or ]',
  element: 'an element',
  'in-element': 'the end of an element',
  'after-element': 'a comma or ]',
  end: 'the end of the file',
};

function isWhitespace(byte: number): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09;
}

/**
 * Splits one JSON document into the elements of its top-level arrays and its other top-level members, chunk by chunk,
 * holding one of them at a time. It looks at structure only; each piece is parsed, strictly, by the reader.
 */
export class BundleScanner {
  readonly #sink: ScanSink;
  #state: State = 'start';
  #line = 1;
  /** How much of a byte order mark came so far, and how many bytes before this chunk. */
  #mark = 0;
  #taken = 0;
  #member = '';
  readonly #seen = new Set<string>();
  /** The piece being collected: earlier chunks of it, their length, the line it began on. */
  #parts: Uint8Array[] = [];
  #held = 0;
  #pieceLine = 1;
  /** Whether the piece has no end mark: a number or a word ends before what follows it, whatever else is in it. */
  #isBare = false;
  /** Within a piece: depth of brackets, whether inside a string, whether the last byte was a backslash. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Commas and brackets that hold something, in the piece so far: with the piece itself, its values. */
  #values = 0;
  /** The last that was met, white space apart, opened a bracket. */
  #opened = false;

  constructor(sink: ScanSink) {
    this.#sink = sink;
  }

  /** @throws ScanError as soon as the structure is broken */
  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#state === 'in-value' || this.#state === 'in-element' || this.#state === 'in-name') {
        at = this.#collect(chunk, at);
        continue;
      }
      const byte = chunk[at] as number;
      if (isWhitespace(byte)) {
        if (byte === NEWLINE) this.#line++;
        at++;
      } else {
        at = this.#structure(byte, at);
      }
    }
    this.#taken += chunk.length;
  }

  /** @throws ScanError where the document is not complete */
  finish(): void {
    if (this.#state !== 'end') this.#refuse('the file ends too early');
  }

  #refuse(message: string): never {
    throw new ScanError(`line ${this.#line}: ${message}, expected ${EXPECTED[this.#state]}`, this.#line);
  }

  /** @param first the byte that the piece begins with */
  #begin(state: 'in-value' | 'in-element' | 'in-name', first: number): void {
    this.#state = state;
    this.#isBare = first !== QUOTE && first !== OPEN_OBJECT && first !== OPEN_ARRAY;
    this.#parts = [];
    this.#held = 0;
    this.#depth = 0;
    this.#inString = false;
    this.#escaped = false;
    this.#values = 1;
    this.#opened = false;
    this.#pieceLine = this.#line;
  }

  /** Takes one byte outside any piece; returns where to go on: the same place where a piece begins with that byte. */
  #structure(byte: number, at: number): number {
    switch (this.#state) {
      case 'start':
        if (byte === BYTE_ORDER_MARK[this.#mark] && this.#taken + at === this.#mark) {
          this.#mark++;
          return at + 1;
        }
        if (byte !== OPEN_OBJECT || this.#mark === 1 || this.#mark === 2) break;
        this.#state = 'first-name';
        return at + 1;
      case 'first-name':
      case 'name':
        if (byte === CLOSE_OBJECT && this.#state === 'first-name') {
          this.#state = 'end';
          return at + 1;
        }
        if (byte !== QUOTE) break;
        this.#begin('in-name', byte);
        return at;
      case 'colon':
        if (byte !== COLON) break;
        this.#state = 'value';
        return at + 1;
      case 'value':
        if (byte === OPEN_ARRAY) {
          this.#state = 'first-element';
          this.#sink.begin(this.#member, this.#line);
          return at + 1;
        }
        if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) break;
        this.#begin('in-value', byte);
        return at;
      case 'first-element':
      case 'element':
        if (byte === CLOSE_ARRAY && this.#state === 'first-element') {
          this.#state = 'after-value';
          return at + 1;
        }
        if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) break;
        this.#begin('in-element', byte);
        return at;
      case 'after-element':
        if (byte === COMMA) this.#state = 'element';
        else if (byte === CLOSE_ARRAY) this.#state = 'after-value';
        else break;
        return at + 1;
      case 'after-value':
        if (byte === COMMA) this.#state = 'name';
        else if (byte === CLOSE_OBJECT) this.#state = 'end';
        else break;
        return at + 1;
      default:
        break;
    }
    return this.#refuse('unexpected character');
  }

  /** Continues to collect a piece from `from`; returns where the piece, or the chunk, ends. */
  #collect(chunk: Uint8Array, from: number): number {
    const isBare = this.#isBare;
    let depth = this.#depth;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let values = this.#values;
    let opened = this.#opened;
    let at = from;
    let done = false;
    for (; at < chunk.length && !done; at++) {
      const byte = chunk[at] as number;
      if (isBare) {
        if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || isWhitespace(byte)) break;
      } else if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) {
          inString = false;
          done = depth === 0;
        } else if (byte === NEWLINE) this.#line++;
      } else if (byte === QUOTE) {
        inString = true;
        if (opened) values++;
        opened = false;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        depth++;
        if (opened) values++;
        opened = true;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte === COMMA || isWhitespace(byte)) {
        if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
          done = --depth === 0;
          opened = false;
        } else if (byte === COMMA) values++;
        else if (byte === NEWLINE) this.#line++;
      } else if (opened) {
        values++;
        opened = false;
      }
    }
    const ended = done || at < chunk.length;
    this.#parts.push(chunk.subarray(from, at));
    this.#held += at - from;
    const most = mostBytes(this.#member, this.#state === 'in-element');
    if (this.#held > most) this.#refuse(`a piece of more than ${most} bytes`);
    if (values > MAX_VALUES) this.#refuse(`a piece of more than ${MAX_VALUES} values`);
    this.#values = values;
    this.#opened = opened;
    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = escaped;
    if (ended) this.#emit();
    return at;
  }

  #emit(): void {
    const bytes = this.#parts.length === 1 ? (this.#parts[0] as Uint8Array) : concatBytes(...this.#parts);
    this.#parts = [];
    if (this.#state === 'in-name') {
      this.#member = this.#parseName(bytes);
      if (this.#seen.has(this.#member)) this.#refuse(`the member "${this.#member.slice(0, 40)}" stands twice`);
      this.#seen.add(this.#member);
      this.#state = 'colon';
      return;
    }
    const element = this.#state === 'in-element';
    this.#state = element ? 'after-element' : 'after-value';
    this.#sink.value({ member: this.#member, element, bytes, line: this.#pieceLine });
  }

  #parseName(bytes: Uint8Array): string {
    try {
      return parseJsonBytes(bytes, { oneSpelling: true }) as string;
    } catch {
      return this.#refuse('a member name that is not a JSON string');
    }
  }
}
