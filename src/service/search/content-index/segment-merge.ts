import { Bits } from './bits.ts';
import { ByteWriter } from './byte-writer.ts';
import { type Coded, Coder } from './coded-values.ts';
import { type Columns, encodeColumns, SegmentColumns } from './columns.ts';
import { leaveOut, mergePostings } from './postings.ts';
import type { FoundTerm, SegmentFile } from './segment-file.ts';
import { findEntry } from './segment-format.ts';
import type { SegmentWriter } from './segment-writer.ts';
import { TermReader } from './term-reader.ts';

/** Where each record of what is made of several parts comes from. */
interface Places {
  readonly ns: Float64Array;
  readonly part: Uint32Array;
  readonly at: Uint32Array;
}

function placesIn(parts: readonly SegmentColumns[], isLeft: (n: number) => boolean): Places {
  const most = parts.reduce((sum, { size }) => sum + size, 0);
  const numbers = parts.map(({ ns }) => ns);
  const places = { ns: new Float64Array(most), part: new Uint32Array(most), at: new Uint32Array(most) };
  const next = parts.map(() => 0);
  let count = 0;
  for (;;) {
    let part = -1;
    let n = Number.POSITIVE_INFINITY;
    for (let i = 0; i < parts.length; i++) {
      const own = numbers[i]?.[next[i] ?? 0] ?? n;
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
function mergedColumns(parts: readonly SegmentColumns[], isLeft: (n: number) => boolean): Columns {
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

/**
 * Writes a segment without some of its records. Blocks in which these are not are copied as they stand, and of the others the
 * lists in which these are not.
 */
export function writeWithout(
  segment: SegmentFile,
  columns: SegmentColumns,
  gone: ReadonlySet<number>,
  writer: SegmentWriter,
): void {
  const { base } = segment;
  const { ns } = columns;
  const marked = new Bits((ns.at(-1) ?? base) - base + 1);
  for (const n of ns) if (gone.has(n)) marked.add(n - base);
  const out = new ByteWriter();
  for (const block of segment.blocks()) {
    const { terms, postings: bytes } = block;
    const first = findEntry(terms, (kind, from, to) => leaveOut(kind, { bytes, from, to }, marked, out) > 0);
    if (first < 0) {
      writer.block(block);
      continue;
    }
    const reader = new TermReader(terms);
    for (let entry = 0; reader.next(); entry++) {
      const { records, at: from } = reader;
      const text = reader.text();
      const to = from + reader.size;
      out.clear();
      const left = entry < first ? 0 : leaveOut(text.charAt(0), { bytes, from, to }, marked, out);
      if (left === 0) writer.add(text, records, bytes, from, to);
      else if (left < records) writer.add(text, records - left, out.view());
    }
  }
  const isLeft = (n: number): boolean => !gone.has(n);
  encodeColumns(mergedColumns([columns], isLeft), base, (name, bytes) => writer.column(name, bytes));
}

interface Input {
  readonly terms: Generator<FoundTerm>;
  head: FoundTerm | undefined;
}

/** Writes segments as one; no record is in two of them. @param base at most the number of their first record */
export function mergeSegments(segments: readonly SegmentFile[], base: number, writer: SegmentWriter): void {
  const inputs = segments.map((segment): Input => {
    const terms = segment.all();
    return { terms, head: terms.next().value };
  });
  const out = new ByteWriter();
  const same: Input[] = [];
  const lists: FoundTerm[] = [];
  for (;;) {
    let term = '';
    lists.length = 0;
    for (const input of inputs) {
      const { head } = input;
      if (head === undefined || (lists.length > 0 && head.term > term)) continue;
      if (lists.length === 0 || head.term < term) {
        same.length = 0;
        lists.length = 0;
        term = head.term;
      }
      same.push(input);
      lists.push(head);
    }
    if (lists.length === 0) break;
    out.clear();
    const records = mergePostings(term.charAt(0), lists, base, out);
    if (records > 0) writer.add(term, records, out.view());
    for (const input of same) input.head = input.terms.next().value;
  }
  const columns = mergedColumns(
    segments.map((segment) => new SegmentColumns(segment)),
    () => true,
  );
  encodeColumns(columns, base, (name, bytes) => writer.column(name, bytes));
}
