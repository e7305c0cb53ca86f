import fc from 'fast-check';
import { type Json, sha256, toHex, utf8 } from '../../src/protocol/index.ts';

/** Strings of any Unicode characters, surrogates only in pairs; often short ones that look like JSON. */
export const unicodeText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('"', '\\', ':', ',', '{', '}', '[', ']', 'E', 'u', 'D', ' ', '\n', '\u0000') }),
  fc.constantFrom('__proto__', 'constructor', 'toString', '1', '10', '2', '', '\ue000', '\u{1f600}', '\u2028'),
);

const finiteNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 1e21, 1e-7, 5e-324, 2 ** 53, 1.7976931348623157e308),
);

/** Any I-JSON value (RFC 7493). */
export const jsonValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false),
    finiteNumber,
    unicodeText,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(unicodeText, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

/** The same value with the members of every object in another order, which the salt decides. */
export function reordered(value: Json, salt: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => reordered(item, salt));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => ({
    place: toHex(sha256(utf8(`${salt} ${name}`))),
    entry: [name, reordered(member, salt)] as const,
  }));
  entries.sort((a, b) => (a.place < b.place ? -1 : 1));
  return Object.fromEntries(entries.map(({ entry }) => entry));
}

const SPACE: readonly string[] = ['', ' ', '\n', '\t', '\r\n', '  \n '];

/** The value as text, with white space between all tokens, which the salt chooses. */
export function spaced(value: Json, salt = ''): string {
  let turn = salt.length;
  const gap = (): string => {
    turn = (turn * 31 + salt.charCodeAt(turn % (salt.length || 1)) + 7) % 1_000_003 || 1;
    return SPACE[turn % SPACE.length] ?? '';
  };
  const write = (item: Json): string => {
    if (Array.isArray(item)) return `[${gap()}${item.map((inner: Json) => write(inner)).join(`,${gap()}`)}]${gap()}`;
    if (typeof item !== 'object' || item === null) return JSON.stringify(item) + gap();
    const members = Object.entries(item).map(
      ([name, member]) => `${JSON.stringify(name)}${gap()}:${gap()}${write(member)}`,
    );
    return `{${gap()}${members.join(`,${gap()}`)}}${gap()}`;
  };
  return gap() + write(value);
}
