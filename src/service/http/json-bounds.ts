import { MAX_VALUES } from '../../protocol/light.ts';
import { ServiceError } from '../store/base/service-error.ts';

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

/** What a record has beside its payload, generously: its receipt and the longest gap before it too, once it is in a bundle. */
const AROUND_PAYLOAD = 1000;

/**
 * Bodies of records: whatever a payload of the size allowed can hold. The shortest element takes two bytes with its comma, the
 * shortest member five.
 */
export function recordBounds(maxPayloadBytes: number, isBatch: boolean): JsonBounds {
  const elements = Math.ceil(maxPayloadBytes / 2) + AROUND_PAYLOAD;
  const members = Math.ceil(maxPayloadBytes / 5) + AROUND_PAYLOAD;
  // However large a payload may be, a verifier takes no more in the record of a bundle: what no export can hold is not accepted.
  const values = Math.min(elements, MAX_VALUES - AROUND_PAYLOAD);
  return { members, elements, values: isBatch ? Math.max(BATCH_VALUES, values) : values };
}

/** Nested deeper than any value may be (protocol F3): the parser says so. */
const MAX_DEPTH = 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Counts what a JSON text holds without parsing it, piece by piece as it arrives: the commas and brackets outside strings. What
 * is not JSON is the parser's to refuse.
 */
export class JsonCounter {
  readonly #bounds: JsonBounds;
  /** What the objects and arrays around the present place may still hold. */
  readonly #around: number[] = [];
  readonly #isObject: boolean[] = [];
  #room = Number.POSITIVE_INFINITY;
  #total = 0;
  #inString = false;
  /** Whether the next byte belongs to an escape of the piece before. */
  #isEscaped = false;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  /** Takes the next piece. @throws ServiceError PAYLOAD_TOO_LARGE naming what there is too much of, at the first that is too many */
  take(bytes: Uint8Array): void {
    let at = this.#inString ? this.#afterString(bytes, 0) : 0;
    for (; at < bytes.length; at++) {
      switch (bytes[at]) {
        case QUOTE:
          at = this.#afterString(bytes, at + 1) - 1;
          break;
        case COMMA:
          this.#total++;
          if (--this.#room < 1) this.#refuse();
          break;
        case OPEN_OBJECT:
        case OPEN_ARRAY:
          this.#total++;
          this.#enter(bytes[at] === OPEN_OBJECT);
          break;
        case CLOSE_OBJECT:
        case CLOSE_ARRAY:
          this.#room = this.#around.pop() ?? Number.POSITIVE_INFINITY;
          this.#isObject.pop();
          break;
        default:
      }
      if (this.#total > this.#bounds.values) tooMany(`there are more than ${this.#bounds.values} values`);
    }
  }

  /** Where the text continues after the string that `at` is in; the end of the piece where the string has more to come. */
  #afterString(bytes: Uint8Array, at: number): number {
    let place = this.#isEscaped ? at + 1 : at;
    this.#isEscaped = false;
    for (; place < bytes.length; place++) {
      if (bytes[place] === BACKSLASH) place++;
      else if (bytes[place] === QUOTE) {
        this.#inString = false;
        return place + 1;
      }
    }
    this.#inString = true;
    this.#isEscaped = place > bytes.length;
    return bytes.length;
  }

  #enter(isObject: boolean): void {
    // As deep as that nothing is counted any more but the whole: the parser refuses it.
    if (this.#around.length >= MAX_DEPTH) return;
    this.#around.push(this.#room);
    this.#isObject.push(isObject);
    this.#room = isObject ? this.#bounds.members : this.#bounds.elements;
  }

  #refuse(): never {
    const { members, elements } = this.#bounds;
    tooMany(
      this.#isObject.at(-1) === true
        ? `an object has more than ${members} members`
        : `an array has more than ${elements} elements`,
    );
  }
}

function tooMany(what: string): never {
  throw new ServiceError('PAYLOAD_TOO_LARGE', `body: ${what}`);
}
