import { z } from 'zod';
import { chosenZone, readZone, takeZoneOfAddress, UTC } from './time-zone.ts';

/* One stretch of time and one zone for the workspace: both are in the address of a screen, so that links carry them. */

const time = z.string().min(1).optional().catch(undefined);

/** When what is shown was issued: RFC 3339, the end exclusive. */
export const rangeParams = { startTime: time, endTime: time };

export type TimeRange = {
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
};

type Search = Readonly<Record<string, unknown>>;

/** The last range of the live ledger, which has no case, and that of the case that was looked at last. */
const remembered = new Map<'live' | 'case', { readonly caseId: string | null; readonly range: TimeRange }>();

function rangeOf(search: object): TimeRange {
  const { startTime, endTime } = search as Search;
  return {
    ...(typeof startTime === 'string' ? { startTime } : {}),
    ...(typeof endTime === 'string' ? { endTime } : {}),
  };
}

/** Whether a screen shows one thing, whenever it was: one session, one entity. */
function isOfOne(search: object): boolean {
  const { session, id } = search as Search;
  return session !== undefined || id !== undefined;
}

/** The path that the page is at. */
const pathHere = (): string => window.location.hash.slice(1).split('?')[0] ?? '';

const RANGED = /^(?:\/cases\/([^/]+))?\/(?:dashboard|search|sessions|entities|needs-look|what-left)$/;

/** What the router asks of an address that is made: the search of the address before, and how the next one comes of it. */
interface Made<S> {
  readonly search: S;
  readonly next: (search: S) => S;
}

/**
 * What the routes have in common whose screens show the range: links between them keep it, and so does the navigation from any other
 * screen. A link that says what is looked for, from a screen without a range, means all of it.
 */
export const ofRange = {
  beforeLoad: ({ search, params }: { readonly search: object; readonly params: object }): void => {
    if (isOfOne(search)) return;
    const caseId = 'caseId' in params ? String(params.caseId) : null;
    remembered.set(caseId === null ? 'live' : 'case', { caseId, range: rangeOf(search) });
  },
};

/** @param isOfCase whether the screens are those over a case, which has its own times */
export function keepRange(isOfCase: boolean) {
  return <S extends object>({ search, next }: Made<S>): S => {
    const result = next(search);
    if ('startTime' in result || 'endTime' in result || isOfOne(result)) return result;
    const path = pathHere();
    const caseId = isOfCase ? (/^\/cases\/([^/]+)/.exec(path)?.[1] ?? null) : null;
    const at = RANGED.exec(path);
    const isHere = at !== null && (at[1] ?? null) === caseId && !isOfOne(search);
    return {
      ...result,
      ...(isHere ? rangeOf(search) : plainOf(result, isOfCase ? 'case' : 'live', caseId)),
    };
  };
}

/** The remembered range for a link that says nothing of what is looked for. */
function plainOf(result: object, ledger: 'live' | 'case', caseId: string | null): TimeRange {
  const isPlain = Object.entries(result).every(([name, value]) => name === 'zone' || value === undefined);
  const last = remembered.get(ledger);
  return isPlain && last?.caseId === caseId ? last.range : {};
}

/** What the address of every screen may have: the zone of its times. */
export const zoneSearch = z.object({ zone: z.string().min(1).max(64).optional().catch(undefined) });

/** Has addresses name the zone that somebody chose. */
export function keepZone<S extends { readonly zone?: string | undefined }>({ search, next }: Made<S>): S {
  const result = next(search);
  const zone = chosenZone();
  return zone === null || result.zone === zone ? result : { ...result, zone };
}

/**
 * Takes the zone of an address over. One without any, with a query in it, was made by somebody who saw UTC: times in the query mean that.
 * @param isFirst whether the page begins with it: within the page, the zone stays
 */
export function takeZone({ zone: name, query }: Search, isFirst: boolean): void {
  const zone = typeof name === 'string' ? readZone(name) : null;
  if (zone !== null) takeZoneOfAddress(zone);
  else if (isFirst && query !== undefined) takeZoneOfAddress(UTC);
}
