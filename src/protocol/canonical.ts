import { pooledUtf8 } from './bytes.ts';
import { ProtocolError } from './protocol-error.ts';

/**
 * How deep arrays and objects may nest. RFC 8259 §9 lets an implementation set a limit; without one a hostile payload
 * of brackets would exhaust the stack of whoever reads it.
 */
export const MAX_DEPTH = 256;

/** How much deeper the documents may nest that carry such values: a payload in a record in a batch, say. */
export const ENVELOPE_DEPTH = 8;

/** Any JSON value (RFC 8259), as JSON.parse gives it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

function refuse(message: string): never {
  throw new ProtocolError('NOT_CANONICAL', message);
}

function writeString(text: string): string {
  if (!text.isWellFormed()) refuse('a string holds a lone surrogate (RFC 7493 §2.1)');
  // RFC 8785 §3.2.2.2 takes its escapes from ECMAScript's JSON.stringify.
  return JSON.stringify(text);
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
      if (!Number.isFinite(value)) refuse('a number is not finite: it has to be given as a text');
      // RFC 8785 §3.2.2.3: ECMAScript's Number::toString, where -0 is "0".
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      break;
    default:
      return refuse(
        `a ${typeof value} has no JSON form${typeof value === 'bigint' ? ': it has to be given as a text' : ''}`,
      );
  }
  if (value === null) return 'null';
  if (depth >= MAX_DEPTH) refuse(`the value nests deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    let text = '[';
    for (let i = 0; i < value.length; i++) text += (i === 0 ? '' : ',') + write(value[i], depth + 1);
    return `${text}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) refuse('only plain objects and arrays have a JSON form');
  const members = value as Record<string, unknown>;
  let text = '{';
  // RFC 8785 §3.2.3: by UTF-16 code units, which is what sort() without a comparator compares.
  for (const name of Object.keys(members).sort()) {
    text += `${(text.length === 1 ? '' : ',') + writeString(name)}:${write(members[name], depth + 1)}`;
  }
  return `${text}}`;
}

/**
 * The canonical form of a JSON value (JCS, RFC 8785).
 * @param value what JSON.parse gives: plain objects, arrays, strings, finite numbers, booleans, null
 * @returns the canonical text; its UTF-8 bytes are what is hashed and signed
 * @throws ProtocolError NOT_CANONICAL where the value is not I-JSON, or nests deeper than MAX_DEPTH
 * @example canonicalize({ b: 1, a: [1e21, -0] }) // '{"a":[1e+21,0],"b":1}'
 */
export function canonicalize(value: unknown): string {
  return write(value, 0);
}

/**
 * canonicalBytes of an object whose members already stand in canonical order and hold no objects: the statements that are
 * hashed and signed for every record. JSON.stringify writes such an object as RFC 8785 wants it, several times faster.
 */
export function flatCanonicalBytes(members: { readonly [name: string]: string | number | null }): Uint8Array {
  for (const name in members) {
    const value = members[name];
    const sound = typeof value === 'string' ? value.isWellFormed() : value === null || Number.isFinite(value);
    // Whoever calls with what the types forbid is refused as ever.
    if (!sound) return canonicalBytes(members);
  }
  return pooledUtf8(JSON.stringify(members));
}

/** JCS(x) of the protocol page: the UTF-8 bytes of the canonical form. Throws as canonicalize does. */
export function canonicalBytes(value: unknown): Uint8Array {
  return pooledUtf8(canonicalize(value));
}

/** A name as a step of a JSON Pointer, with the slash before it. RFC 6901, section 3. */
export function pointerStep(name: string): string {
  return `/${name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name}`;
}

/** The name that a step has, without its slash. RFC 6901, section 4. */
export function nameOfStep(step: string): string {
  return step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step;
}

/** The names of a JSON Pointer, the outermost first; none of the empty one. */
export function namesOfPointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(nameOfStep);
}
