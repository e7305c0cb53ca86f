import { ALARMS, MARK_NAMES } from '../../actions/index.ts';
import type { Mark as MarkCode, Outcome } from '../../api/index.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { ACTION_MARKS } from './texts.ts';

export const ACTION_OUTCOMES: Readonly<Record<Outcome, string>> = {
  ok: ACTION_MARKS.succeeded,
  failed: ACTION_MARKS.failed,
  refused: ACTION_MARKS.refused,
  unfinished: ACTION_MARKS.noResult,
  unknown: ACTION_MARKS.unknown,
};

const OUTCOME_ICONS: Readonly<Record<Outcome, IconName>> = {
  ok: 'check',
  failed: 'fail',
  refused: 'dash',
  unfinished: 'wait',
  unknown: 'question',
};

/** Marks that say the same as the outcome next to which they stand. */
const OF_OUTCOME: readonly MarkCode[] = ['FAILED', 'REFUSED', 'STARTED_NEVER_ENDED'];

/** What came of a call, as icon, word and colour: the ordinary one is quiet, so that the others are not. */
export function ActionOutcome({ outcome }: { readonly outcome: Outcome }) {
  return (
    <span className={`outcome outcome-${outcome}`}>
      <Icon name={OUTCOME_ICONS[outcome]} />
      {ACTION_OUTCOMES[outcome]}
    </span>
  );
}

/** The marks of a record besides its outcome. */
export function ActionMarks({ marks }: { readonly marks: readonly MarkCode[] }) {
  return marks
    .filter((mark) => !OF_OUTCOME.includes(mark))
    .map((mark) => (
      <span key={mark} className={`action-mark action-mark-${ALARMS.has(mark) ? 'alarm' : 'note'}`}>
        {MARK_NAMES[mark]}
      </span>
    ));
}
