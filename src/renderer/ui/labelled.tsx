import { type ReactNode, useId } from 'react';

/** What ties a field to its label and to what stands below it. */
export interface FieldTies {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface LabelledProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with the value, in a sentence; replaces the hint. */
  readonly problem?: string | null;
  /** The field itself. */
  readonly children: (ties: FieldTies) => ReactNode;
}

/** A field under its label, above a hint or what is wrong with it. */
export function Labelled({ label, hint, problem = null, children }: LabelledProps) {
  const id = useId();
  const below = problem ?? hint;
  const belowId = `${id}-hint`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': below === undefined ? undefined : belowId,
        'aria-invalid': problem === null ? undefined : true,
      })}
      {below !== undefined && (
        <small
          id={belowId}
          className={problem === null ? 'muted' : 'field-error'}
          {...(problem === null ? {} : { role: 'alert' })}
        >
          {below}
        </small>
      )}
    </div>
  );
}
