import { type AlterationChecks, type AlterationSign, type Entry, numberAt } from './sign.ts';

/** The most names of entries that are remembered: of a longer file those after them are not checked. */
const MAX_NAMES = 500_000;

/** Programs name entries and calls by short ids: a longer name is taken for none, since all of them are kept. */
const LONGEST_NAME = 256;

type Names = readonly (string | null)[];

function* namesIn(names: Names): Generator<string> {
  for (const name of names) if (name !== null && name.length <= LONGEST_NAME) yield name;
}

type NamesOf = (entry: Entry) => { readonly own: Names; readonly named: Names };
type NumberOf = (entry: Entry) => { readonly of: string; readonly number: number } | null;
type SumOf = (entry: Entry) => { readonly total: number; readonly added: number } | null;

/** Entries that have a name, and name others that have to stand before them. */
export class NamedEntries implements AlterationChecks {
  readonly #names = new Set<string>();
  readonly #of: NamesOf;

  constructor(of: NamesOf) {
    this.#of = of;
  }

  take(entry: Entry, line: number): readonly AlterationSign[] {
    const { own, named } = this.#of(entry);
    if (this.#names.size >= MAX_NAMES) return [];
    const missing = new Set([...namesIn(named)].filter((name) => !this.#names.has(name)));
    for (const name of namesIn(own)) this.#names.add(name);
    return [...missing].map((name) => ({
      code: 'LINK_MISSING',
      line,
      message: `The entry names the entry ${name} before it, which is not in the file.`,
    }));
  }
}

/** What an entry says of calls: which begin and end in it, and which request to the model it is of. */
interface CallsOf {
  readonly begun: Names;
  readonly ended: Names;
  readonly request: string | null;
}

/** Calls that each have their result before the model is asked again: no model continues without it. */
export class AnsweredCalls implements AlterationChecks {
  readonly #of: (entry: Entry) => CallsOf;
  /** By the request that they are of: all calls of another one are looked at once, and then gone. */
  readonly #open = new Map<string | null, Set<string>>();
  readonly #requestOf = new Map<string, string | null>();

  constructor(of: (entry: Entry) => CallsOf) {
    this.#of = of;
  }

  take(entry: Entry, line: number): readonly AlterationSign[] {
    const { begun, ended, request } = this.#of(entry);
    for (const id of namesIn(ended)) this.#close(id);
    const others = request === null ? [] : [...this.#open.keys()].filter((of) => of !== request);
    const left = others.flatMap((of) => [...(this.#open.get(of) ?? [])]);
    for (const id of left) this.#close(id);
    for (const id of namesIn(begun)) if (this.#requestOf.size < MAX_NAMES) this.#begin(id, request);
    const message = (id: string) => `The call ${id} has no result in the file, and the model was asked again.`;
    return left.map((id) => ({ code: 'RESULT_MISSING', line, message: message(id) }));
  }

  #begin(id: string, request: string | null): void {
    this.#close(id);
    this.#requestOf.set(id, request);
    this.#open.set(request, (this.#open.get(request) ?? new Set()).add(id));
  }

  #close(id: string): void {
    const request = this.#requestOf.get(id);
    if (request === undefined || !this.#requestOf.delete(id)) return;
    const calls = this.#open.get(request);
    calls?.delete(id);
    if (calls?.size === 0) this.#open.delete(request);
  }
}

/** Entries that are numbered without a gap. */
export class NumberedEntries implements AlterationChecks {
  readonly #numberOf: NumberOf;
  readonly #last = new Map<string, number>();

  /** @param numberOf an entry's number, and in which of several rows */
  constructor(numberOf: NumberOf) {
    this.#numberOf = numberOf;
  }

  take(entry: Entry, line: number): readonly AlterationSign[] {
    const found = this.#numberOf(entry);
    if (found === null || found.of.length > LONGEST_NAME) return [];
    const before = this.#last.get(found.of);
    if (before !== undefined || this.#last.size < MAX_NAMES) this.#last.set(found.of, found.number);
    if (before === undefined || found.number === before + 1) return [];
    const message = `The entry has number ${found.number}; the one before it has ${before}.`;
    return [{ code: 'NUMBER_MISSING', line, message }];
  }
}

/** Totals that grow by what the entry itself says was added. */
export class Sums implements AlterationChecks {
  readonly #of: SumOf;
  #total: number | null = null;

  constructor(of: SumOf) {
    this.#of = of;
  }

  take(entry: Entry, line: number): readonly AlterationSign[] {
    const found = this.#of(entry);
    if (found === null) return [];
    const before = this.#total;
    this.#total = found.total;
    // An entry that is written again says the same total once more.
    if (before === null || found.total === before || found.total === before + found.added) return [];
    const message = `The total is ${found.total}; the one before was ${before}, and ${found.added} were added.`;
    return [{ code: 'SUM_DIFFERS', line, message }];
  }
}

/** Programs write what happens at once in any order, some milliseconds apart. */
const TOLERANCE_MS = 60_000;

/** Entries of which each has a time that is not before that of an earlier one. */
export class RisingTimes implements AlterationChecks {
  readonly #timeOf: (entry: Entry) => number | null;
  #latest = Number.NEGATIVE_INFINITY;

  constructor(timeOf: (entry: Entry) => number | null) {
    this.#timeOf = timeOf;
  }

  take(entry: Entry, line: number): readonly AlterationSign[] {
    const time = this.#timeOf(entry);
    if (time === null) return [];
    const latest = this.#latest;
    this.#latest = Math.max(latest, time);
    if (time >= latest - TOLERANCE_MS) return [];
    const message = `The entry is of ${new Date(time).toISOString()}, and one before it of ${new Date(latest).toISOString()}.`;
    return [{ code: 'TIME_BACK', line, message }];
  }
}

/** A time in milliseconds or as RFC 3339. */
export function timeAt(entry: Entry, name: string): number | null {
  const milliseconds = numberAt(entry, name);
  if (milliseconds !== null) return milliseconds >= 0 && milliseconds < 8e15 ? milliseconds : null;
  const value = entry[name];
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : null;
}
