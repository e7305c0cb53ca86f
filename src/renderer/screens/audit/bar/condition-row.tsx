import { useQuery } from '@tanstack/react-query';
import { type FormOperator, type FormRow, RECORD_FIELD_NAMES } from '../../../../actions/index.ts';
import { visibleText } from '../../../../protocol/index.ts';
import { useLedger } from '../../../api/ledger/ledger.ts';
import { Icon } from '../../../ui/icons.tsx';
import { OPERATOR_WORDS } from './operator-words.ts';
import { CONDITION_ROW } from './texts.ts';

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
export function ConditionRow({ id, number, row, operators, problem, change, remove }: ConditionRowProps) {
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
