import { type FieldsWith, fieldsWith, isFieldWith } from '../../../actions/index.ts';
import { firstPlace } from '../../../protocol/index.ts';
import { ByteReader, ByteWriter } from './byte-writer.ts';
import {
  type Coded,
  coded,
  decodeCoded,
  decodeList,
  encodeCoded,
  encodeList,
  float64Bytes,
  float64Values,
  type Lists,
  plain,
  type ReadCoded,
} from './coded-values.ts';

/** Fields of which a segment holds one number for each record, a digest of the text; 0 stands for none. */
export const CATEGORIES = [...fieldsWith({ column: 'category' }), 'parent'] as const;
export type CategoryName = (typeof CATEGORIES)[number];

/** Fields of which a record may have several. */
export const LISTS = [...fieldsWith({ column: 'list' }), 'entity', 'kind', 'access'] as const;
export type ListName = (typeof LISTS)[number];

/** Numbers: times in milliseconds since 1970, durations in milliseconds, and flags. NaN stands for none. */
export const NUMBERS = [...fieldsWith({ form: 'number' }), ...fieldsWith({ form: 'time' }), 'flags'] as const;
export type NumberName = (typeof NUMBERS)[number];
/** Numbers of which hardly any is there twice. */
type TimeName = FieldsWith<{ form: 'time' }>;
type CodedNumberName = Exclude<NumberName, TimeName>;

/** Bits of `flags`. */
export const FLAG = { withheld: 1, disguised: 2, unsigned: 4 } as const;

/** What columns hold of one record. */
export interface ColumnRow {
  readonly n: number;
  readonly categories: Readonly<Record<CategoryName, number>>;
  readonly lists: Readonly<Record<ListName, readonly number[]>>;
  readonly numbers: Readonly<Record<NumberName, number>>;
}

/** Columns as they are written; the records are in rising order. */
export interface Columns {
  /** The number of each record. */
  readonly ns: ArrayLike<number>;
  category(name: CategoryName): Coded;
  list(name: ListName): Lists;
  time(name: TimeName): ArrayLike<number>;
  number(name: CodedNumberName): Coded;
}

/** Calls with each column as the file of a segment has it. @param base what the numbers of records count from */
export function encodeColumns(columns: Columns, base: number, write: (name: string, bytes: Uint8Array) => void): void {
  const numbers = new ByteWriter(columns.ns.length * 2);
  numbers.varint(columns.ns.length);
  let before = base;
  for (let i = 0; i < columns.ns.length; i++) {
    const n = columns.ns[i] ?? 0;
    numbers.varint(n - before);
    before = n;
  }
  write('n', numbers.copy());
  for (const name of CATEGORIES) write(name, encodeCoded(columns.category(name)));
  for (const name of LISTS) write(name, encodeList(columns.list(name)));
  for (const name of NUMBERS) {
    write(name, isTime(name) ? float64Bytes(columns.time(name)) : encodeCoded(columns.number(name)));
  }
}

export function isTime(name: NumberName): name is TimeName {
  return isFieldWith(name, { form: 'time' });
}

/** Rows as columns. @param rows in rising order of their numbers */
export function columnsOfRows(rows: readonly ColumnRow[]): Columns {
  return {
    ns: rows.map(({ n }) => n),
    category: (name) => coded(rows.map(({ categories }) => categories[name])),
    number: (name) => coded(rows.map(({ numbers }) => numbers[name])),
    time: (name) => rows.map(({ numbers }) => numbers[name]),
    list: (name) => {
      const starts = [0];
      for (const { lists } of rows) starts.push((starts.at(-1) ?? 0) + lists[name].length);
      return { starts, values: coded(rows.flatMap(({ lists }) => lists[name])) };
    },
  };
}

/** For each record a number, in as few bytes as the greatest one needs: there are as many as records, and one array for each field that is asked for. */
export type Ids = Uint8Array | Uint16Array | Int32Array;

/** A field of all records: for each the number of its value, 0 for none. */
export interface Category {
  readonly ids: Ids;
  /** For each value its digest; the first stands for none. */
  readonly digests: Float64Array;
  /** For each value the number of the first record that has it. */
  readonly firsts: Uint32Array;
  /** The number of a value by its digest; 0 where no record has it. */
  readonly idOf: (digest: number) => number;
}

/** The numbers of a segment's records, in rising order. Of most segments two of them tell all. */
export class RecordNumbers {
  readonly length: number;
  readonly #first: number;
  /** Null where no number is left out between them. */
  readonly #listed: Float64Array | null;

  constructor(first: number, length: number, listed: Float64Array | null) {
    this.#first = first;
    this.length = length;
    this.#listed = listed;
  }

  at(place: number): number {
    return this.#listed === null ? this.#first + place : (this.#listed[place] ?? 0);
  }

  /** The place of the first record after one. */
  placeAfter(n: number): number {
    return firstPlace(this.length, (place) => this.at(place) > n);
  }

  /** The number of the record at a place, if there is none between any two of those behind it. */
  unbrokenFrom(place: number): number | null {
    if (place >= this.length) return null;
    const first = this.at(place);
    return this.at(this.length - 1) - first === this.length - 1 - place ? first : null;
  }
}

/** Reads columns of a segment, each when it is asked for. */
export class SegmentColumns {
  readonly size: number;
  readonly #source: ColumnSource;
  readonly #first: number;
  readonly #isUnbroken: boolean;

  constructor(source: ColumnSource) {
    this.#source = source;
    let [first, last] = [0, 0];
    this.size = this.#eachNumber((n, place) => {
      if (place === 0) first = n;
      last = n;
    });
    this.#first = first;
    this.#isUnbroken = last - first === this.size - 1;
  }

  /** Calls back with the number of each record and its place. @returns how many there are */
  #eachNumber(take: (n: number, place: number) => void): number {
    const reader = new ByteReader(this.#bytes('n'));
    const size = reader.varint();
    let n = this.#source.base;
    for (let place = 0; place < size; place++) {
      n += reader.varint();
      take(n, place);
    }
    return size;
  }

  /** The numbers of the records. They are read each time: with those of all segments there would be 8 bytes for each record there is. */
  get ns(): Float64Array {
    const ns = new Float64Array(this.size);
    this.#eachNumber((n, place) => {
      ns[place] = n;
    });
    return ns;
  }

  get numbers(): RecordNumbers {
    return new RecordNumbers(this.#first, this.size, this.#isUnbroken ? null : this.ns);
  }

  #bytes(name: string): Uint8Array {
    return this.#source.column(name) ?? new Uint8Array(1);
  }

  number(name: NumberName): Float64Array {
    return isTime(name) ? float64Values(this.#bytes(name)) : plain(this.coded(name));
  }

  /** A category or number as the file has it. */
  coded(name: CategoryName | CodedNumberName): ReadCoded {
    return decodeCoded(this.#bytes(name), this.size);
  }

  codedList(name: ListName): Lists {
    return decodeList(this.#bytes(name), this.size);
  }
}

interface ColumnSource {
  readonly base: number;
  column(name: string): Uint8Array | null;
}
