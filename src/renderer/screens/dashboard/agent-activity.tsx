import { Link } from '@tanstack/react-router';
import type { Activity } from '../../api/answers.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { Panel } from '../../ui/panel.tsx';
import { agoText, count } from '../../ui/time.tsx';
import { barsOf } from './agent-bars.ts';
import { AGENT_ACTIVITY, DASHBOARD } from './texts.ts';

const STATES: Readonly<Record<Activity['agents'][number]['state'], string>> = {
  usual: AGENT_ACTIVITY.asUsual,
  busy: AGENT_ACTIVITY.unusuallyBusy,
  quiet: AGENT_ACTIVITY.unusuallyQuiet,
  silent: AGENT_ACTIVITY.silent,
};

/** How much each agent did lately, against what it does on a usual day. */
export function AgentActivity({ activity: { agents, since } }: { readonly activity: Activity }) {
  const bars = barsOf(agents);
  const hasUsual = bars.some(({ usualShare }) => usualShare !== null);
  return (
    <Panel title={AGENT_ACTIVITY.title} flush actions={hasUsual && <span className="muted">{DASHBOARD.usualDay}</span>}>
      {agents.length === 0 && <p className="loading">{DASHBOARD.noAgents}</p>}
      <ul className="agent-bars">
        {bars.map(({ agent, share, usualShare }) => (
          <li key={agent.agent_id} className={`agent-bar is-${agent.state}`}>
            <Link
              to="/search"
              search={agent.records === 0 ? { agentId: agent.agent_id } : { agentId: agent.agent_id, startTime: since }}
              data-row
            >
              <AgentName agentId={agent.agent_id} />
              <span className="agent-bar-room" aria-hidden="true">
                <span className="agent-bar-fill" style={{ width: `${share * 100}%` }} />
                {usualShare !== null && (
                  <span className="agent-bar-line" style={{ left: `${Math.min(99.5, usualShare * 100)}%` }} />
                )}
              </span>
              <span className="number right">{count(agent.records)}</span>
              <span className="agent-bar-state">
                {agent.state === 'silent' && agent.last_at !== null
                  ? AGENT_ACTIVITY.silentSince(agoText(agent.last_at, Date.now()))
                  : // Nobody knows what is usual for an agent before it was active for some days.
                    !(agent.state === 'usual' && usualShare === null) && STATES[agent.state]}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
