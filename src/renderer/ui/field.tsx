import type { ComponentProps } from 'react';
import { AreaField } from './area-field.tsx';
import { Labelled } from './labelled.tsx';

interface LinesFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder: string;
}

/** Several values, one per line. */
export function LinesField(field: LinesFieldProps) {
  return <AreaField {...field} rows={3} spellCheck={false} />;
}

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  /** What is wrong with the value, in a sentence. */
  readonly problem?: string | null;
}

export function TextField({ label, hint, problem = null, value, onChange, ...input }: TextFieldProps) {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(ties) => <input {...ties} value={value} onChange={(event) => onChange(event.currentTarget.value)} {...input} />}
    </Labelled>
  );
}
