import {
  type CompareQuery,
  type EqualsQuery,
  type Field,
  type FieldsWith,
  isFieldWith,
  matchesQuery,
  type Query,
  reaches,
  recordWith,
  type TermQuery,
  WORDED_FIELDS,
} from '../../../actions/index.ts';
import { Bits, type Interval } from './bits.ts';
import type { JoinedField } from './joined-values.ts';
import { partIn } from './part-terms.ts';
import { eachNumber, eachRecord } from './posting-walks.ts';
import { KIND } from './postings.ts';
import type { SegmentFile } from './segment-file.ts';
import type { ShelfReader, Window } from './shelf-reader.ts';
import { addPaths, type Bound, exactly, type Scope, scopeOf, wordsIn } from './text-terms.ts';

/** Fields that are few values for many records. */
export type FewField = FieldsWith<{ few: true }>;
export type NumberField = FieldsWith<{ form: 'number' }> | FieldsWith<{ form: 'time' }>;

/** Between which values the numbers of some records are. */
export interface NumberRange {
  /** NaN where none has a number, and so is the greatest. */
  readonly least: number;
  readonly greatest: number;
  /** Whether every record has one. */
  readonly isWhole: boolean;
}

/** Fields that are not among the terms of segments: what they are may change with later records, or they are numbers. */
export interface OtherFields {
  /** Which records have which value of a field with few of them. */
  few(name: FewField): ReadonlyMap<string, Bits>;
  /** Which records are of a session in which some record is meant by a query. */
  ofSessions(part: Query): Bound;
  /** By number of the record; NaN for none. */
  numbers(name: NumberField): Float64Array;
  range(name: NumberField, window: Window): NumberRange;
  /** What a term finds in a field that some records have from others, among all records; null where none has. */
  whole?(query: TermQuery, name: JoinedField, find: () => Bound): Bound | null;
  /** Where actions are looked for: the first record of each, and of which actions records are. */
  readonly actions?: { readonly all: Bits; of(records: Bits): Bits };
}

type PayloadField = Extract<Field, { of: 'payload' }>;

/** Finds what queries mean among the terms of a shelf. */
export class Evaluation {
  readonly #reader: ShelfReader;
  readonly #others: OtherFields;
  readonly #window: Window;

  /** @param window the records that are looked at: all others are not meant */
  constructor(reader: ShelfReader, others: OtherFields, window = reader.whole) {
    this.#reader = reader;
    this.#others = others;
    this.#window = window;
  }

  #nothing(): Bits {
    return new Bits(this.#window.size, this.#window.start);
  }

  #everything(): Bits {
    return this.#others.actions?.all.copy() ?? Bits.all(this.#window.size, this.#window.start);
  }

  of(query: Query): Bound {
    const { must, may } = this.#of(query);
    const within = must.within(this.#window.start, this.#window.size);
    return must === may ? exactly(within) : { must: within, may: may.within(this.#window.start, this.#window.size) };
  }

  #of(query: Query): Bound {
    switch (query.kind) {
      case 'all':
        return exactly(this.#everything());
      case 'and':
      case 'or':
        return this.#joined(query.kind, query.parts);
      case 'not': {
        const { must, may } = this.#of(query.part);
        return { must: this.#everything().without(may), may: this.#everything().without(must) };
      }
      case 'session':
        return this.#others.ofSessions(query.part);
      default:
        return this.#asked(query);
    }
  }

  #asked(query: TermQuery): Bound {
    const { whole, actions } = this.#others;
    if (actions !== undefined) {
      const { must, may } = this.#term(query);
      return must === may ? exactly(actions.of(must)) : { must: actions.of(must), may: actions.of(may) };
    }
    const name = query.field?.of === 'record' ? query.field.name : undefined;
    if (whole === undefined || name === undefined || !isFieldWith(name, { joined: true })) return this.#term(query);
    const all = new Evaluation(this.#reader, this.#others, this.#reader.whole);
    return whole(query, name, () => all.#term(query)) ?? this.#term(query);
  }

  #joined(how: 'and' | 'or', parts: readonly Query[]): Bound {
    const must = how === 'and' ? this.#everything() : this.#nothing();
    const may = must.copy();
    for (const part of parts) {
      const bound = this.#of(part);
      must[how](bound.must);
      may[how](bound.may);
      if (how === 'and' && may.isEmpty) break;
    }
    return { must, may };
  }

  #term(query: TermQuery): Bound {
    const { field } = query;
    if (field?.of === 'record') {
      const { name } = field;
      if (isFieldWith(name, { few: true })) return exactly(this.#few(name, query));
      if (isFieldWith(name, { form: 'number' }) || isFieldWith(name, { form: 'time' })) {
        return exactly(this.#numbers(name, query));
      }
    }
    switch (query.kind) {
      case 'words':
        return exactly(
          this.#each((segment, bits) => {
            for (const scope of this.#scopes(query.field)) wordsIn(segment, query, scope, bits);
          }),
        );
      case 'part':
      case 'matches': {
        const must = this.#nothing();
        const may = this.#nothing();
        for (const { file } of this.#window.segments) {
          for (const scope of this.#scopes(query.field)) {
            if (query.kind === 'part') partIn(file, query, scope, must, may);
            else addPaths(file, scope.paths(file) ?? [], may);
          }
        }
        // Where all that is worded is looked at, that is in every record.
        return { must, may: query.kind === 'matches' && query.field === null ? this.#everything() : may };
      }
      case 'exists': {
        const scope = scopeOf(query.field, this.#reader.names, query.itself ? 'at' : 'within');
        return exactly(this.#each((segment, bits) => addPaths(segment, scope.paths(segment) ?? [], bits)));
      }
      case 'equals':
        return exactly(this.#each((segment, bits) => this.#equals(segment, query, bits)));
      case 'compare':
        return exactly(this.#each((segment, bits) => this.#compare(segment, query, bits)));
    }
  }

  /** Where a term of texts looks: its field, or the payload and what the agent says of it. */
  #scopes(field: Field | null): readonly Scope[] {
    const fields = field === null ? [null, ...WORDED_FIELDS.map((name) => ({ of: 'record', name }) as const)] : [field];
    return fields.map((each) => scopeOf(each, this.#reader.names));
  }

  #each(add: (segment: SegmentFile, bits: Bits) => void): Bits {
    const bits = this.#nothing();
    for (const { file } of this.#window.segments) add(file, bits);
    return bits;
  }

  /** Looks what the query says of each value that there is. */
  #few(name: FewField, query: TermQuery): Bits {
    const bits = this.#nothing();
    for (const [value, records] of this.#others.few(name)) {
      if (matchesQuery(query, recordWith(name, value))) bits.or(records);
    }
    return bits;
  }

  #numbers(name: NumberField, query: TermQuery): Bits {
    if (query.kind === 'compare') {
      const interval = intervalOf(query);
      // It is open to one side, so that the ends of most windows tell of all between.
      const { least, greatest, isWhole } = this.#others.range(name, this.#window);
      const [low, high] = [isIn(least, interval), isIn(greatest, interval)];
      if (!low && !high) return this.#nothing();
      if (isWhole && low && high) return this.#everything();
      return this.#nothing().addWithin(this.#others.numbers(name), interval);
    }
    const numbers = this.#others.numbers(name);
    const bits = this.#nothing();
    const isMeant = (value: number): boolean => matchesQuery(query, recordWith(name, value));
    for (let { start: n } = this.#window; n < this.#window.size; n++) {
      const value = numbers[n] ?? Number.NaN;
      if (!Number.isNaN(value) && isMeant(value)) bits.add(n);
    }
    return bits;
  }

  /** Paths of a segment that a field of payloads means itself. */
  #pathsAt(segment: SegmentFile, field: PayloadField): string[] {
    const { names } = this.#reader;
    return segment.paths(KIND.path).flatMap((term) => {
      return reaches(field, names.pathOf(term), 'at') ? [term.slice(1)] : [];
    });
  }

  #equals(segment: SegmentFile, { field, value, text }: EqualsQuery, bits: Bits): void {
    const { names } = this.#reader;
    const terms =
      field.of === 'record'
        ? typeof value === 'string'
          ? [names.fieldValue(field.name, value)]
          : []
        : this.#pathsAt(segment, field).flatMap((path) => [names.value(path, value), names.value(path, text)]);
    for (const term of new Set(terms)) {
      const found = segment.find(KIND.value + term);
      if (found !== null) eachRecord(KIND.value, found.bytes, found.base, (n) => bits.add(n));
    }
  }

  #compare(segment: SegmentFile, query: CompareQuery, bits: Bits): void {
    if (query.field.of === 'record') return;
    const interval = intervalOf(query);
    const kind = query.time === null ? KIND.number : KIND.time;
    for (const path of this.#pathsAt(segment, query.field)) {
      const found = segment.find(kind + path);
      if (found === null) continue;
      eachNumber(found.bytes, found.base, (n, value) => {
        if (isIn(value, interval)) bits.add(n);
      });
    }
  }
}

/** The numbers that a comparison means: none where it names none. */
function intervalOf({ operator, time, number }: CompareQuery): Interval {
  const right = time ?? number;
  const [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (right === null) return { low: high, high: low, isClosed: true };
  switch (operator) {
    case '<':
      return { low, high: right, isClosed: false };
    case '<=':
      return { low, high: right, isClosed: true };
    case '>':
      return { low: right, high, isClosed: false };
    case '>=':
      return { low: right, high, isClosed: true };
  }
}

function isIn(value: number, { low, high, isClosed }: Interval): boolean {
  return isClosed ? value >= low && value <= high : value > low && value < high;
}
