import { comparable, eachFoldedWord, type Leaf, readingsOf, textOfValue } from '../../../actions/index.ts';
import { ByteWriter } from './byte-writer.ts';
import { type ColumnRow, columnsOfRows, encodeColumns } from './columns.ts';
import { Numbers, orderOf } from './growing-numbers.ts';
import { KIND, PLACES } from './postings.ts';
import type { SegmentWriter } from './segment-writer.ts';
import type { TermNames } from './term-names.ts';
import { WordPostings } from './word-postings.ts';

/** A record as it is taken into a segment. */
export interface RecordContent {
  readonly row: ColumnRow;
  /** What is in its payload. */
  readonly leaves: readonly Leaf[];
  /** Its own fields, each as often as it has values. */
  readonly fields: readonly (readonly [name: string, text: string])[];
}

/** Of which kinds the words of a text are, and the text. */
const PAYLOAD = { words: 'word', values: 'path' } as const;
const OWN = { words: 'fieldWord', values: 'field' } as const;
type Kinds = typeof PAYLOAD | typeof OWN;
type Kind = keyof typeof KIND;
/** In the order of terms. */
const KINDS = (Object.entries(KIND) as [Kind, string][]).sort(([, a], [, b]) => (a < b ? -1 : 1));

/** Writes what an entry has behind its head. @param isFirst whether it is its record's first under its term @param before `a` of the one before it */
type WriteEntry = (
  out: ByteWriter,
  entry: { readonly a: number; readonly b: number },
  isFirst: boolean,
  before: number,
) => void;

const writePlace: WriteEntry = (out, { a: place, b: count }, isFirst, before) => {
  out.varint(isFirst ? place : (place - before) * 2);
  out.varint(count);
};

const double = new Uint8Array(8);
const ofDouble = new DataView(double.buffer);

const writeDouble: WriteEntry = (out, { a, b }, isFirst) => {
  if (!isFirst) out.varint(0);
  ofDouble.setUint32(0, a, true);
  ofDouble.setUint32(4, b, true);
  out.raw(double);
};

/** Gathers entries of terms: each term has a number, and each entry is a row, in the order in which they come. */
class TermRows {
  readonly #write: WriteEntry | null;
  readonly #numbers = new Map<string, number>();
  readonly #terms = new Numbers();
  readonly #ns = new Numbers();
  readonly #a = new Numbers();
  readonly #b = new Numbers();

  /** @param write null where an entry says which record it is, and no more */
  constructor(write: WriteEntry | null) {
    this.#write = write;
  }

  /**
   * @param term what it has behind its kind
   * @param n the record, by how far it is from the segment's base; never less than before
   * @param a below 2^32, and so is b
   */
  add(term: string, n: number, a = 0, b = 0): void {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(term, number);
    }
    this.#terms.push(number);
    this.#ns.push(n);
    if (this.#write === null) return;
    this.#a.push(a);
    this.#b.push(b);
  }

  /** Writes the terms in their order. @param kind what they begin with */
  write(kind: string, writer: SegmentWriter): void {
    const { order, ends } = orderOf(this.#terms, this.#numbers.size);
    const out = new ByteWriter();
    for (const term of [...this.#numbers.keys()].sort()) {
      const number = this.#numbers.get(term) ?? 0;
      out.clear();
      let [records, n, before] = [0, 0, 0];
      for (let at = number === 0 ? 0 : (ends[number - 1] ?? 0); at < (ends[number] ?? 0); at++) {
        const row = order[at] ?? 0;
        const own = this.#ns.at(row);
        const isFirst = records === 0 || own !== n;
        if (isFirst) {
          out.varint((own - n) * 2 + 1);
          n = own;
          records++;
        }
        const a = this.#a.at(row);
        this.#write?.(out, { a, b: this.#b.at(row) }, isFirst, before);
        before = a;
      }
      writer.add(kind + term, records, out.view());
    }
  }
}

/** Gathers the terms of records, for one separate segment. */
export class SegmentBuilder {
  readonly base: number;
  readonly #names: TermNames;
  readonly #terms = {
    word: new WordPostings(),
    fieldWord: new WordPostings(),
    path: new TermRows(writePlace),
    field: new TermRows(writePlace),
    value: new TermRows(null),
    number: new TermRows(writeDouble),
    time: new TermRows(writeDouble),
  };
  readonly #rows: ColumnRow[] = [];

  /** @param base no record has a smaller number */
  constructor(base: number, names: TermNames) {
    this.base = base;
    this.#names = names;
  }

  get records(): number {
    return this.#rows.length;
  }

  get last(): number {
    return this.#rows.at(-1)?.n ?? this.base;
  }

  /** Adds a record, whose number is greater than those before. */
  add({ row, leaves, fields }: RecordContent): void {
    this.#rows.push(row);
    const n = row.n - this.base;
    const { word, fieldWord, value: values } = this.#terms;
    word.record(n);
    fieldWord.record(n);
    let place = 0;
    for (const { path, value } of leaves) {
      const joined = this.#names.path(path);
      place = this.#text(n, place, PAYLOAD, joined, textOfValue(value));
      values.add(this.#names.value(joined, value), n);
      const { number, time } = comparable(value);
      if (number !== null) this.#number('number', joined, n, number);
      if (time !== null) this.#number('time', joined, n, time);
    }
    place = 0;
    for (const [name, text] of fields) {
      place = this.#text(n, place, OWN, name, text);
      values.add(this.#names.fieldValue(name, text), n);
    }
  }

  /** Each reading of a text is as another value. @returns the place for the next one */
  #text(n: number, from: number, kinds: Kinds, name: string, text: string): number {
    return readingsOf(text).reduce((place, reading) => this.#reading(n, place, kinds, name, reading), from);
  }

  /** @returns the place after the text's last word, with one left out: no phrase goes from one value into the next */
  #reading(n: number, from: number, { words: ofWords, values }: Kinds, name: string, text: string): number {
    const to = this.#terms[ofWords];
    let count = 0;
    eachFoldedWord(text, (folded, start, end) => {
      // Further ones would run into the next record's places; no payload within a service's limits has this many.
      if (from + count < PLACES - 2) to.add(folded, start, end, from + count++);
    });
    this.#terms[values].add(name, n, from, count);
    return Math.min(from + count + 1, PLACES - 2);
  }

  #number(kind: 'number' | 'time', path: string, n: number, value: number): void {
    ofDouble.setFloat64(0, value, true);
    this.#terms[kind].add(path, n, ofDouble.getUint32(0, true), ofDouble.getUint32(4, true));
  }

  /** Writes everything, in the order of terms. */
  write(writer: SegmentWriter): void {
    for (const [kind, prefix] of KINDS) this.#terms[kind].write(prefix, writer);
    encodeColumns(columnsOfRows(this.#rows), this.base, (name, bytes) => writer.column(name, bytes));
  }
}
