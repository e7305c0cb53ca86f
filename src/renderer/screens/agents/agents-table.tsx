import {
  createColumnHelper,
  createSortedRowModel,
  type OnChangeFn,
  rowSortingFeature,
  type SortingState,
  sortFn_text,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { visibleText } from '../../../protocol/index.ts';
import type { AgentRow } from '../../api/answers.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { AgentName } from '../../components/agent-mark.tsx';
import { StateMark } from '../../components/mark.tsx';
import { AGENT_SORTS, type AgentSort } from '../../lib/search-params.ts';
import { Icon } from '../../ui/icons.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { TableFrame } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { integrationName } from './integration-names.ts';
import { AGENTS_TABLE } from './texts.ts';

const route = ledgerScreen('/agents');

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { text: sortFn_text },
});
const helper = createColumnHelper<typeof features, AgentRow>();
const text = { sortFn: 'text', sortUndefined: 'last', sortDescFirst: false } as const;

const COLUMNS = helper.columns([
  helper.accessor('agent_id', {
    ...text,
    header: AGENTS_TABLE.agent,
    cell: ({ row: { original: agent } }) => (
      <LedgerLink
        to="/agents/$agentId"
        params={{ agentId: agent.agent_id }}
        data-row
        className="code"
        title={visibleText(agent.agent_id)}
      >
        <AgentName agentId={agent.agent_id} />
      </LedgerLink>
    ),
  }),
  helper.accessor('display_name', {
    ...text,
    header: AGENTS_TABLE.name,
    cell: ({ row: { original: agent } }) =>
      agent.display_name === agent.agent_id ? <span className="muted">–</span> : <Seen text={agent.display_name} />,
  }),
  helper.accessor('status', {
    ...text,
    header: AGENTS_TABLE.state,
    cell: ({ row: { original: agent } }) => <StateMark status={agent.status} activeKeys={agent.active_keys} />,
  }),
  helper.accessor(({ responsible_entity }) => responsible_entity ?? undefined, {
    ...text,
    id: 'responsible_entity',
    header: AGENTS_TABLE.responsible,
    cell: ({ getValue }) => <Seen text={getValue() ?? '–'} />,
  }),
  helper.accessor('integration_type', {
    ...text,
    header: AGENTS_TABLE.integration,
    cell: ({ getValue }) => integrationName(getValue()),
  }),
  helper.accessor('created_at', {
    sortDescFirst: false,
    header: AGENTS_TABLE.registered,
    cell: ({ getValue }) => <Time value={getValue()} />,
  }),
]);

/** The heads of the columns, in their order. */
const HEADS = [
  AGENTS_TABLE.agent,
  AGENTS_TABLE.name,
  AGENTS_TABLE.state,
  AGENTS_TABLE.responsible,
  AGENTS_TABLE.integration,
  AGENTS_TABLE.registered,
];

interface AgentsTableProps {
  readonly agents: readonly AgentRow[];
  /** How many there are without the filter. */
  readonly total: number;
}

/** The agents that the filter leaves, in the order of registration or of a column. */
export function AgentsTable({ agents, total }: AgentsTableProps) {
  const { sort, desc = false } = route.useSearch();
  const navigate = route.useNavigate();
  const sorting: SortingState = sort === undefined ? [] : [{ id: sort, desc }];
  const setSorting: OnChangeFn<SortingState> = (change) => {
    const [next] = typeof change === 'function' ? change(sorting) : change;
    const isSort = (id: string): id is AgentSort => (AGENT_SORTS as readonly string[]).includes(id);
    void navigate({
      search: (before) => ({
        ...before,
        sort: next !== undefined && isSort(next.id) ? next.id : undefined,
        desc: next?.desc === true ? true : undefined,
      }),
      replace: true,
    });
  };
  const table = useTable({ features, columns: COLUMNS, data: agents, state: { sorting }, onSortingChange: setSorting });
  return (
    <div className="grid">
      <ScrollArea className="grid-scroll" label={AGENTS_TABLE.agents}>
        <TableFrame labels={HEADS}>
          <thead>
            <tr>
              {table.getHeaderGroups()[0]?.headers.map((header) => {
                const order = header.column.getIsSorted();
                return (
                  <th
                    key={header.id}
                    scope="col"
                    aria-sort={order === false ? 'none' : order === 'asc' ? 'ascending' : 'descending'}
                  >
                    <button type="button" className="sort" onClick={header.column.getToggleSortingHandler()}>
                      <table.FlexRender header={header} />
                      {order !== false && <Icon name={order === 'asc' ? 'up' : 'down'} />}
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.original.agent_id}>
                {row.getAllCells().map((cell) => (
                  <td key={cell.id}>
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </TableFrame>
      </ScrollArea>
      <p className="grid-foot" role="status">
        {agents.length === total
          ? AGENTS_TABLE.counted(total)
          : AGENTS_TABLE.countOf(count(agents.length), AGENTS_TABLE.counted(total))}
      </p>
    </div>
  );
}
