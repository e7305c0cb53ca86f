import { type Field, printQuery, type Query } from '../../../../query/index.ts';
import type { LedgerRow } from '../../../api/ledger/ledger.ts';
import { MAX_TERM_VALUE, valueTerm } from '../terms.ts';
import type { ValueTarget } from '../value-menu.tsx';
import { CELL_VALUES } from './texts.ts';

type RecordName = Extract<Field, { of: 'record' }>['name'];

function of(name: RecordName): Field {
  return { of: 'record', name };
}

function exact(label: string, name: RecordName, value: string | null | undefined): ValueTarget[] {
  if (value === null || value === undefined || value === '') return [];
  return [{ label, text: value, term: value.length > MAX_TERM_VALUE ? null : valueTerm(of(name), value) }];
}

function since(label: string, name: 'issued' | 'received', value: string): ValueTarget[] {
  const time = Date.parse(value);
  const term: Query | null = Number.isNaN(time)
    ? null
    : { kind: 'compare', field: of(name), operator: '>=', number: null, time };
  return [{ label, text: value, term, words: { with: CELL_VALUES.fromThen, without: CELL_VALUES.beforeThen } }];
}

function atLeast(row: LedgerRow): ValueTarget[] {
  const ms = row.details?.duration_ms;
  if (ms === null || ms === undefined) return [];
  const term: Query = { kind: 'compare', field: of('duration'), operator: '>=', number: ms, time: null };
  return [
    {
      label: CELL_VALUES.duration,
      text: `${ms} ms`,
      term,
      words: { with: CELL_VALUES.atLeast, without: CELL_VALUES.shorter },
    },
  ];
}

const VALUES: Readonly<Record<string, (row: LedgerRow) => ValueTarget[]>> = {
  issued: (row) => since(CELL_VALUES.issued, 'issued', row.issued_at),
  received: (row) => since(CELL_VALUES.received, 'received', row.server_received_at),
  agent: (row) => exact(CELL_VALUES.agent, 'agent', row.agent_id),
  tool: (row) =>
    row.details?.tool == null
      ? exact(CELL_VALUES.action, 'action', row.action)
      : exact(CELL_VALUES.tool, 'tool', row.details.tool),
  summary: (row) => [
    { label: CELL_VALUES.whatHappened, text: row.details?.summary ?? `${row.action} · ${row.subject}`, term: null },
  ],
  outcome: (row) => exact(CELL_VALUES.outcome, 'outcome', row.details?.outcome),
  type: (row) => exact(CELL_VALUES.type, 'type', row.operation_type),
  action: (row) => exact(CELL_VALUES.action, 'action', row.action),
  subject: (row) => exact(CELL_VALUES.subject, 'subject', row.subject),
  session: (row) => exact(CELL_VALUES.session, 'session', row.details?.session),
  duration: atLeast,
  marks: (row) => row.details?.marks.flatMap((mark) => exact(CELL_VALUES.mark, 'mark', mark)) ?? [],
  operation: (row) => exact(CELL_VALUES.operationId, 'operation', row.operation_id),
  tags: (row) => row.tags?.flatMap((tag) => exact(CELL_VALUES.tag, 'tag', tag)) ?? [],
};

/** What a cell of a row can be filtered by. */
export function cellValues(column: string, row: LedgerRow): readonly ValueTarget[] {
  return VALUES[column]?.(row) ?? [];
}

/** What the cells of a row can be filtered by, each once. */
export function rowValues(columns: readonly string[], row: LedgerRow): readonly ValueTarget[] {
  const all = columns.flatMap((column) => cellValues(column, row)).filter(({ term }) => term !== null);
  const byTerm = new Map(all.map((target) => [target.term === null ? '' : printQuery(target.term), target]));
  return [...byTerm.values()];
}
