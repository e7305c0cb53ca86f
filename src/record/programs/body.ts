import type { Json } from '../../protocol/records.ts';

/** A JSON object, as hooks are given one. */
export type Body = { readonly [member: string]: Json };

/** Digits or an exponent that a double might not hold. */
const LONG_NUMBER = /\d{16}|\d[eE]/;

/**
 * The JSON object in a hook's body; null where there is none. A byte order mark before it is skipped, bytes that are not UTF-8 are
 * replaced (the digest of the body is over the bytes as they came), and the last of several members with one name counts, as it does
 * for the programs. A number that a double does not hold becomes the text of its digits.
 */
export function readBody(bytes: Uint8Array): Body | null {
  try {
    const text = new TextDecoder().decode(bytes);
    const value: unknown = LONG_NUMBER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    // A SyntaxError, or a RangeError from nesting: either way nothing that can be read.
    return null;
  }
}

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function keepDigits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  const exact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return exact ? value : context.source;
}
