import { AsnParser } from '@peculiar/asn1-schema';
import type { TimeStampCode } from '../../protocol/index.ts';

export class TimeStampError extends Error {
  override readonly name = 'TimeStampError';
  readonly code: TimeStampCode;

  constructor(code: TimeStampCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function refuse(code: TimeStampCode, message: string): never {
  throw new TimeStampError(code, message);
}

const MAX_DEPTH = 32;
const MAX_ELEMENTS = 20_000;

/** One element: its first byte, and where its contents lie. */
export interface Element {
  readonly tag: number;
  /** With tag and length. */
  readonly whole: Uint8Array;
  readonly contents: Uint8Array;
}

/** The element that begins at a place, of definite and shortest length, as DER has it. */
function elementAt(bytes: Uint8Array, start: number): Element {
  const [tag, first] = [bytes[start], bytes[start + 1]];
  if (tag === undefined || first === undefined) return refuse('MALFORMED', 'an element breaks off');
  if ((tag & 0x1f) === 0x1f) refuse('MALFORMED', 'an element has a tag above 30');
  let at = start + 2;
  let length = first;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4) refuse('MALFORMED', 'an element has no length that DER has');
    length = 0;
    for (let n = 0; n < count; n++) length = length * 256 + (bytes[at++] ?? refuse('MALFORMED', 'a length breaks off'));
    if (length < 0x80 || length < 256 ** (count - 1))
      refuse('MALFORMED', 'a length is not written in the shortest form');
  }
  if (at + length > bytes.length) refuse('MALFORMED', 'an element is longer than what holds it');
  return { tag, whole: bytes.subarray(start, at + length), contents: bytes.subarray(at, at + length) };
}

/** The elements that lie one behind the other. @throws TimeStampError MALFORMED */
export function elementsOf(bytes: Uint8Array): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = elementAt(bytes, at);
    elements.push(element);
    at += element.whole.length;
    if (elements.length > MAX_ELEMENTS) refuse('MALFORMED', 'it has too many elements');
  }
  return elements;
}

/**
 * Refuses what is not one element of DER by its lengths, and what nests deeper or has more elements than anything honest: parsers
 * descend by calling themselves, and whoever hands a file over chooses every byte of it.
 */
function checkBounds(bytes: Uint8Array): void {
  let count = 0;
  const pending: { readonly bytes: Uint8Array; readonly depth: number }[] = [{ bytes, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { depth } = next;
    if (depth > MAX_DEPTH) refuse('MALFORMED', 'its elements nest too deep');
    const elements = elementsOf(next.bytes);
    if (depth === 0 && elements.length !== 1) refuse('MALFORMED', 'it is not one element');
    count += elements.length;
    if (count > MAX_ELEMENTS) refuse('MALFORMED', 'it has too many elements');
    for (const { tag, contents } of elements)
      if ((tag & 0x20) !== 0) pending.push({ bytes: contents, depth: depth + 1 });
  }
}

/** What bytes say under a schema. @throws TimeStampError MALFORMED */
export function parseDer<T>(bytes: Uint8Array, Schema: new () => T): T {
  checkBounds(bytes);
  try {
    return AsnParser.parse(bytes, Schema);
  } catch (error) {
    // The library throws Errors of several kinds, all of them about the bytes.
    if (!(error instanceof Error)) throw error;
    return refuse('MALFORMED', 'it does not have the members that its kind has');
  }
}
