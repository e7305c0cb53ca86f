import { type Field, parseQuery, printQuery, type Query } from '../../../actions/index.ts';
import { namesOfPointer } from '../../../protocol/index.ts';

/** Whether records must have a value, or must not. */
export type Want = 'with' | 'without';

/** Longer values are no filter that anybody reads; the words in them are. */
export const MAX_TERM_VALUE = 300;

/** What times in a query mean. */
export interface QueryContext {
  readonly zone: string;
}

function read(text: string, { zone }: QueryContext) {
  return text.trim() === ''
    ? ({ ok: true, query: { kind: 'all' } } as const)
    : parseQuery(text, { now: Date.now(), zone });
}

/** The term that a field's value is found by, and it alone. */
export function valueTerm(field: Field, value: string | number | boolean | null): Query {
  return { kind: 'equals', field, value, text: String(value) };
}

/** The member that a JSON Pointer names, whatever its place in arrays. */
export function pointerField(pointer: string): Field {
  return { of: 'payload', path: namesOfPointer(pointer).filter((step) => !/^\d+$/.test(step)), fromRoot: true };
}

function partsOf(query: Query): readonly Query[] {
  if (query.kind === 'all') return [];
  return query.kind === 'and' ? query.parts : [query];
}

function wanted(term: Query, want: Want): Query {
  return want === 'with' ? term : { kind: 'not', part: term };
}

/** Which of the terms that must all hold a query has: their texts as `printQuery` writes them. */
export function termsOf(text: string, context: QueryContext): ReadonlySet<string> {
  const parsed = read(text, context);
  return new Set(parsed.ok ? partsOf(parsed.query).map(printQuery) : []);
}

/** Whether a query asks for a term, or leaves it out. */
export function standingOf(terms: ReadonlySet<string>, term: Query): Want | null {
  if (terms.has(printQuery(term))) return 'with';
  return terms.has(printQuery(wanted(term, 'without'))) ? 'without' : null;
}

/**
 * A query with one more term that must hold; without it where it had it. What was typed stays as it was typed, so that
 * `-15m` continues to mean the last quarter of an hour.
 * @returns null where the text is no query
 */
export function toggledTerm(text: string, term: Query, want: Want, context: QueryContext): string | null {
  const parsed = read(text, context);
  if (!parsed.ok) return null;
  const added = printQuery(wanted(term, want));
  const opposite = printQuery(wanted(term, want === 'with' ? 'without' : 'with'));
  const has = termsOf(text, context);
  if (has.has(added)) return withoutText(text, parsed.query, added);
  const rest = has.has(opposite) ? withoutText(text, parsed.query, opposite) : text.trim();
  if (rest === '') return added;
  const isChoice = !has.has(opposite) && parsed.query.kind === 'or';
  return isChoice ? `(${rest}) ${added}` : `${rest} ${added}`;
}

/** Takes a term out: where it stands as it is printed, that part of the text alone. */
function withoutText(text: string, query: Query, term: string): string {
  const words = text.trim();
  if (words === term) return '';
  if (words.endsWith(` ${term}`)) return words.slice(0, -term.length - 1).trimEnd();
  if (words.startsWith(`${term} `)) return words.slice(term.length + 1).trimStart();
  const rest = partsOf(query).filter((part) => printQuery(part) !== term);
  const [only] = rest;
  if (only === undefined) return '';
  return printQuery(rest.length === 1 ? only : { kind: 'and', parts: rest });
}
