/** A value that stands behind a sensitive name in a text, and how it stands there. */
export interface NamedValue {
  readonly name: string;
  /** The type of the name (sensitive-names.ts). */
  readonly type: string;
  readonly value: string;
  readonly quoted: boolean;
  /** Whether name and value are joined by `=` without a space, as in a shell. */
  readonly tight: boolean;
  /** Whether nothing else stands on the line. */
  readonly alone: boolean;
  /** What comes right after the value; empty at the end of the text. */
  readonly next: string;
}

/** References to a secret that is elsewhere: $VAR, ${VAR}, $(command), %VAR%, {{ var }}, <your-token>. */
const REFERENCE =
  /^(?:\$(?:\{.*\}?|\(.*|\{\{.*|[A-Z_][A-Z0-9_]*|\d|env:.*)|%[A-Z_][A-Z0-9_]*%|\{\{.*|\{[A-Za-z_.]*\}|<[^>]*>?|#\{.*|[*x.…•_-]{1,64}|(?:op|ref|ssm|vault|file|secretsmanager|arn|https?):.*|process\.env\b.*|os\.(?:environ|getenv)\b.*|import\.meta\.env\b.*|!\w+.*)$/s;

/** Words of languages and forms that are no secrets wherever they stand. */
const HARMLESS = new Set(
  'null none nil true false undefined string number boolean str int integer bytes any unknown void object array text varchar char required optional inherit public private protected readonly static const let var yes no on off empty missing invalid expired valid hidden masked redacted default never async await new typeof this self id=read write'.split(
    ' ',
  ),
);

const IDENTIFIER = /^[A-Za-z_][\w.]*[?!]?$/;
const LETTERS = /^[A-Za-z_.-]+$/;

function isSentence(value: string): boolean {
  return (
    value.split(/\s+/, 4).length > 2 && (/^[A-Z][a-z]*\s/.test(value) || /[.?!:]$/.test(value)) && !/\d{3}/.test(value)
  );
}

/** Code that names something else: a variable, a member, a call. */
function isCode({ value, next, tight, alone, type }: NamedValue): boolean {
  if (
    /^[A-Za-z_][\w.]*[([]/.test(value) ||
    /^[([{]/.test(next) ||
    /^(?:await|new|this|self|args|req|request|config|options|settings|opts|env|params|props|ctx)\b[.( ]/.test(value)
  )
    return true;
  if (!IDENTIFIER.test(value)) return false;
  if (/^[),;]/.test(next) || value.includes('.')) return /^[A-Za-z_.]+$/.test(value) || !tight;
  if (tight || !LETTERS.test(value)) return false;
  return !(alone && /^[a-z]{6,}$/.test(value) && type === 'password');
}

function sameWord(value: string, name: string): boolean {
  const plain = (text: string): string => text.replace(/[^A-Za-z]/g, '').toLowerCase();
  const word = plain(value);
  return word === plain(name) || /^(?:password|passwd|token|secret|apikey|cookie|credentials?)s?$/.test(word);
}

function isShortToken({ value, type }: NamedValue): boolean {
  if (type === 'password' || type === 'secret' || type === 'seed-phrase') return false;
  if (type === 'one-time-code' || type === 'card-code') return !/\d/.test(value) || value.length < 3;
  if (/^[\d.]+$/.test(value)) return value.length < 10;
  return (
    value.length < 6 ||
    (/^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|[a-z]+(?:[-_ ][a-z]+)+|[a-z]+(?:[A-Z][a-z]+)*)$/.test(value) && value.length < 24)
  );
}

/**
 * Whether the value behind a sensitive name in a text is a secret, and not a variable, a type, a label or prose. In doubt it is, where it
 * is in quotes or joined by `=`.
 */
export function isSecretValue(named: NamedValue): boolean {
  const { value, name, quoted, tight } = named;
  if (value === '' || REFERENCE.test(value) || HARMLESS.has(value.toLowerCase())) return false;
  // An environment variable: what it is set to is what the name says.
  const environment = tight && /^[A-Z][A-Z0-9_]*$/.test(name);
  if (environment && !quoted) return !/^[([]/.test(named.next);
  if (sameWord(value, name) || isShortToken(named)) return false;
  if (quoted) return !isSentence(value);
  return !isCode(named) && value.length >= (tight ? 3 : 4);
}
