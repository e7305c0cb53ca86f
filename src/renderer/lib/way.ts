import { useRouterState } from '@tanstack/react-router';
import { WAY } from './texts.ts';

/** A screen that somebody came from. */
export interface WayBack {
  readonly label: string;
  /** Its address with what it showed. */
  readonly href: string;
}

const CASE = /^\/cases\/[^/]+/;

/** What the screen of an address is called in the way back; null for one that is no place to come from. */
export function labelOfPath(path: string): string | null {
  const isOfCase = CASE.test(path) && path !== '/cases/new';
  const place = isOfCase ? path.replace(CASE, '') : path;
  if (isOfCase && (place === '' || place === '/')) return WAY.verdict;
  const chain = /^\/agents\/([^/]+)\/chain$/.exec(place);
  if (chain !== null) return WAY.chainMore(decodeURIComponent(chain[1] ?? ''));
  const agent = /^\/agents\/([^/]+)(?:\/connect)?$/.exec(place);
  if (agent !== null) return decodeURIComponent(agent[1] ?? '');
  if (/^\/epochs\/[^/]+$/.test(place)) return WAY.epoch;
  if (place === '/compare') return WAY.comparison;
  return (
    {
      '/search': WAY.search,
      '/dashboard': WAY.dashboard,
      '/epochs': WAY.epochs,
      '/sessions': WAY.session,
      '/entities': WAY.entities,
      '/difference': WAY.difference,
      '/admin-events': WAY.adminEvents,
    }[place] ?? null
  );
}

let last: WayBack | null = null;

/** Takes note of the screen that is left. */
export function noteWay(path: string, href: string): void {
  const label = labelOfPath(path);
  // From one record to the next the way back stays the same.
  if (label !== null) last = { label, href };
}

/**
 * Where who looks at a record came from, in this case or in the live ledger; null where nobody came from anywhere, as by
 * a link.
 */
export function useWayBack(caseId: string | null): WayBack | null {
  useRouterState({ select: ({ location }) => location.href });
  if (last === null) return null;
  const path = last.href.split('?')[0] ?? '';
  const isHere = caseId === null ? !CASE.test(path) : path.startsWith(`/cases/${caseId}`);
  return isHere ? last : null;
}
