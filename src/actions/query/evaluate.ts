import { isFieldWith } from '../fields/fields.ts';
import { comparable } from './comparable.ts';
import { foldText } from './folding.ts';
import { type Leaf, type QueriedRecord, reaches, recordValues, textOfValue } from './queried-record.ts';
import {
  type CompareQuery,
  type EqualsQuery,
  type Field,
  type MatchesQuery,
  type PartQuery,
  type Query,
  type TermQuery,
  WORDED_FIELDS,
  type WordsQuery,
} from './query.ts';
import { readingsOf } from './readings.ts';
import { compileRegex, type Regex } from './regex.ts';
import { foldedWords } from './words.ts';

type PayloadField = Extract<Field, { of: 'payload' }>;

/** Whether some record of a session is meant by a query. */
export type SessionTest = (session: string, part: Query) => boolean;

/**
 * Whether a query means a record: the reference for every index.
 * @param inSession what is known of the record's session; without it the record stands for all of it
 */
export function matchesQuery(query: Query, record: QueriedRecord, inSession?: SessionTest): boolean {
  return matchesAction(query, [record], inSession);
}

/**
 * Whether a query means an action: a call with all its records. A term means it where it means one of them; `and`, `or` and `not`
 * are about actions.
 * @param records with what they have from their call
 */
export function matchesAction(query: Query, records: readonly QueriedRecord[], inSession?: SessionTest): boolean {
  switch (query.kind) {
    case 'all':
      return true;
    case 'and':
      return query.parts.every((part) => matchesAction(part, records, inSession));
    case 'or':
      return query.parts.some((part) => matchesAction(part, records, inSession));
    case 'not':
      return !matchesAction(query.part, records, inSession);
    case 'session':
      return inSession === undefined
        ? records.some(({ session }) => session !== null) && matchesAction(query.part, records)
        : records.some(({ session }) => session !== null && inSession(session, query.part));
    default:
      return records.some((record) => matchesTerm(query, record));
  }
}

function matchesTerm(query: TermQuery, record: QueriedRecord): boolean {
  switch (query.kind) {
    case 'exists':
      return query.field.of === 'record'
        ? recordValues(record, query.field.name).length > 0
        : leavesOf(record, query.field, query.itself ? 'at' : 'within').length > 0;
    case 'equals':
      return valuesOf(record, query.field, 'at').some((value) => isEqual(query, value));
    case 'compare':
      return valuesOf(record, query.field, 'at').some((value) => isBeyond(query, value));
    default: {
      const isIn = textTest(query);
      return textsOf(record, query.field).some(isIn);
    }
  }
}

/** The records that a query means among all there are: what an index over them has to find. */
export function selectRecords<R extends QueriedRecord>(query: Query, records: readonly R[]): R[] {
  return selectActions(
    query,
    records.map((record) => [record]),
  ).flat();
}

/** The same of actions, each as its records. */
export function selectActions<A extends readonly QueriedRecord[]>(query: Query, actions: readonly A[]): A[] {
  const sessions = new Map<Query, ReadonlySet<string | null>>();
  const inSession: SessionTest = (session, part) => {
    let known = sessions.get(part);
    if (known === undefined) {
      known = new Set(selectActions(part, actions).flatMap((records) => records.map((record) => record.session)));
      sessions.set(part, known);
    }
    return known.has(session);
  };
  return actions.filter((records) => matchesAction(query, records, inSession));
}

/** Whether a text is what a query over texts looks for. */
export function textTest(query: WordsQuery | PartQuery | MatchesQuery): (text: string) => boolean {
  if (query.kind === 'words') return (text) => readingsOf(text).some((read) => phraseAt(foldedWords(read), query) >= 0);
  if (query.kind === 'part') return (text) => readingsOf(text).some((read) => foldText(read).includes(query.text));
  const regex = regexOf(query);
  return (text) => regex.test(text);
}

/** Where in these words the phrase begins, from `from` on; -1 where it does not. */
export function phraseAt(words: readonly string[], query: WordsQuery, from = 0): number {
  const last = query.words.length - 1;
  for (let start = from; start + last < words.length; start++) {
    const fits = query.words.every((word, index) => {
      const found = words[start + index] ?? '';
      return query.lastIsPrefix && index === last ? found.startsWith(word) : found === word;
    });
    if (fits) return start;
  }
  return -1;
}

export function isEqual({ field, value, text }: EqualsQuery, found: Leaf['value']): boolean {
  if (field.of === 'record' && isFieldWith(field.name, { folded: true }))
    return foldText(String(found)) === foldText(text);
  return found === value || (field.of === 'payload' && found === text);
}

export function isBeyond(query: CompareQuery, found: Leaf['value']): boolean {
  const isTime = query.field.of === 'record' ? query.time !== null && typeof found === 'number' : false;
  const { number, time } = isTime ? { number: null, time: Number(found) } : comparable(found);
  const [left, right] = query.time === null ? [number, query.number] : [time, query.time];
  if (left === null || right === null) return false;
  switch (query.operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

export function leavesOf(record: QueriedRecord, field: PayloadField, how: 'at' | 'within'): Leaf[] {
  return record.leaves.filter(({ path }) => reaches(field, path, how));
}

const compiled = new WeakMap<MatchesQuery, Regex>();

/** The compiled expression of a query, which keeps it. One that no parser let through matches nothing. */
export function regexOf(query: MatchesQuery): Regex {
  const known = compiled.get(query);
  if (known !== undefined) return known;
  const made = compileRegex(query.source, query.ignoreCase);
  const regex = 'problem' in made ? { test: () => false, ranges: () => [] } : made;
  compiled.set(query, regex);
  return regex;
}

function valuesOf(record: QueriedRecord, field: Field, how: 'at' | 'within'): readonly Leaf['value'][] {
  if (field.of === 'record') return recordValues(record, field.name);
  return leavesOf(record, field, how).map(({ value }) => value);
}

/** The texts that words are looked for in: with a field its values, else every member name and value, and what the agent says of it. */
function textsOf(record: QueriedRecord, field: Field | null): string[] {
  if (field !== null) return valuesOf(record, field, 'within').map(textOfValue);
  const names = new Set(record.leaves.flatMap(({ path }) => path));
  const worded = WORDED_FIELDS.flatMap((name) => recordValues(record, name).map(String));
  return [...names, ...record.leaves.map(({ value }) => textOfValue(value)), ...worded];
}
