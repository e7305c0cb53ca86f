import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type Grouping, MEASURES, TIME_STEPS } from '../../actions/index.ts';
import { visibleText } from '../../protocol/index.ts';
import { useLedger } from '../api/ledger/ledger.ts';
import { TextField } from '../ui/field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { GROUP_FIELDS } from './texts.ts';

/** Fields that are worth a group each. */
const BY_FIELDS = ['agent', 'tool', 'type', 'subject', 'outcome', 'session', 'person', 'host', 'mark'] as const;

interface GroupFieldsProps {
  readonly grouping: Grouping;
  readonly change: (next: Grouping) => void;
}

/** What is grouped by, and what is added up. */
export function GroupFields({ grouping, change }: GroupFieldsProps) {
  const {
    op,
    of,
    by: [first = '', second = ''],
  } = grouping;
  const group = (...names: readonly string[]): void => change({ ...grouping, by: names.filter((name) => name !== '') });
  return (
    <div className="group-bar">
      <NameBox label={GROUP_FIELDS.by} value={first} change={(name) => group(name, second)} />
      <NameBox label={GROUP_FIELDS.thenBy} value={second} change={(name) => group(first, name)} />
      <SelectField
        label={GROUP_FIELDS.measure}
        value={op}
        options={MEASURES.map((value) => ({ value, label: GROUP_FIELDS.operations[value] }))}
        onChange={(next) => change({ ...grouping, op: next, of: next === 'count' ? '' : of || 'amount' })}
      />
      {op !== 'count' && (
        <NameBox label={GROUP_FIELDS.of} value={of} isNumber change={(name) => change({ ...grouping, of: name })} />
      )}
    </div>
  );
}

interface NameBoxProps {
  readonly label: string;
  readonly value: string;
  /** Whether numbers are asked for; else what records can be grouped by. */
  readonly isNumber?: boolean;
  readonly change: (name: string) => void;
}

/** A field, a step of time or a member of payloads, with those that there are. */
function NameBox({ label, value, isNumber = false, change }: NameBoxProps) {
  const { q } = useLedger();
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const members = useQuery({
    ...q('names', { body: { begins: typed ?? '', values: 50 } }),
    placeholderData: keepPreviousData,
  });
  const own = isNumber ? ['duration'] : [...BY_FIELDS, ...TIME_STEPS];
  const names = [...new Set([...own, ...(members.data?.data ?? []).map(({ text }) => text)])];
  const settle = (): void => {
    if (typed !== null && typed.trim() !== value) change(typed.trim());
    setTyped(null);
  };
  return (
    <>
      <TextField
        label={label}
        list={id}
        value={typed ?? value}
        spellCheck={false}
        onChange={(text) => {
          setTyped(text);
          // What was chosen from the list is meant as it is.
          if (names.includes(text)) change(text);
        }}
        onBlur={settle}
        onKeyDown={({ key }) => key === 'Enter' && settle()}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={visibleText(name)} />
        ))}
      </datalist>
    </>
  );
}
