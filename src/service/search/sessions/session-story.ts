import type { StepsAnswer, StepsBody } from '../../../api/index.ts';
import { listPage } from '../../http/cursor.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { withDecisions } from '../actions/step-parts.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { recordsOfSessions } from '../content-index/joined-values.ts';
import { keptOfView } from '../content-index/kept-of-view.ts';
import { coverageOf } from '../content-index/queries/list-records.ts';
import { sessionRow } from './session-row.ts';
import { stepOf, stepPlaces } from './steps.ts';

/** Sessions below one that are told with it, at most. */
const MAX_BELOW = 200;

/** Sessions by the digest of the one that opened them. */
const childrenOf = keptOfView((view): ReadonlyMap<number, ReadonlySet<number>> => {
  const parents = view.columns.category('parent');
  const sessions = view.columns.category('session').ids;
  const children = new Map<number, Set<number>>();
  if (parents.digests.length <= 1) return children;
  for (let n = 1; n < parents.ids.length; n++) {
    const parent = parents.digests[parents.ids[n] ?? 0] ?? 0;
    const session = sessions[n] ?? 0;
    if (parent === 0 || session === 0) continue;
    const known = children.get(parent);
    if (known === undefined) children.set(parent, new Set([session]));
    else known.add(session);
  }
  return children;
});

/** The sessions that one opened, those that they opened, and so on: the nearest first. */
function sessionsBelow(view: ContentView, id: number): number[] {
  const { digests } = view.category('session');
  const children = childrenOf(view);
  const found = new Set([id]);
  for (const session of found) {
    for (const child of children.get(digests[session] ?? 0) ?? []) if (found.size <= MAX_BELOW) found.add(child);
  }
  found.delete(id);
  return [...found];
}

/** Records of several sessions in one order. */
function recordsOf(view: ContentView, sessions: readonly number[]): Uint32Array {
  const lists = sessions.map((id) => recordsOfSessions(view).of(id));
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let to = 0;
  for (const list of lists) {
    all.set(list, to);
    to += list.length;
  }
  return sessions.length > 1 ? all.sort() : all;
}

/**
 * The steps of a session in the order of its records.
 * @param place the number of the record that the page before ended with
 * @throws ServiceError NOT_FOUND
 */
export function sessionStory(view: ContentView, asked: Omit<StepsBody, 'cursor'>, place: number | null): StepsAnswer {
  const id = view.idOf('session', asked.session);
  if (id === 0) throw new ServiceError('NOT_FOUND', 'there is no record of this session');
  const below = asked.below ? sessionsBelow(view, id) : [];
  const places = stepPlaces(view, withDecisions(view, recordsOf(view, [id, ...below])));
  const behind = place === null ? places : places.filter(({ n }) => n > place);
  return {
    session: sessionRow(view, id),
    below: below.map((child) => sessionRow(view, child)),
    ...listPage(
      behind,
      asked.limit,
      ({ n }) => n,
      (each) => stepOf(view, each, asked.session),
    ),
    coverage: coverageOf(view),
  };
}
