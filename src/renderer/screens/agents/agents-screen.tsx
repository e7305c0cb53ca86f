import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Answer } from '../../components/answer.tsx';
import { StateMark } from '../../components/mark.tsx';
import { Empty } from '../../components/panel.tsx';
import { Screen } from '../../components/screen.tsx';
import { ScrollArea } from '../../components/scroll-area.tsx';
import { count, Time } from '../../components/time.tsx';
import { useLedger } from '../../ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../ledger/places.tsx';
import type { AgentRow } from '../../service/answers.ts';
import { RegisterAgent } from './register-agent.tsx';

const route = ledgerScreen('/agents');

/** All agents of a ledger. */
export function AgentsScreen() {
  const { filter = '', state } = route.useSearch();
  const navigate = route.useNavigate();
  const { caseId, queries } = useLedger();
  const agents = useQuery(queries.agents);
  const [isRegistering, setRegistering] = useState(false);
  const register = caseId === null && (
    <button type="button" className="button-primary" onClick={() => setRegistering(true)}>
      Register an agent
    </button>
  );
  return (
    <Screen title="Agents" name="Agents" flush actions={register}>
      <Answer query={agents} what="the agents">
        {(answer) =>
          answer.agents.length === 0 ? (
            <Empty title={caseId === null ? 'No agent yet' : 'No agent'}>
              {caseId === null ? (
                <>
                  <p>
                    An agent signs what it does with a key of its own. Make the key where the agent runs, and register
                    the agent here with the public half that this prints:
                  </p>
                  <pre className="code">countersign keygen --out billing-bot.pem</pre>
                  {register}
                </>
              ) : (
                <p>The imported file names none that could be read.</p>
              )}
            </Empty>
          ) : (
            <>
              <div className="filters">
                <input
                  data-filter
                  aria-label="Filter"
                  placeholder="Filter by name or identifier"
                  size={36}
                  value={filter}
                  onChange={(event) =>
                    void navigate({
                      search: (before) => ({ ...before, filter: event.currentTarget.value || undefined }),
                      replace: true,
                    })
                  }
                />
                <select
                  aria-label="State"
                  value={state ?? ''}
                  onChange={(event) => {
                    const chosen = event.currentTarget.value;
                    void navigate({
                      search: (before) => ({
                        ...before,
                        state: chosen === 'active' || chosen === 'frozen' ? chosen : undefined,
                      }),
                      replace: true,
                    });
                  }}
                >
                  <option value="">Any state</option>
                  <option value="active">Active</option>
                  <option value="frozen">Frozen</option>
                </select>
              </div>
              <AgentsTable
                agents={answer.agents.filter(
                  (agent) =>
                    (state === undefined || agent.status === state) &&
                    `${agent.agent_id} ${agent.display_name} ${agent.responsible_entity ?? ''}`
                      .toLowerCase()
                      .includes(filter.toLowerCase()),
                )}
                total={answer.agents.length}
              />
            </>
          )
        }
      </Answer>
      <RegisterAgent open={isRegistering} onClose={() => setRegistering(false)} />
    </Screen>
  );
}

function AgentsTable({ agents, total }: { readonly agents: readonly AgentRow[]; readonly total: number }) {
  return (
    <div className="grid">
      <ScrollArea className="grid-scroll" label="Agents">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Name</th>
              <th scope="col">State</th>
              <th scope="col">Responsible</th>
              <th scope="col">Integration</th>
              <th scope="col">Registered (UTC)</th>
            </tr>
          </thead>
          <tbody>
            {agents.map((agent) => (
              <tr key={agent.agent_id}>
                <td>
                  <LedgerLink to="/agents/$agentId" params={{ agentId: agent.agent_id }} data-row className="code">
                    {agent.agent_id}
                  </LedgerLink>
                </td>
                <td>
                  {agent.display_name === agent.agent_id ? (
                    <span className="muted">–</span>
                  ) : (
                    <bdi>{agent.display_name}</bdi>
                  )}
                </td>
                <td>
                  <StateMark status={agent.status} />
                </td>
                <td>
                  <bdi>{agent.responsible_entity ?? '–'}</bdi>
                </td>
                <td>{agent.integration_type}</td>
                <td>
                  <Time value={agent.created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      <p className="grid-foot" role="status">
        {agents.length === total ? `${count(total)} agents` : `${count(agents.length)} of ${count(total)} agents`}
      </p>
    </div>
  );
}
