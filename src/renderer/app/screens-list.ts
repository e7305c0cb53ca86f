import type { IconName } from '../components/icons.tsx';

/** A screen that the navigation leads to. */
export interface NavEntry {
  readonly to: '/dashboard' | '/agents' | '/search' | '/epochs' | '/cases' | '/cases/new';
  readonly label: string;
  readonly icon: IconName;
  /** The letter after `g`. */
  readonly key: string;
  /** Whether a workstation session is enough for it. */
  readonly isOpen?: true;
}

export const NAV: readonly NavEntry[] = [
  { to: '/dashboard', label: 'Dashboard', icon: 'dashboard', key: 'd' },
  { to: '/agents', label: 'Agents', icon: 'agents', key: 'a' },
  { to: '/search', label: 'Search', icon: 'search', key: 's' },
  { to: '/epochs', label: 'Epochs', icon: 'epochs', key: 'e' },
  { to: '/cases', label: 'Cases', icon: 'cases', key: 'c', isOpen: true },
  { to: '/cases/new', label: 'Verify a bundle', icon: 'verify', key: 'v', isOpen: true },
];
