import { assignments } from './assignments.ts';
import { credentials } from './credentials.ts';
import { encodedSecrets } from './encoded.ts';
import { type Found, isCleaned, replaceFound, type TextRule } from './found.ts';
import { pairs } from './pairs.ts';
import { privateKeys } from './private-keys.ts';
import { tokenShapes } from './token-shapes.ts';

/** Shorter texts hold nothing that a rule could find. */
const SHORTEST = 8;
/** Exact values shorter than this would be found everywhere. */
const SHORTEST_VALUE = 8;

/** Line ends and tabs as JSON within a text writes them, with a backslash more for each text around it. */
const ESCAPED_SPACE = /\\{1,8}[nrt]/g;

/** The same text, character by character, where what is escaped stands as itself: a rule finds the word that begins a line. */
function unescapedSpaces(text: string): string {
  return text.replace(
    ESCAPED_SPACE,
    (escaped) => `${' '.repeat(escaped.length - 1)}${escaped.endsWith('t') ? '\t' : '\n'}`,
  );
}

/** Names, ids and folders come with each event: that many of them, and none longer, are known not to hold a secret. */
const MOST_KNOWN = 512;
const LONGEST_KNOWN = 256;

/** Our own rules that follow from a text alone. */
export const OWN_RULES: readonly TextRule[] = [privateKeys, tokenShapes, credentials, assignments, pairs];

/** Each event has separate ids, in which none of the fixed rules finds anything: no name, no mark of a key, no long run of letters. */
export function isUuid(text: string): boolean {
  return text.length === 36 && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** What a rule says of a text, without asking again where it found nothing in the same short text. */
function remembering(rules: readonly TextRule[]): TextRule {
  const clean = new Set<string>();
  return (text) => {
    if (isUuid(text) || clean.has(text)) return [];
    const found = rules.flatMap((rule) => [...rule(text)]);
    if (found.length > 0 || text.length > LONGEST_KNOWN) return found;
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
    this.#rules = [exact, remembering(fixed), encodedSecrets(all)];
    this.#suffix = suffix;
  }

  redact(text: string): RedactedText {
    if (text.length < SHORTEST) return { text, types: [] };
    const unescaped = unescapedSpaces(text);
    const views = unescaped === text ? [text] : [text, unescaped];
    const found = views
      .flatMap((view) => this.#rules.flatMap((rule) => [...rule(view)]))
      .filter(({ start, end }) => end > start);
    return replaceFound(text, found, this.#suffix);
  }

  /** A text that is a secret as a whole, by the name it has. */
  replaceWhole(text: string, type: string): RedactedText {
    if (text === '' || isCleaned(text)) return { text, types: [] };
    return replaceFound(text, [{ start: 0, end: text.length, type }], this.#suffix);
  }
}
