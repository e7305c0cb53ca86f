import { comparable, eachFoldedWord, type Leaf, readingsOf, textOfValue } from '../../../actions/index.ts';
import { pushVarint } from './byte-writer.ts';
import { type ColumnRow, columnsOfRows, encodeColumns } from './columns.ts';
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

/** Postings of a term that grow. */
interface Growing {
  readonly bytes: number[];
  records: number;
  n: number;
  place: number;
}

/** Of which kinds the words of a text are, and the text. */
const PAYLOAD = { words: 'word', values: 'path' } as const;
const OWN = { words: 'fieldWord', values: 'field' } as const;
type Kinds = typeof PAYLOAD | typeof OWN;
type Kind = keyof typeof KIND;
type GrowingKind = Exclude<Kind, Kinds['words']>;
/** In the order of terms. */
const KINDS = (Object.entries(KIND) as [Kind, string][]).sort(([, a], [, b]) => (a < b ? -1 : 1));

const float = new DataView(new ArrayBuffer(8));

/** Gathers the terms of records, for one separate segment. */
export class SegmentBuilder {
  readonly base: number;
  readonly #names: TermNames;
  readonly #words = { word: new WordPostings(), fieldWord: new WordPostings() };
  /** By kind, then by what the term has behind that. */
  readonly #terms = {
    path: new Map<string, Growing>(),
    field: new Map<string, Growing>(),
    value: new Map<string, Growing>(),
    number: new Map<string, Growing>(),
    time: new Map<string, Growing>(),
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
    const { n } = row;
    for (const words of Object.values(this.#words)) words.record(n - this.base);
    let place = 0;
    for (const { path, value } of leaves) {
      const joined = this.#names.path(path);
      place = this.#text(n, place, PAYLOAD, joined, textOfValue(value));
      this.#head(this.#growing('value', this.#names.value(joined, value)), n);
      const { number, time } = comparable(value);
      if (number !== null) this.#number('number', joined, n, number);
      if (time !== null) this.#number('time', joined, n, time);
    }
    place = 0;
    for (const [name, text] of fields) {
      place = this.#text(n, place, OWN, name, text);
      this.#head(this.#growing('value', this.#names.fieldValue(name, text)), n);
    }
  }

  /** Each reading of a text is as another value. @returns the place for the next one */
  #text(n: number, from: number, kinds: Kinds, name: string, text: string): number {
    return readingsOf(text).reduce((place, reading) => this.#reading(n, place, kinds, name, reading), from);
  }

  /** @returns the place after the text's last word, with one left out: no phrase goes from one value into the next */
  #reading(n: number, from: number, { words: ofWords, values }: Kinds, name: string, text: string): number {
    const to = this.#words[ofWords];
    let count = 0;
    eachFoldedWord(text, (folded, start, end) => {
      // Further ones would run into the next record's places; no payload within a service's limits has this many.
      if (from + count < PLACES - 2) to.add(folded, start, end, from + count++);
    });
    const value = this.#growing(values, name);
    this.#place(value, n, from);
    pushVarint(value.bytes, count);
    return Math.min(from + count + 1, PLACES - 2);
  }

  #growing(kind: GrowingKind, rest: string): Growing {
    const terms = this.#terms[kind];
    let growing = terms.get(rest);
    if (growing === undefined) {
      growing = { bytes: [], records: 0, n: this.base, place: 0 };
      terms.set(rest, growing);
    }
    return growing;
  }

  /** Begins an entry. @returns whether it is the record's first under this term */
  #head(growing: Growing, n: number): boolean {
    if (growing.records > 0 && growing.n === n) return false;
    pushVarint(growing.bytes, (n - growing.n) * 2 + 1);
    growing.n = n;
    growing.records++;
    return true;
  }

  #place(growing: Growing, n: number, place: number): void {
    if (this.#head(growing, n)) pushVarint(growing.bytes, place);
    else pushVarint(growing.bytes, (place - growing.place) * 2);
    growing.place = place;
  }

  #number(kind: 'number' | 'time', path: string, n: number, value: number): void {
    const growing = this.#growing(kind, path);
    if (!this.#head(growing, n)) growing.bytes.push(0);
    float.setFloat64(0, value, true);
    for (let i = 0; i < 8; i++) growing.bytes.push(float.getUint8(i));
  }

  /** Writes everything, in the order of terms. */
  write(writer: SegmentWriter): void {
    for (const [kind, prefix] of KINDS) {
      if (kind === 'word' || kind === 'fieldWord') {
        this.#words[kind].write(prefix, writer);
        continue;
      }
      const terms = this.#terms[kind];
      for (const rest of [...terms.keys()].sort()) {
        const { records, bytes } = terms.get(rest) ?? { records: 0, bytes: [] };
        writer.add(prefix + rest, records, bytes);
      }
    }
    encodeColumns(columnsOfRows(this.#rows), this.base, (name, bytes) => writer.column(name, bytes));
  }
}
