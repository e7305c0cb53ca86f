import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRefusal } from '../../api/permission.ts';
import { q } from '../../api/query.ts';
import { Icon } from '../../ui/icons.tsx';
import { count } from '../../ui/time.tsx';
import { DASHBOARD, REFUSED_TILE } from './texts.ts';

/** How much was refused of late, for people who may read the list; loud where a frozen agent or a revoked key tried. */
export function RefusedTile() {
  const isLocked = useRefusal('listRefusals') !== null;
  const { data, error } = useQuery({ ...q('listRefusals', { query: { limit: 1 } }), enabled: !isLocked });
  if (isLocked) return null;
  const { last_24_hours: times, last_24_hours_alarms: alarms } = data ?? {};
  const look = alarms !== undefined && alarms > 0 ? ' is-alarm' : times === 0 ? ' is-quiet' : '';
  return (
    <div className={`tile${look}`}>
      <dt>{REFUSED_TILE.title}</dt>
      <dd className="figure">{times === undefined ? '–' : count(times)}</dd>
      <dd className="note">
        {alarms !== undefined && alarms > 0 && (
          <p className="mark mark-cannot_check">
            <Icon name="warning" /> {REFUSED_TILE.alarms(count(alarms))}
          </p>
        )}
        {data === undefined && error !== null && REFUSED_TILE.notCounted}
        <Link to="/refused" search={{}}>
          {DASHBOARD.viewRefusals}
        </Link>
      </dd>
    </div>
  );
}
