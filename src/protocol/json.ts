import { MAX_VALUES } from './bundle/sizes.ts';
import { decodeUtf8 } from './bytes.ts';
import { ENVELOPE_DEPTH, type Json, MAX_DEPTH, pointerStep } from './canonical.ts';
import { endOfNumber, isExactWithin, isPrintedDouble } from './exact-numbers.ts';
import { ProtocolError } from './protocol-error.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const UPPER_E = 0x45;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_U = 0x75;

/** In which ways what means the same may be written. */
interface Spellings {
  readonly oneSpelling: boolean;
  readonly printed: boolean;
}

interface ParseOptions extends Spellings {
  readonly hashedWhole: boolean;
}

function refuse(message: string): never {
  throw new ProtocolError('JSON_INVALID', message);
}

/** Returns the index of the quote that ends the string begun before `at`; may refuse \uABCD with upper-case digits. */
function skipString(text: string, at: number, oneSpelling: boolean): number {
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) {
      i++;
      if (oneSpelling && text.charCodeAt(i) === LOWER_U && /[A-F]/.test(text.slice(i + 1, i + 5))) {
        refuse('an escape is spelled with upper-case digits');
      }
    }
  }
  return text.length;
}

/**
 * The place of something in a text that is JSON, as a JSON Pointer (RFC 6901) of at most some 200 characters: for messages.
 * @param at no string goes over it
 */
function pointerAt(text: string, at: number): string {
  const steps: (string | number)[] = [];
  let name = '';
  for (let i = 0; i < at; i++) {
    const character = text[i];
    const top = steps.at(-1);
    if (character === '"') {
      const end = skipString(text, i + 1, false);
      name = text.slice(i + 1, end);
      i = end;
    } else if (character === '{' || character === '[') steps.push(character === '{' ? '' : 0);
    else if (character === '}' || character === ']') steps.pop();
    else if (character === ':') steps[steps.length - 1] = name;
    else if (character === ',' && typeof top === 'number') steps[steps.length - 1] = top + 1;
  }
  const pointer = steps.map((step) => pointerStep(typeof step === 'number' ? String(step) : written(step))).join('');
  return pointer.length <= 200 ? pointer : `…${pointer.slice(-199)}`.toWellFormed();
}

/** A name that stands between its quotes as it is written in JSON. */
function written(name: string): string {
  return JSON.parse(`"${name}"`) as string;
}

/** Looks at the number that begins at `at`, without its sign. @returns where it ends */
function checkNumber(text: string, at: number, { oneSpelling, printed }: Spellings): number {
  const end = endOfNumber(text, at);
  if (!isExactWithin(text, at, end) && !(printed && isPrintedDouble(text.slice(at, end)))) {
    const digits = text.slice(at, Math.min(end, at + 40));
    const where = pointerAt(text, at);
    refuse(
      `${where === '' ? 'it' : where}: ${digits} is a number that a double does not keep: it has to be sent as a text`,
    );
  }
  for (let i = at; oneSpelling && i < end; i++) {
    if (text.charCodeAt(i) === UPPER_E) refuse('a number is spelled with an upper-case exponent');
  }
  return end;
}

/**
 * How many members the text spells: the colons outside strings. Together with the members of the parsed value it shows
 * a duplicate, of which JSON.parse silently keeps the last.
 */
function countSpelledMembers(text: string, spellings: Spellings): number {
  // Most texts hold no escape at all: then a string ends at the next quote, which indexOf finds much faster.
  const plain = !text.includes('\\');
  let members = 0;
  for (let at = 0; ; ) {
    // Looked for between strings, not at each character: V8 takes indexOf out of a branch that it would be in, and then
    // searches the rest of the text for every character of a long run of blanks.
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    for (let i = at; i < end; i++) {
      const code = text.charCodeAt(i);
      if (code === COLON) members++;
      else if (code >= ZERO && code <= NINE) i = checkNumber(text, i, spellings) - 1;
    }
    if (quote === -1) return members;
    at = (plain ? text.indexOf('"', quote + 1) : skipString(text, quote + 1, spellings.oneSpelling)) + 1;
  }
}

function countParsedMembers(value: Json, depth: number, maxDepth: number): number {
  if (typeof value === 'string' && !value.isWellFormed()) refuse('a string holds a lone surrogate');
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= maxDepth) refuse(`the value nests deeper than ${maxDepth} levels`);
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) members += countParsedMembers(item, depth + 1, maxDepth);
    return members;
  }
  const object = value as { readonly [member: string]: Json };
  for (const name of Object.keys(object)) {
    if (!name.isWellFormed()) refuse('a member name holds a lone surrogate');
    members += 1 + countParsedMembers(object[name] as Json, depth + 1, maxDepth);
  }
  return members;
}

/** Whether a text may hold more values than this: told before it is parsed, for what is parsed takes a hundred bytes of memory a value. */
export function mayHoldMore(text: string, most: number): boolean {
  // Each value but the first stands behind a comma, or opens what holds it.
  if (text.length <= most) return false;
  const plain = !text.includes('\\');
  let marks = 0;
  for (let at = 0; ; ) {
    // Between strings, as in countSpelledMembers.
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    for (let i = at; i < end; i++) {
      const code = text.charCodeAt(i);
      if (code === COMMA || ((code === OPEN_ARRAY || code === OPEN_OBJECT) && !isEmptyAt(text, i + 1))) marks++;
    }
    const close = quote === -1 ? -1 : plain ? text.indexOf('"', quote + 1) : skipString(text, quote + 1, false);
    if (close < 0) return marks >= most;
    at = close + 1;
  }
}

/** Whether what was opened before this place is closed with nothing in it. */
function isEmptyAt(text: string, from: number): boolean {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return text[at] === ']' || text[at] === '}';
}

/**
 * Parses I-JSON (RFC 7493): what JSON.parse takes, less duplicate members, lone surrogates, numbers that a double does not
 * keep (`isExact`; the message says where), more values than a piece of a bundle may have, and nesting deeper than MAX_DEPTH with room for the document around it.
 * @param oneSpelling also refuse the spellings that differ from a writer's by one bit and mean the same (1E9 for 1e9,
 *   \u00AB for \u00ab), so that every changed bit of a bundle is found.
 * @param printed also take doubles printed with more digits than they take (`isPrintedDouble`): of what is submitted, where the signature
 *   of whoever wrote it covers the canonical form.
 * @param hashedWhole leave no room for a document around it: the value itself has a canonical form, which is hashed or signed.
 * @throws ProtocolError JSON_INVALID
 */
export function parseJson(
  text: string,
  { oneSpelling = false, printed = false, hashedWhole = false }: Partial<ParseOptions> = {},
): Json {
  if (mayHoldMore(text, MAX_VALUES)) refuse(`the text holds more than ${MAX_VALUES} values`);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : 'not JSON');
  }
  const maxDepth = hashedWhole ? MAX_DEPTH : MAX_DEPTH + ENVELOPE_DEPTH;
  if (countSpelledMembers(text, { oneSpelling, printed }) !== countParsedMembers(value, 0, maxDepth)) {
    refuse('an object holds the same member twice (RFC 7493 §2.3)');
  }
  return value;
}

/** parseJson for bytes: strict UTF-8 first. */
export function parseJsonBytes(bytes: Uint8Array, options?: Partial<ParseOptions>): Json {
  return parseJson(decodeUtf8(bytes), options);
}
