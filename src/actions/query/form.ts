import { parseQuery } from './parse.ts';
import { printField, printQuery, printRegex, quoted, textOfWords } from './print.ts';
import { formOf } from './queried-record.ts';
import { type Field, joined, type ParseOptions, type Query, type QueryError, type TermQuery } from './query.ts';
import { parseField } from './query-fields.ts';
import { writeTime } from './times.ts';
import { readNumber } from './values.ts';

/** What a row of the form may ask, each with its opposite where it has one. */
export const FORM_OPERATORS = [
  'contains',
  'contains_not',
  'has_part',
  'has_part_not',
  'is',
  'is_not',
  'below',
  'at_most',
  'above',
  'at_least',
  'matches',
  'matches_not',
  'present',
  'absent',
] as const;

export type FormOperator = (typeof FORM_OPERATORS)[number];

/** A condition for people who do not type the language. All rows of a form must hold. */
export interface FormRow {
  /** A field as the language writes it; empty for wherever words are looked for. */
  readonly field: string;
  readonly operator: FormOperator;
  /** As typed: words, a value, a number, a time, a regular expression. Ignored for `present` and `absent`. */
  readonly value: string;
}

export interface FormError extends Pick<QueryError, 'code' | 'message' | 'expected'> {
  /** Its position among the rows. */
  readonly row: number;
}

const SIGNS = { below: '<', at_most: '<=', above: '>', at_least: '>=' } as const;
const OPPOSITES = {
  contains_not: 'contains',
  has_part_not: 'has_part',
  is_not: 'is',
  matches_not: 'matches',
  absent: 'present',
} as const satisfies Partial<Record<FormOperator, FormOperator>>;

/** Operators that make sense for a field; those of texts where there is none, without `is` and comparisons. */
export function formOperators(field: Field | null): readonly FormOperator[] {
  const form = field === null ? 'text' : formOf(field);
  return FORM_OPERATORS.filter((operator) => {
    const plain = affirmed(operator);
    if (plain === 'present' || plain === 'is') return field !== null;
    const isOfTexts = plain === 'contains' || plain === 'has_part' || plain === 'matches';
    return form === 'any' || isOfTexts === (form === 'text');
  });
}

/** The query that a form asks, or what is wrong with which rows. */
export function queryOfForm(
  rows: readonly FormRow[],
  options: ParseOptions,
): { readonly ok: true; readonly query: Query } | { readonly ok: false; readonly errors: readonly FormError[] } {
  const parts: Query[] = [];
  const errors: FormError[] = [];
  for (const [row, condition] of rows.entries()) {
    const read = queryOfRow(condition, options);
    if ('kind' in read) parts.push(read);
    else errors.push({ row, ...read });
  }
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, query: parts.length === 0 ? { kind: 'all' } : joined('and', parts) };
}

/** The rows that ask a query; null where it is more than conditions that must all hold. */
export function formOfQuery(query: Query): readonly FormRow[] | null {
  if (query.kind === 'all') return [];
  const rows = (query.kind === 'and' ? query.parts : [query]).map(rowOf);
  return rows.every((row) => row !== null) ? rows : null;
}

function queryOfRow(row: FormRow, options: ParseOptions): Query | Omit<FormError, 'row'> {
  const field = row.field.trim() === '' ? null : parseField(row.field);
  if (field === undefined) {
    return { code: 'BAD_VALUE', message: `“${row.field}” is no field.`, expected: ['tool', 'arguments.user_id'] };
  }
  if (!formOperators(field).includes(row.operator)) {
    const expected = formOperators(field);
    return { code: 'UNKNOWN_OPERATOR', message: 'This field cannot be asked so.', expected };
  }
  const operator = affirmed(row.operator);
  const parsed = parseQuery(conditionText(field, operator, row.value), options);
  if (!parsed.ok) {
    const [{ code, message, expected } = EMPTY] = parsed.errors;
    return { code, message, expected };
  }
  return operator === row.operator ? parsed.query : { kind: 'not', part: parsed.query };
}

const EMPTY: Omit<FormError, 'row'> = { code: 'BAD_VALUE', message: 'This condition is not sound.', expected: [] };

function affirmed(operator: FormOperator): FormOperator {
  return operator in OPPOSITES ? OPPOSITES[operator as keyof typeof OPPOSITES] : operator;
}

/** The condition in the language, whose parser then says what is wrong with it. */
function conditionText(field: Field | null, operator: FormOperator, value: string): string {
  const name = field === null ? '*' : printField(field);
  const [, source, flag] = /^\/(.+)\/(i?)$/s.exec(value) ?? [];
  switch (operator) {
    case 'contains': {
      const words = value.endsWith('*') ? `${quoted(value.slice(0, -1))}*` : quoted(value);
      return field === null ? words : `${name} : ${words}`;
    }
    case 'has_part':
      return `${field === null ? '' : `${name} : `}*${quoted(value)}*`;
    case 'matches':
      return `${name} ~ ${source === undefined ? printRegex(value, false) : printRegex(source, flag === 'i')}`;
    case 'present':
      return `${name} : *`;
    case 'below':
    case 'at_most':
    case 'above':
    case 'at_least':
      return `${name} ${SIGNS[operator]} ${quoted(value)}`;
    default:
      // A number or a constant stays one, so that it finds both the number and the text.
      return `${name} = ${isLiteral(value) ? value : quoted(value)}`;
  }
}

function isLiteral(value: string): boolean {
  return readNumber(value) !== undefined || /^(?:true|false|null)$/.test(value);
}

function rowOf(query: Query): FormRow | null {
  if (query.kind !== 'not') return isTerm(query) ? rowOfTerm(query) : null;
  const row = isTerm(query.part) ? rowOfTerm(query.part) : null;
  const opposite = FORM_OPERATORS.find(
    (operator) => operator !== row?.operator && affirmed(operator) === row?.operator,
  );
  return row === null || opposite === undefined ? null : { ...row, operator: opposite };
}

function isTerm(query: Query): query is TermQuery {
  return 'field' in query;
}

function rowOfTerm(term: TermQuery): FormRow | null {
  const field = term.field === null ? '' : printField(term.field);
  switch (term.kind) {
    case 'words':
      return { field, operator: 'contains', value: textOfWords(term.words) + (term.lastIsPrefix ? '*' : '') };
    case 'part':
      return { field, operator: 'has_part', value: term.text };
    case 'exists':
      return term.itself ? null : { field, operator: 'present', value: '' };
    case 'equals':
      // A text that looks like a number would come back as one.
      return typeof term.value === 'string' && formOf(term.field) === 'any' && isLiteral(term.value)
        ? null
        : { field, operator: 'is', value: term.text };
    case 'compare': {
      const operator = (['below', 'at_most', 'above', 'at_least'] as const).find(
        (name) => SIGNS[name] === term.operator,
      );
      const value = term.time === null ? String(term.number) : writeTime(term.time);
      return operator === undefined ? null : { field, operator, value };
    }
    case 'matches': {
      const isPlain = !term.ignoreCase && !term.source.startsWith('/');
      return {
        field,
        operator: 'matches',
        value: isPlain ? term.source : `/${term.source}/${term.ignoreCase ? 'i' : ''}`,
      };
    }
  }
}

/**
 * The text of a query with one more condition, for a filter taken from a value on the screen. What somebody typed stays as it
 * is; a text that is no query is replaced.
 */
export function narrowed(text: string, condition: Query, options: ParseOptions): string {
  const parsed = parseQuery(text, options);
  const added = condition.kind === 'or' ? `(${printQuery(condition)})` : printQuery(condition);
  if (!parsed.ok || parsed.query.kind === 'all') return added;
  return parsed.query.kind === 'or' ? `(${text.trim()}) ${added}` : `${text.trim()} ${added}`;
}
