import { Link } from '@tanstack/react-router';
import { visibleText } from '../../../protocol/index.ts';
import type { Activity } from '../../api/answers.ts';
import { ActionOutcome } from '../../components/action-marks.tsx';
import { AgentMark } from '../../components/agent-mark.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { agoText } from '../../ui/time.tsx';
import { DASHBOARD, TROUBLES } from './texts.ts';

/** The newest calls that failed or were refused, each leading to its place in its session. */
export function Troubles({ activity: { troubles } }: { readonly activity: Activity }) {
  return (
    <Panel
      title={TROUBLES.title}
      flush
      actions={
        <Link to="/search" search={{ query: 'outcome = failed or outcome = refused' }}>
          {DASHBOARD.allTroubles}
        </Link>
      }
    >
      {troubles.length === 0 && <p className="loading">{DASHBOARD.noTrouble}</p>}
      <ul className="newest">
        {troubles.map(({ operation_id: operationId, agent_id: agentId, issued_at, details }) => {
          const { session, outcome, summary, error } = details;
          const content = (
            <>
              <span className="newest-what">
                <span className="ellipsis code" title={visibleText(summary)}>
                  <Seen text={summary} isJoined />
                </span>
                <span className="muted ellipsis">
                  <AgentMark agentId={agentId} /> <Seen text={agentId} />
                  {error !== null && (
                    <>
                      {': '}
                      <Seen text={error} />
                    </>
                  )}
                </span>
              </span>
              <span className="newest-figures">{outcome !== null && <ActionOutcome outcome={outcome} />}</span>
              <span className="newest-when muted">{agoText(issued_at, Date.now())}</span>
            </>
          );
          return (
            <li key={operationId}>
              {session === null ? (
                <Link to="/operations/$operationId" params={{ operationId }} search={{}} data-row>
                  {content}
                </Link>
              ) : (
                <Link to="/sessions" search={{ session, step: operationId }} data-row>
                  {content}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
