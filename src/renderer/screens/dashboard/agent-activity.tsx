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

const SHOWN = 8;

interface AgentActivityProps {
  readonly activity: Activity;
  /** Whether a range was chosen; else it is the last day, of which what is usual is known. */
  readonly isRange: boolean;
}

/** How much each agent did, lately against what it does on a usual day: those that are unusual, and those that did most. */
export function AgentActivity({ activity, isRange }: AgentActivityProps) {
  const { agents, further_agents: further, since, until } = activity;
  const bars = barsOf(agents);
  const hasUsual = bars.some(({ usualShare }) => usualShare !== null);
  const hidden = bars.length - SHOWN + further;
  return (
    <Panel
      title={isRange ? AGENT_ACTIVITY.inRange : AGENT_ACTIVITY.title}
      flush
      actions={hasUsual && <span className="muted">{DASHBOARD.usualDay}</span>}
    >
      {agents.length === 0 && <p className="loading">{isRange ? AGENT_ACTIVITY.noneInRange : DASHBOARD.noAgents}</p>}
      <ul className="agent-bars">
        {bars.slice(0, SHOWN).map(({ agent, share, usualShare }) => (
          <li key={agent.agent_id} className={`agent-bar is-${agent.state}`}>
            <Link
              to="/search"
              search={{
                agentId: agent.agent_id,
                startTime: agent.records === 0 ? undefined : since,
                endTime: until ?? undefined,
              }}
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
      {hidden > 0 && (
        <p className="panel-foot">
          {AGENT_ACTIVITY.further(count(hidden))}{' '}
          <Link to="/search" search={{ by: ['agent'], unit: 'records', startTime: since, endTime: until ?? undefined }}>
            {AGENT_ACTIVITY.viewAll}
          </Link>
        </p>
      )}
    </Panel>
  );
}
