import { ServiceError } from '../errors.ts';

/** How much a body may hold, beyond its bytes: what is parsed takes time and memory by its values. */
export interface JsonBounds {
  /** Members of one object. */
  readonly members: number;
  /** Elements of one array. */
  readonly elements: number;
  /** Values of the body as a whole. */
  readonly values: number;
}

/** Bodies other than records: the largest lists that the interface takes have some thousand elements. */
export const SMALL_BOUNDS: JsonBounds = { members: 2000, elements: 10_000, values: 20_000 };

/** Values of a batch as a whole. */
const BATCH_VALUES = 500_000;

/** What a record has beside its payload, generously. */
const AROUND_PAYLOAD = 1000;

/**
 * Bodies of records: whatever a payload of the size allowed can hold. The shortest element takes two bytes with its comma, the
 * shortest member five.
 */
export function recordBounds(maxPayloadBytes: number, isBatch: boolean): JsonBounds {
  const elements = Math.ceil(maxPayloadBytes / 2) + AROUND_PAYLOAD;
  const members = Math.ceil(maxPayloadBytes / 5) + AROUND_PAYLOAD;
  return { members, elements, values: isBatch ? Math.max(BATCH_VALUES, elements) : elements };
}

/** A body with fewer bytes than this is parsed faster than it is counted. */
const NOT_WORTH_COUNTING = 16 * 1024;

/** Nested deeper than any value may be (protocol §1): the parser says so. */
const MAX_DEPTH = 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Where the string that begins before `at` ends. */
function endOfString(bytes: Uint8Array, at: number): number {
  for (let i = at; i < bytes.length; i++) {
    if (bytes[i] === BACKSLASH) i++;
    else if (bytes[i] === QUOTE) return i;
  }
  return bytes.length;
}

/**
 * Counts what a JSON text holds without parsing it: the commas and brackets outside strings. It stops at the first count that
 * is too high. What is not JSON is the parser's to refuse.
 * @throws ServiceError PAYLOAD_TOO_LARGE naming what there is too much of
 */
export function checkJsonBounds(bytes: Uint8Array, { members, elements, values }: JsonBounds): void {
  if (bytes.length < NOT_WORTH_COUNTING) return;
  // What the objects and arrays around the present place may still hold.
  const around: number[] = [];
  const isObject: boolean[] = [];
  let room = Number.POSITIVE_INFINITY;
  let total = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at + 1);
        break;
      case COMMA:
        total++;
        if (--room < 1)
          tooMany(
            isObject.at(-1) === true
              ? `an object has more than ${members} members`
              : `an array has more than ${elements} elements`,
          );
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        total++;
        if (around.length >= MAX_DEPTH) return;
        around.push(room);
        isObject.push(bytes[at] === OPEN_OBJECT);
        room = bytes[at] === OPEN_OBJECT ? members : elements;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        room = around.pop() ?? Number.POSITIVE_INFINITY;
        isObject.pop();
        break;
      default:
    }
    if (total > values) tooMany(`there are more than ${values} values`);
  }
}

function tooMany(what: string): never {
  throw new ServiceError('PAYLOAD_TOO_LARGE', `body: ${what}`);
}
