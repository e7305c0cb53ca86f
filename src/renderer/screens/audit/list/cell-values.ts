import {
  type CompareQuery,
  type FieldsHaving,
  isFieldWith,
  printQuery,
  type Query,
  RECORD_FIELDS,
} from '../../../../actions/index.ts';
import type { LedgerRow } from '../../../api/ledger/ledger.ts';
import { MAX_TERM_VALUE, valueTerm } from '../terms.ts';
import { FIELDS } from '../texts.ts';
import type { ValueTarget } from '../value-menu.tsx';
import { CELL_VALUES, COLUMNS } from './texts.ts';

/** Fields that a row has a cell for: the tags stand in theirs wherever people gave some. */
type CellField = FieldsHaving<'listed'> | 'tag';

/** What a row says of a field; nothing where its payload was not read. */
export function valueIn(row: LedgerRow, name: CellField): string | number | readonly string[] | null {
  if (name === 'tag') return row.tags ?? null;
  if (isFieldWith(name, { from: 'record' })) return row[RECORD_FIELDS[name].member];
  return row.details?.[RECORD_FIELDS[name].member] ?? null;
}

function isCellField(column: string): column is CellField {
  return column === 'tag' || isFieldWith(column, { listed: true });
}

function compared(name: CellField, value: Pick<CompareQuery, 'number' | 'time'>): Query {
  return { kind: 'compare', field: { of: 'record', name }, operator: '>=', ...value };
}

function exact(name: CellField, value: string): ValueTarget[] {
  if (value === '') return [];
  const term = value.length > MAX_TERM_VALUE ? null : valueTerm({ of: 'record', name }, value);
  return [{ label: FIELDS[name], text: value, term }];
}

/** What a cell of a row can be filtered by. */
export function cellValues(column: string, row: LedgerRow): readonly ValueTarget[] {
  if (column === 'summary') {
    const text = row.details?.summary ?? `${row.action} · ${row.subject}`;
    return [{ label: COLUMNS.whatHappened, text, term: null }];
  }
  if (!isCellField(column)) return [];
  const name = column === 'tool' && row.details?.tool == null ? 'action' : column;
  const value = valueIn(row, name);
  if (value === null) return [];
  if (typeof value === 'object') return value.flatMap((one) => exact(name, one));
  if (typeof value === 'number') {
    const words = { with: CELL_VALUES.atLeast, without: CELL_VALUES.shorter };
    return [{ label: FIELDS[name], text: `${value} ms`, term: compared(name, { number: value, time: null }), words }];
  }
  if (RECORD_FIELDS[name].form !== 'time') return exact(name, value);
  const time = Date.parse(value);
  const words = { with: CELL_VALUES.fromThen, without: CELL_VALUES.beforeThen };
  const term = Number.isNaN(time) ? null : compared(name, { number: null, time });
  return [{ label: FIELDS[name], text: value, term, words }];
}

/** What the cells of a row can be filtered by, each once. */
export function rowValues(columns: readonly string[], row: LedgerRow): readonly ValueTarget[] {
  const all = columns.flatMap((column) => cellValues(column, row)).filter(({ term }) => term !== null);
  const byTerm = new Map(all.map((target) => [target.term === null ? '' : printQuery(target.term), target]));
  return [...byTerm.values()];
}
