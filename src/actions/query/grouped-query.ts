import { isFieldWith, isRecordField } from '../fields/fields.ts';
import { parseQuery } from './parse.ts';
import type { Parsed, ParseOptions, Query, QueryError } from './query.ts';
import { parseField } from './query-fields.ts';
import { QueryProblem, Scanner } from './scanner.ts';
import { spanOfStep, TIME_STEPS, type TimeStep } from './time-steps.ts';
import { literal } from './values.ts';

/** What is said of each group: how many there are, or what their numbers come to. */
export const MEASURES = ['count', 'sum', 'min', 'max', 'median'] as const;
export type Measure = (typeof MEASURES)[number];

/** How what a query finds is grouped and added up, as it stands behind `|`: `sum amount by payee`. */
export interface Grouping {
  readonly op: Measure;
  /** What is added up, `duration` or a member of payloads; empty for a count. */
  readonly of: string;
  /** Up to MAX_GROUPED_BY steps of time, fields and members; none adds everything up. */
  readonly by: readonly string[];
}

/** A query, and what is made of what it finds; `grouping` is null where that is listed. */
export interface GroupedQuery {
  readonly query: string;
  readonly grouping: Grouping | null;
}

const MAX_GROUPED_BY = 2;

export function isTimeStep(name: string): name is TimeStep {
  return TIME_STEPS.some((step) => step === name);
}

/** Whether records can be grouped by what a name says: a step of time, a field that has few values or a column, a member. */
export function isGroupable(name: string): boolean {
  if (isTimeStep(name)) return true;
  if (isRecordField(name)) {
    return (
      isFieldWith(name, { few: true }) ||
      isFieldWith(name, { column: 'category' }) ||
      isFieldWith(name, { column: 'list' })
    );
  }
  return parseField(name)?.of === 'payload';
}

/** Whether a name is one of numbers: the duration, or a member of payloads. */
function isAddable(name: string): boolean {
  return name === 'duration' || parseField(name)?.of === 'payload';
}

/** The place of the last `|` between blanks. No query has one outside of quotes and regular expressions. */
export function barIn(text: string): number | null {
  const bars = [...text.matchAll(/(?:^|(?<=\s))\|(?=\s|$)/g)];
  return bars.at(-1)?.index ?? null;
}

/**
 * Reads a query and, behind a `|`, how what it finds is grouped. What is a query as a whole is one.
 * @returns the error of the part that cannot be read, with its place in the text
 */
export function parseGroupedQuery(
  text: string,
  options: ParseOptions,
): (GroupedQuery & { readonly ok: true }) | { readonly ok: false; readonly errors: readonly QueryError[] } {
  const whole = parseQuery(text, options);
  const bar = barIn(text);
  if (whole.ok || bar === null) return withoutGrouping(text, whole);
  const query = text.slice(0, bar).trimEnd();
  const parsed = parseQuery(query, options);
  if (!parsed.ok) return parsed;
  try {
    return { ok: true, query: query.trim(), grouping: readGrouping(new Scanner(text), bar + 1) };
  } catch (error) {
    if (error instanceof QueryProblem) return { ok: false, errors: [error.problem] };
    throw error;
  }
}

function withoutGrouping(text: string, parsed: Parsed) {
  return parsed.ok ? { ok: true as const, query: text.trim(), grouping: null } : parsed;
}

const WORD = /\p{L}+(?=[\s,]|$)/uy;
const NAME = /(?:[^\s,"]|"(?:[^"\\]|\\[\s\S])*")+/y;
const BY = /by(?=\s|$)/iy;

function readGrouping(scanner: Scanner, from: number): Grouping {
  scanner.at = from;
  scanner.skipBlanks();
  const isBy = scanner.ahead(BY) !== undefined;
  const op = isBy ? 'count' : readMeasure(scanner);
  const of = op === 'count' ? '' : readName(scanner, isAddable, 'There is nothing to add up.', ['duration', 'amount']);
  const by: string[] = [];
  scanner.skipBlanks();
  if (scanner.take(BY) !== undefined) {
    do {
      scanner.skipBlanks();
      const { at } = scanner;
      by.push(readName(scanner, isGroupable, 'There is nothing to group by.', ['agent', 'tool', 'day', 'payee']));
      if (by.length > MAX_GROUPED_BY) {
        scanner.fail('TOO_MANY_TERMS', 'Groups are made by two at most.', ['by agent, day'], at);
      }
      scanner.skipBlanks();
    } while (scanner.take(/,/y) !== undefined);
  }
  if (!scanner.done) {
    const { at } = scanner;
    scanner.fail('UNEXPECTED_CHARACTER', 'Groups end before this.', ['by agent, day'], at, scanner.text.length);
  }
  return { op, of, by };
}

function readMeasure(scanner: Scanner): Measure {
  const { at } = scanner;
  const word = scanner.take(WORD)?.toLowerCase();
  const op = MEASURES.find((one) => one === word);
  if (op !== undefined) return op;
  const code = scanner.done && word === undefined ? 'UNEXPECTED_END' : 'UNEXPECTED_CHARACTER';
  const end = Math.max(scanner.at, at + (scanner.ahead(/\S+/y)?.length ?? 0));
  return scanner.fail(
    code,
    'Behind | stands how what is found is added up; a text with | in it is put in quotes.',
    ['count by agent', 'sum amount by payee', 'median duration by tool, day'],
    at,
    end,
  );
}

function readName(
  scanner: Scanner,
  isMeant: (name: string) => boolean,
  missing: string,
  examples: readonly string[],
): string {
  scanner.skipBlanks();
  const { at } = scanner;
  const isKeyword = scanner.ahead(BY) !== undefined;
  const name = isKeyword ? undefined : scanner.take(NAME);
  if (name === undefined) return scanner.fail('UNEXPECTED_END', missing, examples, at);
  if (!isMeant(name)) scanner.fail('BAD_VALUE', `“${name}” cannot be used here.`, examples, at, scanner.at);
  return name;
}

/** Names a value that a member has as a number or a truth value as well; a group has both, but not what is only written otherwise. */
function memberValue(text: string): ReturnType<typeof literal> {
  const value = literal(text);
  return String(value) === text ? value : text;
}

/** The terms that find what is in a group by one of its values; null for what no query can name. */
function termsOfKey(name: string, key: string | null, zone: string): readonly Query[] | null {
  if (isTimeStep(name)) {
    const span = key === null ? null : spanOfStep(key, name, zone);
    if (span === null) return null;
    const [from, to] = span.map((time): Query => {
      return { kind: 'compare', field: { of: 'record', name: 'issued' }, operator: '<', number: null, time };
    });
    // An action is in the group of the step in which it began: later steps in which it has records are not meant.
    return from === undefined || to === undefined ? null : [{ kind: 'not', part: from }, to];
  }
  const field = parseField(name);
  if (field === undefined) return null;
  if (key === null) return [{ kind: 'not', part: { kind: 'exists', field, itself: true } }];
  return [{ kind: 'equals', field, value: field.of === 'payload' ? memberValue(key) : key, text: key }];
}

/**
 * The terms that find what is in a group, among what was grouped; null where no query can name it.
 * @param keys the values that the group is told apart by, as the service names them
 * @param zone whose clocks and calendars steps of time are of
 */
export function termsOfGroup(
  by: readonly string[],
  keys: readonly (string | null)[],
  zone: string,
): readonly Query[] | null {
  const terms = by.map((name, at) => termsOfKey(name, keys[at] ?? null, zone));
  return terms.every((each) => each !== null) ? terms.flat() : null;
}

/** A query with its groups as they are typed. */
export function groupedQueryText({ query, grouping }: GroupedQuery): string {
  if (grouping === null) return query;
  const { op, of, by } = grouping;
  const words = ['|', op, ...(op === 'count' ? [] : [of]), ...(by.length === 0 ? [] : ['by', by.join(', ')])];
  return [...(query === '' ? [] : [query]), ...words].join(' ');
}
