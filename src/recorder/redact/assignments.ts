import { endOfRun, type Found, kindOf, matchAt, startOfRun, type TextRule } from './found.ts';
import { isSecretValue } from './secret-values.ts';
import { marksOfNames, sensitiveName } from './sensitive-names.ts';

/** The longest value that is looked for behind a name, in UTF-16 code units. */
const MAX_VALUE = 16_384;

/** What names consist of, and the dashes before them. */
const OF_NAME = kindOf(/[\w.-]/);

/** A name, what may close a quote around it, and what joins it to a value; quantifiers are bounded so that time stays linear. */
const NAMED =
  /(?<![A-Za-z0-9_.-])-{0,3}([A-Za-z_][\w.-]{1,127})(?![\w.-])(\\{0,7}["'`]?\]?)([ \t]{0,8}(?::=|=>|={1,3}|:(?!\/\/|:))[ \t]{0,8})/y;

/** `: Type =`, between a name and its value. */
const ANNOTATION = /[A-Za-z_][\w.<>[\]|&]{0,40}[ \t]?=[ \t]{0,4}(?=\\{0,7}["'`])/y;

const OPENING = /[bru]?(\\{0,7}["'`])/y;
/** What stands bare, a character at a time. */
const IN_WORD = String.raw`[^\s"'\`,;&<>|)\]}\\]|\\[^nrtu"'\`\\/\s]`;
const IN_LINE = String.raw`[^\s"'\`\\]|\\[^nrtu"'\`\\/\s]`;
const BARE = new RegExp(`(?:${IN_WORD}){1,${MAX_VALUE}}`, 'y');
/** On a separate line, or to the end of a word of a shell. */
const BARE_LINE = new RegExp(`(?:${IN_LINE}){1,${MAX_VALUE}}`, 'y');
/** Behind a quote that nothing closes. It ends at the next quote, and no other begins before that: of any length, time stays linear. */
const UNCLOSED = new RegExp(`(?:${IN_WORD})+`, 'y');

/** Finds the ends of quoted values. */
class Quotes {
  readonly #text: string;
  readonly #next = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the value ends that `quote` opened; -1 where nothing closes it. Asked for ascending places: linear in all. */
  closing(quote: string, from: number): number {
    const known = this.#next.get(quote);
    let at = known !== undefined && (known === -1 || known >= from) ? known : this.#text.indexOf(quote, from);
    // What is escaped once more than the opening is within the value.
    for (let tries = 0; at !== -1 && this.#text.charAt(at - 1) === '\\' && tries < 64; tries++) {
      at = this.#text.indexOf(quote, at + 1);
    }
    this.#next.set(quote, at);
    return at !== -1 && at - from <= MAX_VALUE ? at : -1;
  }
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

function startsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 24), at);
  return (
    /(?:^|\n|\\n)[ \t]*(?:(?:export|set|env|ENV|ARG|SET|-)[ \t]+)?(?:\\?["'])?$/.test(before) &&
    (at < 24 || /\n|\\n/.test(before))
  );
}

function valueAt(text: string, at: number, line: boolean, quotes: Quotes): Value | null {
  const opening = matchAt(OPENING, text, at);
  if (opening !== null) {
    const start = at + opening[0].length;
    const end = quotes.closing(opening[1] ?? '"', start);
    if (end !== -1) return { start, end, quoted: true };
    const word = matchAt(UNCLOSED, text, start);
    return word === null ? null : { start, end: start + word[0].length, quoted: true };
  }
  const word = matchAt(line ? BARE_LINE : BARE, text, at);
  return word === null ? null : { start: at, end: at + word[0].length, quoted: false };
}

/** All texts in an array or object that is the value of a sensitive name: `"tokens": ["a", "b"]`. */
function* nested(text: string, at: number, type: string, quotes: Quotes): Generator<Found> {
  const close = text.charAt(at) === '[' ? ']' : '}';
  const end = quotes.closing(close, at);
  if (end === -1) return;
  const inner = text.slice(at, end);
  // The schema of a value, not a value.
  if (/["'](?:type|\$ref|description|anyOf|oneOf|enum)\\{0,7}["']/.test(inner)) return;
  const opening = /\\{0,7}["'`]/g;
  opening.lastIndex = at;
  for (let match = opening.exec(text); match !== null && match.index < end; match = opening.exec(text)) {
    const start = match.index + match[0].length;
    const stop = quotes.closing(match[0], start);
    if (stop === -1 || stop > end) return;
    const isName = /^\\{0,7}["'`]\s{0,4}:/.test(text.slice(stop, stop + 16));
    if (!isName && stop - start > 3) yield { start, end: stop, type };
    opening.lastIndex = stop + match[0].length;
  }
}

/** A name without the letter of an escape before it, such as the n of \npassword. */
function typeOf(text: string, at: number, name: string): string | null {
  const type = sensitiveName(name);
  if (type !== null || text.charAt(at - 1) !== '\\') return type;
  return sensitiveName(name.slice(1));
}

/**
 * For texts that may name a secret. Finds what is assigned to sensitive names: `password = "x"`, `DB_PASSWORD=x`, `"api_key": "x"`, `--token=x`, also in JSON within
 * a text, where the quotes are escaped.
 */
export const assignments: TextRule = function* (text): Generator<Found> {
  const quotes = new Quotes(text);
  const marks = marksOfNames();
  for (let mark = marks.exec(text), from = 0; mark !== null; mark = marks.exec(text)) {
    const begin = startOfRun(text, OF_NAME, mark.index, from);
    from = endOfRun(text, OF_NAME, mark.index);
    marks.lastIndex = from;
    const match = matchAt(NAMED, text, begin);
    if (match === null) continue;
    const [whole, name = '', closing = '', joint = ''] = match;
    const type = typeOf(text, match.index, name);
    if (type === null || type === 'authorization' || type === 'cookie') continue;
    let at = match.index + whole.length;
    const annotation = joint.trim() === ':' ? matchAt(ANNOTATION, text, at) : null;
    if (annotation !== null) at += annotation[0].length;
    if (closing !== '' && /[[{]/.test(text.charAt(at))) {
      yield* nested(text, at, type, quotes);
      continue;
    }
    const tight = joint === '=';
    const line = startsLine(text, match.index);
    const value = valueAt(text, at, line && tight, quotes);
    if (value === null) continue;
    const { start, end, quoted } = value;
    const next = text.slice(end, end + 2);
    const alone = line && /^\r?(?:\n|\\n|\s*$|\s+#)/.test(text.slice(end, end + 40));
    if (!isSecretValue({ name, type, value: text.slice(start, end), quoted, tight, alone, next })) continue;
    const bareInJson = !quoted && /^\\*"$/.test(closing) && joint.includes(':');
    yield bareInJson ? { start, end, type, quote: closing } : { start, end, type };
    from = Math.max(from, end);
    marks.lastIndex = from;
  }
};
