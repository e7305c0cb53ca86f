import { ByteReader, ByteWriter } from './byte-writer.ts';

/** Fields of which a segment holds one number for each record, a digest of the text; 0 stands for none. */
export const CATEGORIES = [
  'agent',
  'type',
  'subject',
  'action',
  'session',
  'parent',
  'tool',
  'call',
  'person',
  'phase',
  'outcome',
] as const;
export type CategoryName = (typeof CATEGORIES)[number];

/** Fields of which a record may have several. */
export const LISTS = ['host', 'entity', 'kind', 'access'] as const;
export type ListName = (typeof LISTS)[number];

/** Numbers: times in milliseconds since 1970, durations in milliseconds, and flags. NaN stands for none. */
export const NUMBERS = ['seq', 'issued', 'received', 'duration', 'flags', 'marks'] as const;
export type NumberName = (typeof NUMBERS)[number];

/** Bits of `flags`. */
export const FLAG = { withheld: 1 } as const;

/** What columns hold of one record. */
export interface ColumnRow {
  readonly n: number;
  readonly categories: Readonly<Record<CategoryName, number>>;
  readonly lists: Readonly<Record<ListName, readonly number[]>>;
  readonly numbers: Readonly<Record<NumberName, number>>;
}

/** Columns, from wherever they come; the records are in rising order. */
export interface Columns {
  /** The number of each record. */
  readonly ns: ArrayLike<number>;
  category(name: CategoryName): ArrayLike<number>;
  list(name: ListName): Lists;
  number(name: NumberName): ArrayLike<number>;
}

/** Lists one after the other. */
export interface Lists {
  /** Where the list of each record begins, and at the end where the last one ends. */
  readonly starts: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

function float64Bytes(values: ArrayLike<number>): Uint8Array {
  return new Uint8Array(Float64Array.from(values).buffer);
}

function float64Values(bytes: Uint8Array): Float64Array {
  // A copy: numbers stand at any place in the bytes, and views of them only at multiples of 8.
  return new Float64Array(new Uint8Array(bytes).buffer);
}

/** Few different numbers, many times: which there are, and for each place which of them. */
function encodeCategory(values: ArrayLike<number>): Uint8Array {
  const known = new Map<number, number>();
  const indexes = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    let index = known.get(value);
    if (index === undefined) {
      index = known.size;
      known.set(value, index);
    }
    indexes[i] = index;
  }
  const out = new ByteWriter(values.length * 2 + known.size * 8 + 16);
  out.varint(known.size);
  out.raw(float64Bytes([...known.keys()]));
  for (const index of indexes) out.varint(index);
  return out.copy();
}

function decodeCategory(bytes: Uint8Array, count: number): Float64Array {
  const reader = new ByteReader(bytes);
  const size = reader.varint();
  const known = float64Values(bytes.subarray(reader.at, reader.at + size * 8));
  reader.at += size * 8;
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) values[i] = known[reader.varint()] ?? 0;
  return values;
}

function encodeList({ starts, values }: Lists): Uint8Array {
  const out = new ByteWriter(starts.length + values.length);
  for (let i = 1; i < starts.length; i++) out.varint((starts[i] ?? 0) - (starts[i - 1] ?? 0));
  out.raw(encodeCategory(values));
  return out.copy();
}

function decodeList(bytes: Uint8Array, count: number): Lists {
  const reader = new ByteReader(bytes);
  const starts = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) starts[i + 1] = (starts[i] ?? 0) + reader.varint();
  return { starts, values: decodeCategory(bytes.subarray(reader.at), starts[count] ?? 0) };
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
  for (const name of CATEGORIES) write(name, encodeCategory(columns.category(name)));
  for (const name of LISTS) write(name, encodeList(columns.list(name)));
  for (const name of NUMBERS) {
    const encode = isTime(name) ? float64Bytes : encodeCategory;
    write(name, encode(columns.number(name)));
  }
}

function isTime(name: NumberName): boolean {
  return name === 'issued' || name === 'received';
}

/** Rows as columns. @param rows in rising order of their numbers */
export function columnsOfRows(rows: readonly ColumnRow[]): Columns {
  return {
    ns: rows.map(({ n }) => n),
    category: (name) => rows.map(({ categories }) => categories[name]),
    number: (name) => rows.map(({ numbers }) => numbers[name]),
    list: (name) => {
      const starts = [0];
      for (const { lists } of rows) starts.push((starts.at(-1) ?? 0) + lists[name].length);
      return { starts, values: rows.flatMap(({ lists }) => lists[name]) };
    },
  };
}

/** Reads columns of a segment, each when it is asked for. */
export class SegmentColumns implements Columns {
  readonly ns: Float64Array;
  readonly #source: ColumnSource;

  constructor(source: ColumnSource) {
    this.#source = source;
    const reader = new ByteReader(this.#bytes('n'));
    let n = source.base;
    this.ns = new Float64Array(reader.varint());
    for (let i = 0; i < this.ns.length; i++) {
      n += reader.varint();
      this.ns[i] = n;
    }
  }

  #bytes(name: string): Uint8Array {
    return this.#source.column(name) ?? new Uint8Array(1);
  }

  category(name: CategoryName): Float64Array {
    return decodeCategory(this.#bytes(name), this.ns.length);
  }

  list(name: ListName): Lists {
    return decodeList(this.#bytes(name), this.ns.length);
  }

  number(name: NumberName): Float64Array {
    const bytes = this.#bytes(name);
    return isTime(name) ? float64Values(bytes) : decodeCategory(bytes, this.ns.length);
  }
}

interface ColumnSource {
  readonly base: number;
  column(name: string): Uint8Array | null;
}

/** Several columns as one, in rising order of the records. @param isLeft which records stay */
export function mergedColumns(parts: readonly Columns[], isLeft: (n: number) => boolean): Columns {
  const places: { readonly part: number; readonly at: number; readonly n: number }[] = [];
  for (const [part, { ns }] of parts.entries()) {
    for (let at = 0; at < ns.length; at++) {
      const n = ns[at] ?? 0;
      if (isLeft(n)) places.push({ part, at, n });
    }
  }
  places.sort((a, b) => a.n - b.n);
  const gather = (of: (part: Columns) => ArrayLike<number>): Float64Array => {
    const all = parts.map(of);
    return Float64Array.from(places, ({ part, at }) => all[part]?.[at] ?? 0);
  };
  return {
    ns: Float64Array.from(places, ({ n }) => n),
    category: (name) => gather((part) => part.category(name)),
    number: (name) => gather((part) => part.number(name)),
    list: (name) => {
      const all = parts.map((part) => part.list(name));
      const starts = [0];
      const values: number[] = [];
      for (const { part, at } of places) {
        const { starts: from, values: of } = all[part] as Lists;
        for (let i = from[at] ?? 0; i < (from[at + 1] ?? 0); i++) values.push(of[i] ?? 0);
        starts.push(values.length);
      }
      return { starts, values };
    },
  };
}
