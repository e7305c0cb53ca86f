import { Seen } from '../ui/seen.tsx';
import { Time } from '../ui/time.tsx';

interface ChangedByProps {
  readonly at: string;
  /** Null where nobody was signed in. */
  readonly by: string | null;
}

/** When something was last changed, and by whom. */
export function ChangedBy({ at, by }: ChangedByProps) {
  return (
    <span className="muted">
      Changed <Time value={at} hasZone />
      {by !== null && (
        <>
          {' by '}
          <Seen text={by} />
        </>
      )}
    </span>
  );
}
