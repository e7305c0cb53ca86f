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

/**
 * A message of protobuf that is changed at random up to three times, or not at all: in any of its bytes, or within one of its fields, so that the
 * lengths around it stay right.
 * @param bases the fields of an item that others lie around, each with its tag
 * @param around puts an item into the messages that it lies in
 */
export function changedProtobuf(
  draw: SeededRandom,
  bases: readonly (readonly Uint8Array[])[],
  around: (item: Uint8Array) => Uint8Array,
): Buffer {
  const pick = <T>(all: readonly T[]): T => all[draw.below(all.length)] as T;
  const fields: Buffer<ArrayBuffer>[] = pick(bases).map((field) => Buffer.from(field));
  for (let times = draw.below(4); times > 0; times--) {
    const at = draw.below(fields.length);
    const field = fields[at] ?? Buffer.alloc(0);
    pick([
      () => fields.splice(at, 1, changedBytes(draw, field)),
      () => fields.splice(at, 1, changedBytes(draw, field)),
      () => fields.splice(at, 0, field),
      () => fields.splice(at, fields.length > 1 ? 1 : 0),
      () => fields.push(Buffer.from(pick(pick(bases)))),
    ])();
  }
  const whole = Buffer.from(around(Buffer.concat(fields)));
  return draw.below(3) === 0 ? changedBytes(draw, whole) : draw.below(20) === 0 ? Buffer.concat([whole, whole]) : whole;
}

/** What is put in place of a byte: ends of numbers, tags of every wire type, lengths that are too long. */
const BYTES = [0x00, 0x01, 0x7f, 0x80, 0xff, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x12, 0x4a];

function changedBytes(draw: SeededRandom, bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const at = draw.below(bytes.length + 1);
  const byte = Buffer.of(draw.below(2) === 0 ? (BYTES[draw.below(BYTES.length)] ?? 0) : draw.below(256));
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (draw.below(4)) {
    case 0:
      return Buffer.concat([before, byte, after.subarray(1)]);
    case 1:
      return Buffer.concat([before, byte, after]);
    case 2:
      return Buffer.concat([before, after.subarray(draw.below(9))]);
    default:
      return before;
  }
}
