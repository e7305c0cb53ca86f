import { ENVELOPE_DEPTH, type Json, MAX_DEPTH, pointerStep } from './canonical.ts';

/*
 * Numbers in JSON are IEEE 754 doubles (RFC 7493 §2.2), and what is signed is the shortest decimal that reads as the double
 * (RFC 8785 §3.2.2.3). A number whose text has another value, such as 12345678901234567890, would be signed as a number that
 * nobody wrote.
 */

/** A number that a double does not keep, NaN or an infinity, as somebody wrote it. What is signed has its text in its place. */
export class ExactNumber {
  /** Digits with a sign, a point and an exponent as they were written; or NaN, Infinity, -Infinity. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** JSON of others with all digits of its numbers. */
export type ExactJson = Json | ExactNumber | readonly ExactJson[] | { readonly [member: string]: ExactJson };

/** Whether a value is an object with members: no array, and no number that is kept with all its digits. */
export function isMembers(value: Json | undefined): value is { readonly [member: string]: Json };
export function isMembers(value: ExactJson | undefined): value is { readonly [member: string]: ExactJson };
export function isMembers(value: unknown): value is { readonly [member: string]: unknown };
export function isMembers(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

const NUMBER = /^[+-]?(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const ZERO = 0x30;
const NINE = 0x39;
/** Up to this many digits a decimal comes back from a double as it was (C's DBL_DIG), unless its exponent is extreme. */
const KEPT_DIGITS = 15;

/** Digits without zeros at either end, and the power of ten of the last one: equal for equal values. */
function decimal(text: string): string | null {
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = whole + fraction;
  let from = 0;
  let to = digits.length;
  while (from < to && digits.charCodeAt(from) === ZERO) from++;
  // By hand: an expression for zeros at the end would start over at each of them.
  while (to > from && digits.charCodeAt(to - 1) === ZERO) to--;
  return from === to ? '0' : `${digits.slice(from, to)}e${Number(exponent) - fraction.length + digits.length - to}`;
}

/**
 * Whether a double keeps the value of a decimal number: whether the shortest decimal that reads as the double has that value.
 * @param text of the form of JSON, also with leading zeros or a plus sign
 * @returns false also for what is no number
 */
export function isExact(text: string): boolean {
  const shortest = String(Number(text));
  if (shortest === text) return NUMBER.test(text);
  const value = decimal(text);
  return value !== null && value === decimal(shortest);
}

function belongsToNumber(code: number): boolean {
  // Digits, the point, signs and both letters of an exponent.
  return (code >= ZERO && code <= NINE) || code === 0x2e || code === 0x2b || code === 0x2d || (code | 0x20) === 0x65;
}

/** Where the number that begins at `at` ends, in a text that is JSON. */
export function endOfNumber(text: string, at: number): number {
  let end = at;
  while (end < text.length && belongsToNumber(text.charCodeAt(end))) end++;
  return end;
}

/** Up to this many digits programs print a double with, where they print all of it (C's DBL_DECIMAL_DIG). */
const PRINTED_DIGITS = 17;

/** Digits of a positive double rounded to `count`, as in a printed decimal; and with a tie rounded to even, as C does it. */
function roundings(value: number, count: number): readonly string[] {
  const rounded = value.toPrecision(count);
  const longer = value.toPrecision(count + 1);
  const isTie = /5(?:e|$)/.test(longer) && decimal(longer) === decimal(value.toPrecision(100));
  return isTie ? [rounded, longer.replace(/5(?=e|$)/, '')] : [rounded];
}

/**
 * Whether a text is a double printed with more digits than it takes (protocol F8): 0.10000000000000001, as C's %.17g and older programs have it for
 * 0.1. A decimal with a point or an exponent and at most 17 digits, which is the double's exact value rounded to as many. What is
 * written as an integer is an id, and is what it says or nothing.
 * @param text a number of JSON, without its sign
 */
export function isPrintedDouble(text: string): boolean {
  const digits = /^(\d+e)/.exec(decimal(text) ?? '')?.[1];
  const value = Number(text);
  if (digits === undefined || !/[.eE]/.test(text) || !Number.isFinite(value) || value === 0) return false;
  const count = digits.length - 1;
  return count <= PRINTED_DIGITS && roundings(value, count).some((one) => decimal(one) === decimal(text));
}

/** By hand, and of no copy of the text: asked of every number in a file. */
function hasExponent(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((text.charCodeAt(at) | 0x20) === 0x65) return true;
  return false;
}

/** isExact for a number within a JSON text, of which most are too short to have to be looked at. */
export function isExactWithin(text: string, from: number, to: number): boolean {
  return (to - from <= KEPT_DIGITS && !hasExponent(text, from, to)) || isExact(text.slice(from, to));
}

/** What no JSON text has, and some programs write all the same. */
const WORD = /-?(?:NaN|Infinity)/y;

/** Where the quote stands that closes the one at a place, or the text ends. */
function endOfString(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at === -1 ? text.length : at;
}

function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text.charCodeAt(from - 1) === 0x5c) from--;
  return (at - from) % 2 === 1;
}

/** The numbers of a text that a double does not keep, and NaN and infinities, with where they stand: outside strings. */
function* inexactNumbers(text: string): Generator<readonly [from: number, to: number]> {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x2d || code === 0x49 || code === 0x4e) {
      WORD.lastIndex = at;
      const word = WORD.exec(text)?.[0];
      if (word === undefined && code !== 0x2d) continue;
      const end = word === undefined ? endOfNumber(text, at) : at + word.length;
      if (word !== undefined || !isExactWithin(text, at, end)) yield [at, end];
      at = end - 1;
    } else if (code >= ZERO && code <= NINE) {
      const end = endOfNumber(text, at);
      if (!isExactWithin(text, at, end)) yield [at, end];
      at = end - 1;
    }
  }
}

/**
 * Reads JSON of others, in which a number that a double does not keep becomes an ExactNumber; so do NaN, Infinity and -Infinity, which
 * some programs write.
 * @param parse what reads JSON: parseJson, or JSON.parse for what has to be read although it is no I-JSON
 * @throws what `parse` throws
 */
export function readExactJson(text: string, parse: (text: string) => unknown): ExactJson {
  const places = [...inexactNumbers(text)];
  if (places.length === 0) return parse(text) as Json;
  // Read once with texts in their places and once with zeros: no text that somebody wrote is a zero in the second.
  const [texts, zeros] = [(digits: string) => `"${digits}"`, () => '0'].map((spell) =>
    parse(replaced(text, places, spell)),
  );
  return merged(texts as Json, zeros as Json, 0);
}

function replaced(
  text: string,
  places: readonly (readonly [number, number])[],
  spell: (digits: string) => string,
): string {
  const parts: string[] = [];
  let at = 0;
  for (const [from, to] of places) {
    parts.push(text.slice(at, from), spell(text.slice(from, to)));
    at = to;
  }
  return parts.join('') + text.slice(at);
}

function merged(text: Json, zero: Json | undefined, depth: number): ExactJson {
  if (typeof text === 'string') return zero === 0 ? new ExactNumber(text) : text;
  if (typeof text !== 'object' || text === null || typeof zero !== 'object' || zero === null) return text;
  // Nobody signs what nests deeper; JSON.parse reads it all the same, and a recursion would end with the stack.
  if (depth >= MAX_DEPTH + ENVELOPE_DEPTH) return text;
  const others = zero as { readonly [name: string]: Json };
  if (Array.isArray(text)) return text.map((item: Json, index) => merged(item, others[index], depth + 1));
  return Object.fromEntries(
    Object.entries(text).map(([name, member]) => [name, merged(member, others[name], depth + 1)]),
  );
}

/**
 * The JSON text of a value, with all digits of its numbers: JSON.stringify for plain values and ExactNumbers. With NaN and infinities
 * it is read by readExactJson alone.
 * @param levels how many levels of arrays and objects are written: what lies deeper becomes an empty array
 */
export function exactJsonText(value: unknown, levels = Number.POSITIVE_INFINITY): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (levels <= 0) return '[]';
  if (Array.isArray(value)) return `[${value.map((item: unknown) => exactJsonText(item, levels - 1)).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${exactJsonText(member, levels - 1)}`).join(',')}}`;
}

/** A value with texts in the place of numbers that a double does not keep, and where they stand: JSON Pointers (RFC 6901) into it. */
export function withTexts(value: ExactJson): { readonly value: Json; readonly places: readonly string[] } {
  const places: string[] = [];
  const settle = (inner: ExactJson, at: string): Json => {
    if (inner instanceof ExactNumber) {
      places.push(at);
      return inner.text;
    }
    if (typeof inner !== 'object' || inner === null) return inner;
    if (Array.isArray(inner)) return inner.map((item: ExactJson, index) => settle(item, `${at}/${index}`));
    return Object.fromEntries(
      Object.entries(inner).map(([name, member]) => [name, settle(member, at + pointerStep(name))]),
    );
  };
  return { value: settle(value, ''), places };
}
