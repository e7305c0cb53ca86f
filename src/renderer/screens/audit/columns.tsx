import { Link } from '@tanstack/react-router';
import type { Column } from '../../app/search-params.ts';
import type { GridColumn } from '../../components/grid-columns.ts';
import { Time } from '../../components/time.tsx';
import type { AuditRow } from '../../service/answers.ts';

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

const SEQ_NO: GridColumn<AuditRow> = {
  id: 'seq_no',
  head: 'seq_no',
  width: 84,
  right: true,
  cell: (row) => (
    <Link
      from="/search"
      search={(before) => ({ ...before, selected: row.operation_id })}
      replace
      data-row
      tabIndex={-1}
    >
      {row.seq_no}
    </Link>
  ),
};

const BY_NAME: Readonly<Record<Column, Omit<GridColumn<AuditRow>, 'id' | 'head'>>> = {
  received: { width: 176, cell: (row) => <Time value={row.server_received_at} /> },
  issued: { width: 176, cell: (row) => <Time value={row.issued_at} /> },
  agent: { width: 170, cell: (row) => <span title={row.agent_id}>{row.agent_id}</span> },
  type: { width: 160, cell: (row) => <span title={row.operation_type}>{row.operation_type}</span> },
  action: { width: 110, cell: (row) => <span title={row.action}>{row.action}</span> },
  subject: { width: 220, grows: true, cell: (row) => <bdi title={row.subject}>{row.subject}</bdi> },
  operation: { width: 290, cell: (row) => <span className="code">{row.operation_id}</span> },
};

/** The columns of the search in the order of their list. */
export function columnsFor(shown: readonly Column[]): GridColumn<AuditRow>[] {
  return [SEQ_NO, ...shown.map((id) => ({ id, head: COLUMN_NAMES[id], ...BY_NAME[id] }))];
}
