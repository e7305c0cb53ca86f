import { assignments } from './assignments.ts';
import { credentials, fileCredentials, lineCredentials } from './credentials.ts';
import {
  Excerpt,
  type Found,
  isCleaned,
  kindOf,
  linesWith,
  matchAt,
  nextRun,
  replaceFound,
  type TextRule,
} from './found.ts';
import { isSecretValue } from './secret-values.ts';
import { mayNameSecret, sensitiveName } from './sensitive-names.ts';
import { tokenShapes } from './token-shapes.ts';

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
const privateKeys: TextRule = function* (text): Generator<Found> {
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

const Q = String.raw`\\{0,7}["']`;

/** A name and its value as two members: `{"name": "DB_PASSWORD", "value": "x"}`, `<add key="ApiKey" value="x"/>`, and in YAML. */
const MEMBERS = new RegExp(
  String.raw`\b(?:name|key|Name|Key)(?:${Q})?\s{0,4}[:=]\s{0,4}(?:${Q})?([\w.:-]{2,128})(?:${Q})?,?(?:\s|\\{1,7}n){1,16}(?:${Q})?[vV]alue(?:${Q})?\s{0,4}[:=]\s{0,4}(${Q})?([^\s"'\\<>]{1,4096})`,
  'g',
);

/** <password>x</password> */
const ELEMENT = /<([A-Za-z_][\w.:-]{1,127})>([^<>]{1,4096})<\//g;

/** `config set NAME VALUE`, `setx NAME VALUE`, and `ENV NAME VALUE` of a Dockerfile. */
const SETTING =
  /\b(?:(?:config[ \t]{1,4})?(?:set|add|put)|setx|setenv|config|ENV)[ \t]{1,4}(?:--?[\w-]{1,40}[ \t]{1,4}){0,4}([\w./:-]{2,256})[ \t]{1,4}(["']?)([^\s"'|;&]{6,4096})/g;

/** `--password VALUE`, also as two texts of an array. */
const OPTION =
  /(?<![\w-])--?([A-Za-z][\w-]{1,63})(?:["'`]?[ \t]{1,8}|\\{0,7}["'],[ \t\n]{0,8})(\\{0,7}["'`]?)((?:[^\s"'`|;&<>\\)]|\\[^nrt"'`\\\s])[^\s"'`|;&<>\\)]{0,4095})/g;

function* named(text: string, pattern: RegExp, nameIn: (name: string) => string, quoted: boolean): Generator<Found> {
  for (const match of text.matchAll(pattern)) {
    const [whole] = match;
    const name = nameIn(match[1] ?? '');
    const value = match.at(-1) ?? '';
    const type = sensitiveName(name);
    if (type === null || value.startsWith('-') || /^(?:id|src|type|env)=/.test(value)) continue;
    const start = match.index + whole.lastIndexOf(value);
    const end = start + value.length;
    if (isSecretValue({ name, type, value, quoted, tight: true, alone: false, next: text.slice(end, end + 1) })) {
      yield { start, end, type };
    }
  }
}

/** Finds secrets that stand apart from their names. */
const pairs: TextRule = function* (text): Generator<Found> {
  if (!/[-:=<]|set|add|put|config|ENV/i.test(text)) return;
  if (text.includes('alue')) yield* named(text, MEMBERS, (name) => name, true);
  if (text.includes('</')) yield* named(text, ELEMENT, (name) => name, true);
  yield* named(text, SETTING, (name) => name.split(/[/:]/).at(-1) ?? '', true);
  yield* named(text, OPTION, (name) => name, false);
};

/** Finds what has the name of a secret. */
const namedSecrets: TextRule = function* (text): Generator<Found> {
  if (!mayNameSecret(text)) return;
  yield* assignments(text);
  yield* pairs(text);
};

/** How deep base64 in base64 is followed. */
const MAX_DEPTH = 2;
/** Longer runs are files, of which the beginning is read. */
const MAX_DECODED = 131_072;

const OF_BASE64 = kindOf(/[A-Za-z0-9+/_-]/);
const SHORTEST_RUN = 24;
const RUN = /[A-Za-z0-9+/_-]+(?:(?:\r?\n|\\n)[A-Za-z0-9+/_-]{4,})*={0,2}/y;

/** Where base64 stands, on one line or several. */
function* base64Runs(text: string): Generator<{ readonly run: string; readonly start: number; readonly end: number }> {
  for (let end = 0; ; ) {
    const start = nextRun(text, OF_BASE64, SHORTEST_RUN, end);
    if (start === -1) return;
    const run = matchAt(RUN, text, start)?.[0] ?? '';
    end = start + run.length;
    yield { run, start, end };
  }
}

function isText(bytes: Buffer): boolean {
  let odd = 0;
  const head = bytes.subarray(0, 64);
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32) || byte > 126) odd++;
  return odd === 0;
}

/** The rest is not looked for: the whole run is replaced, whatever else is in it. */
function first(found: Iterable<Found>): Found | undefined {
  for (const one of found) return one;
  return undefined;
}

/**
 * Finds base64 of texts that hold secrets: keys in PEM, files with credentials. The whole run is replaced.
 * @param rules what finds them in the decoded text
 */
function encodedSecrets(rules: TextRule): TextRule {
  function* find(text: string, depth: number): Generator<Found> {
    for (const { run, start, end } of base64Runs(text)) {
      const bytes = Buffer.from(run.slice(0, MAX_DECODED).replace(/\\n/g, ''), 'base64');
      if (!isText(bytes)) continue;
      const decoded = bytes.toString('latin1');
      const inner = first(rules(decoded)) ?? (depth < MAX_DEPTH ? find(decoded, depth + 1).next().value : undefined);
      if (inner) yield { start, end, type: `base64-${inner.type}`.slice(0, 40) };
    }
  }
  return (text) => find(text, 1);
}

/** Shorter texts hold nothing that a rule could find. */
const SHORTEST = 8;
/** Exact values shorter than this would be found everywhere. */
const SHORTEST_VALUE = 8;

/** Line ends and tabs as JSON within a text writes them, with a backslash more for each text around it. */
const ESCAPED_SPACE = /\\{1,8}[nrt]/g;

/** The same text, character by character, where what is escaped stands as itself: a rule finds the word that begins a line. */
export function unescapedSpaces(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    ESCAPED_SPACE,
    (escaped) => `${' '.repeat(escaped.length - 1)}${escaped.endsWith('t') ? '\t' : '\n'}`,
  );
}

/** Names, ids and folders come with each event: that many of them, and none longer, are known not to hold a secret. */
const MOST_KNOWN = 512;
const LONGEST_KNOWN = 256;

/** Our own rules that follow from a text alone. */
export const OWN_RULES: readonly TextRule[] = [privateKeys, tokenShapes, credentials, namedSecrets];

/**
 * What all of them find in a text whose escapes were replaced. Those that find nothing across lines look at the lines with an escape alone:
 * in the others is what was found in the text as it was.
 */
export function inUnescaped(unescaped: string, text: string): Found[] {
  const lines = new Excerpt(unescaped, [...linesWith(text, ESCAPED_SPACE)]);
  const inLines = [tokenShapes, lineCredentials].flatMap((rule) => [...rule(lines.text)]);
  const rules = [privateKeys, fileCredentials, namedSecrets];
  return [...inLines.map((found) => lines.inWhole(found)), ...rules.flatMap((rule) => [...rule(unescaped)])];
}

/** Each event has separate ids, in which none of the fixed rules finds anything: no name, no mark of a key, no long run of letters. */
export function isUuid(text: string): boolean {
  return text.length === 36 && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** What a rule says of a text, without asking again where it found nothing in the same short text. */
function remembering(rules: readonly TextRule[]): TextRule {
  const clean = new Set<string>();
  return (text) => {
    const mayBeKnown = text.length <= LONGEST_KNOWN;
    if (mayBeKnown && (isUuid(text) || clean.has(text))) return [];
    const found = rules.flatMap((rule) => [...rule(text)]);
    if (found.length > 0 || !mayBeKnown) return found;
    if (clean.size >= MOST_KNOWN) clean.clear();
    clean.add(text);
    return found;
  };
}

/** A text without its secrets, and of which types they were. */
export interface RedactedText {
  readonly text: string;
  readonly types: readonly string[];
}

/** Finds given texts as they are. */
function exactValues(secrets: () => Iterable<string>): TextRule {
  return function* (text): Generator<Found> {
    for (const secret of secrets()) {
      if (secret.length < SHORTEST_VALUE) continue;
      for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length)) {
        yield { start: at, end: at + secret.length, type: 'recorder-secret' };
      }
    }
  };
}

/** Replaces the secrets in texts. Takes time linear in the length of a text, and the same text always gives the same. */
export class TextRedactor {
  readonly #rules: readonly TextRule[];
  /** Those that are not our own, for a text whose escapes were replaced. */
  readonly #others: readonly TextRule[];
  readonly #suffix: (secret: string) => string;

  /**
   * @param suffix what stands at the end of a replaced secret
   * @param secrets texts that are replaced wherever they stand: the recorder's own tokens and keys
   * @param published further rules (published-rules.ts)
   */
  constructor(suffix: (secret: string) => string, secrets: () => Iterable<string>, published: TextRule) {
    const exact = exactValues(secrets);
    // What follows from the text alone.
    const fixed = [...OWN_RULES, published];
    const rules = [exact, ...fixed];
    const all: TextRule = function* (text): Generator<Found> {
      for (const rule of rules) yield* rule(text);
    };
    const encoded = encodedSecrets(all);
    this.#rules = [exact, remembering(fixed), encoded];
    this.#others = [exact, published, encoded];
    this.#suffix = suffix;
  }

  redact(text: string): RedactedText {
    if (text.length < SHORTEST) return { text, types: [] };
    const unescaped = unescapedSpaces(text);
    const found = this.#rules.flatMap((rule) => [...rule(text)]);
    if (unescaped !== text) {
      const inAll = this.#others.flatMap((rule) => [...rule(unescaped)]);
      for (const one of [...inUnescaped(unescaped, text), ...inAll]) found.push(one);
    }
    const some = found.filter(({ start, end }) => end > start);
    return replaceFound(text, some, this.#suffix);
  }

  /** A text that is a secret as a whole, by the name it has. */
  replaceWhole(text: string, type: string): RedactedText {
    if (text === '' || isCleaned(text)) return { text, types: [] };
    return replaceFound(text, [{ start: 0, end: text.length, type }], this.#suffix);
  }
}
