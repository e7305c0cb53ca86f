import type { Query } from '../../../actions/index.ts';
import type { Coverage, SessionsAnswer, Unit } from '../../../api/index.ts';
import { listPage } from '../../http/cursor.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { recordsOfSessions } from '../content-index/joined-values.ts';
import { coverageOf } from '../content-index/queries/list-records.ts';
import { sessionRow, timesIn } from './session-row.ts';

export type SessionOrder = 'newest' | 'oldest' | 'longest';

/**
 * Where a page ended: what sessions are ordered by, the first record of its last one, and the newest record that counts for the order: a
 * session that is continued while pages are read stays in its place.
 */
export type SessionPlace = readonly [value: number, first: number, to: number];

interface Placed {
  readonly id: number;
  readonly place: SessionPlace;
}

/** Numbers of the sessions that a query finds records of. */
function foundSessions(
  view: ContentView,
  query: Query,
  unit: Unit,
  to: number,
): { readonly ids: number[]; readonly coverage: Coverage } {
  const found = view.findRecords(query, unit);
  const { ids, digests } = view.category('session');
  const isFound = new Uint8Array(digests.length);
  found.records.within(0, to + 1).each((n) => {
    isFound[ids[n] ?? 0] = 1;
  });
  const sessions: number[] = [];
  for (let id = 1; id < isFound.length; id++) if (isFound[id] === 1) sessions.push(id);
  return { ids: sessions, coverage: coverageOf(view, found) };
}

/** What a session is ordered by, the smaller first. */
function placeValue(order: SessionOrder, ns: Uint32Array, issued: Float64Array): number {
  if (order === 'oldest') return ns[0] ?? 0;
  if (order === 'newest') return -(ns.at(-1) ?? 0);
  const [first, last] = timesIn(ns, issued);
  return first - last;
}

function compare([value, first]: SessionPlace, [other, otherFirst]: SessionPlace): number {
  return value - other || first - otherFirst;
}

/** Sessions in which a query finds records, behind a place in the order. */
export function listSessions(
  view: ContentView,
  query: Query,
  {
    order,
    place,
    limit,
    unit = 'records',
  }: {
    readonly order: SessionOrder;
    readonly place: SessionPlace | null;
    readonly limit: number;
    readonly unit?: Unit;
  },
): SessionsAnswer {
  const to = Math.min(place?.[2] ?? view.indexedTo, view.indexedTo);
  const { ids, coverage } = foundSessions(view, query, unit, to);
  const groups = recordsOfSessions(view);
  const issued = view.columns.number('issued');
  const placed = ids.map((id): Placed => {
    const all = groups.of(id);
    const ns = (all.at(-1) ?? 0) <= to ? all : all.filter((n) => n <= to);
    return { id, place: [placeValue(order, ns, issued), ns[0] ?? 0, to] };
  });
  const behind = place === null ? placed : placed.filter((one) => compare(one.place, place) > 0);
  behind.sort((a, b) => compare(a.place, b.place));
  const page = listPage(
    behind,
    limit,
    (last) => last.place,
    ({ id }) => sessionRow(view, id),
  );
  return { ...page, coverage };
}
