import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRefusal } from '../../api/permission.ts';
import { q } from '../../api/query.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../ui/panel.tsx';
import { agoText, timeText } from '../../ui/time.tsx';
import { LAST_BACKUP } from './texts.ts';

/** When the last backup was made that can be restored, for people who look after backups. */
export function LastBackup() {
  const isLocked = useRefusal('listBackups') !== null;
  const { data } = useQuery({ ...q('listBackups'), enabled: !isLocked });
  if (isLocked || data?.administered_here !== true) return null;
  const { last_good: good, next_at: next, job } = data;
  return (
    <Panel
      title={LAST_BACKUP.lastBackup}
      actions={
        <Link to="/settings" search={{ section: 'backups' }}>
          {LAST_BACKUP.backups}
        </Link>
      }
    >
      <p>
        {good === null ? (
          <Mark outcome="cannot_check" word={LAST_BACKUP.none} />
        ) : (
          <Mark
            outcome={job?.status === 'failed' ? 'cannot_check' : 'pass'}
            word={agoText(good.created_at, Date.now())}
          />
        )}{' '}
        <span className="muted">
          {good === null ? LAST_BACKUP.never : LAST_BACKUP.utc(timeText(good.created_at))}
          {next !== null && LAST_BACKUP.next(agoText(next, Date.now()))}
          {job?.status === 'failed' && LAST_BACKUP.newestFailed}
        </span>
      </p>
    </Panel>
  );
}
