/** A bundle as text, and changes of the text itself: of bytes, of spellings, of white space. */
import { concatBytes, utf8 } from '../../../src/protocol/index.ts';
import type { Draw } from './draw.ts';
import { isBranch, type Tree } from './tree.ts';

/** As a service writes it: one record on a line, in the order in which the members stand. */
export function textOf(bundle: Tree): string {
  if (!isBranch(bundle)) return JSON.stringify(bundle);
  const members = Object.entries(bundle).map(([name, value]) => {
    const lines = Array.isArray(value)
      ? `[\n${value.map((item) => JSON.stringify(item)).join(',\n')}]`
      : JSON.stringify(value);
    return `${JSON.stringify(name)}:${lines}`;
  });
  return `{${members.join(',\n')}}`;
}

type TextChange = (text: string, draw: Draw) => string;

/** A place behind one of the places where something is found. */
function somewhere(text: string, what: RegExp, draw: Draw): RegExpExecArray | undefined {
  const found = [...text.matchAll(what)];
  return found.length === 0 ? undefined : (draw.pick(found) as RegExpExecArray);
}

function replaced(text: string, what: RegExp, draw: Draw, by: (found: string) => string): string {
  const found = somewhere(text, what, draw);
  if (found === undefined) return text;
  return text.slice(0, found.index) + by(found[0]) + text.slice(found.index + found[0].length);
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const NUMBER = /(?<=:)-?\d+(?=[,}\]])/g;
const MEMBER = /"[a-z_]+":(?:"[^"\\]{0,200}"|\d+|null|true)(?=[,}])/g;
const TOKEN_END = /[[\]{}:,]/g;

const SPELLINGS: readonly (readonly [weight: number, change: TextChange])[] = [
  [
    3,
    (text, draw) =>
      replaced(text, NUMBER, draw, (n) => draw.pick([`${n}.0`, `${n}e0`, `${n}E0`, `${n}0e-1`, `0${n}`, `+${n}`])),
  ],
  [
    2,
    (text, draw) =>
      replaced(text, NUMBER, draw, (n) => draw.pick([`${n}.`, `-${n}`, '-0', '1e400', `${n}e+00`, 'NaN', `"${n}"`])),
  ],
  [
    2,
    (text, draw) =>
      replaced(text, NUMBER, draw, (n) => draw.pick([`${n}.00000000000000000000001`, '9007199254740993', '1e999999'])),
  ],
  [4, (text, draw) => replaced(text, /[a-z0-9](?=[^"\\]{0,80}")/g, draw, escaped)],
  [
    2,
    (text, draw) =>
      replaced(text, /[jklmnoz](?=[^"\\]{0,80}")/g, draw, (c) => escaped(c).toUpperCase().replace('U', 'u')),
  ],
  [
    2,
    (text, draw) =>
      replaced(text, /"(?=,|:|\})/g, draw, () =>
        draw.pick(['\\ud800"', '\\udc00"', '\\uD83D\\uDE00"', '\\x"', '\\/"', '\n"']),
      ),
  ],
  [4, (text, draw) => replaced(text, MEMBER, draw, (member) => `${member},${member}`)],
  [
    3,
    (text, draw) =>
      replaced(
        text,
        MEMBER,
        draw,
        (member) => `${member.replace(/"([a-z])/, (_, c: string) => `"${escaped(c)}`)},${member}`,
      ),
  ],
  [
    5,
    (text, draw) =>
      replaced(
        text,
        TOKEN_END,
        draw,
        (token) => `${token}${draw.pick([' ', '\n', '\r\n', '\t', '\f', '\u00a0', '\v', '\u2028', ',', '\0'])}`,
      ),
  ],
  [
    3,
    (text, draw) =>
      text.replaceAll(TOKEN_END, (token, place: number) => (place % 3 === 0 && draw.chance(20) ? `${token} ` : token)),
  ],
  [2, (text, draw) => draw.pick(['\ufeff', ' ', '\n\n', '[', '//', 'null', '{}'] as const) + text],
  [2, (text, draw) => text + draw.pick([' \n\t', '\0', '{}', ']', '}', ',', '\ufeff', '"'])],
  [1, (text, draw) => replaced(text, TOKEN_END, draw, (token) => token + '['.repeat(draw.pick([10, 300, 100_000])))],
  [1, (text, draw) => replaced(text, TOKEN_END, draw, (token) => token + '{"a":'.repeat(draw.pick([10, 300, 50_000])))],
  [1, (text, draw) => replaced(text, /"(?=,|\})/g, draw, () => `${'x'.repeat(draw.pick([70_000, 1_100_000]))}"`)],
  [1, (text, draw) => replaced(text, /(?<=[[,])(?=\{)/g, draw, () => '0,'.repeat(draw.pick([100, 30_000])))],
  [1, (text, draw) => replaced(text, /\{(?=")/g, draw, () => `{"x":[${'1,'.repeat(draw.pick([100, 200_000]))}1],`)],
  [
    2,
    (text, draw) =>
      replaced(text, /null|true|false|\d+/g, draw, () =>
        draw.pick(['nul', 'True', 'undefined', 'Infinity', '-', '0x1', '.5']),
      ),
  ],
];

type ByteChange = (bytes: Uint8Array, draw: Draw) => Uint8Array;

const BYTES: readonly (readonly [weight: number, change: ByteChange])[] = [
  [
    8,
    (bytes, draw) => {
      const copy = Uint8Array.from(bytes);
      for (let left = draw.pick([1, 1, 1, 2, 5]); left > 0 && copy.length > 0; left--) {
        const place = draw.below(copy.length);
        copy[place] = (copy[place] ?? 0) ^ (1 << draw.below(8));
      }
      return copy;
    },
  ],
  [3, (bytes, draw) => bytes.slice(0, draw.below(bytes.length + 1))],
  [1, (bytes, draw) => bytes.slice(draw.below(bytes.length + 1))],
  [
    3,
    (bytes, draw) => {
      const place = draw.below(bytes.length + 1);
      const added = Uint8Array.from({ length: draw.pick([1, 1, 2, 8]) }, () => draw.below(256));
      return concatBytes(bytes.subarray(0, place), added, bytes.subarray(place));
    },
  ],
  [
    3,
    (bytes, draw) => {
      const from = draw.below(bytes.length + 1);
      const to = from + draw.pick([1, 2, 10, 100, 1000, 5000]);
      return concatBytes(bytes.subarray(0, to), bytes.subarray(from));
    },
  ],
  [
    3,
    (bytes, draw) => {
      const from = draw.below(bytes.length + 1);
      return concatBytes(bytes.subarray(0, from), bytes.subarray(from + draw.pick([1, 2, 10, 100, 1000])));
    },
  ],
];

/** Changes bytes of a file, whatever is in it. */
export function changedBytes(bytes: Uint8Array, draw: Draw): Uint8Array {
  return draw.weighted(BYTES)(bytes, draw);
}

/** Changes how a file is written. */
export function changedText(text: string, draw: Draw): Uint8Array {
  if (draw.chance(60)) {
    let changed = text;
    for (let left = draw.pick([1, 1, 1, 2, 3]); left > 0; left--) changed = draw.weighted(SPELLINGS)(changed, draw);
    return utf8(changed.toWellFormed());
  }
  return changedBytes(utf8(text.toWellFormed()), draw);
}
