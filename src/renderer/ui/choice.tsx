import type { ReactNode } from 'react';
import { Seen } from './seen.tsx';

interface ChoiceProps {
  /** What it is one of. */
  readonly group: string;
  readonly name: string;
  readonly what: ReactNode;
  readonly isChosen: boolean;
  readonly choose: () => void;
  readonly disabled?: boolean;
}

/** One of several, with what it means next to it. */
export function Choice({ group, name, what, isChosen, choose, disabled = false }: ChoiceProps) {
  return (
    <label className="choice">
      <input type="radio" name={group} checked={isChosen} disabled={disabled} onChange={choose} />
      <span>
        <strong>
          <Seen text={name} />
        </strong>{' '}
        <span className="muted">{what}</span>
      </span>
    </label>
  );
}
