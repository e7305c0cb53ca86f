import { fill } from '../lib/fill.ts';
import { Time } from '../ui/time.tsx';
import { Person } from './person.tsx';
import { CHANGED_BY } from './texts.ts';

interface ChangedByProps {
  readonly at: string;
  /** Null where nobody was signed in. */
  readonly by: string | null;
}

/** When something was last changed, and by whom. */
export function ChangedBy({ at, by }: ChangedByProps) {
  const time = <Time value={at} hasZone />;
  return (
    <span className="muted">
      {by === null
        ? fill(CHANGED_BY.changed, { time })
        : fill(CHANGED_BY.changedBy, { time, person: <Person email={by} /> })}
    </span>
  );
}
