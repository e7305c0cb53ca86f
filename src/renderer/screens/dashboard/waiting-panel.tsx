import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { visibleText } from '../../../protocol/index.ts';
import { q } from '../../api/query.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { agoText, count } from '../../ui/time.tsx';
import { WAITING_PANEL } from './texts.ts';

/** Rows of the panel: the newest questions, and how many there are besides. */
const SHOWN = 5;

/** Questions of agents that nobody has decided; nothing where there is none. */
export function WaitingPanel() {
  const { data: waiting } = useQuery(q('waitingDecisions'));
  if (waiting === undefined || waiting.total === 0) return null;
  const more = waiting.total - SHOWN;
  return (
    <Panel
      title={WAITING_PANEL.title(count(waiting.total))}
      flush
      actions={
        <Link to="/search" search={{ query: 'phase = asked' }}>
          {WAITING_PANEL.allQuestions}
        </Link>
      }
    >
      <ul className="newest">
        {waiting.data.slice(0, SHOWN).map(({ operation_id: operationId, agent_id: agentId, issued_at, details }) => (
          <li key={operationId}>
            <Link to="/operations/$operationId" params={{ operationId }} search={{}} data-row>
              <span className="newest-what">
                <span className="ellipsis code" title={visibleText(details.summary)}>
                  <Seen text={details.summary} isJoined />
                </span>
                <span className="muted ellipsis">
                  <AgentName agentId={agentId} />
                </span>
              </span>
              <span className="newest-figures">{WAITING_PANEL.decide}</span>
              <span className="newest-when muted">{agoText(issued_at, Date.now())}</span>
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="loading">{WAITING_PANEL.older(count(more))}</p>}
    </Panel>
  );
}
