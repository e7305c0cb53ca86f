import type { ComponentProps } from 'react';
import { Labelled } from './labelled.tsx';

interface AreaFieldProps extends Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  /** What is wrong with the value, in a sentence. */
  readonly problem?: string | null;
}

/** Text of several lines, under its label. */
export function AreaField({ label, hint, problem = null, value, onChange, ...area }: AreaFieldProps) {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(ties) => (
        <textarea
          {...ties}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          aria-invalid={problem !== null}
          {...area}
        />
      )}
    </Labelled>
  );
}
