import { type Field, printQuery, type Query } from '../../../../query/index.ts';
import type { LedgerRow } from '../../../api/ledger/ledger-call.ts';
import { MAX_TERM_VALUE, valueTerm } from '../terms.ts';
import type { ValueTarget } from '../value-menu.tsx';

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
  return [{ label, text: value, term, words: { with: 'From then on', without: 'Before then' } }];
}

function atLeast(row: LedgerRow): ValueTarget[] {
  const ms = row.details?.duration_ms;
  if (ms === null || ms === undefined) return [];
  const term: Query = { kind: 'compare', field: of('duration'), operator: '>=', number: ms, time: null };
  return [{ label: 'Duration', text: `${ms} ms`, term, words: { with: 'At least as long', without: 'Shorter ones' } }];
}

const VALUES: Readonly<Record<string, (row: LedgerRow) => ValueTarget[]>> = {
  issued: (row) => since('Issued', 'issued', row.issued_at),
  received: (row) => since('Received', 'received', row.server_received_at),
  agent: (row) => exact('Agent', 'agent', row.agent_id),
  tool: (row) =>
    row.details?.tool == null ? exact('Action', 'action', row.action) : exact('Tool', 'tool', row.details.tool),
  summary: (row) => [
    { label: 'What happened', text: row.details?.summary ?? `${row.action} · ${row.subject}`, term: null },
  ],
  outcome: (row) => exact('Outcome', 'outcome', row.details?.outcome),
  type: (row) => exact('Type', 'type', row.operation_type),
  action: (row) => exact('Action', 'action', row.action),
  subject: (row) => exact('Subject', 'subject', row.subject),
  session: (row) => exact('Session', 'session', row.details?.session),
  duration: atLeast,
  marks: (row) => row.details?.marks.flatMap((mark) => exact('Mark', 'mark', mark)) ?? [],
  operation: (row) => exact('Operation ID', 'operation', row.operation_id),
  tags: (row) => row.tags?.flatMap((tag) => exact('Tag', 'tag', tag)) ?? [],
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
