/** A secret found in a text. */
export interface Found {
  /** In UTF-16 code units, the end not included. */
  readonly start: number;
  readonly end: number;
  readonly type: string;
  /** What stands around the replacement, so that JSON in a text stays JSON where a number is replaced. */
  readonly quote?: string;
}

/** Finds secrets of one kind. Takes time linear in the length of the text, whatever it holds. */
export type TextRule = (text: string) => Iterable<Found>;

/** @param pattern with the flag y */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Characters of one kind, all of them ASCII. */
export type Kind = Uint8Array;

/** @param of matches each of them alone */
export function kindOf(of: RegExp): Kind {
  return Uint8Array.from({ length: 128 }, (_, code) => Number(of.test(String.fromCharCode(code))));
}

function isOf(kind: Kind, code: number): boolean {
  return code < kind.length && kind[code] === 1;
}

/** Where what follows is of the kind no more. */
export function endOfRun(text: string, kind: Kind, from: number): number {
  let at = from;
  while (at < text.length && isOf(kind, text.charCodeAt(at))) at++;
  return at;
}

/** Where what stands before a place is of the kind no more, not before `from`. */
export function startOfRun(text: string, kind: Kind, place: number, from: number): number {
  let at = place;
  while (at > from && isOf(kind, text.charCodeAt(at - 1))) at--;
  return at;
}

/**
 * Where the next `length` or more characters of a kind stand in a row, from a place that is within no such row; -1 where there are none.
 * Of a text of short words it looks at few of the letters, which takes a tenth of the time that a regular expression does.
 */
export function nextRun(text: string, kind: Kind, length: number, from: number): number {
  let known = from - 1;
  let end = from + length - 1;
  while (end < text.length) {
    let at = end;
    // What lies between is known to be of the kind.
    while (at > known && isOf(kind, text.charCodeAt(at))) at--;
    if (at === known) return end - length + 1;
    known = end;
    end = at + length;
  }
  return -1;
}

/** A part of a text, from one place to another. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * The lines of a text in which something stands, in order.
 * @param mark with the flag g; matches nothing with a line end
 */
export function* linesWith(text: string, mark: RegExp): Generator<Part> {
  for (let from = 0; ; ) {
    mark.lastIndex = from;
    const found = mark.exec(text);
    if (found === null) return;
    const next = text.indexOf('\n', found.index);
    const end = next === -1 ? text.length : next;
    yield { start: text.lastIndexOf('\n', found.index) + 1, end };
    from = end;
  }
}

/** Some parts of a text, each on a line, for rules that find nothing across lines. */
export class Excerpt {
  readonly text: string;
  readonly #places: readonly number[];
  readonly #starts: readonly number[];

  constructor(whole: string, parts: readonly Part[]) {
    let length = 0;
    this.#starts = parts.map(({ start, end }) => {
      const own = length;
      length += end - start + 1;
      return own;
    });
    this.#places = parts.map(({ start }) => start);
    this.text = parts.map(({ start, end }) => whole.slice(start, end)).join('\n');
  }

  /** The same in the whole text. */
  inWhole(found: Found): Found {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= found.start) low = middle;
      else high = middle - 1;
    }
    const by = (this.#places[low] ?? 0) - (this.#starts[low] ?? 0);
    return { ...found, start: found.start + by, end: found.end + by };
  }
}

const OF_WORD = kindOf(/[\w.+/:~-]/);
/** The shortest key of a service. */
const LONG_WORD = 16;

/** Whether a text has a word as long as the shortest key of a service. Most texts do not, which is found much faster than a key. */
export function hasLongWord(text: string): boolean {
  return nextRun(text, OF_WORD, LONG_WORD, 0) !== -1;
}

/** How a replaced secret looks. Texts that look so already are left alone: cleaning twice changes nothing. */
const PLACEHOLDER = /\[REDACTED:[a-z0-9-]{1,40}:[0-9a-f]{4}\]/g;

/** What holds no secret by itself: the rest of a range of which a part was replaced before. */
const NOTHING = /^[\s"'`,;:=\\]*$/;

function placeholdersOf(text: string): readonly Found[] {
  if (!text.includes('[REDACTED:')) return [];
  return [...text.matchAll(PLACEHOLDER)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    type: '',
  }));
}

/** Ranges in order, those that overlap made one of the type of the first. */
function merged(found: readonly Found[]): readonly Found[] {
  const result: Found[] = [];
  for (const next of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || next.start >= last.end) result.push(next);
    else if (next.end > last.end) result[result.length - 1] = { ...last, end: next.end };
  }
  return result;
}

/** What is left of ranges without what was replaced before. */
function without(text: string, ranges: readonly Found[], taken: readonly Found[]): readonly Found[] {
  if (taken.length === 0) return ranges;
  const result: Found[] = [];
  let from = 0;
  for (const range of ranges) {
    let { start } = range;
    while (from < taken.length && (taken[from]?.end ?? 0) <= start) from++;
    for (let at = from; at < taken.length; at++) {
      const hole = taken[at];
      if (hole === undefined || hole.start >= range.end) break;
      if (!NOTHING.test(text.slice(start, hole.start))) result.push({ ...range, start, end: hole.start });
      start = hole.end;
    }
    if (start === range.start) result.push(range);
    else if (!NOTHING.test(text.slice(start, range.end))) result.push({ ...range, start });
  }
  return result.filter(({ start, end }) => end > start);
}

/**
 * A text with what was found in it replaced by `[REDACTED:TYPE:SUFFIX]`.
 * @returns the text, and the types of what was replaced, in order
 */
export function replaceFound(
  text: string,
  found: readonly Found[],
  suffix: (secret: string) => string,
): { readonly text: string; readonly types: readonly string[] } {
  if (found.length === 0) return { text, types: [] };
  const ranges = without(text, merged(found), placeholdersOf(text));
  const suffixes = new Map<string, string>();
  const suffixOf = (secret: string): string => {
    const known = suffixes.get(secret) ?? suffix(secret);
    suffixes.set(secret, known);
    return known;
  };
  let result = '';
  let at = 0;
  for (const { start, end: last, type, quote = '' } of ranges) {
    // What escapes the quote after a secret belongs to the quote.
    let end = last;
    if (/["'`]/.test(text.charAt(end))) while (end > start + 1 && text.charAt(end - 1) === '\\') end--;
    result += `${text.slice(at, start)}${quote}${placeholder(type, text.slice(start, end), suffixOf)}${quote}`;
    at = end;
  }
  return { text: result + text.slice(at), types: ranges.map(({ type }) => type) };
}

/** What stands where a secret stood. */
export function placeholder(type: string, secret: string, suffix: (secret: string) => string): string {
  return `[REDACTED:${type}:${suffix(secret)}]`;
}

/** Whether nothing of a text is left to be replaced. */
export function isCleaned(text: string): boolean {
  return NOTHING.test(text.replace(PLACEHOLDER, ''));
}
