import { LATIN_LOOKALIKES, MIXED_WORDS, mayMixLetters } from '../../protocol/text/index.ts';
import { Trace, type TracedText } from './folding.ts';

/*
 * What a text says besides what its characters are: with escapes of URLs, HTML, JSON, paths and mails undone, control sequences of terminals left
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
  shy: '\u00ad',
  zwnj: '\u200c',
  zwj: '\u200d',
  lrm: '\u200e',
  rlm: '\u200f',
  ZeroWidthSpace: '\u200b',
  NoBreak: '\u2060',
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
  szlig: 'ß',
  aelig: 'æ',
  AElig: 'Æ',
  oelig: 'œ',
  OElig: 'Œ',
  eth: 'ð',
  ETH: 'Ð',
  thorn: 'þ',
  THORN: 'Þ',
  imath: 'ı',
  inodot: 'ı',
};
/** Named entities of Latin letters are the letter and the accent: without the accent they fold to the same. */
const ACCENTED = /^([A-Za-z])(?:acute|breve|caron|cedil|circ|dot|dblac|grave|macr|ogon|ring|slash|strok|tilde|uml)$/;

/** @param found with its semicolon or, as browsers also take it, without (HTML section 13.2.5.72) */
function entity(found: string): string {
  const name = found.slice(1).replace(';', '');
  if (!name.startsWith('#')) {
    return (Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined) ?? ACCENTED.exec(name)?.[1] ?? found;
  }
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : found;
}

/** Bytes of UTF-8, or one of Latin-1. @param found each byte as `%` and two hexadecimal digits */
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

/** Bytes in octal: `zo\303\253`, as git writes a path, `\040` in tables of mounts. */
function octal(found: string): string {
  const bytes = found.match(/[0-3][0-7]{2}/g) ?? [];
  return percent(bytes.map((digits) => `%${Number.parseInt(digits, 8).toString(16).padStart(2, '0')}`).join(''));
}

/** Quoted-printable (RFC 2045 section 6.7): bytes, and line breaks that are none. */
function quotedPrintable(found: string): string {
  return found.endsWith('\n') ? '' : percent(found.replaceAll('=', '%'));
}

/** What bytes look like, as sources of patterns: that begin a character of two, three and four in UTF-8, that continue one, and any one. */
type Bytes = readonly [two: string, three: string, four: string, next: string, one: string];
const HEXADECIMAL: Bytes = ['[c-d][0-9a-f]', 'e[0-9a-f]', 'f[0-7]', '[89ab][0-9a-f]', '0[9ad]|[2-9a-f][0-9a-f]'];
const OCTAL: Bytes = ['3[0-3][0-7]', '3[45][0-7]', '36[0-7]', '2[0-7]{2}', '01[125]|0[4-7][0-7]|[1-3][0-7]{2}'];

/** Bytes with a sign before each, those of one character of UTF-8 together. */
function bytesAfter(sign: string, [two, three, four, next, one]: Bytes): string {
  const more = `${sign}${next}`;
  return `${sign}${two}${more}|${sign}${three}(?:${more}){2}|${sign}${four}(?:${more}){3}|${sign}(?:${one})`;
}

const CONTROL_SEQUENCE = String.raw`(?:\x1b\[|\x9b)`;
const ESCAPES: readonly Rewrite[] = [
  {
    pattern:
      /&(?:#x0{0,32}[0-9a-f]{1,6};?|#0{0,32}\d{1,7};?|[a-z]{2,14};|[a-z](?:acute|cedil|circ|grave|ring|slash|tilde|uml)|szlig|aelig|nbsp|shy)/gi,
    write: entity,
  },
  { pattern: new RegExp(bytesAfter('%', HEXADECIMAL), 'gi'), write: percent },
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

/*
 * Escapes that other texts look like as well, paths of Windows and queries of URLs: each is a reading by itself, so that a wrong one hides
 * nothing. Within another text in JSON or in a program a backslash is written more than once.
 */
const LINE_ESCAPES: Rewrite = { pattern: /\\[nrtfbv]/g, write: () => ' ' };
const OCTAL_ESCAPES: Rewrite = { pattern: new RegExp(bytesAfter(String.raw`\\{1,4}`, OCTAL), 'g'), write: octal };
const QUOTED_PRINTABLE: Rewrite = {
  pattern: new RegExp(String.raw`=\r?\n|${bytesAfter('=', HEXADECIMAL)}`, 'gi'),
  write: quotedPrintable,
};

/** Base64 (RFC 4648 sections 4 and 5), in lines as mails have it or in one run. Shorter runs are words. */
const IN_BASE64: Rewrite = {
  pattern: /[\w+/-]{12,}(?:(?<=[\w+/-]{60})\r?\n[\w+/-]+)*={0,2}/g,
  // A run may be one of several parts of a path or token.
  write: (found) => fromBase64(found) ?? found.replace(/[a-z0-9]{12,}/gi, (part) => fromBase64(part) ?? part),
};
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The text whose UTF-8 this is in Base64, with a blank before and behind; null where the bytes are no text. */
function fromBase64(found: string): string | null {
  let escaped = '';
  let buffer = 0;
  let bits = 0;
  for (const letter of found) {
    const value = DIGITS.indexOf(letter === '-' ? '+' : letter === '_' ? '/' : letter);
    // Padding and line breaks.
    if (value < 0) continue;
    buffer = ((buffer << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (buffer >> bits) & 0xff;
    // No text has control characters. Nearly all runs that are none of Base64 end here, after a few letters.
    if ((byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 0x7f) return null;
    escaped += `%${byte.toString(16).padStart(2, '0')}`;
  }
  const text = percent(escaped);
  return text === escaped ? null : ` ${text} `;
}

function mayBeBase64(text: string): boolean {
  for (const [run] of text.matchAll(IN_BASE64.pattern)) if (IN_BASE64.write(run) !== run) return true;
  return false;
}

const MAY_BE_QUOTED = /=(?:\r?\n|[2-9a-f][0-9a-f]|0[9ad])/i;
/** What the query of a URL hardly has: line breaks that are none, characters of UTF-8, the sign itself. */
const IS_QUOTED = /=(?:\r?\n|[c-f][0-9a-f]=[89ab][0-9a-f]|3d)/i;

const ESCAPE_SIGNS = String.raw`%&\\\x1b\x9b`;
const MAY_ESCAPE = new RegExp(`[${ESCAPE_SIGNS}]`);
const MAY_DIFFER = new RegExp(`[${ESCAPE_SIGNS}${SEEMING}]`, 'u');
const HAS_SEEMING = new RegExp(`[${SEEMING}]`, 'u');

/** Readings of what can be rewritten. @param apply gives the same back where nothing fits */
function readingsBy<T extends { readonly text: string }>(
  plain: T,
  apply: (of: T, rewrite: Rewrite) => T,
  how: Reach = 'likely',
): T[] {
  if (!mayReadOtherwise(plain.text, how)) return [plain];
  let read = plain;
  for (let depth = 0; depth < DEPTH && MAY_ESCAPE.test(read.text); depth++) {
    const before = read;
    for (const rewrite of ESCAPES) read = apply(read, rewrite);
    if (read === before) break;
  }
  const others: T[] = [];
  if (HAS_SEEMING.test(read.text)) {
    if (mayMixLetters(read.text)) read = apply(read, LOOKALIKES);
    const seeming = apply(read, SEEMING_WORDS);
    if (!IS_OF_THE_SCRIPT.test(read.text)) read = seeming;
    else if (how === 'possible') others.push(seeming);
  }
  if (read.text.includes('\\')) others.push(apply(read, LINE_ESCAPES), apply(read, OCTAL_ESCAPES));
  if (mayBeQuoted(plain.text, how)) others.push(apply(read, QUOTED_PRINTABLE));
  if (how === 'possible') others.push(apply(read, IN_BASE64));
  return [...new Set([plain, read, ...others])];
}

/**
 * Which readings are asked for: those that are likely to be meant, or also such as are more often wrong than right, for whoever must overlook
 * nothing: short runs of quoted-printable, Base64, and words of letters that look Latin in a text that has others of their script.
 */
export type Reach = 'likely' | 'possible';

function mayBeQuoted(text: string, how: Reach): boolean {
  return text.includes('=') && (how === 'likely' ? IS_QUOTED : MAY_BE_QUOTED).test(text);
}

/** Whether a text may have another reading than the one as it stands. */
export function mayReadOtherwise(text: string, how: Reach = 'likely'): boolean {
  return MAY_DIFFER.test(text) || mayBeQuoted(text, how) || (how === 'possible' && mayBeBase64(text));
}

/** What a text says: as it stands first, then in each other reading that differs. A few; none is folded. */
export function readingsOf(text: string, how: Reach = 'likely'): readonly string[] {
  if (!mayReadOtherwise(text, how)) return [text];
  const plain = { text };
  const readings = readingsBy(
    plain,
    (of, { pattern, write }) => {
      const rewritten = of.text.replace(pattern, (found) => write(found));
      return rewritten === of.text ? of : { text: rewritten };
    },
    how,
  );
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
