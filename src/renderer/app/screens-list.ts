import { NAV_SCREENS, type NavScreen, SCREENS, type ScreenName } from '../../api/index.ts';
import type { IconName } from '../ui/icons.tsx';

type NavName = {
  readonly [N in ScreenName]: (typeof SCREENS)[N] extends { readonly label: string } ? N : never;
}[ScreenName];

const ICONS: Readonly<Record<NavName, IconName>> = {
  dashboard: 'bars',
  agents: 'robot',
  search: 'search',
  sessions: 'lanes',
  entities: 'cube',
  epochs: 'sealed_stack',
  exports: 'outbox',
  cases: 'briefcase',
  importCase: 'inbox',
  verify: 'shield',
  forks: 'branches',
  people: 'people',
  retention: 'wait',
  witnesses: 'seal',
  webhooks: 'hook',
  tokens: 'key',
  adminEvents: 'page',
  refused: 'fail',
  settings: 'sliders',
};

/** A screen that the navigation leads to. */
export interface NavEntry extends Omit<NavScreen, 'path'> {
  readonly to: (typeof SCREENS)[NavName]['path'];
  readonly icon: IconName;
  /** Whether it is there without an account. */
  readonly isOpen: boolean;
}

/** The navigation, in its order. */
export const NAV: readonly NavEntry[] = (Object.keys(ICONS) as NavName[]).flatMap((name) => {
  const { path: to } = SCREENS[name];
  return NAV_SCREENS.filter(({ path }) => path === to).map(({ path: _, ...screen }) => ({
    ...screen,
    to,
    icon: ICONS[name],
    isOpen: screen.access !== undefined,
  }));
});

/** Screens that there are of every ledger: in a case, their letters lead to the case's own. */
export function isOfEveryLedger(to: string): to is '/agents' | '/search' | '/sessions' | '/entities' | '/epochs' {
  return NAV.some(({ to: path, isOfLedger }) => path === to && isOfLedger === true);
}
