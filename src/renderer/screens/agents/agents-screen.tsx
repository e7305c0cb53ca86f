import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Answer } from '../../components/answer.tsx';
import { StateMark } from '../../components/mark.tsx';
import { Empty } from '../../components/panel.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { ScrollArea } from '../../components/scroll-area.tsx';
import { Seen } from '../../components/seen.tsx';
import { count, Time } from '../../components/time.tsx';
import { agentsQuery } from '../../service/queries.ts';

const route = getRouteApi('/agents');

/** All agents of the organization. */
export function AgentsScreen() {
  const { filter = '', state } = route.useSearch();
  const navigate = route.useNavigate();
  const agents = useQuery(agentsQuery);
  const register = (
    <PermittedButton
      call="registerAgent"
      className="button-primary"
      onClick={() => void navigate({ to: '/register-agent' })}
    >
      Register an agent
    </PermittedButton>
  );
  return (
    <Screen title="Agents" name="Agents" flush actions={register}>
      <Answer query={agents} what="the agents">
        {(answer) =>
          answer.agents.length === 0 ? (
            <Empty title="No agent yet">
              <p>
                An agent signs what it does with a key of its own. Register it with a key made in this window, or with
                the public half of one that it has already. Then paste a program, and watch its first operation come in.
              </p>
              {register}
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
    </Screen>
  );
}

type Agents = NonNullable<Awaited<ReturnType<NonNullable<typeof agentsQuery.queryFn>>>>['agents'];

function AgentsTable({ agents, total }: { readonly agents: Agents; readonly total: number }) {
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
                  <Link to="/agents/$agentId" params={{ agentId: agent.agent_id }} data-row className="code">
                    {agent.agent_id}
                  </Link>
                </td>
                <td>
                  {agent.display_name === agent.agent_id ? (
                    <span className="muted">–</span>
                  ) : (
                    <Seen text={agent.display_name} />
                  )}
                </td>
                <td>
                  <StateMark status={agent.status} />
                </td>
                <td>
                  <Seen text={agent.responsible_entity ?? '–'} />
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
