import { type ComponentProps, useId } from 'react';

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
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        aria-describedby={`${id}-hint`}
        aria-invalid={problem !== null}
        {...area}
      />
      <small id={`${id}-hint`} className={problem === null ? 'muted' : 'field-error'}>
        {problem ?? hint}
      </small>
    </div>
  );
}
