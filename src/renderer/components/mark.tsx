import type { Outcome } from '../proof/outcome.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { MARK } from './texts.ts';

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  pass: MARK.pass,
  fail: MARK.fail,
  not_checked: MARK.notChecked,
  cannot_check: MARK.cannotCheck,
  not_applicable: MARK.notApplicable,
};

const ICONS: Readonly<Record<Outcome, IconName>> = {
  pass: 'pass',
  fail: 'fail',
  not_checked: 'dash',
  cannot_check: 'question',
  not_applicable: 'dash',
};

/** An outcome as icon, word and colour. */
export function Mark({
  outcome,
  word = OUTCOME_WORDS[outcome],
}: {
  readonly outcome: Outcome;
  readonly word?: string;
}) {
  return (
    <span className={`mark mark-${outcome}`}>
      <Icon name={ICONS[outcome]} />
      {word}
    </span>
  );
}

interface StateMarkProps {
  readonly status: string;
  /** Of an agent: how many keys it can sign with, where that is known. */
  readonly activeKeys?: number | undefined;
}

/** The state of an agent or key. */
export function StateMark({ status, activeKeys }: StateMarkProps) {
  if (status === 'active' && activeKeys === 0) {
    return (
      <span className="mark mark-cannot_check">
        <Icon name="warning" />
        {MARK.cannotSign}
      </span>
    );
  }
  const outcome: Outcome = status === 'active' ? 'pass' : status === 'frozen' ? 'cannot_check' : 'not_checked';
  return (
    <span className={`mark mark-${outcome}`}>
      <Icon name={status === 'frozen' ? 'snow' : status === 'active' ? 'pass' : 'dash'} />
      {status}
    </span>
  );
}
