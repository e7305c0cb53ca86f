import type { IconName } from '../components/icons.tsx';

/** A screen that the navigation leads to. */
export interface NavEntry {
  readonly to: '/dashboard' | '/agents' | '/people' | '/search' | '/epochs' | '/verify';
  readonly label: string;
  readonly icon: IconName;
  /** The letter after `g`. */
  readonly key: string;
}

export const NAV: readonly NavEntry[] = [
  { to: '/dashboard', label: 'Dashboard', icon: 'dashboard', key: 'd' },
  { to: '/agents', label: 'Agents', icon: 'agents', key: 'a' },
  { to: '/search', label: 'Search', icon: 'search', key: 's' },
  { to: '/epochs', label: 'Epochs', icon: 'epochs', key: 'e' },
  { to: '/people', label: 'People', icon: 'people', key: 'p' },
  { to: '/verify', label: 'Verify a bundle', icon: 'verify', key: 'v' },
];
