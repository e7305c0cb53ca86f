import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { containsFolded } from '../../../query/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { ledgerScreen } from '../../api/ledger/places.tsx';
import { Answer } from '../../components/answer.tsx';
import { FilterInput } from '../../components/filter-input.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { Empty } from '../../ui/panel.tsx';
import { AgentsTable } from './agents-table.tsx';
import { AGENTS_SCREEN } from './texts.ts';

const route = ledgerScreen('/agents');

/** All agents of a ledger. */
export function AgentsScreen() {
  const { filter = '', state } = route.useSearch();
  const navigate = route.useNavigate();
  const goTo = useNavigate();
  const { caseId, q } = useLedger();
  const agents = useQuery(q('listAgents'));
  const all = agents.data?.agents;
  const left = useMemo(
    () =>
      (all ?? []).filter(
        (agent) =>
          (state === undefined || agent.status === state) &&
          containsFolded(`${agent.agent_id} ${agent.display_name} ${agent.responsible_entity ?? ''}`, filter),
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
        {AGENTS_SCREEN.recordProgram}
      </PermittedButton>
      <PermittedButton call="registerAgent" onClick={() => void goTo({ to: '/register-agent' })}>
        {AGENTS_SCREEN.registerAgent}
      </PermittedButton>
    </div>
  );
  return (
    <Screen title={AGENTS_SCREEN.agents} name={AGENTS_SCREEN.agents} flush actions={register}>
      <Answer query={agents} what={AGENTS_SCREEN.what}>
        {(answer) =>
          answer.agents.length === 0 ? (
            <Empty title={caseId === null ? AGENTS_SCREEN.noAgentYet : AGENTS_SCREEN.noAgent}>
              {caseId === null ? (
                <>
                  <p>{AGENTS_SCREEN.howToBegin}</p>
                  {register}
                </>
              ) : (
                <p>{AGENTS_SCREEN.noneInFile}</p>
              )}
            </Empty>
          ) : (
            <>
              <div className="filters">
                <FilterInput
                  placeholder={AGENTS_SCREEN.filterNameOrId}
                  size={36}
                  value={filter}
                  onChange={(typed) =>
                    void navigate({ search: (before) => ({ ...before, filter: typed }), replace: true })
                  }
                />
                <select
                  aria-label={AGENTS_SCREEN.state}
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
                  <option value="">{AGENTS_SCREEN.anyState}</option>
                  <option value="active">{AGENTS_SCREEN.active}</option>
                  <option value="frozen">{AGENTS_SCREEN.frozen}</option>
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
