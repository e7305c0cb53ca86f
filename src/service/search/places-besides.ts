import { soughtPerson, textsIn } from '../../actions/index.ts';
import { LIMITS, type PlacesAnswer } from '../../api/index.ts';
import type { Json } from '../../protocol/index.ts';
import type { LedgerView } from './ledger-view.ts';

type Beside = Pick<PlacesAnswer, 'besides' | 'besides_not_examined'>;
type Place = Beside['besides'][number]['place'];

/** Pages of events and of notes that are looked at, the newest events first. */
const MOST_PAGES = 20;

/** What the pages of a list hold. @returns its items, and whether there are more */
async function pagesOf<T>(
  page: (cursor: string) => Promise<{ readonly data: readonly T[]; readonly next: string | null }>,
): Promise<{ readonly items: T[]; readonly more: boolean }> {
  const items: T[] = [];
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null && pages < MOST_PAGES; pages++) {
    const { data, next }: { data: readonly T[]; next: string | null } = await page(cursor);
    items.push(...data);
    cursor = next;
  }
  return { items, more: cursor !== null };
}

const textsOf = (value: Json): string[] => Array.from(textsIn(value), ([text]) => text);

/** Where a ledger names some people besides its records: agents, organization, administrative log, tags, notes, saved searches. */
export async function placesBesides(ledger: LedgerView, names: readonly string[]): Promise<Beside> {
  const people = names.map(soughtPerson);
  const isNamed = (text: string): boolean => people.some(({ isInText }) => isInText(text));
  const [{ org }, agents, searches] = await Promise.all([ledger.summary(), ledger.agents(), ledger.searches()]);
  const events = await pagesOf(async (cursor) => {
    const page = await ledger.adminEvents({ limit: LIMITS.adminEvents.max, cursor });
    return { data: page.events, next: 'nextCursor' in page ? (page.nextCursor ?? null) : null };
  });
  const notes = await pagesOf(async (after) => {
    const page = await ledger.annotations({ after, limit: LIMITS.page.max, bookmarked: false }, undefined);
    return { data: page.data, next: page.hasMore ? (page.data.at(-1)?.operation_id ?? null) : null };
  });
  const found = new Map<Place, Set<string>>();
  const note = (place: Place, what: string, ...texts: readonly string[]): void => {
    if (!texts.some(isNamed)) return;
    const known = found.get(place) ?? new Set();
    found.set(place, known.add(what));
  };
  note('organization', org.name, org.name);
  for (const { agent_id: id, display_name: name } of agents) {
    note('agent_id', id, id);
    note('agent_name', name, name);
  }
  for (const event of events.items)
    note('admin_event', `${event.action} ${event.created_at}`, ...textsOf(event as unknown as Json));
  for (const { operation_id: id, tags, note: text } of notes.items) {
    note('note', id, text);
    for (const tag of tags) note('tag', tag, tag);
  }
  for (const { name, search } of searches) note('saved_search', name, name, ...textsOf(search));
  const besides = [...found].map(([place, texts]) => ({
    place,
    count: texts.size,
    examples: [...texts].slice(0, LIMITS.recordsOfPlace),
  }));
  return { besides, besides_not_examined: events.more || notes.more };
}
