import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useLedger } from '../../api/ledger/ledger.ts';
import { ledgerScreen } from '../../api/ledger/places.tsx';
import { Answer } from '../../components/answer.tsx';
import { FilterInput } from '../../components/filter-input.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { Empty } from '../../ui/panel.tsx';
import { AgentsTable } from './agents-table.tsx';

const route = ledgerScreen('/agents');

/** All agents of a ledger. */
export function AgentsScreen() {
  const { filter = '', state } = route.useSearch();
  const navigate = route.useNavigate();
  const goTo = useNavigate();
  const { caseId, queries } = useLedger();
  const agents = useQuery(queries.agents);
  const all = agents.data?.agents;
  const left = useMemo(
    () =>
      (all ?? []).filter(
        (agent) =>
          (state === undefined || agent.status === state) &&
          `${agent.agent_id} ${agent.display_name} ${agent.responsible_entity ?? ''}`
            .toLowerCase()
            .includes(filter.toLowerCase()),
      ),
    [all, state, filter],
  );
  const register = caseId === null && (
    <div className="cluster">
      <PermittedButton
        call="registerAgent"
        className="button-primary"
        onClick={() => void goTo({ to: '/record-program', search: {} })}
      >
        Record a program
      </PermittedButton>
      <PermittedButton call="registerAgent" onClick={() => void goTo({ to: '/register-agent' })}>
        Register an agent
      </PermittedButton>
    </div>
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
                    The recorder signs the tool calls of programs such as Claude Code, Codex or Gemini CLI, each program
                    with its own key. A program of yours signs by itself: register it with a key made in this window, or
                    with the public half of one that it has already.
                  </p>
                  {register}
                </>
              ) : (
                <p>The imported file names none that could be read.</p>
              )}
            </Empty>
          ) : (
            <>
              <div className="filters">
                <FilterInput
                  placeholder="Filter by name or identifier"
                  size={36}
                  value={filter}
                  onChange={(typed) =>
                    void navigate({ search: (before) => ({ ...before, filter: typed }), replace: true })
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
              <AgentsTable agents={left} total={answer.agents.length} />
            </>
          )
        }
      </Answer>
    </Screen>
  );
}
