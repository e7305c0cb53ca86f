import { visibleText } from '../../../protocol/index.ts';
import type { WorkSession } from '../../api/answers.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { AgentNames } from '../../components/agent-mark.tsx';
import type { GridColumn } from '../../components/grid-columns.ts';
import { durationText } from '../../lib/duration.ts';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count, ShortTime } from '../../ui/time.tsx';
import { SESSION_COLUMNS } from './texts.ts';

/** A figure that only stands out where it is not zero. */
function Figure({ value, look }: { readonly value: number; readonly look: 'failed' | 'refused' | 'unfinished' }) {
  if (value === 0) return <span className="muted">–</span>;
  return <span className={`number outcome-${look}`}>{count(value)}</span>;
}

function Names({ names }: { readonly names: readonly string[] }) {
  const text = names.join(', ');
  return <Seen text={text} title={visibleText(text)} isJoined />;
}

/** The columns of the list of sessions. */
export function sessionColumns(): GridColumn<WorkSession>[] {
  return [
    {
      id: 'session',
      head: SESSION_COLUMNS.session,
      width: 164,
      cell: ({ session, parent }) => (
        <LedgerLink
          to="/sessions"
          search={{ session }}
          title={visibleText(session)}
          className="session-name"
          data-row
          tabIndex={-1}
        >
          {parent !== null && <Icon name="right" />}
          <Seen text={session} />
        </LedgerLink>
      ),
    },
    {
      id: 'calls',
      head: SESSION_COLUMNS.calls,
      width: 56,
      right: true,
      cell: ({ calls }) => <span className="number">{count(calls)}</span>,
    },
    {
      id: 'failed',
      head: SESSION_COLUMNS.failed,
      width: 58,
      right: true,
      cell: ({ failed }) => <Figure value={failed} look="failed" />,
    },
    {
      id: 'refused',
      head: SESSION_COLUMNS.refused,
      width: 68,
      right: true,
      cell: ({ refused }) => <Figure value={refused} look="refused" />,
    },
    {
      id: 'unfinished',
      head: SESSION_COLUMNS.noResult,
      width: 78,
      right: true,
      cell: ({ unfinished }) => <Figure value={unfinished} look="unfinished" />,
    },
    {
      id: 'began',
      head: SESSION_COLUMNS.beganUtc,
      width: 140,
      cell: ({ first_at }, above) => <ShortTime value={first_at} above={above?.first_at} />,
    },
    {
      id: 'lasted',
      head: SESSION_COLUMNS.lasted,
      width: 76,
      right: true,
      cell: ({ first_at, last_at }) => (
        <span className="number">{durationText(Math.max(0, Date.parse(last_at) - Date.parse(first_at)))}</span>
      ),
    },
    {
      id: 'begins',
      head: SESSION_COLUMNS.beginsWith,
      width: 168,
      grows: true,
      cell: ({ begins_with: text }) => text !== null && <Seen text={text} title={visibleText(text)} />,
    },
    { id: 'agents', head: SESSION_COLUMNS.agents, width: 134, cell: ({ agents }) => <AgentNames agents={agents} /> },
    { id: 'people', head: SESSION_COLUMNS.people, width: 100, cell: ({ people }) => <Names names={people} /> },
  ];
}
