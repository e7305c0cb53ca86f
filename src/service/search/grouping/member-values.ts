import {
  comparable,
  type Decimal,
  type Field,
  type Leaf,
  reaches,
  readDecimal,
  valueAt,
} from '../../../actions/index.ts';
import type { Bits } from '../content-index/bits.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { eachNumber, eachRecord } from '../content-index/posting-walks.ts';
import { KIND } from '../content-index/postings.ts';
import type { ReadRecord } from '../content-index/record-content.ts';
import type { SegmentFile } from '../content-index/segment-file.ts';

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
  /** Whether there was time to read all records that had to be. */
  readonly complete: boolean;
}

/** The leaves of the first path of a record at which a member is with a value that counts. */
function leavesAt({ read }: ReadRecord, member: Member, counts: (leaf: Leaf) => boolean): Leaf[] {
  const leaves = read.leaves.filter((leaf) => reaches(member, leaf.path, 'at') && counts(leaf));
  const [first] = leaves;
  if (first === undefined) return [];
  const path = JSON.stringify(first.path);
  return leaves.filter((leaf) => JSON.stringify(leaf.path) === path);
}

/** Calls with each segment that has values of a member, and each path there. */
function eachPath(view: ContentView, member: Member, visit: (file: SegmentFile, path: string) => void): void {
  const { names } = view.reader;
  for (const { file } of view.reader.segments) {
    for (const term of file.paths(KIND.path)) if (reaches(member, names.pathOf(term), 'at')) visit(file, term.slice(1));
  }
}

/** Reads what terms do not tell of some records, as long as there is time. */
function readRest<T>(view: ContentView, ids: Int32Array, valuesOf: (read: ReadRecord) => T[]) {
  const read = new Map<number, readonly T[]>();
  let complete = true;
  for (let n = ids.indexOf(READ); n >= 0; n = ids.indexOf(READ, n + 1)) {
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

/** The texts of a member of payloads, each once in a record: of the first path in it that the member is. */
export function memberTexts(view: ContentView, records: Bits, member: Member): ReadValues<string> {
  const { names } = view.reader;
  const ids = new Int32Array(records.size);
  const values = new Texts();
  eachPath(view, member, (file, path) => {
    const prefix = names.valuesOf(path);
    for (const { term, bytes, base } of file.postings(prefix)) {
      const text = names.textOf(term.slice(prefix.length));
      const id = text === null ? READ : values.id(text);
      eachRecord(KIND.value, bytes, base, (n) => {
        if (records.has(n)) put(ids, n, id);
      });
    }
  });
  const { read, complete } = readRest(view, ids, (one) => [
    ...new Set(leavesAt(one, member, () => true).map(({ value }) => String(value))),
  ]);
  const single = values.texts.map((text) => (text === null ? [] : [text]));
  return { of: (n) => read.get(n) ?? single[ids[n] ?? 0] ?? [], complete };
}

/** A number of a payload, exact, with the currency that stands beside it. */
export interface Amount {
  readonly number: Decimal;
  readonly currency: string | null;
}

function decimalOf(value: Leaf['value']): Decimal | null {
  return comparable(value).number === null ? null : readDecimal(String(value));
}

/** The path of the member `currency` next to another. */
function besidePath(path: string): string {
  return JSON.stringify([...(JSON.parse(path) as string[]).slice(0, -1), 'currency']);
}

function currencyBeside({ read }: ReadRecord, pointer: string): string | null {
  // A number in a list has it beside the list.
  for (let above = pointer; above !== ''; ) {
    above = above.slice(0, above.lastIndexOf('/'));
    const currency = valueAt(read.tree, `${above}/currency`);
    if (typeof currency === 'string') return currency;
    if (!/\/\d+$/.test(above)) return null;
  }
  return null;
}

/** Amounts by a number for each value: of JSON numbers by what they are, of texts by how they are written. */
class Decimals {
  readonly #all: Decimal[] = [{ digits: 0n, scale: 0 }];
  readonly #numbers = new Map<number, number>();
  readonly #texts = new Map<string, number>();

  #add(number: Decimal | null): number {
    return number === null ? READ : this.#all.push(number) - 1;
  }

  ofNumber(value: number): number {
    let id = this.#numbers.get(value);
    if (id === undefined) {
      id = this.#add(decimalOf(value));
      this.#numbers.set(value, id);
    }
    return id;
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

  at(id: number): Decimal {
    return this.#all[id] ?? { digits: 0n, scale: 0 };
  }
}

/** Puts the numbers of one path in their places, and the currencies beside them. */
function takePath(
  { names }: ContentView['reader'],
  file: SegmentFile,
  path: string,
  to: {
    readonly records: Bits;
    readonly ids: Int32Array;
    readonly decimals: Decimals;
    readonly currencies: Int32Array;
    readonly known: Texts;
  },
): void {
  const { records, ids, decimals, currencies, known } = to;
  const numbers = file.find(KIND.number + path);
  if (numbers === null) return;
  const prefix = names.valuesOf(path);
  // A text may be longer than a double keeps: it is taken as it is written, and all else is a JSON number, which is a double.
  const texts = new Set<number>();
  for (const { term, bytes, base } of file.postings(names.textsOf(path))) {
    const id = decimals.ofText(names.textOf(term.slice(prefix.length)) ?? '');
    if (id === 0) continue;
    eachRecord(KIND.value, bytes, base, (n) => {
      if (!records.has(n)) return;
      put(ids, n, id);
      texts.add(n);
    });
  }
  let before = 0;
  eachNumber(numbers.bytes, numbers.base, (n, value) => {
    if (records.has(n)) {
      if (n === before) ids[n] = READ;
      else if (!texts.has(n)) put(ids, n, decimals.ofNumber(value));
    }
    before = n;
  });
  const beside = names.valuesOf(besidePath(path));
  for (const { term, bytes, base } of file.postings(beside)) {
    const text = names.textOf(term.slice(beside.length));
    const id = text === null ? READ : known.id(text);
    eachRecord(KIND.value, bytes, base, (n) => {
      if (records.has(n)) put(currencies, n, id);
    });
  }
}

/** The numbers of a member of payloads, also those that are written as texts: of the first path in a record that has any. */
export function memberAmounts(view: ContentView, records: Bits, member: Member): ReadValues<Amount> {
  const ids = new Int32Array(records.size);
  const currencies = new Int32Array(records.size);
  const decimals = new Decimals();
  const known = new Texts();
  const to = { records, ids, decimals, currencies, known };
  eachPath(view, member, (file, path) => takePath(view.reader, file, path, to));
  for (let n = 0; n < ids.length; n++) if (currencies[n] === READ && ids[n] !== 0) ids[n] = READ;
  const { read, complete } = readRest(view, ids, (one) =>
    leavesAt(one, member, ({ value }) => decimalOf(value) !== null).flatMap(({ value, pointer }) => {
      const number = decimalOf(value);
      return number === null ? [] : [{ number, currency: currencyBeside(one, pointer) }];
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
    const made = [{ number: decimals.at(id), currency: known.texts[currency] ?? null }];
    amounts[id] = made;
    return made;
  };
  return { of, complete };
}
