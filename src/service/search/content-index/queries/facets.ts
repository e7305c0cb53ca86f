import { type FieldsWith, isFieldWith, type Query } from '../../../../actions/index.ts';
import type { FacetsAnswer, Unit } from '../../../../api/index.ts';
import { namesOfPointer } from '../../../../protocol/index.ts';
import { Bits } from '../bits.ts';
import type { CategoryName } from '../columns.ts';
import type { ContentView } from '../content-view.ts';
import { type Counted, countedOf, Tally } from '../counted.ts';
import type { FewField } from '../evaluate.ts';
import { actionsByOutcome, actionsOf } from '../indexed-actions.ts';
import { sayingRecords } from '../joined-values.ts';
import { countRecords, eachRecord } from '../posting-walks.ts';
import { type BasedPostings, KIND } from '../postings.ts';
import { ownFields } from '../record-content.ts';
import type { TermNames } from '../term-names.ts';
import { coverageOf } from './list-records.ts';

type Facet = FacetsAnswer['facets'][number];
type Counts = { readonly counts: ReadonlyMap<string, number>; readonly none: number };

/** Values that are worked out from payloads where the index has only their digests, at most. */
const READ_VALUES = 200;

/** Values of a field with how many records have them, the most frequent first; those with equally many in the order of their texts. */
function ranked(field: string, { counts, none }: Counts, values: number): Facet {
  const all = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return {
    field,
    values: all.slice(0, values).map(([value, count]) => ({ value, count })),
    more: Math.max(0, all.length - values),
    none,
  };
}

/** Counts by numbers of values; texts are looked up only for those that are shown. */
function rankedIds(
  field: string,
  counts: Uint32Array,
  none: number,
  values: number,
  textOf: (id: number) => string,
): Facet {
  const ids = Array.from(counts.keys()).filter((id) => id > 0 && (counts[id] ?? 0) > 0);
  ids.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b);
  const shown = ids.slice(0, values).map((id) => ({ value: textOf(id), count: counts[id] ?? 0 }));
  shown.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return { field, values: shown, more: Math.max(0, ids.length - values), none };
}

function categoryFacet(view: ContentView, counted: Counted, name: CategoryName, values: number): Facet {
  const { ids, digests } = view.category(name);
  const tally = new Tally(digests.length);
  counted.each((n, of) => {
    const id = ids[n] as number;
    if (id !== 0) tally.add(id, of);
  });
  const none = counted.found.count() - tally.some;
  return rankedIds(name, tally.counts, none, values, (id) => view.text(name, id) ?? '');
}

function listFacet(view: ContentView, counted: Counted, name: FieldsWith<{ column: 'list' }>, values: number): Facet {
  const { starts, ids, digests, firsts } = view.columns.list(name);
  const says = sayingRecords(view)(name);
  const tally = new Tally(digests.length);
  counted.each((n, of) => {
    const from = says === null ? n : (says[n] as number);
    for (let at = starts[from] ?? 0; at < (starts[from + 1] ?? 0); at++) tally.add(ids[at] ?? 0, of);
  });
  const textOf = (id: number): string =>
    ownFields(view.record(firsts[id] ?? 0))[name].find((text) => view.reader.names.digest(text) === digests[id]) ?? '';
  return rankedIds(name, tally.counts, counted.found.count() - tally.some, values, textOf);
}

function fewFacet(view: ContentView, { found, actions }: Counted, name: FewField, values: number): Facet {
  const counts = new Map<string, number>();
  const some = new Bits(found.size);
  const ofAll = actions !== null && name === 'outcome' ? actionsByOutcome(view) : view.few(name);
  for (const [value, records] of ofAll) {
    const having = actions?.(records) ?? records;
    const count = having.countIn(found);
    if (count > 0) counts.set(value, count);
    some.or(having);
  }
  return ranked(name, { counts, none: found.count() - found.countIn(some) }, values);
}

/** The names from the root that a JSON Pointer gives; arrays add none, so that positions in it find nothing. */
/** Values of a member among some records, by what their terms have behind the path. */
class MemberValues {
  readonly counts = new Map<string, { count: number; readonly first: number; readonly text: string | null }>();
  /** The records that have one. */
  readonly some: Bits;
  readonly #records: Bits;
  readonly #names: TermNames;

  constructor(records: Bits, names: TermNames) {
    this.some = new Bits(records.size);
    this.#records = records;
    this.#names = names;
  }

  /** Takes in one value of one segment. There are as many as values: a loop around this would be compiled again and again. */
  add(form: string, { bytes, base }: BasedPostings): void {
    const count = countRecords(bytes, base, this.#records, this.some);
    if (count === 0) return;
    const known = this.counts.get(form);
    if (known !== undefined) {
      known.count += count;
      return;
    }
    const text = this.#names.textOf(form);
    this.counts.set(form, { count, first: text === null ? firstOf(bytes, base, this.#records) : 0, text });
  }

  /** Counts actions of a value, whose records may be in several segments. */
  addActions(form: string, lists: readonly BasedPostings[], leadOf: (n: number) => number): void {
    const actions = new Set<number>();
    let first = 0;
    for (const { bytes, base } of lists) {
      eachRecord(KIND.value, bytes, base, (n) => {
        if (!this.#records.has(n)) return;
        first ||= n;
        this.some.add(n);
        actions.add(leadOf(n));
      });
    }
    if (actions.size > 0) this.counts.set(form, { count: actions.size, first, text: this.#names.textOf(form) });
  }
}

/** Those with the highest counts, the most frequent first. There may be many more than are shown: they are not put in order for that. */
function mostFrequent<T extends { readonly count: number }>(
  all: readonly (readonly [string, T])[],
  most: number,
): (readonly [string, T])[] {
  const counts = Uint32Array.from(all, ([, { count }]) => count).sort();
  const least = counts[counts.length - most] ?? 0;
  return all
    .filter(([, { count }]) => count >= least)
    .sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))
    .slice(0, most);
}

function memberValues(view: ContentView, { records, actions }: Counted, prefix: string): MemberValues {
  const found = new MemberValues(records, view.reader.names);
  if (actions === null) {
    for (const { file } of view.reader.segments) {
      for (const one of file.postings(prefix)) found.add(one.term.slice(prefix.length), one);
    }
    return found;
  }
  const lists = new Map<string, BasedPostings[]>();
  for (const { file } of view.reader.segments) {
    for (const { term, bytes, base } of file.postings(prefix)) {
      const form = term.slice(prefix.length);
      const known = lists.get(form);
      if (known === undefined) lists.set(form, [{ bytes, base }]);
      else known.push({ bytes, base });
    }
  }
  const { leadOf } = actionsOf(view);
  for (const [form, of] of lists) found.addActions(form, of, leadOf);
  return found;
}

function memberFacet(view: ContentView, counted: Counted, pointer: string, values: number): Facet {
  const { names } = view.reader;
  const prefix = names.valuesOf(names.path(namesOfPointer(pointer)));
  const { counts, some } = memberValues(view, counted, prefix);
  const shown = mostFrequent([...counts], values).map(([form, { count, first, text }]) => ({
    value: text ?? longText(view, first, prefix + form, namesOfPointer(pointer)),
    count,
  }));
  const having = counted.actions?.(some) ?? some;
  return {
    field: pointer,
    values: shown,
    more: Math.max(0, counts.size - values),
    none: counted.found.count() - counted.found.countIn(having),
  };
}

/** The first record with a value that is among some records, of which one is. */
function firstOf(bytes: Uint8Array, base: number, records: Bits): number {
  let first = 0;
  eachRecord(KIND.value, bytes, base, (n) => {
    if (first === 0 && records.has(n)) first = n;
  });
  return first;
}

/** The text of a value that the index holds as a digest, from a record that has it. */
function longText(view: ContentView, n: number, term: string, path: readonly string[]): string {
  const { names } = view.reader;
  const joined = names.path(path);
  const leaf = view
    .record(n)
    .read.leaves.find((one) => names.path(one.path) === joined && KIND.value + names.value(joined, one.value) === term);
  return leaf === undefined ? '' : String(leaf.value);
}

function facetOf(view: ContentView, counted: Counted, field: string, values: number): Facet {
  if (isFieldWith(field, { few: true })) return fewFacet(view, counted, field, values);
  if (isFieldWith(field, { column: 'category' })) return categoryFacet(view, counted, field, values);
  if (isFieldWith(field, { column: 'list' })) return listFacet(view, counted, field, values);
  return memberFacet(view, counted, field, Math.min(values, READ_VALUES));
}

/** Counts the values of some fields among the records, or the actions, that a query means. */
export function facetsOf(
  view: ContentView,
  query: Query,
  {
    fields,
    values,
    unit = 'records',
  }: { readonly fields: readonly string[]; readonly values: number; readonly unit?: Unit | undefined },
): FacetsAnswer {
  const found = view.find(query, 'newest', unit);
  const counted = countedOf(view, found.records, unit);
  return {
    total: found.records.count(),
    coverage: coverageOf(view, found),
    facets: fields.map((field) => facetOf(view, counted, field, values)),
  };
}
