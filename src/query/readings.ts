import { LATIN_LOOKALIKES, MIXED_WORDS, mayMixLetters } from '../protocol/index.ts';
import { Trace, type TracedText } from './folding.ts';

/*
 * What a text says besides what its characters are: with escapes of URLs, HTML and JSON undone, control sequences of terminals left
 * out, and letters that only look Latin read as the ones they look like. A text is compared as it stands and in each of these
 * readings, so that none hides what another one has.
 */

interface Rewrite {
  readonly pattern: RegExp;
  readonly write: (found: string) => string;
}

/** How often one escape within another is undone: `%2540` is `%40` is `@`. */
const DEPTH = 3;

const ENTITIES: Readonly<Record<string, string>> = {
  ...{
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ensp: ' ',
    emsp: ' ',
    thinsp: ' ',
    Tab: '\t',
    NewLine: '\n',
  },
  ...{
    shy: '\u00ad',
    zwnj: '\u200c',
    zwj: '\u200d',
    lrm: '\u200e',
    rlm: '\u200f',
    ZeroWidthSpace: '\u200b',
    NoBreak: '\u2060',
  },
  ...{
    commat: '@',
    period: '.',
    lowbar: '_',
    hyphen: '-',
    dash: '-',
    ndash: '-',
    mdash: '-',
    sol: '/',
    bsol: '\\',
    colon: ':',
  },
  ...{ szlig: 'ß', aelig: 'æ', AElig: 'Æ', oelig: 'œ', OElig: 'Œ', eth: 'ð', ETH: 'Ð', thorn: 'þ', THORN: 'Þ' },
  ...{ imath: 'ı', inodot: 'ı' },
};
/** Named entities of Latin letters are the letter and the accent: without the accent they fold to the same. */
const ACCENTED = /^([A-Za-z])(?:acute|breve|caron|cedil|circ|dot|dblac|grave|macr|ogon|ring|slash|strok|tilde|uml)$/;

function entity(found: string): string {
  const name = found.slice(1, -1);
  if (!name.startsWith('#')) {
    return (Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined) ?? ACCENTED.exec(name)?.[1] ?? found;
  }
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : found;
}

/** Bytes of UTF-8, or one of Latin-1. */
function percent(found: string): string {
  const byte = Number.parseInt(found.slice(1, 3), 16);
  try {
    return found.length > 3 || byte < 0x80 ? decodeURIComponent(found) : String.fromCharCode(byte);
  } catch (error) {
    // Bytes that only begin like a character, which is an answer and no failure.
    if (error instanceof URIError) return found;
    throw error;
  }
}

const CONTROL_SEQUENCE = String.raw`(?:\x1b\[|\x9b)`;
const CONTINUED = '%[89ab][0-9a-f]';
const ESCAPES: readonly Rewrite[] = [
  { pattern: /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,14});/gi, write: entity },
  {
    pattern: new RegExp(
      `%[c-d][0-9a-f]${CONTINUED}|%e[0-9a-f](?:${CONTINUED}){2}|%f[0-7](?:${CONTINUED}){3}|%(?:0[9ad]|[2-9a-f][0-9a-f])`,
      'gi',
    ),
    write: percent,
  },
  {
    pattern: /\\(?:u[0-9a-f]{4}|x[0-9a-f]{2})/gi,
    write: (found) => String.fromCharCode(Number.parseInt(found.slice(2), 16)),
  },
  // Control sequences of terminals (ECMA-48 §5.4): colours, mostly.
  { pattern: new RegExp(`${CONTROL_SEQUENCE}[0-?]{0,32}[ -/]{0,4}[@-~]`, 'g'), write: () => '' },
];

const SEEMING = [...LATIN_LOOKALIKES.keys()].join('');
const asLatin = (word: string): string =>
  word.replace(/\P{ASCII}/gu, (letter) => LATIN_LOOKALIKES.get(letter) ?? letter);
const LOOKALIKES: Rewrite = { pattern: MIXED_WORDS, write: asLatin };
/** Where no letter tells that a text is Cyrillic or Greek, neither is a word of such letters alone. */
const SEEMING_WORDS: Rewrite = { pattern: new RegExp(`[${SEEMING}]+`, 'gu'), write: asLatin };
const IS_OF_THE_SCRIPT = new RegExp(String.raw`[[\p{sc=Cyrl}\p{sc=Grek}]--[${SEEMING}]]`, 'v');

/** What a text within a text in JSON or in a program is written with: apart, for paths of Windows look the same. */
const LINE_ESCAPES: Rewrite = { pattern: /\\[nrtfbv]/g, write: () => ' ' };

const ESCAPE_SIGNS = String.raw`%&\\\x1b\x9b`;
const MAY_ESCAPE = new RegExp(`[${ESCAPE_SIGNS}]`);
const MAY_DIFFER = new RegExp(`[${ESCAPE_SIGNS}${SEEMING}]`, 'u');
const HAS_SEEMING = new RegExp(`[${SEEMING}]`, 'u');

/** Readings of what can be rewritten. @param apply gives the same back where nothing fits */
function readingsBy<T extends { readonly text: string }>(plain: T, apply: (of: T, rewrite: Rewrite) => T): T[] {
  if (!mayReadOtherwise(plain.text)) return [plain];
  let read = plain;
  for (let depth = 0; depth < DEPTH && MAY_ESCAPE.test(read.text); depth++) {
    const before = read;
    for (const rewrite of ESCAPES) read = apply(read, rewrite);
    if (read === before) break;
  }
  if (HAS_SEEMING.test(read.text)) {
    if (mayMixLetters(read.text)) read = apply(read, LOOKALIKES);
    if (!IS_OF_THE_SCRIPT.test(read.text)) read = apply(read, SEEMING_WORDS);
  }
  const lines = apply(read, LINE_ESCAPES);
  return [...new Set([plain, read, lines])];
}

/** Whether a text may have another reading than the one as it stands. */
export function mayReadOtherwise(text: string): boolean {
  return MAY_DIFFER.test(text);
}

/** What a text says: as it stands first, then in each other reading that differs. At most three; none is folded. */
export function readingsOf(text: string): readonly string[] {
  if (!mayReadOtherwise(text)) return [text];
  const plain = { text };
  const readings = readingsBy(plain, (of, { pattern, write }) => {
    const rewritten = of.text.replace(pattern, (found) => write(found));
    return rewritten === of.text ? of : { text: rewritten };
  });
  return readings.map(({ text: reading }) => reading);
}

/** The same, each with where in the text a range of it comes from. */
export function readingsWithPlaces(text: string): readonly TracedText[] {
  const plain: TracedText = { text, place: (start, end) => ({ start, end }) };
  return readingsBy(plain, traced);
}

function traced(of: TracedText, { pattern, write }: Rewrite): TracedText {
  const trace = new Trace();
  let end = 0;
  const keep = (to: number): void => {
    for (; end < to; end++) trace.addAsIs(of.text.charAt(end), end, end + 1);
  };
  for (const { 0: found, index } of of.text.matchAll(pattern)) {
    keep(index);
    end = index + found.length;
    trace.addAsIs(write(found), index, end);
  }
  keep(of.text.length);
  return trace.text === of.text ? of : within(of, trace);
}

/** A text made of a text that was made of another one, traced to that one. */
export function within(outer: TracedText, inner: TracedText): TracedText {
  return {
    text: inner.text,
    place: (start, end) => {
      const range = inner.place(start, end);
      return outer.place(range.start, range.end);
    },
  };
}
