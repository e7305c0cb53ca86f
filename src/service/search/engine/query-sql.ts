import {
  type CompareQuery,
  type EqualsQuery,
  type Field,
  type Query,
  RECORD_FIELDS,
  type TermQuery,
} from '../../../actions/index.ts';
import type { Unit } from '../../../api/index.ts';
import type { Parameters } from './clickhouse.ts';
import { columnOf, isMany, isOptional, isStored, pathText, RECORDS, type StoredField } from './columns.ts';

/**
 * What a query means, as conditions: what fulfils `must` is meant, and nothing is that does not fulfil `may`. The two are the same text where
 * SQL answers exactly; what is between them the reference decides. Neither is ever NULL, so that NOT turns the one into the other.
 */
export interface Condition {
  readonly must: string;
  readonly may: string;
}

export const [ALWAYS, NEVER] = ['true', 'false'];

function exactly(condition: string): Condition {
  return { must: condition, may: condition };
}

export function isExact({ must, may }: Condition): boolean {
  return must === may;
}

/** A term about the texts of a field: what words and expressions say of them the reference says of each value. */
export interface ValueTerm {
  readonly term: TermQuery;
  readonly name: StoredField | 'outcome';
}

/** Which values of its field each such term means; none of a term whose field has too many of them. */
export type MeantValues = ReadonlyMap<TermQuery, readonly string[]>;

/** The terms of a query whose values have to be asked for. */
export function valueTerms(query: Query): ValueTerm[] {
  switch (query.kind) {
    case 'all':
      return [];
    case 'and':
    case 'or':
      return query.parts.flatMap(valueTerms);
    case 'not':
    case 'session':
      return valueTerms(query.part);
    default: {
      const name = query.field?.of === 'record' ? query.field.name : undefined;
      if (name === 'outcome') return [{ term: query, name }];
      const isText = name !== undefined && isStored(name) && RECORD_FIELDS[name].form === 'text';
      return isText && query.kind !== 'exists' && query.kind !== 'equals' ? [{ term: query, name }] : [];
    }
  }
}

type Member = Extract<Field, { of: 'payload' }>;

/** Turns queries into conditions over rows, or over actions, each a group of rows. */
export class QueryConditions {
  readonly #parameters: Parameters;
  readonly #meant: MeantValues;
  readonly #unit: Unit;
  /** Which rows there are at all: whose archive, and which fillings of the table. */
  readonly #rows: string;

  constructor(parameters: Parameters, meant: MeantValues, { unit, rows }: { unit: Unit; rows: string }) {
    this.#parameters = parameters;
    this.#meant = meant;
    this.#unit = unit;
    this.#rows = rows;
  }

  of(query: Query): Condition {
    switch (query.kind) {
      case 'all':
        return exactly(ALWAYS);
      case 'and':
      case 'or': {
        const parts = query.parts.map((part) => this.of(part));
        const all = (side: keyof Condition): string =>
          `(${parts.map((part) => part[side]).join(query.kind === 'and' ? ' AND ' : ' OR ')})`;
        return { must: all('must'), may: all('may') };
      }
      case 'not': {
        const { must, may } = this.of(query.part);
        return { must: `(NOT ${may})`, may: `(NOT ${must})` };
      }
      case 'session':
        return this.#grouped(this.#ofSessions(query.part));
      default:
        return this.#grouped(this.#term(query));
    }
  }

  /** The rows of what is meant. */
  rowsOf(condition: string): string {
    if (this.#unit === 'records') return `${this.#rows} AND ${condition}`;
    return `${this.#rows} AND lead IN (SELECT lead FROM ${RECORDS} WHERE ${this.#rows} GROUP BY lead HAVING ${condition})`;
  }

  /** An action is meant by a term where one of its records is. */
  #grouped({ must, may }: Condition): Condition {
    if (this.#unit === 'records') return { must, may };
    return { must: `max(${must})`, may: `max(${may})` };
  }

  #ofSessions(part: Query): Condition {
    const condition = this.of(part);
    const session = columnOf('session');
    const side = (of: keyof Condition): string =>
      `ifNull(${session} IN (SELECT ${session} FROM ${RECORDS} WHERE ${this.rowsOf(condition[of])}), false)`;
    return { must: side('must'), may: side('may') };
  }

  #term(query: TermQuery): Condition {
    const { field } = query;
    if (field?.of === 'record') {
      const { name } = field;
      if (name === 'outcome') return this.#outcome(query);
      return isStored(name) ? this.#field(query, name) : { must: NEVER, may: ALWAYS };
    }
    switch (query.kind) {
      case 'exists':
        return exactly(this.#member(query.field, query.itself ? 'at' : 'within'));
      case 'equals':
        return exactly(this.#equals(query));
      case 'compare':
        return exactly(this.#compare(query));
      case 'words':
        return this.#texts(field, 'said', ` ${query.words.join(' ')}${query.lastIsPrefix ? '' : ' '}`);
      case 'part':
        return this.#texts(field, 'folded', query.text);
      case 'matches':
        // The engine's expressions are not to the letter those of the language.
        return { must: NEVER, may: field === null ? ALWAYS : this.#member(field, 'within') };
    }
  }

  /** A call without an end is `unfinished`, of which its newest record is told: that depends on all others, as all of an action does. */
  #outcome(query: TermQuery): Condition {
    const meant = this.#meant.get(query);
    if (meant === undefined) return { must: NEVER, may: ALWAYS };
    const must = `ifNull(outcome IN ${this.#parameters.texts(meant)}, false)`;
    if (this.#unit === 'actions') return { must: NEVER, may: ALWAYS };
    if (!meant.includes('unfinished')) return exactly(must);
    return { must, may: `(${must} OR (isNull(outcome) AND isNotNull(${columnOf('call')})))` };
  }

  #field(query: TermQuery, name: StoredField): Condition {
    const column = columnOf(name);
    const isThere = isMany(name) ? `notEmpty(${column})` : isOptional(name) ? `isNotNull(${column})` : ALWAYS;
    if (RECORD_FIELDS[name].form !== 'text') return this.#number(query, name, isThere);
    if (query.kind === 'exists') return exactly(isThere);
    if (query.kind === 'equals') {
      if (typeof query.value !== 'string') return exactly(NEVER);
      const value = this.#parameters.text(query.value);
      return exactly(isMany(name) ? `has(${column}, ${value})` : `ifNull(${column} = ${value}, false)`);
    }
    const values = this.#meant.get(query);
    if (values === undefined) return { must: NEVER, may: isThere };
    const meant = this.#parameters.texts(values);
    return exactly(isMany(name) ? `hasAny(${column}, ${meant})` : `ifNull(has(${meant}, ${column}), false)`);
  }

  #number(query: TermQuery, name: StoredField, isThere: string): Condition {
    const column = columnOf(name);
    // That of an action is what its records come to.
    if (name === 'duration' && this.#unit === 'actions') return { must: NEVER, may: ALWAYS };
    if (query.kind === 'equals') {
      if (typeof query.value !== 'number') return exactly(NEVER);
      return exactly(`ifNull(${column} = ${this.#parameters.number(query.value)}, false)`);
    }
    if (query.kind === 'exists') return exactly(isThere);
    if (query.kind !== 'compare') return { must: NEVER, may: isThere };
    const beyond = query.time ?? query.number;
    if (beyond === null) return exactly(NEVER);
    return exactly(`ifNull(${column} ${query.operator} ${this.#parameters.number(beyond)}, false)`);
  }

  /** Whether the path `p` of a leaf is one that a member means, as `reaches` says it. */
  #reached({ path, fromRoot }: Member, how: 'at' | 'within'): string {
    if (path.length === 0) return NEVER;
    const [own, end] = [this.#parameters.text(pathText(path)), this.#parameters.text(`${pathText(path)}/`)];
    if (how === 'at') return fromRoot ? `p = ${own}` : `endsWith(p, ${own})`;
    return fromRoot ? `startsWith(concat(p, '/'), ${end})` : `position(concat(p, '/'), ${end}) > 0`;
  }

  #member(field: Field, how: 'at' | 'within'): string {
    return field.of === 'record' ? NEVER : `arrayExists(p -> ${this.#reached(field, how)}, leaf_paths)`;
  }

  #equals({ field, value, text }: EqualsQuery): string {
    if (field.of === 'record') return NEVER;
    const forms = this.#parameters.texts([JSON.stringify(value), JSON.stringify(text)]);
    return `arrayExists((p, form) -> ${this.#reached(field, 'at')} AND has(${forms}, form), leaf_paths, leaf_forms)`;
  }

  #compare({ field, operator, number, time }: CompareQuery): string {
    const beyond = time ?? number;
    if (field.of === 'record' || beyond === null) return NEVER;
    const columns = time === null ? 'number_paths, numbers' : 'time_paths, times';
    const value = this.#parameters.number(beyond);
    return `arrayExists((p, x) -> ${this.#reached(field, 'at')} AND x ${operator} ${value}, ${columns})`;
  }

  #texts(field: Member | null, column: 'said' | 'folded', wanted: string): Condition {
    const text = this.#parameters.text(wanted);
    if (field !== null) {
      const reached = this.#reached(field, 'within');
      return exactly(`arrayExists((p, s) -> ${reached} AND position(s, ${text}) > 0, leaf_paths, leaf_${column})`);
    }
    return exactly(
      `(position(other_${column}, ${text}) > 0 OR arrayExists(s -> position(s, ${text}) > 0, leaf_${column}))`,
    );
  }
}
