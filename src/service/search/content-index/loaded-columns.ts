import { afterIdOf, type FactPhase, type IdState } from '../../../actions/index.ts';
import type { Coded } from './coded-values.ts';
import {
  type Category,
  type CategoryName,
  type Ids,
  isTime,
  type ListName,
  type NumberName,
  type RecordNumbers,
  type SegmentColumns,
} from './columns.ts';
import { NumberTable } from './number-table.ts';
import type { ShelfReader } from './shelf-reader.ts';
import type { TermNames } from './term-names.ts';

const STATES: readonly IdState[] = ['unused', 'begun', 'ended', 'whole'];
const OF_NO_PROFILE: FactPhase = 'record';

/** For each state, and what a record names, the next state, and 4 more where the record opens another call. */
const NEXT = Uint8Array.from(
  STATES.flatMap((from) => [0, 1, 2, 3].map((names) => ({ from, names }))),
  ({ from, names }) => {
    const { state, opens } = afterIdOf(from, { tool: (names & 1) !== 0, outcome: (names & 2) !== 0 });
    return STATES.indexOf(state) + (opens ? STATES.length : 0);
  },
);

/**
 * The column of calls, with another number for each call that begins under an id from before: in payloads of no profile, whose ids come again.
 * @param column reads another column, which takes its time: the two that tell calls apart where there is such a payload with an id
 */
function withReusedIds(
  calls: Category,
  column: (name: 'phase' | 'tool' | 'outcome') => Category,
  names: TermNames,
): Category {
  if (calls.digests.length <= 1) return calls;
  const phase = column('phase');
  const plain = phase.idOf(names.digest(OF_NO_PROFILE));
  if (plain === 0 || !calls.ids.some((id, n) => id !== 0 && phase.ids[n] === plain)) return calls;
  const [tool, outcome] = [column('tool'), column('outcome')];
  const state = new Uint8Array(calls.digests.length);
  const newest = new Map<number, number>();
  // Copied only where an id does come again: there may be half a million calls.
  let split: { readonly ids: Int32Array; readonly digests: number[]; readonly firsts: number[] } | null = null;
  for (let n = 1; n < calls.ids.length; n++) {
    const id = calls.ids[n] as number;
    if (id === 0 || phase.ids[n] !== plain) continue;
    const next = NEXT[
      (state[id] as number) * 4 + Number(tool.ids[n] !== 0) + 2 * Number(outcome.ids[n] !== 0)
    ] as number;
    state[id] = next % STATES.length;
    if (next >= STATES.length) {
      split ??= { ids: Int32Array.from(calls.ids), digests: [...calls.digests], firsts: [...calls.firsts] };
      newest.set(id, split.digests.push(calls.digests[id] as number) - 1);
      split.firsts.push(n);
    }
    if (split === null) continue;
    const own = newest.get(id);
    if (own !== undefined) split.ids[n] = own;
  }
  if (split === null) return calls;
  const [digests, firsts] = [Float64Array.from(split.digests), Uint32Array.from(split.firsts)];
  return { ids: split.ids, digests, firsts, idOf: calls.idOf };
}

/** A field of which a record may have several, one after the other. */
export interface ListColumn {
  /** Where those of a record begin; those of `n` end where those of `n + 1` begin. */
  readonly starts: Uint32Array;
  readonly ids: Int32Array;
  readonly digests: Float64Array;
  readonly firsts: Uint32Array;
}

/** Numbers for values, in the order in which they come. */
class Values {
  readonly #known = new NumberTable();
  #firsts = new Uint32Array(1);
  /** Which part of the values that came last was new. */
  #newShare = 0;
  readonly idOf = (digest: number): number => (digest === 0 ? 0 : this.#known.find(digest));

  /** How many there are, which is the greatest of their numbers. */
  get size(): number {
    return this.#known.size;
  }

  get digests(): Float64Array {
    return this.#known.values;
  }

  get firsts(): Uint32Array {
    return this.#firsts.subarray(0, this.#known.size + 1);
  }

  /**
   * Gives the values of one segment's column their numbers: each is looked up once, with the first record that has it, however many have.
   * @param places which of the segment's values stand one after the other, from the first record that is asked about
   * @param recordAt the record of a place
   * @param later how many values the segments behind it have
   */
  idsIn({ known, indexes }: Coded, places: Span, recordAt: (place: number) => number, later: number): Int32Array {
    const before = this.#known.size;
    const likely = Math.ceil(later * this.#newShare);
    this.#known.reserve(known.length, likely);
    const room = before + known.length + 1;
    if (room > this.#firsts.length) this.#firsts = grown(this.#firsts, new Uint32Array(room + likely));
    const ids = new Int32Array(known.length).fill(-1);
    let left = known.length;
    for (let at = places.from; at < places.to && left > 0; at++) {
      const index = indexes[at] ?? 0;
      if (ids[index] !== -1) continue;
      ids[index] = this.#id(known[index] ?? 0, recordAt(at));
      left--;
    }
    if (known.length > 0) this.#newShare = (this.#known.size - before) / known.length;
    return ids;
  }

  #id(digest: number, n: number): number {
    if (digest === 0) return 0;
    const id = this.#known.add(digest);
    const first = this.#firsts[id] as number;
    if (first === 0 || n < first) this.#firsts[id] = n;
    return id;
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The places of records after one. */
function placesAfter(ns: RecordNumbers, n: number): Span {
  return { from: ns.placeAfter(n), to: ns.length };
}

/**
 * Writes for each record, at its number, the one of some values that its place names. This runs over all records before a first
 * answer, once for each column: so it calls nothing where no number is left out between them.
 */
function write(
  target: Ids | Float64Array,
  ns: RecordNumbers,
  { from, to }: Span,
  values: Int32Array | Float64Array,
  indexes: ArrayLike<number>,
): void {
  const first = ns.unbrokenFrom(from);
  if (first === null) {
    for (let i = from; i < to; i++) target[ns.at(i)] = values[indexes[i] as number] as number;
  } else {
    for (let i = from; i < to; i++) target[first + i - from] = values[indexes[i] as number] as number;
  }
}

/** The same of a column that has each value at its place. */
function writePlain(target: Float64Array, ns: RecordNumbers, { from, to }: Span, values: Float64Array): void {
  const first = ns.unbrokenFrom(from);
  if (first === null) for (let i = from; i < to; i++) target[ns.at(i)] = values[i] as number;
  else target.set(values.subarray(from, to), first);
}

/** An array of the same numbers in which there is room for a greater one. */
function withRoomFor(ids: Ids, greatest: number): Ids {
  if (greatest < 2 ** (8 * ids.BYTES_PER_ELEMENT) || ids instanceof Int32Array) return ids;
  return greatest < 2 ** 16 ? Uint16Array.from(ids) : Int32Array.from(ids);
}

/** The same numbers, and room for more of them. */
function lengthened(ids: Ids, size: number): Ids {
  if (ids instanceof Uint8Array) return grown(ids, new Uint8Array(size));
  return ids instanceof Uint16Array ? grown(ids, new Uint16Array(size)) : grown(ids, new Int32Array(size));
}

export function grown<T extends Ids | Uint32Array | Float64Array>(array: T, made: T): T {
  made.set(array);
  return made;
}

/** @param before the shift of the records before these, NaN where there are none */
function shiftIn(columns: SegmentColumns, to: number, before: number): number | null {
  const ns = columns.numbers;
  const { known, indexes } = columns.coded('seq');
  let shift = before;
  for (let { from: i, to: end } = placesAfter(ns, to); i < end; i++) {
    const own = (known[indexes[i] as number] as number) - ns.at(i);
    if (Number.isNaN(shift)) shift = own;
    else if (own !== shift) return null;
  }
  return shift;
}

/** A column that was read up to a record. */
interface Loaded<T> {
  readonly to: number;
  readonly column: T;
}

type ReadCategory = Category & { readonly values: Values };
type ReadList = ListColumn & { readonly values: Values };

/** What columns are read from. */
interface ColumnsSource extends Pick<ShelfReader, 'unerased' | 'indexedTo' | 'names'> {
  readonly segments: readonly { readonly row: { readonly last: number }; readonly columns: SegmentColumns }[];
}

/**
 * Columns of a shelf in memory, indexed by the number of the record. Each is read when it is first asked for, and then on from where
 * it ended: what was read before changes with an erasure only.
 */
export class LoadedColumns {
  readonly #reader: ColumnsSource;
  #unerased: object = {};
  readonly #loaded = new Map<string, Loaded<unknown>>();

  constructor(reader: ColumnsSource) {
    this.#reader = reader;
  }

  /** One more than the greatest number of a record. */
  get size(): number {
    return this.#reader.indexedTo + 1;
  }

  /** @param extend takes the column up to a record, or null, and returns it up to the newest */
  #kept<T>(key: string, extend: (before: T | null, to: number) => T): T {
    if (this.#unerased !== this.#reader.unerased) this.#loaded.clear();
    this.#unerased = this.#reader.unerased;
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
    if (name !== 'call') return this.#category(name);
    return this.#kept<Category>('calls', () =>
      withReusedIds(this.#category('call'), (of) => this.#category(of), this.#reader.names),
    );
  }

  #category(name: CategoryName): Category {
    return this.#kept<ReadCategory>(name, (before, to) => {
      const values = before?.values ?? new Values();
      let ids = lengthened(before?.ids ?? new Uint8Array(), this.size);
      const parts = this.#after(to).map((columns) => ({ ns: columns.numbers, column: columns.coded(name) }));
      let later = parts.reduce((sum, { column }) => sum + column.known.length, 0);
      for (const { ns, column } of parts) {
        later -= column.known.length;
        // No record has one: many columns are like that, and `ids` has 0 everywhere at first.
        if (column.known.length === 1 && column.known[0] === 0) continue;
        const places = placesAfter(ns, to);
        const own = values.idsIn(column, places, (at) => ns.at(at), later);
        ids = withRoomFor(ids, values.size);
        write(ids, ns, places, own, column.indexes);
      }
      return { ids, values, digests: values.digests, firsts: values.firsts, idOf: values.idOf };
    });
  }

  /** A number of each record; its flags, of which one byte holds all, are in `flags`. */
  number(name: Exclude<NumberName, 'flags'>): Float64Array {
    return this.#kept<Float64Array>(name, (before, to) => {
      const all = grown(before ?? new Float64Array(), new Float64Array(this.size).fill(Number.NaN));
      for (const columns of this.#after(to)) {
        const ns = columns.numbers;
        const places = placesAfter(ns, to);
        if (isTime(name)) {
          writePlain(all, ns, places, columns.number(name));
          continue;
        }
        const { known, indexes } = columns.coded(name);
        write(all, ns, places, known, indexes);
      }
      return all;
    });
  }

  /** The flags of each record. */
  get flags(): Uint8Array {
    return this.#kept<Uint8Array>('flags', (before, to) => {
      const all = grown(before ?? new Uint8Array(), new Uint8Array(this.size));
      for (const columns of this.#after(to)) {
        const ns = columns.numbers;
        const { known, indexes } = columns.coded('flags');
        write(all, ns, placesAfter(ns, to), known, indexes);
      }
      return all;
    });
  }

  /** What the seq_no of every record is more than its number; null where that is not the same of all. */
  get seqShift(): number | null {
    const { shift } = this.#kept<{ readonly shift: number | null }>('shift', (before, to) => {
      let shift: number | null = before === null ? Number.NaN : before.shift;
      for (const columns of this.#after(to)) {
        if (shift === null) break;
        shift = shiftIn(columns, to, shift);
      }
      return { shift };
    });
    return shift !== null && Number.isNaN(shift) ? 0 : shift;
  }

  list(name: ListName): ListColumn {
    return this.#kept<ReadList>(name, (before, to) => {
      const values = before?.values ?? new Values();
      const parts = this.#after(to).map((columns) => ({ ns: columns.numbers, list: columns.codedList(name) }));
      const starts = grown(before?.starts ?? new Uint32Array(), new Uint32Array(this.size + 1));
      for (const { ns, list } of parts) {
        for (let i = 0; i < ns.length; i++) {
          const n = ns.at(i);
          if (n > to) starts[n + 1] = (list.starts[i + 1] ?? 0) - (list.starts[i] ?? 0);
        }
      }
      for (let n = to + 1; n < this.size; n++) starts[n + 1] = (starts[n + 1] ?? 0) + (starts[n] ?? 0);
      const ids = grown(before?.ids ?? new Int32Array(), new Int32Array(starts[this.size] ?? 0));
      let later = parts.reduce((sum, { list }) => sum + list.values.known.length, 0);
      for (const { ns, list } of parts) {
        later -= list.values.known.length;
        const { from } = placesAfter(ns, to);
        const { indexes } = list.values;
        let record = from;
        const recordAt = (place: number): number => {
          while (place >= (list.starts[record + 1] ?? Number.POSITIVE_INFINITY)) record++;
          return ns.at(record);
        };
        const places = { from: list.starts[from] ?? 0, to: list.starts[ns.length] ?? 0 };
        const own = values.idsIn(list.values, places, recordAt, later);
        for (let i = from; i < ns.length; i++) {
          let at = starts[ns.at(i)] ?? 0;
          for (let place = list.starts[i] ?? 0; place < (list.starts[i + 1] ?? 0); place++) {
            ids[at++] = own[indexes[place] ?? 0] ?? 0;
          }
        }
      }
      return { starts, ids, values, digests: values.digests, firsts: values.firsts };
    });
  }
}
