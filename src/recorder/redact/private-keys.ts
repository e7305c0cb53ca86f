import type { Found, TextRule } from './found.ts';

/** The longest private key in text form that is known as one, in UTF-16 code units. */
const MAX_KEY = 65_536;

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** What a key consists of, with the headers of encrypted ones, and line ends as JSON and shells write them. */
const BODY = /[A-Za-z0-9+/=\s:,.\\_-]{0,65536}/y;
/** Shorter runs of base64 before the last line are words. */
const SHORTEST_LINE = 32;
const PUTTY = /Private-Lines: \d{1,4}(?:\r?\n|\\n)((?:[A-Za-z0-9+/=]{1,128}(?:\r?\n|\\n)?){1,512})/g;

/** Where the lines of base64 begin that stand before `end`. Of a line end that is escaped, the letter counts as part of a line. */
function linesBefore(text: string, end: number, first: number): number {
  const lowest = Math.max(first, end - MAX_KEY);
  let start = end;
  for (let lines = 0; ; ) {
    let to = start;
    while (to > lowest && /[\s\\]/.test(text.charAt(to - 1))) to--;
    let from = to;
    while (from > lowest && /[A-Za-z0-9+/=]/.test(text.charAt(from - 1))) from--;
    const length = to - from;
    if (length === 0 || (lines > 0 && length < SHORTEST_LINE)) break;
    start = from;
    if (length > 1) lines++;
  }
  return text.charAt(start - 1) === '\\' ? start + 1 : start;
}

/** Finds private keys in PEM (RFC 7468) and in the forms of OpenSSH, PGP and PuTTY, whole or cut at either end. */
export const privateKeys: TextRule = function* (text): Generator<Found> {
  if (!text.includes('PRIVATE KEY') && !text.includes('Private-Lines:')) return;
  let covered = 0;
  const ends = [...text.matchAll(END)];
  let next = 0;
  for (const { 0: begin, index } of text.matchAll(BEGIN)) {
    if (index < covered) continue;
    const from = index + begin.length;
    while (next < ends.length && (ends[next]?.index ?? 0) < from) next++;
    const end = ends[next];
    if (end !== undefined && end.index - from <= MAX_KEY) covered = end.index + end[0].length;
    else {
      BODY.lastIndex = from;
      covered = from + (BODY.exec(text)?.[0].length ?? 0);
    }
    yield { start: index, end: covered, type: 'private-key' };
  }
  let last = 0;
  for (const { 0: end, index } of ends) {
    const start = linesBefore(text, index, last);
    last = index + end.length;
    if (start < index) yield { start, end: last, type: 'private-key' };
  }
  for (const match of text.matchAll(PUTTY)) {
    const [whole, key = ''] = match;
    const start = match.index + whole.length - key.length;
    yield { start, end: start + key.length, type: 'private-key' };
  }
};
