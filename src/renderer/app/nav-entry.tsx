import { Link } from '@tanstack/react-router';
import { SCREENS } from '../../contract/index.ts';
import { useRefusals } from '../api/permission.ts';
import { PermittedButton } from '../components/permitted.tsx';
import { Icon } from '../ui/icons.tsx';
import type { NavEntry } from './screens-list.ts';

/** One entry of the navigation: the way to its screen, or a lock with the reason where the role lacks what it shows. */
export function NavLink({
  entry: { to, label, icon, needs },
  path,
}: {
  readonly entry: NavEntry;
  readonly path: string;
}) {
  const refusals = useRefusals();
  if (needs !== undefined && refusals(needs) !== null) {
    return (
      <PermittedButton call={needs} className="nav-locked">
        {label}
      </PermittedButton>
    );
  }
  return (
    // One of two addresses, where one begins with the other, is the screen.
    <Link to={to} activeOptions={{ exact: path === SCREENS.importCase.path }}>
      <Icon name={icon} />
      <span>{label}</span>
    </Link>
  );
}
