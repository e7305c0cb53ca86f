import { type ExactJson, isMembers, readExactJson } from '../../protocol/light.ts';

/** A JSON object, as hooks are given one. */
export type Body = { readonly [member: string]: ExactJson };

/**
 * The JSON object in a hook's body; null where there is none. A byte order mark before it is skipped, bytes that are not UTF-8 are
 * replaced (the digest of the body is over the bytes as they came), and the last of several members with one name counts, as it does
 * for the programs.
 */
export function readBody(bytes: Uint8Array): Body | null {
  try {
    const value = readExactJson(new TextDecoder().decode(bytes), JSON.parse);
    return isMembers(value) ? value : null;
  } catch {
    // A SyntaxError, or a RangeError from nesting: either way nothing that can be read.
    return null;
  }
}

/** The object or array that a text spells, where a program gives JSON as a text; any other value, and any other text, as it is. */
export function openedJson(value: ExactJson): ExactJson {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return readExactJson(value, JSON.parse);
  } catch {
    // Text that only looks like it.
    return value;
  }
}
