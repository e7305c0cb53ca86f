import { type ComponentProps, type ReactNode, useId } from 'react';
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
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...select}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <small id={`${id}-hint`} className="muted">
          {hint}
        </small>
      )}
    </div>
  );
}
