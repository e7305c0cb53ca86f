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
/** Numbers of which hardly any is there twice. */
type TimeName = 'issued' | 'received';
type CodedNumberName = Exclude<NumberName, TimeName>;

/** Bits of `flags`. */
export const FLAG = { withheld: 1 } as const;

/** What columns hold of one record. */
export interface ColumnRow {
  readonly n: number;
  readonly categories: Readonly<Record<CategoryName, number>>;
  readonly lists: Readonly<Record<ListName, readonly number[]>>;
  readonly numbers: Readonly<Record<NumberName, number>>;
}

/** Few different numbers, many times: which there are, and for each place which of them. */
interface Coded {
  readonly known: ArrayLike<number>;
  readonly indexes: ArrayLike<number>;
}

/** Lists one after the other. */
export interface Lists<T = ArrayLike<number>> {
  /** Where the list of each record begins, and at the end where the last one ends. */
  readonly starts: ArrayLike<number>;
  readonly values: T;
}

/** Columns as they are written; the records are in rising order. */
export interface Columns {
  /** The number of each record. */
  readonly ns: ArrayLike<number>;
  category(name: CategoryName): Coded;
  list(name: ListName): Lists<Coded>;
  time(name: TimeName): ArrayLike<number>;
  number(name: CodedNumberName): Coded;
}

function float64Bytes(values: ArrayLike<number>): Uint8Array {
  return new Uint8Array(Float64Array.from(values).buffer);
}

function float64Values(bytes: Uint8Array): Float64Array {
  // A copy: numbers stand at any place in the bytes, and views of them only at multiples of 8.
  return new Float64Array(new Uint8Array(bytes).buffer);
}

/** Numbers the values of a column in the order in which they come. */
class Coder {
  readonly #known = new Map<number, number>();

  /** @returns which of the values it is */
  index(value: number): number {
    let index = this.#known.get(value);
    if (index === undefined) {
      index = this.#known.size;
      this.#known.set(value, index);
    }
    return index;
  }

  get known(): number[] {
    return [...this.#known.keys()];
  }
}

function coded(values: ArrayLike<number>): Coded {
  const coder = new Coder();
  const indexes = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) indexes[i] = coder.index(values[i] ?? 0);
  return { known: coder.known, indexes };
}

function plain({ known, indexes }: Coded): Float64Array {
  const values = new Float64Array(indexes.length);
  for (let i = 0; i < values.length; i++) values[i] = known[indexes[i] ?? 0] ?? 0;
  return values;
}

function encodeCoded({ known, indexes }: Coded): Uint8Array {
  const out = new ByteWriter(indexes.length * 2 + known.length * 8 + 16);
  out.varint(known.length);
  out.raw(float64Bytes(known));
  for (let i = 0; i < indexes.length; i++) out.varint(indexes[i] ?? 0);
  return out.copy();
}

function decodeCoded(bytes: Uint8Array, count: number): Coded {
  const reader = new ByteReader(bytes);
  const size = reader.varint();
  const known = float64Values(bytes.subarray(reader.at, reader.at + size * 8));
  reader.at += size * 8;
  const indexes = new Uint32Array(count);
  for (let i = 0; i < count; i++) indexes[i] = reader.varint();
  return { known, indexes };
}

function encodeList({ starts, values }: Lists<Coded>): Uint8Array {
  const out = new ByteWriter(starts.length + values.indexes.length);
  for (let i = 1; i < starts.length; i++) out.varint((starts[i] ?? 0) - (starts[i - 1] ?? 0));
  out.raw(encodeCoded(values));
  return out.copy();
}

function decodeList(bytes: Uint8Array, count: number): Lists<Coded> {
  const reader = new ByteReader(bytes);
  const starts = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) starts[i + 1] = (starts[i] ?? 0) + reader.varint();
  return { starts, values: decodeCoded(bytes.subarray(reader.at), starts[count] ?? 0) };
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

function isTime(name: NumberName): name is TimeName {
  return name === 'issued' || name === 'received';
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

/** Reads columns of a segment, each when it is asked for. */
export class SegmentColumns {
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
    return plain(this.coded(name));
  }

  list(name: ListName): Lists {
    const { starts, values } = this.codedList(name);
    return { starts, values: plain(values) };
  }

  number(name: NumberName): Float64Array {
    return isTime(name) ? float64Values(this.#bytes(name)) : plain(this.coded(name));
  }

  /** A category or number as the file has it. */
  coded(name: CategoryName | CodedNumberName): Coded {
    return decodeCoded(this.#bytes(name), this.ns.length);
  }

  codedList(name: ListName): Lists<Coded> {
    return decodeList(this.#bytes(name), this.ns.length);
  }
}

interface ColumnSource {
  readonly base: number;
  column(name: string): Uint8Array | null;
}

/** Where each record of what is made of several parts comes from. */
interface Places {
  readonly ns: Float64Array;
  readonly part: Uint32Array;
  readonly at: Uint32Array;
}

function placesIn(parts: readonly SegmentColumns[], isLeft: (n: number) => boolean): Places {
  const most = parts.reduce((sum, { ns }) => sum + ns.length, 0);
  const places = { ns: new Float64Array(most), part: new Uint32Array(most), at: new Uint32Array(most) };
  const next = parts.map(() => 0);
  let count = 0;
  for (;;) {
    let part = -1;
    let n = Number.POSITIVE_INFINITY;
    for (let i = 0; i < parts.length; i++) {
      const own = parts[i]?.ns[next[i] ?? 0] ?? n;
      if (own < n) [part, n] = [i, own];
    }
    if (part < 0) break;
    const at = next[part] ?? 0;
    next[part] = at + 1;
    if (!isLeft(n)) continue;
    places.ns[count] = n;
    places.part[count] = part;
    places.at[count++] = at;
  }
  const { ns, part, at } = places;
  return { ns: ns.subarray(0, count), part: part.subarray(0, count), at: at.subarray(0, count) };
}

/** Takes values over from several columns: none is known afterwards that none of them stands for. */
class Recoder {
  readonly #parts: readonly Coded[];
  /** For each value of each part one more than which it is now; 0 where it was not met yet. */
  readonly #met: readonly Uint32Array[];
  readonly #coder = new Coder();
  readonly #indexes: Uint32Array;
  #count = 0;

  constructor(parts: readonly Coded[]) {
    this.#parts = parts;
    this.#met = parts.map(({ known }) => new Uint32Array(known.length));
    this.#indexes = new Uint32Array(parts.reduce((sum, { indexes }) => sum + indexes.length, 0));
  }

  take(part: number, from: number, to: number): void {
    const { known, indexes } = this.#parts[part] as Coded;
    const met = this.#met[part] as Uint32Array;
    for (let at = from; at < to; at++) {
      const index = indexes[at] ?? 0;
      let now = met[index] ?? 0;
      if (now === 0) {
        now = this.#coder.index(known[index] ?? 0) + 1;
        met[index] = now;
      }
      this.#indexes[this.#count++] = now - 1;
    }
  }

  get coded(): Coded {
    return { known: this.#coder.known, indexes: this.#indexes.subarray(0, this.#count) };
  }
}

/** Several columns as one, in rising order of the records. @param isLeft which records stay */
export function mergedColumns(parts: readonly SegmentColumns[], isLeft: (n: number) => boolean): Columns {
  const places = placesIn(parts, isLeft);
  const { ns, part, at } = places;
  const gather = (columns: readonly Coded[]): Coded => {
    const recoder = new Recoder(columns);
    for (let i = 0; i < ns.length; i++) recoder.take(part[i] ?? 0, at[i] ?? 0, (at[i] ?? 0) + 1);
    return recoder.coded;
  };
  return {
    ns,
    category: (name) => gather(parts.map((columns) => columns.coded(name))),
    number: (name) => gather(parts.map((columns) => columns.coded(name))),
    time: (name) => {
      const all = parts.map((columns) => columns.number(name));
      return Float64Array.from(ns.keys(), (i) => all[part[i] ?? 0]?.[at[i] ?? 0] ?? 0);
    },
    list: (name) => {
      const all = parts.map((columns) => columns.codedList(name));
      const recoder = new Recoder(all.map(({ values }) => values));
      const starts = new Uint32Array(ns.length + 1);
      for (let i = 0; i < ns.length; i++) {
        const from = all[part[i] ?? 0]?.starts ?? [];
        const [first, end] = [from[at[i] ?? 0] ?? 0, from[(at[i] ?? 0) + 1] ?? 0];
        recoder.take(part[i] ?? 0, first, end);
        starts[i + 1] = (starts[i] ?? 0) + end - first;
      }
      return { starts, values: recoder.coded };
    },
  };
}
