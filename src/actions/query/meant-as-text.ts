import { foldText } from './folding.ts';
import { parseQuery } from './parse.ts';
import { quoted } from './print.ts';
import type { ParseOptions, Query } from './query.ts';
import { foldedWords } from './words.ts';

/** Outside of quotes: a hyphen that means `not`. */
const HYPHEN_FOR_NOT = /(?:^|[\s(])-[^\s\d]/;
/** A colon in a sentence, as in `error: not found`. */
const COLON_OF_A_SENTENCE = /\S:\s/;
const QUOTED = /"(?:[^"\\]|\\[\s\S])*"?/g;

/** The query that finds a text as it stands, whatever operators are in it; null where there is nothing in it to look for. */
export function textQuery(text: string): string | null {
  const plain = text.trim();
  if (foldedWords(plain).length > 0) return quoted(plain);
  return foldText(plain) === '' ? null : `*${quoted(plain)}*`;
}

/**
 * Whether what reads as a query, or fails to, may be meant as a text: a command, a path, an address or a sentence whose signs are the
 * language's operators by chance. Queries that compare the record's own fields are not.
 */
export function mayBeText(text: string, options: ParseOptions): boolean {
  const unquoted = text.replace(QUOTED, '""');
  const parsed = parseQuery(text, options);
  if (!parsed.ok) return unquoted !== '""';
  const isOdd = HYPHEN_FOR_NOT.test(unquoted) || COLON_OF_A_SENTENCE.test(unquoted);
  return (isOdd && !isPlain(parsed.query)) || hasUnknownField(parsed.query);
}

function isPlain(query: Query): boolean {
  return query.kind === 'all' || ((query.kind === 'words' || query.kind === 'part') && query.field === null);
}

/** Whether a name that is no field of records was read before an operator, or a path as a regular expression. */
function hasUnknownField(query: Query): boolean {
  switch (query.kind) {
    case 'all':
      return false;
    case 'and':
    case 'or':
      return query.parts.some(hasUnknownField);
    case 'not':
    case 'session':
      return hasUnknownField(query.part);
    default:
      return query.field === null ? query.kind === 'matches' : query.field.of === 'payload';
  }
}
