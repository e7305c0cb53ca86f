import { visibleText } from '../../../protocol/index.ts';
import type { LedgerRow } from '../../api/ledger/ledger-call.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import type { GridColumn } from '../../components/grid-columns.ts';
import { Mark } from '../../components/mark.tsx';
import type { AuditSearch, Column } from '../../lib/search-params.ts';
import { Seen } from '../../ui/seen.tsx';
import { count, Time } from '../../ui/time.tsx';

const route = ledgerScreen('/search');

export const COLUMN_NAMES: Readonly<Record<Column, string>> = {
  received: 'Received (UTC)',
  issued: 'Issued (UTC)',
  agent: 'Agent',
  type: 'Type',
  action: 'Action',
  subject: 'Subject',
  operation: 'operation_id',
};

export const DEFAULT_COLUMNS: readonly Column[] = ['issued', 'agent', 'type', 'action', 'subject'];

const SEQ_NO: GridColumn<LedgerRow> = {
  id: 'seq_no',
  head: 'seq_no',
  width: 84,
  right: true,
  cell: (row) => <RowLink row={row} />,
};

/** The row's own link. Who goes along the rows by key has the details go along. */
function RowLink({ row }: { readonly row: LedgerRow }) {
  const navigate = route.useNavigate();
  const select = (before: AuditSearch): AuditSearch => ({ ...before, selected: row.operation_id });
  return (
    <LedgerLink
      to="/search"
      search={select}
      replace
      data-row
      tabIndex={-1}
      onFocus={() => void navigate({ search: select, replace: true })}
    >
      {row.seq_no}
    </LedgerLink>
  );
}

const BY_NAME: Readonly<Record<Column, Omit<GridColumn<LedgerRow>, 'id' | 'head'>>> = {
  received: { width: 188, cell: (row) => <Time value={row.server_received_at} /> },
  issued: { width: 188, cell: (row) => <Time value={row.issued_at} /> },
  agent: {
    width: 170,
    cell: (row) => (
      <span title={visibleText(row.agent_id)}>
        <Seen text={row.agent_id} />
      </span>
    ),
  },
  type: {
    width: 190,
    cell: (row) => (
      <span title={visibleText(row.operation_type)}>
        <Seen text={row.operation_type} />
      </span>
    ),
  },
  action: {
    width: 130,
    cell: (row) => (
      <span title={visibleText(row.action)}>
        <Seen text={row.action} />
      </span>
    ),
  },
  subject: { width: 220, grows: true, cell: (row) => <Seen title={visibleText(row.subject)} text={row.subject} /> },
  operation: { width: 290, cell: (row) => <span className="code">{row.operation_id}</span> },
};

/** What only the records of a case have: findings of the verification, and the investigator's tags. */
const OF_CASE: readonly GridColumn<LedgerRow>[] = [
  {
    id: 'findings',
    head: 'Findings',
    width: 84,
    cell: ({ findings = 0 }) =>
      findings === 0 ? <span className="muted">–</span> : <Mark outcome="fail" word={count(findings)} />,
  },
  {
    id: 'tags',
    head: 'Tags',
    width: 150,
    cell: ({ tags = [] }) =>
      tags.map((tag) => (
        <span key={tag} className="tag">
          <Seen text={tag} />
        </span>
      )),
  },
];

/** The columns of the search in the order of their list. */
export function columnsFor(shown: readonly Column[], isCase: boolean): GridColumn<LedgerRow>[] {
  const chosen = shown.map((id) => ({ id, head: COLUMN_NAMES[id], ...BY_NAME[id] }));
  return [SEQ_NO, ...(isCase ? OF_CASE : []), ...chosen];
}
