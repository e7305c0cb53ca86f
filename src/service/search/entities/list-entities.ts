import { foldText, type Query, textTest } from '../../../actions/index.ts';
import type { EntitiesAnswer, Unit } from '../../../api/index.ts';
import { listPage } from '../../http/cursor.ts';
import type { Bits } from '../content-index/bits.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { type Counted, countedOf, Tally } from '../content-index/counted.ts';
import type { ListColumn } from '../content-index/loaded-columns.ts';
import { coverageOf } from '../content-index/queries/list-records.ts';
import { entityDigest } from '../content-index/record-content.ts';
import { entityRows } from './entity-rows.ts';

/**
 * Where a page ended: how many records touch its last entity, where it comes first in the ledger, and the newest record that counts for the
 * order.
 */
export type EntityPlace = readonly [records: number, first: number, to: number];

/** A record touches fewer entities than this. */
const IN_RECORD = 1024;

/**
 * Where an entity comes first: by record, and within it. Of equally many records it says the order, which numbers of the index and
 * digests of names do not: they are others in each index of the same records.
 */
function firstPlace({ starts, ids, firsts }: ListColumn, id: number): number {
  const first = firsts[id] ?? 0;
  const begin = starts[first] ?? 0;
  return first * IN_RECORD + Math.max(0, ids.subarray(begin, starts[first + 1]).indexOf(id));
}

export interface EntitiesAsked {
  readonly kind: string | undefined;
  readonly contains: string | undefined;
  readonly place: EntityPlace | null;
  readonly limit: number;
  readonly unit?: Unit | undefined;
}

/** How much of what is counted touches each entity, by its number. */
function countTouching(view: ContentView, counted: Counted, to: number): Uint32Array {
  const { starts, ids, digests } = view.columns.list('entity');
  const tally = new Tally(digests.length);
  counted.each((n, of) => {
    if (n > to) return;
    for (let at = starts[n] ?? 0; at < (starts[n + 1] ?? 0); at++) tally.add(ids[at] ?? 0, of);
  });
  return tally.counts;
}

/** The kind of each entity, by number, as the digest of its name. */
function kindsOf(view: ContentView): Float64Array {
  const { ids, digests } = view.columns.list('entity');
  const kinds = view.columns.list('kind');
  const of = new Float64Array(digests.length);
  for (let at = 0; at < ids.length; at++) of[ids[at] ?? 0] = kinds.digests[kinds.ids[at] ?? 0] ?? 0;
  return of;
}

/** The name of a kind from a record that has it. */
function nameOfKind(view: ContentView, digest: number): string | null {
  const { digests, firsts } = view.columns.list('kind');
  const first = firsts[digests.indexOf(digest)];
  if (first === undefined) return null;
  return view.record(first).facts.entity.find(({ kind }) => view.reader.names.digest(kind) === digest)?.kind ?? null;
}

/** Digests of entities whose id contains a text, in any case: the records that may have one are read. */
function containing(
  view: ContentView,
  records: Bits,
  text: string,
): { readonly digests: Set<number>; readonly complete: boolean } {
  const isMeant = textTest({ kind: 'part', field: null, text: foldText(text) });
  const digests = new Set<number>();
  for (let n = records.before(records.size); n >= 0; n = records.before(n)) {
    if (!view.mayRead()) return { digests, complete: false };
    for (const { kind, id } of view.record(n).facts.entity) {
      if (isMeant(id)) digests.add(entityDigest(view.reader.names, kind, id));
    }
  }
  return { digests, complete: true };
}

function isBehind([records, first]: EntityPlace, place: EntityPlace | null): boolean {
  return place === null || records < place[0] || (records === place[0] && first > place[1]);
}

/** Entities that the records of a query touch, those of most records first. */
export function listEntities(
  view: ContentView,
  query: Query,
  { kind, contains, place, limit, unit = 'records' }: EntitiesAsked,
): EntitiesAnswer {
  const part: Query | null =
    contains === undefined ? null : { kind: 'part', field: { of: 'record', name: 'entity' }, text: foldText(contains) };
  const found = view.find(part === null ? query : { kind: 'and', parts: [query, part] }, 'newest', unit);
  const counted = countedOf(view, found.records, unit);
  const named = contains === undefined ? null : containing(view, counted.records, contains);
  const to = Math.min(place?.[2] ?? view.indexedTo, view.indexedTo);
  const counts = countTouching(view, counted, to);
  const column = view.columns.list('entity');
  const { digests } = column;
  const kinds = kindsOf(view);
  const wanted = kind === undefined ? null : view.reader.names.digest(kind);
  const perKind = new Map<number, number>();
  const placed: { id: number; place: EntityPlace }[] = [];
  for (let id = 1; id < counts.length; id++) {
    const [count, digest, own] = [counts[id] ?? 0, digests[id] ?? 0, kinds[id] ?? 0];
    if (count === 0 || (named !== null && !named.digests.has(digest))) continue;
    perKind.set(own, (perKind.get(own) ?? 0) + 1);
    if (wanted !== null && own !== wanted) continue;
    const at = [count, firstPlace(column, id), to] as const;
    if (isBehind(at, place)) placed.push({ id, place: at });
  }
  placed.sort((a, b) => b.place[0] - a.place[0] || a.place[1] - b.place[1]);
  const page = placed.slice(0, limit + 1);
  const ids = page.map(({ id }) => id);
  const rows = entityRows(view, counted.records, ids, unit);
  const complete = found.complete && (named?.complete ?? true);
  const listed = page.flatMap(({ place }, n) => {
    const row = rows[n] ?? null;
    return row === null ? [] : [{ row, place }];
  });
  return {
    ...listPage(
      listed,
      limit,
      (last) => last.place,
      ({ row }) => row,
    ),
    kinds: [...perKind]
      .map(([digest, count]) => ({ value: nameOfKind(view, digest) ?? '', count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)),
    coverage: coverageOf(view, { complete }),
  };
}
