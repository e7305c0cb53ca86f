import { Link } from '@tanstack/react-router';
import { visibleText } from '../../../protocol/index.ts';
import type { Activity } from '../../api/answers.ts';
import { AgentMark } from '../../components/agent-mark.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { agoText, count } from '../../ui/time.tsx';
import { DASHBOARD, NEWEST_SESSIONS } from './texts.ts';

/** The sessions that were active last: what each was about, who worked in it, and what went wrong. */
export function NewestSessions({ activity: { sessions } }: { readonly activity: Activity }) {
  return (
    <Panel
      title={NEWEST_SESSIONS.title}
      flush
      actions={
        <Link to="/sessions" search={{}}>
          {DASHBOARD.allSessions}
        </Link>
      }
    >
      {sessions.length === 0 && <p className="loading">{DASHBOARD.noSession}</p>}
      <ul className="newest">
        {sessions.map(({ session, agents, people, last_at, calls, failed, refused, unfinished, begins_with }) => (
          <li key={session}>
            <Link to="/sessions" search={{ session }} data-row>
              <span className="newest-what">
                <span className="newest-title">
                  <Seen className="newest-name" text={session} />
                  <span className="muted ellipsis">
                    {agents[0] !== undefined && <AgentMark agentId={agents[0]} />}{' '}
                    <Seen text={[...people, ...agents].join(', ')} />
                  </span>
                </span>
                <span className="muted ellipsis" title={visibleText(begins_with ?? '')}>
                  <Seen text={begins_with ?? ''} isJoined />
                </span>
              </span>
              <span className="newest-figures number">
                {failed > 0 && <span className="outcome-failed">{NEWEST_SESSIONS.failed(count(failed))}</span>}
                {refused > 0 && <span className="outcome-refused">{NEWEST_SESSIONS.refused(count(refused))}</span>}
                {unfinished > 0 && (
                  <span className="outcome-unfinished">{NEWEST_SESSIONS.withoutResult(count(unfinished))}</span>
                )}
                <span>
                  {count(calls)} {NEWEST_SESSIONS.calls(calls)}
                </span>
              </span>
              <span className="newest-when muted">{agoText(last_at, Date.now())}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
