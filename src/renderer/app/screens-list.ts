import type { IconName } from '../components/icons.tsx';

/** A screen that the navigation leads to. */
export interface NavEntry {
  readonly to:
    | '/dashboard'
    | '/agents'
    | '/search'
    | '/epochs'
    | '/exports'
    | '/cases'
    | '/cases/new'
    | '/people'
    | '/webhooks'
    | '/tokens'
    | '/admin-events'
    | '/settings';
  readonly label: string;
  readonly icon: IconName;
  /** The letter after `g`. */
  readonly key: string;
  /** Whether a workstation session is enough for it. */
  readonly isOpen?: true;
  /** The heading that it stands under; none for the ledger itself. */
  readonly group?: 'Administration';
}

/** Screens that there are of every ledger: in a case, their letters lead to the case's own. */
const OF_EVERY_LEDGER = ['/agents', '/search', '/epochs'] as const;

export function isOfEveryLedger(to: string): to is (typeof OF_EVERY_LEDGER)[number] {
  return (OF_EVERY_LEDGER as readonly string[]).includes(to);
}

export const NAV: readonly NavEntry[] = [
  { to: '/dashboard', label: 'Dashboard', icon: 'dashboard', key: 'd' },
  { to: '/agents', label: 'Agents', icon: 'agents', key: 'a' },
  { to: '/search', label: 'Search', icon: 'search', key: 's' },
  { to: '/epochs', label: 'Epochs', icon: 'epochs', key: 'e' },
  { to: '/exports', label: 'Exports', icon: 'exports', key: 'x' },
  { to: '/cases', label: 'Cases', icon: 'cases', key: 'c', isOpen: true },
  { to: '/cases/new', label: 'Verify a bundle', icon: 'verify', key: 'v', isOpen: true },
  { to: '/people', label: 'People', icon: 'people', key: 'p', group: 'Administration' },
  { to: '/webhooks', label: 'Webhooks', icon: 'webhook', key: 'w', group: 'Administration' },
  { to: '/tokens', label: 'Tokens', icon: 'key', key: 't', group: 'Administration' },
  { to: '/admin-events', label: 'Admin events', icon: 'log', key: 'l', group: 'Administration' },
  { to: '/settings', label: 'Settings', icon: 'settings', key: 'o', group: 'Administration' },
];
