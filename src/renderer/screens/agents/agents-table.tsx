import { visibleText } from '../../../protocol/index.ts';
import type { AgentRow } from '../../api/answers.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { AgentName } from '../../components/agent-mark.tsx';
import { StateMark } from '../../components/mark.tsx';
import { Seen } from '../../ui/seen.tsx';
import { type SortedColumn, SortedTable } from '../../ui/sorted-table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { integrationName } from './integration-names.ts';
import { AGENTS_TABLE } from './texts.ts';

const route = ledgerScreen('/agents');

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
export function AgentsTable({ agents, total }: AgentsTableProps) {
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
