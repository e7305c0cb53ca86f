import { visibleText } from '../../../protocol/index.ts';
import type { EntityRow } from '../../api/answers.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { AgentNames } from '../../components/agent-mark.tsx';
import { kindWords } from '../../components/entity-chip.tsx';
import type { GridColumn } from '../../components/grid-columns.ts';
import { Seen } from '../../ui/seen.tsx';
import { count, ShortTime } from '../../ui/time.tsx';
import { ENTITY_COLUMNS } from './texts.ts';

type Tally = 'records' | 'reads' | 'writes' | 'deletes' | 'sends';

function tally(id: Tally, head: string, look = ''): GridColumn<EntityRow> {
  return {
    id,
    head,
    width: 70,
    right: true,
    cell: ({ [id]: n }) =>
      n === 0 ? <span className="muted">–</span> : <span className={`number ${look}`}>{count(n)}</span>,
  };
}

/** The columns of the list of entities. @param withKind whether their kinds differ */
export function entityColumns(withKind: boolean): GridColumn<EntityRow>[] {
  return [
    {
      id: 'id',
      head: ENTITY_COLUMNS.name,
      width: 146,
      grows: true,
      cell: ({ kind, id }) => (
        <LedgerLink
          to="/entities"
          search={{ kind, id }}
          title={visibleText(id)}
          className="code"
          data-row
          tabIndex={-1}
        >
          <Seen text={id} />
        </LedgerLink>
      ),
    },
    ...(withKind
      ? [
          {
            id: 'kind',
            head: ENTITY_COLUMNS.kind,
            width: 116,
            cell: ({ kind }: EntityRow) => <Seen text={kindWords(kind)} />,
          },
        ]
      : []),
    tally('records', ENTITY_COLUMNS.records),
    tally('reads', ENTITY_COLUMNS.read),
    tally('writes', ENTITY_COLUMNS.changed),
    tally('deletes', ENTITY_COLUMNS.deleted, 'outcome-failed'),
    tally('sends', ENTITY_COLUMNS.sent),
    {
      id: 'last',
      head: ENTITY_COLUMNS.last,
      width: 140,
      cell: ({ last_at }, above) => <ShortTime value={last_at} above={above?.last_at} />,
    },
    {
      id: 'agents',
      head: ENTITY_COLUMNS.agents,
      width: 116,
      grows: true,
      cell: ({ agents }) => <AgentNames agents={agents} />,
    },
  ];
}
