import {
  comparable,
  type Decimal,
  type Field,
  type Leaf,
  ownerOf,
  reaches,
  readDecimal,
  textAt,
} from '../../../actions/index.ts';
import type { Bits } from '../content-index/bits.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { grown } from '../content-index/loaded-columns.ts';
import { NumberTable } from '../content-index/number-table.ts';
import { eachNumber, eachRecord } from '../content-index/posting-walks.ts';
import { KIND } from '../content-index/postings.ts';
import type { ReadRecord } from '../content-index/record-content.ts';
import type { SegmentFile } from '../content-index/segment-file.ts';
import { type Amount, amountOf } from './amounts.ts';

type Member = Extract<Field, { of: 'payload' }>;

/** A text in the place of each number, in the order in which they come: 0 stands for none. */
class Texts {
  readonly texts: (string | null)[] = [null];
  readonly #known = new Map<string, number>();

  id(text: string): number {
    let id = this.#known.get(text);
    if (id === undefined) {
      id = this.texts.push(text) - 1;
      this.#known.set(text, id);
    }
    return id;
  }
}

/** In the place of a value: that there is more than one, or one that only the record tells. */
const READ = -1;

/** Values of a member by record; a record that has none is not there. */
export interface ReadValues<T> {
  readonly of: (n: number) => readonly T[];
  readonly has: (n: number) => boolean;
  /** Whether there was time to read all records that had to be. */
  readonly complete: boolean;
}

function leavesAt({ read }: ReadRecord, member: Member): Leaf[] {
  return read.leaves.filter(({ path }) => reaches(member, path, 'at'));
}

/** The leaves of the first path of a record at which a member is with a number. */
function numbersAt(record: ReadRecord, member: Member): Leaf[] {
  const leaves = leavesAt(record, member).filter(({ value }) => decimalOf(value) !== null);
  const [first] = leaves;
  if (first === undefined) return [];
  const path = JSON.stringify(first.path);
  return leaves.filter((leaf) => JSON.stringify(leaf.path) === path);
}

/** Calls with each segment that has values of a member, of records after one, and each path there. */
function eachPath(
  view: ContentView,
  member: Member,
  after: number,
  visit: (file: SegmentFile, path: string) => void,
): void {
  const { names } = view.reader;
  for (const { file, row } of view.reader.segments) {
    if (row.last <= after) continue;
    for (const term of file.paths(KIND.path)) if (reaches(member, names.pathOf(term), 'at')) visit(file, term.slice(1));
  }
}

/** Reads what terms do not tell of some records, as long as there is time. */
function readRest<T>(view: ContentView, records: Bits, ids: Int32Array, valuesOf: (read: ReadRecord) => T[]) {
  const read = new Map<number, readonly T[]>();
  let complete = true;
  for (let n = ids.indexOf(READ); n >= 0; n = ids.indexOf(READ, n + 1)) {
    if (!records.has(n)) continue;
    if (!view.mayRead()) {
      complete = false;
      break;
    }
    read.set(n, valuesOf(view.record(n)));
  }
  return { read, complete };
}

/** Puts a value in the place of a record; another one that is there already makes it one that has to be read. */
function put(ids: Int32Array, n: number, id: number): void {
  const known = ids[n] as number;
  if (known === 0) ids[n] = id;
  else if (known !== id) ids[n] = READ;
}

/** A number for each text that records have as a member of payloads, at whatever path, as a query for the member finds it. */
export interface MemberTexts {
  /** 0 for none. */
  readonly of: (n: number) => number | readonly number[];
  readonly text: (id: number) => string | null;
  readonly complete: boolean;
}

export function memberTexts(view: ContentView, records: Bits, member: Member): MemberTexts {
  const { names } = view.reader;
  const ids = new Int32Array(records.size);
  const values = new Texts();
  eachPath(view, member, 0, (file, path) => {
    const prefix = names.valuesOf(path);
    for (const { term, bytes, base } of file.postings(prefix)) {
      const text = names.textOf(term.slice(prefix.length));
      const id = text === null ? READ : values.id(text);
      eachRecord(KIND.value, bytes, base, (n) => {
        if (records.has(n)) put(ids, n, id);
      });
    }
  });
  const { read, complete } = readRest(view, records, ids, (one) => [
    ...new Set(leavesAt(one, member).map(({ value }) => values.id(String(value)))),
  ]);
  return {
    of: (n) => (ids[n] === READ ? (read.get(n) ?? 0) : (ids[n] as number)),
    text: (id) => values.texts[id] ?? null,
    complete,
  };
}

function decimalOf(value: Leaf['value']): Decimal | null {
  return comparable(value).number === null ? null : readDecimal(String(value));
}

/** The path of the member `currency` next to another. */
function besidePath(path: string): string {
  return JSON.stringify([...(JSON.parse(path) as string[]).slice(0, -1), 'currency']);
}

/** The currency that stands with a number, in the object that it is a member of; null where none does, or an empty text. */
function currencyBeside({ read }: ReadRecord, pointer: string): string | null {
  return textAt(ownerOf(read.tree, pointer) ?? undefined, 'currency');
}

/** Amounts by a number for each value: of JSON numbers by what they are, of texts by how they are written. */
class Decimals {
  readonly #all: Decimal[] = [{ digits: 0n, scale: 0 }];
  /** Of each what `amountOf` makes of it: to ask for a hundred thousand numbers again is to make none of it again. */
  readonly #nears: number[] = [0];
  readonly #digits: number[] = [0];
  readonly #numbers = new NumberTable();
  /** Of each number of the table. */
  readonly #ofNumbers: number[] = [0];
  readonly #texts = new Map<string, number>();

  #add(number: Decimal | null): number {
    if (number === null) return READ;
    const { near, digits } = amountOf(number, null);
    this.#nears.push(near);
    this.#digits.push(digits);
    return this.#all.push(number) - 1;
  }

  ofNumber(value: number): number {
    const place = this.#numbers.add(value);
    if (place === this.#ofNumbers.length) this.#ofNumbers.push(this.#add(decimalOf(value)));
    return this.#ofNumbers[place] as number;
  }

  /** @returns 0 where the text is no number */
  ofText(text: string): number {
    let id = this.#texts.get(text);
    if (id === undefined) {
      const number = decimalOf(text);
      id = number === null ? 0 : this.#add(number);
      this.#texts.set(text, id);
    }
    return id;
  }

  amountAt(id: number, currency: string | null): Amount {
    const number = this.#all[id] as Decimal;
    const { scale } = number;
    return { number, currency, near: this.#nears[id] as number, digits: this.#digits[id] as number, scale };
  }
}

/**
 * The numbers of a member as the terms of its paths tell them: for each record one number and one currency, or that it has to be read.
 * They are read on from where they ended, as columns are: what was read before changes with an erasure only.
 */
class NumbersOfPaths {
  ids = new Int32Array();
  currencies = new Int32Array();
  readonly decimals = new Decimals();
  readonly known = new Texts();
  /** Up to which record they are read. */
  #to = 0;
  /** The currency at the path that is taken, of records that have that path's number here. */
  #beside = new Int32Array();
  #besideOf = new Int32Array();
  #path = 0;

  extend(view: ContentView, member: Member): this {
    if (this.#to === view.indexedTo) return this;
    const { size } = view.columns;
    this.ids = grown(this.ids, new Int32Array(size));
    this.currencies = grown(this.currencies, new Int32Array(size));
    this.#beside = new Int32Array(size);
    this.#besideOf = new Int32Array(size);
    eachPath(view, member, this.#to, (file, path) => this.#take(view.reader, file, path));
    this.#to = view.indexedTo;
    this.#beside = this.#besideOf = new Int32Array();
    return this;
  }

  #take({ names }: ContentView['reader'], file: SegmentFile, path: string): void {
    const numbers = file.find(KIND.number + path);
    if (numbers === null) return;
    this.#path++;
    const beside = names.valuesOf(besidePath(path));
    for (const { term, bytes, base } of file.postings(beside)) {
      const form = term.slice(beside.length);
      const text = names.textOf(form);
      if (text === '' || !names.isText(form)) continue;
      const id = text === null ? READ : this.known.id(text);
      eachRecord(KIND.value, bytes, base, (n) => this.#stands(n, id));
    }
    const prefix = names.valuesOf(path);
    // A text may be longer than a double keeps: it is taken as it is written, and all else is a JSON number, which is a double.
    const texts = new Set<number>();
    for (const { term, bytes, base } of file.postings(names.textsOf(path))) {
      const id = this.decimals.ofText(names.textOf(term.slice(prefix.length)) ?? '');
      if (id === 0) continue;
      eachRecord(KIND.value, bytes, base, (n) => {
        if (n <= this.#to) return;
        this.#put(n, id);
        texts.add(n);
      });
    }
    let before = 0;
    eachNumber(numbers.bytes, numbers.base, (n, value) => {
      if (n > this.#to) {
        if (n === before) this.ids[n] = READ;
        else if (!texts.has(n)) this.#put(n, this.decimals.ofNumber(value));
      }
      before = n;
    });
  }

  #stands(n: number, currency: number): void {
    if (n <= this.#to) return;
    this.#beside[n] = this.#besideOf[n] === this.#path ? READ : currency;
    this.#besideOf[n] = this.#path;
  }

  /** Another number, or the same in another currency, has to be read: which of them counts, the record tells. */
  #put(n: number, id: number): void {
    const currency = this.#besideOf[n] === this.#path ? (this.#beside[n] as number) : 0;
    if (this.ids[n] === 0 && id !== READ && currency !== READ) {
      this.ids[n] = id;
      this.currencies[n] = currency;
    } else if (this.ids[n] !== id || this.currencies[n] !== currency) this.ids[n] = READ;
  }
}

/** Members of a view whose numbers stay in memory, each 8 bytes a record. */
const KEPT_MEMBERS = 4;

const keptOf = new WeakMap<object, Map<string, NumbersOfPaths>>();

function keptNumbers(view: ContentView, member: Member): NumbersOfPaths {
  const { unerased } = view.reader;
  const kept = keptOf.get(unerased) ?? new Map<string, NumbersOfPaths>();
  keptOf.set(unerased, kept);
  const name = JSON.stringify(member);
  const numbers = kept.get(name) ?? new NumbersOfPaths();
  kept.delete(name);
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size >= KEPT_MEMBERS) kept.delete(oldest);
  kept.set(name, numbers);
  return numbers.extend(view, member);
}

/** The numbers of a member of payloads, also those that are written as texts: of the first path in a record that has any. */
export function memberAmounts(view: ContentView, records: Bits, member: Member): ReadValues<Amount> {
  const { ids, currencies, decimals, known } = keptNumbers(view, member);
  const { read, complete } = readRest(view, records, ids, (one) =>
    numbersAt(one, member).flatMap(({ value, pointer }) => {
      const number = decimalOf(value);
      return number === null ? [] : [amountOf(number, currencyBeside(one, pointer))];
    }),
  );
  /** By currency, then by value. */
  const single = known.texts.map((): (readonly Amount[])[] => []);
  const nothing: readonly Amount[] = [];
  const of = (n: number): readonly Amount[] => {
    const id = ids[n] as number;
    if (id <= 0) return id === 0 ? nothing : (read.get(n) ?? nothing);
    const currency = currencies[n] as number;
    const amounts = single[currency] ?? [];
    const found = amounts[id];
    if (found !== undefined) return found;
    const made = [decimals.amountAt(id, known.texts[currency] ?? null)];
    amounts[id] = made;
    return made;
  };
  return { of, has: (n) => (ids[n] as number) > 0 || of(n).length > 0, complete };
}
