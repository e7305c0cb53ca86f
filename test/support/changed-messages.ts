import type { SeededRandom } from './random.ts';

/** What is put in place of a value. */
const VALUES = [
  'null',
  '1e999',
  '-0',
  '""',
  '[]',
  '{}',
  '[[[[[]]]]]',
  '"\\ud800"',
  'true',
  '9007199254740993',
  '{"sessionId":"s2"}',
];

/**
 * A message that is changed at random up to three times, or not at all.
 * @param bases members of messages of JSON-RPC, of which one is drawn
 */
export function changedMessage(draw: SeededRandom, bases: readonly object[]): Buffer {
  return changedJson(
    draw,
    bases.map((base) => ({ jsonrpc: '2.0', ...base })),
  );
}

/** The same of any JSON. */
export function changedJson(draw: SeededRandom, bases: readonly object[]): Buffer {
  const pick = <T>(all: readonly T[]): T => all[draw.below(all.length)] as T;
  let text = JSON.stringify(pick(bases));
  for (let times = draw.below(4); times > 0; times--) {
    const at = draw.below(text.length + 1);
    const values = [...text.matchAll(/(?<=":)("[^"]*"|\d+|null|true|false)/g)];
    const names = [...text.matchAll(/"(\w+)":/g)];
    const value = pick(values.length > 0 ? values : [/^/.exec(text) as RegExpExecArray]);
    const name = pick(names.length > 0 ? names : [/^/.exec(text) as RegExpExecArray]);
    const spliced = (from: number, length: number, put: string): string =>
      text.slice(0, from) + put + text.slice(from + length);
    text = pick([
      () => spliced(value.index, value[0].length, pick(VALUES)),
      () =>
        spliced(
          name.index,
          name[0].length,
          name[0].replace(/[a-z]/, (letter) => letter.toUpperCase()),
        ),
      () => spliced(name.index, 0, `${name[0]}${pick(VALUES)},`),
      () => spliced(at, draw.below(9), ''),
      () => spliced(at, 0, pick(['{', '}', '[', ']', '"', ',', '\r', '\0', '\ufeff', '\u2028', ' '])),
      () => `${text}${pick(['', ' ', ',', JSON.stringify(pick(bases))])}`,
      () => `[${text},${JSON.stringify(pick(bases))}]`,
    ])();
  }
  const bytes = Buffer.from(text);
  if (draw.below(10) === 0) bytes[draw.below(bytes.length)] = draw.below(256);
  return bytes;
}
