import type { WorkSession } from '../../api/answers.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import type { StoryRow } from './story.ts';
import { SUB_SESSION } from './texts.ts';

interface SubSessionProps {
  readonly row: Extract<StoryRow, { kind: 'below' }>;
  /** What is known of it besides. */
  readonly of: WorkSession | null;
  readonly onFold: (session: string) => void;
}

/** The heading above the steps of a session that this one opened. */
export function SubSession({ row: { session, steps, isFolded }, of, onFold }: SubSessionProps) {
  return (
    <div className="story-below">
      <button
        type="button"
        className="button-plain button-small"
        aria-expanded={!isFolded}
        onClick={() => onFold(session)}
      >
        <Icon name={isFolded ? 'right' : 'down'} />
        {of === null ? SUB_SESSION.titleOf : <Seen text={of.agents.join(', ')} />} · {SUB_SESSION.steps(steps)}
      </button>
      <LedgerLink to="/sessions" search={{ session }}>
        <Seen text={session} />
      </LedgerLink>
    </div>
  );
}
