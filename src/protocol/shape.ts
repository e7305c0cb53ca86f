import { DIGEST_PATTERN } from './digest.ts';
import { fromBase64Url } from './encoding.ts';
import { ProtocolError, unlessRefused } from './protocol-error.ts';
import { parseTime } from './time.ts';

/** Answers what a member should have been, or null where the value is right. */
export type Check = (value: unknown) => string | null;

/** A check for each member; those named in `optional` may be absent. */
export type Shape<T> = { readonly [K in keyof Required<T>]: Check };

function refuse(member: string, message: string): never {
  throw new ProtocolError('SHAPE_INVALID', message, member);
}

/** A value for a message, short and on one line. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/**
 * Checks that a value is an object with exactly the members of a shape, each as it should be.
 * @param path how messages call the object, such as "ear"
 * @returns the same object, now typed
 * @throws ProtocolError SHAPE_INVALID, its member naming the first that is wrong
 */
export function parseShape<T>(
  value: unknown,
  shape: Shape<T>,
  path: string,
  optional: readonly (keyof T & string)[] = [],
): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(path, `${path}: expected an object, got ${show(value)}`);
  }
  const object = value as Record<string, unknown>;
  for (const name of Object.keys(object)) {
    if (!Object.hasOwn(shape, name)) refuse(`${path}.${name}`, `${path}.${name}: there is no such member`);
  }
  for (const name in shape) {
    if (!Object.hasOwn(object, name)) {
      if (optional.includes(name as keyof T & string)) continue;
      refuse(`${path}.${name}`, `${path}.${name}: is missing`);
    }
    const expected = shape[name](object[name]);
    if (expected !== null) {
      refuse(`${path}.${name}`, `${path}.${name}: expected ${expected}, got ${show(object[name])}`);
    }
  }
  return value as T;
}

/** The members of a shape, as a value has them, and nothing else of it. */
export function membersOf<T>(value: T, shape: Shape<T>): T {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, value[name as keyof T]])) as T;
}

/** Length in Unicode characters, counted only where it can matter. */
function longerThan(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  let count = 0;
  for (const _ of text) if (++count > characters) return true;
  return false;
}

/** A well-formed string of this many Unicode characters. */
export function text(min: number, max: number): Check {
  const expected = `a string of ${min} to ${max} characters`;
  return (value) =>
    typeof value === 'string' &&
    value.isWellFormed() &&
    !longerThan(value, max) &&
    (value.length >= min * 2 || longerThan(value, min - 1))
      ? null
      : expected;
}

export function pattern(expression: RegExp, expected: string): Check {
  return (value) => (typeof value === 'string' && expression.test(value) ? null : expected);
}

export function constant(wanted: string | number): Check {
  return (value) => (value === wanted ? null : show(wanted));
}

export function oneOf(...wanted: readonly string[]): Check {
  return (value) => (typeof value === 'string' && wanted.includes(value) ? null : `one of ${wanted.join(', ')}`);
}

/** A safe integer in a range (protocol F9). */
export function integer(min = 0, max = Number.MAX_SAFE_INTEGER): Check {
  const expected = `a whole number from ${min} to ${max}`;
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max ? null : expected;
}

export function nullable(check: Check): Check {
  return (value) => {
    const expected = value === null ? null : check(value);
    return expected === null ? null : `${expected}, or null`;
  };
}

/** An array of this many elements, each as it should be. */
export function listOf(min: number, max: number, element: Check = () => null): Check {
  const expected = `an array of ${min} to ${max} elements`;
  return (value) => {
    if (!Array.isArray(value) || value.length < min || value.length > max) return expected;
    for (const each of value as readonly unknown[]) {
      const wrong = element(each);
      if (wrong !== null) return `${expected}, each ${wrong}`;
    }
    return null;
  };
}

export const object: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'an object';

export const digest: Check = pattern(DIGEST_PATTERN, 'sha256: and 64 lowercase hexadecimal digits');

export const uuidV4: Check = pattern(
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i,
  'a UUID of version 4',
);

/** An identifier that the service chose. */
export const identifier: Check = text(1, 256);

/** A text that `read` does not refuse. */
export function readAs(read: (text: string) => unknown, expected: string): Check {
  return (value) => (typeof value === 'string' && unlessRefused(() => read(value), null) !== null ? null : expected);
}

export const time: Check = readAs(parseTime, 'an RFC 3339 time with offset or Z');

function base64url(length: number): Check {
  return readAs((value) => fromBase64Url(value, length), `${length} bytes in unpadded base64url`);
}

/** 64 bytes as base64url: a signature where it is stored or exported. */
export const signature: Check = base64url(64);

/** 32 bytes as base64url: a public key where it is stored or exported. */
export const publicKey: Check = base64url(32);
