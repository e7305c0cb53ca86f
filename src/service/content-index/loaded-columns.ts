import type { Coded } from './coded-values.ts';
import type { CategoryName, ListName, NumberName, SegmentColumns } from './columns.ts';
import type { ShelfReader } from './shelf-reader.ts';

/** A field of all records: for each the number of its value, 0 for none. */
export interface Category {
  readonly ids: Int32Array;
  /** For each value its digest; the first stands for none. */
  readonly digests: readonly number[];
  /** For each value the number of the first record that has it. */
  readonly firsts: readonly number[];
}

/** A field of which a record may have several, one after the other. */
export interface ListColumn {
  /** Where those of a record begin; those of `n` end where those of `n + 1` begin. */
  readonly starts: Uint32Array;
  readonly ids: Int32Array;
  readonly digests: readonly number[];
  readonly firsts: readonly number[];
}

/** Numbers for values, in the order in which they come. */
class Values {
  readonly digests = [0];
  readonly firsts = [0];
  readonly #known = new Map<number, number>([[0, 0]]);

  id(digest: number, n: number): number {
    let id = this.#known.get(digest);
    if (id === undefined) {
      id = this.digests.length;
      this.#known.set(digest, id);
      this.digests.push(digest);
      this.firsts.push(n);
    } else if (n < (this.firsts[id] ?? 0)) this.firsts[id] = n;
    return id;
  }
}

/**
 * Gives the values of one segment's column their numbers: each value is looked up once, however many records have it. They are met
 * in rising order of the records, so that the first one with a value is the only one that may be the first of all.
 */
class SegmentValues {
  readonly #values: Values;
  readonly #coded: Coded;
  /** For each value of the segment one more than its number; 0 where it was not met yet. */
  readonly #met: Int32Array;

  constructor(values: Values, coded: Coded) {
    this.#values = values;
    this.#coded = coded;
    this.#met = new Int32Array(coded.known.length);
  }

  #first(index: number, n: number): number {
    const id = this.#values.id(this.#coded.known[index] ?? 0, n);
    this.#met[index] = id + 1;
    return id;
  }

  /** The number of the value at a place. @param n the record that has it */
  at(place: number, n: number): number {
    const index = this.#coded.indexes[place] ?? 0;
    const met = this.#met[index] ?? 0;
    return met > 0 ? met - 1 : this.#first(index, n);
  }

  /** Writes the number of each record after one to its place. This runs over all records before a first answer: it calls nothing. */
  write(ns: Float64Array, after: number, ids: Int32Array): void {
    const { known: values, indexes } = this.#coded;
    // No record has one: many columns are like that, and `ids` has 0 everywhere at first.
    if (values.length === 1 && values[0] === 0) return;
    const met = this.#met;
    for (let i = 0; i < ns.length; i++) {
      const n = ns[i] as number;
      if (n <= after) continue;
      const index = indexes[i] as number;
      const known = met[index] as number;
      ids[n] = known > 0 ? known - 1 : this.#first(index, n);
    }
  }
}

function grown<T extends Int32Array | Uint32Array | Float64Array>(array: T, made: T): T {
  made.set(array);
  return made;
}

/** A column that was read up to a record. */
interface Loaded<T> {
  readonly to: number;
  readonly column: T;
}

type ReadCategory = Category & { readonly values: Values };
type ReadList = ListColumn & { readonly values: Values };

/**
 * Columns of a shelf in memory, indexed by the number of the record. Each is read when it is first asked for, and then on from where
 * it ended: what was read before changes with an erasure only.
 */
export class LoadedColumns {
  readonly #reader: ShelfReader;
  #identity = '';
  readonly #loaded = new Map<string, Loaded<unknown>>();

  constructor(reader: ShelfReader) {
    this.#reader = reader;
  }

  /** One more than the greatest number of a record. */
  get size(): number {
    return this.#reader.indexedTo + 1;
  }

  /** @param extend takes the column up to a record, or null, and returns it up to the newest */
  #kept<T>(key: string, extend: (before: T | null, to: number) => T): T {
    if (this.#identity !== this.#reader.identity) this.#loaded.clear();
    this.#identity = this.#reader.identity;
    const known = this.#loaded.get(key) as Loaded<T> | undefined;
    const to = this.#reader.indexedTo;
    if (known?.to === to) return known.column;
    const column = extend(known?.column ?? null, known?.to ?? 0);
    this.#loaded.set(key, { to, column });
    return column;
  }

  /** Columns of the segments that have records after one. */
  #after(n: number): SegmentColumns[] {
    return this.#reader.segments.flatMap(({ row, columns }) => (row.last > n ? [columns] : []));
  }

  category(name: CategoryName): Category {
    return this.#kept<ReadCategory>(name, (before, to) => {
      const values = before?.values ?? new Values();
      const ids = grown(before?.ids ?? new Int32Array(), new Int32Array(this.size));
      for (const columns of this.#after(to)) {
        new SegmentValues(values, columns.coded(name)).write(columns.ns, to, ids);
      }
      return { ids, values, digests: values.digests, firsts: values.firsts };
    });
  }

  number(name: NumberName): Float64Array {
    return this.#kept<Float64Array>(name, (before, to) => {
      const all = grown(before ?? new Float64Array(), new Float64Array(this.size).fill(Number.NaN));
      for (const columns of this.#after(to)) {
        const column = columns.number(name);
        for (let i = 0; i < column.length; i++) {
          const n = columns.ns[i] ?? 0;
          if (n > to) all[n] = column[i] ?? Number.NaN;
        }
      }
      return all;
    });
  }

  list(name: ListName): ListColumn {
    return this.#kept<ReadList>(name, (before, to) => {
      const values = before?.values ?? new Values();
      const parts = this.#after(to).map((columns) => ({ ns: columns.ns, list: columns.codedList(name) }));
      const starts = grown(before?.starts ?? new Uint32Array(), new Uint32Array(this.size + 1));
      for (const { ns, list } of parts) {
        for (let i = 0; i < ns.length; i++) {
          const n = ns[i] ?? 0;
          if (n > to) starts[n + 1] = (list.starts[i + 1] ?? 0) - (list.starts[i] ?? 0);
        }
      }
      for (let n = to + 1; n < this.size; n++) starts[n + 1] = (starts[n + 1] ?? 0) + (starts[n] ?? 0);
      const ids = grown(before?.ids ?? new Int32Array(), new Int32Array(starts[this.size] ?? 0));
      for (const { ns, list } of parts) {
        const own = new SegmentValues(values, list.values);
        for (let i = 0; i < ns.length; i++) {
          const n = ns[i] ?? 0;
          let at = starts[n] ?? 0;
          for (let from = list.starts[i] ?? 0; n > to && from < (list.starts[i + 1] ?? 0); from++) {
            ids[at++] = own.at(from, n);
          }
        }
      }
      return { starts, ids, values, digests: values.digests, firsts: values.firsts };
    });
  }
}
