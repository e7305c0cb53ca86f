/** A phrase that reads as if it had been translated, and what says it in plain English. */
export interface ForbiddenPhrase {
  /** Words as they follow each other; a line break may lie between them. Capital letters count only where it is said. */
  readonly phrase: string;
  readonly instead: string;
  /** Words before or after it with which it is idiomatic. */
  readonly unlessAfter?: readonly string[];
  readonly unlessBefore?: readonly string[];
  readonly caseSensitive?: boolean;
  /** The folder to which the rule is limited. */
  readonly below?: string;
}

/** Phrases that may not appear in texts, comments and titles of tests. */
export const FORBIDDEN_PHRASES: readonly ForbiddenPhrase[] = [
  { phrase: 'by another way', instead: 'through a separate channel' },
  { phrase: 'stands in', instead: 'is in, is recorded in; for a substitute: replaces' },
  { phrase: 'made anew', instead: 'rebuilt, created again' },
  { phrase: 'anew', instead: 'again; rebuild, reload' },
  { phrase: 'goes on', instead: 'continues' },
  { phrase: 'let go on', instead: 'unfrozen' },
  { phrase: 'takes up', instead: 'indexes, starts, occupies', unlessBefore: ['to'] },
  { phrase: 'what waits', instead: 'what is pending' },
  { phrase: 'for who', instead: 'for anyone who' },
  // "There is none" is English; "a key that is none" is not.
  {
    phrase: 'is none',
    instead: 'is not one, is not a …, is not valid',
    unlessAfter: ['there', 'There', 'there really'],
    // Python's None.
    caseSensitive: true,
  },
  { phrase: 'of its own', instead: 'its own …, a separate …', unlessBefore: ['accord'] },
  { phrase: 'Make it', instead: 'name the object: Create export', below: 'src/renderer' },
  { phrase: 'told of', instead: 'notified of, learns about' },
  { phrase: 'holds after', instead: 'takes effect after' },
  { phrase: 'as good as nobody', instead: 'the same as nobody' },
  { phrase: 'the first to come', instead: 'whoever comes first' },
  { phrase: 'in a line', instead: 'per line, on one line' },
  { phrase: 'what came of it', instead: 'the result' },
  { phrase: 'so many', instead: 'this many, the number of', unlessBefore: ['that'] },
  { phrase: 'beside', instead: 'next to, besides', below: 'src/renderer' },
  { phrase: 'stays good', instead: 'remains valid' },
];

/** Places where a forbidden phrase is what is meant, each with the reason. */
export const EXCEPTIONS: readonly { readonly path: string; readonly text: string; readonly reason: string }[] = [
  ...['const BESIDE = 2', 'page) - BESIDE', 'page) + BESIDE'].map((text) => ({
    path: 'src/renderer/screens/audit/list/ledger-rows.ts',
    text,
    reason: 'the name of a constant',
  })),
];
