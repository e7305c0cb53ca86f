import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import {
  type FormOperator,
  type FormRow,
  formOfQuery,
  formOperators,
  parseField,
  parseQuery,
  printQuery,
  queryOfForm,
  RECORD_FIELD_NAMES,
} from '../../../../actions/index.ts';
import { visibleText } from '../../../../protocol/index.ts';
import { useLedger } from '../../../api/ledger/ledger.ts';
import { Form } from '../../../components/form.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icons.tsx';
import type { QueryContext } from '../terms.ts';
import { useQueryContext } from '../use-terms.ts';
import { OPERATOR_WORDS } from './operator-words.ts';
import { BUILD_SEARCH, CONDITION_ROW } from './texts.ts';

interface ConditionRowProps {
  readonly id: string;
  readonly number: number;
  readonly row: FormRow;
  readonly operators: readonly FormOperator[];
  readonly problem: string | null;
  readonly change: (next: Partial<FormRow>) => void;
  /** Null for the last one. */
  readonly remove: (() => void) | null;
}

/** One condition: field, operator, value. */
function ConditionRow({ id, number, row, operators, problem, change, remove }: ConditionRowProps) {
  const { q } = useLedger();
  const members = useQuery(q('names', { body: { begins: '', values: 20 } }));
  const values = useQuery({
    ...q('names', { body: { field: row.field, begins: '', values: 20 } }),
    enabled: row.field !== '',
  });
  const hasValue = row.operator !== 'present' && row.operator !== 'absent';
  return (
    <li className="condition">
      <input
        aria-label={CONDITION_ROW.fieldOf(number)}
        placeholder={CONDITION_ROW.anywhere}
        list={`${id}-fields`}
        spellCheck={false}
        value={row.field}
        onChange={({ currentTarget }) => change({ field: currentTarget.value.trim() })}
      />
      <datalist id={`${id}-fields`}>
        {[...RECORD_FIELD_NAMES, ...(members.data?.data.map(({ text }) => visibleText(text)) ?? [])].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <select
        aria-label={CONDITION_ROW.operatorOf(number)}
        value={row.operator}
        onChange={({ currentTarget }) => {
          const chosen = operators.find((operator) => operator === currentTarget.value);
          if (chosen !== undefined) change({ operator: chosen });
        }}
      >
        {operators.map((operator) => (
          <option key={operator} value={operator}>
            {OPERATOR_WORDS[operator]}
          </option>
        ))}
      </select>
      {hasValue ? (
        <input
          aria-label={CONDITION_ROW.valueOf(number)}
          aria-invalid={problem !== null}
          placeholder={CONDITION_ROW.value}
          list={`${id}-values`}
          spellCheck={false}
          value={row.value}
          onChange={({ currentTarget }) => change({ value: currentTarget.value })}
        />
      ) : (
        <span />
      )}
      <datalist id={`${id}-values`}>
        {values.data?.data.map(({ text }) => (
          <option key={text} value={visibleText(text)} />
        ))}
      </datalist>
      <button
        type="button"
        className="button-plain"
        aria-label={CONDITION_ROW.remove(number)}
        disabled={remove === null}
        onClick={() => remove?.()}
      >
        <Icon name="cross" />
      </button>
      {problem !== null && <p className="field-error condition-problem">{problem}</p>}
    </li>
  );
}

interface BuildSearchProps {
  readonly query: string;
  readonly apply: (query: string) => void;
}

const EMPTY_ROW: FormRow = { field: '', operator: 'contains', value: '' };

/** The conditions of a query; null where it is more than conditions that must all hold. */
function rowsOf(query: string, context: QueryContext): readonly FormRow[] | null {
  if (query.trim() === '') return [EMPTY_ROW];
  const parsed = parseQuery(query, { now: Date.now(), ...context });
  const rows = parsed.ok ? formOfQuery(parsed.query) : null;
  return rows === null || rows.length > 0 ? rows : [EMPTY_ROW];
}

/** A query made of conditions, for those who do not type it. */
export function BuildSearch({ query, apply }: BuildSearchProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="search-build" onClick={() => setOpen(true)}>
        {BUILD_SEARCH.title}
      </button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={BUILD_SEARCH.buildSearch}
        className="dialog-wide build-search"
      >
        <Conditions
          query={query}
          apply={(built) => {
            setOpen(false);
            apply(built);
          }}
        />
      </Dialog>
    </>
  );
}

interface NumberedRow extends FormRow {
  readonly id: number;
}

function Conditions({ query, apply }: BuildSearchProps) {
  const id = useId();
  const context = useQueryContext();
  const [given] = useState(() => rowsOf(query, context));
  const [rows, setRows] = useState<readonly NumberedRow[]>(() =>
    (given ?? [EMPTY_ROW]).map((row, n) => ({ ...row, id: n })),
  );
  const [wasTried, setTried] = useState(false);
  const options = { now: Date.now(), ...context };
  const built = queryOfForm(rows, options);
  const problemOf = (n: number): string | null =>
    wasTried && !built.ok ? (built.errors.find(({ row }) => row === n)?.message ?? null) : null;
  const change = (n: number, next: Partial<FormRow>): void =>
    setRows(rows.map((row, at) => (at === n ? sound({ ...row, ...next }) : row)));
  return (
    <Form
      act={() => {
        setTried(true);
        if (built.ok) apply(built.query.kind === 'all' ? '' : printQuery(built.query));
      }}
    >
      <p className="muted">{given === null ? BUILD_SEARCH.replacesQuery : BUILD_SEARCH.allMustHold}</p>
      <ul className="conditions" aria-label={BUILD_SEARCH.conditions}>
        {rows.map((row, n) => (
          <ConditionRow
            key={row.id}
            id={`${id}-${row.id}`}
            number={n + 1}
            row={row}
            operators={formOperators(row.field === '' ? null : (parseField(row.field) ?? null))}
            problem={problemOf(n)}
            change={(next) => change(n, next)}
            remove={rows.length === 1 ? null : () => setRows(rows.filter((_, at) => at !== n))}
          />
        ))}
      </ul>
      <div>
        <button
          type="button"
          className="button-small"
          onClick={() => setRows([...rows, { ...EMPTY_ROW, id: Math.max(...rows.map((row) => row.id)) + 1 }])}
        >
          {BUILD_SEARCH.addCondition}
        </button>
      </div>
      <p className="built-query">
        <span className="muted">{BUILD_SEARCH.query}</span>{' '}
        <span className="code">{built.ok ? printQuery(built.query) : BUILD_SEARCH.incomplete}</span>
      </p>
      <div className="cluster form-end">
        <button type="submit" className="button-primary">
          {BUILD_SEARCH.search}
        </button>
      </div>
    </Form>
  );
}

/** A condition with an operator that its field has: the first one where the field changed under it. */
function sound(row: NumberedRow): NumberedRow {
  const field = row.field === '' ? null : parseField(row.field);
  const operators: readonly FormOperator[] = field === undefined ? [] : formOperators(field);
  const [first] = operators;
  return first === undefined || operators.includes(row.operator) ? row : { ...row, operator: first };
}
