import type { ComponentProps, ReactNode } from 'react';
import { visibleText } from '../../protocol/index.ts';
import { Labelled } from './labelled.tsx';
import type { SelectOption } from './select-option.ts';

interface SelectFieldProps<T extends string> extends Omit<ComponentProps<'select'>, 'onChange' | 'value'> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly SelectOption<T>[];
  readonly onChange: (value: T) => void;
  readonly hint?: ReactNode;
}

/** A choice of a few, under its label. */
export function SelectField<T extends string>({
  label,
  value,
  options,
  onChange,
  hint,
  ...select
}: SelectFieldProps<T>) {
  return (
    <Labelled label={label} hint={hint}>
      {(ties) => (
        <select
          {...ties}
          value={value}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.currentTarget.value);
            if (chosen !== undefined) onChange(chosen.value);
          }}
          {...select}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {visibleText(option.label)}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
