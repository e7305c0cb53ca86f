import { GLUED, HARMLESS_TOKENS, KEYS, NOUNS, PAIRS, QUALIFIERS, SHORT_THINGS, THINGS } from './sensitive-words.ts';

/** By far most names and texts have none of these; whatever names a secret has one. */
const MAYBE = /pass|pw|secret|token|key|auth|cookie|cred|jwt|bearer|otp|cv[vc]|mnemonic|phrase|code|string|pat/i;

/** Whether a name can be one that `sensitiveName` knows, or one can stand in a text: much faster to tell than whether it is. */
export function mayNameSecret(text: string): boolean {
  return MAYBE.test(text);
}

/** What is in every name that `sensitiveName` knows, to be looked for one after the other. */
export function marksOfNames(): RegExp {
  return new RegExp(MAYBE, 'gi');
}

/** What names look like; whole lines that are the name of a member are none. */
const NAME = /^[\w.:$@/-]{1,128}(?: [\w.-]{1,32}){0,3}$/;

/** The words of a name, in lowercase: `dbPassword`, `DB_PASSWORD` and `db-password` have the same two. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .flatMap((word) => numbered(word))
    .filter((word) => word !== '');
}

/** The word of a secret without the number that tells it from others of its kind: token1, apikey2. */
function numbered(word: string): readonly string[] {
  const letters = word.replace(/\d+$/, '');
  const isSecret = letters !== word && (letters === 'key' || nounIn(letters) !== null);
  return isSecret ? [letters, word.slice(letters.length)] : [word];
}

/** The type of secret that one word names; null for any other word. */
function nounIn(word: string): string | null {
  if (Object.hasOwn(NOUNS, word)) return NOUNS[word] ?? null;
  return GLUED.find(([end]) => word.endsWith(end))?.[1] ?? null;
}

/** Whether the last of several words says only which one is meant, or in which form it is, of what is named before it. */
function isQualifier(word: string, isVariable: boolean): boolean {
  if (/^\d+$/.test(word) || QUALIFIERS.has(word)) return true;
  if (nounIn(word) !== null || word === 'key' || THINGS.has(word) || SHORT_THINGS.has(word)) return false;
  return isVariable || word.length <= 2;
}

function typeOfWords(words: readonly string[]): string | null {
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  const pair = PAIRS[`${before} ${last}`];
  if (pair !== undefined) return pair;
  if (last === 'key') return KEYS.has(before) ? (before === 'api' ? 'api-key' : 'secret-key') : null;
  if (last === 'token' && HARMLESS_TOKENS.has(before)) return null;
  // Such as pw, which counts only as a whole word.
  if (last === 'pat' && words.length === 1) return null;
  return nounIn(last);
}

/**
 * Whether what has this name is a secret, judged by its words: a secret's word at the end, or with nothing after it than which one it is
 * or in which form (`EXAMPLES`).
 * @returns the type of secret, such as password; null for names such as max_tokens, token_count, password_length, public_key
 */
export function sensitiveName(name: string): string | null {
  if (!MAYBE.test(name) || !NAME.test(name)) return null;
  const words = wordsOf(name);
  const isVariable = /^[A-Z0-9_]+$/.test(name);
  for (let end = words.length; end > 0; end--) {
    const type = typeOfWords(words.slice(0, end));
    if (type !== null) return type;
    if (!isQualifier(words[end - 1] ?? '', isVariable)) return null;
  }
  return null;
}
