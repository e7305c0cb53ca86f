import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { containsFolded } from '../../../actions/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import type { AgentRow } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { AgentName } from '../../components/agent-mark.tsx';
import { Answer } from '../../components/answer.tsx';
import { FilterInput } from '../../components/filter-input.tsx';
import { StateMark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { Empty } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { type SortedColumn, SortedTable } from '../../ui/sorted-table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { integrationName } from './integration-names.ts';
import { AGENTS_SCREEN, AGENTS_TABLE } from './texts.ts';

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

const COLUMNS: readonly SortedColumn<AgentRow>[] = [
  {
    id: 'agent_id',
    label: AGENTS_TABLE.agent,
    value: ({ agent_id }) => agent_id,
    cell: ({ agent_id: agentId }) => (
      <LedgerLink to="/agents/$agentId" params={{ agentId }} data-row className="code" title={visibleText(agentId)}>
        <AgentName agentId={agentId} />
      </LedgerLink>
    ),
  },
  {
    id: 'display_name',
    label: AGENTS_TABLE.name,
    value: ({ display_name }) => display_name,
    cell: ({ agent_id, display_name }) =>
      display_name === agent_id ? <span className="muted">–</span> : <Seen text={display_name} />,
  },
  {
    id: 'status',
    label: AGENTS_TABLE.state,
    value: ({ status }) => status,
    cell: ({ status, active_keys }) => <StateMark status={status} activeKeys={active_keys} />,
  },
  {
    id: 'responsible_entity',
    label: AGENTS_TABLE.responsible,
    value: ({ responsible_entity }) => responsible_entity ?? null,
    cell: ({ responsible_entity }) => <Seen text={responsible_entity ?? '–'} />,
  },
  {
    id: 'integration_type',
    label: AGENTS_TABLE.integration,
    value: ({ integration_type }) => integration_type,
    cell: ({ integration_type }) => integrationName(integration_type),
  },
  {
    id: 'created_at',
    label: AGENTS_TABLE.registered,
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
];

interface AgentsTableProps {
  readonly agents: readonly AgentRow[];
  /** How many there are without the filter. */
  readonly total: number;
}

/** The agents that the filter leaves, in the order of registration or of a column. */
function AgentsTable({ agents, total }: AgentsTableProps) {
  const { sort } = route.useSearch();
  const navigate = route.useNavigate();
  const all = AGENTS_TABLE.counted(total);
  return (
    <SortedTable
      label={AGENTS_TABLE.agents}
      columns={COLUMNS}
      rows={agents}
      keyOf={({ agent_id }) => agent_id}
      sort={sort}
      onSort={(by) => void navigate({ search: (before) => ({ ...before, sort: by }), replace: true })}
      foot={agents.length === total ? all : AGENTS_TABLE.countOf(count(agents.length), all)}
    />
  );
}
