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

/** The numbers of a member of payloads, also those that are written as texts: of the first path in a record that has any. */
export function memberAmounts(view: ContentView, records: Bits, member: Member): ReadValues<Amount> {
  const { names } = view.reader;
  const ids = new Int32Array(records.size);
  const currencies = new Int32Array(records.size);
  const values = new Texts();
  const known = new Texts();
  eachPath(view, member, (file, path) => {
    const prefix = names.valuesOf(path);
    for (const { term, bytes, base } of file.postings(prefix)) {
      const text = names.textOf(term.slice(prefix.length));
      if (text === null || decimalOf(term.startsWith(`${prefix}n`) ? Number(text) : text) === null) continue;
      const id = values.id(text);
      eachRecord(KIND.value, bytes, base, (n) => {
        if (records.has(n)) put(ids, n, id);
      });
    }
    const numbers = file.find(KIND.number + path);
    let before = 0;
    if (numbers !== null) {
      eachNumber(numbers.bytes, numbers.base, (n) => {
        // The same number twice in a list is one term.
        if (n === before && records.has(n)) ids[n] = READ;
        before = n;
      });
    }
    const beside = names.valuesOf(besidePath(path));
    for (const { term, bytes, base } of file.postings(beside)) {
      const text = names.textOf(term.slice(beside.length));
      const id = text === null ? READ : known.id(text);
      eachRecord(KIND.value, bytes, base, (n) => {
        if (records.has(n)) put(currencies, n, id);
      });
    }
  });
  for (let n = 0; n < ids.length; n++) if (currencies[n] === READ && ids[n] !== 0) ids[n] = READ;
  const { read, complete } = readRest(view, ids, (one) =>
    leavesAt(one, member, ({ value }) => decimalOf(value) !== null).flatMap(({ value, pointer }) => {
      const number = decimalOf(value);
      return number === null ? [] : [{ number, currency: currencyBeside(one, pointer) }];
    }),
  );
  const decimals = values.texts.map((text) => (text === null ? null : readDecimal(text)));
  const single = new Map<number, readonly Amount[]>();
  const of = (n: number): readonly Amount[] => {
    const id = ids[n] ?? 0;
    if (id <= 0) return read.get(n) ?? [];
    const key = id * known.texts.length + (currencies[n] ?? 0);
    let found = single.get(key);
    if (found === undefined) {
      const number = decimals[id] ?? null;
      found = number === null ? [] : [{ number, currency: known.texts[currencies[n] ?? 0] ?? null }];
      single.set(key, found);
    }
    return found;
  };
  return { of, complete };
}
