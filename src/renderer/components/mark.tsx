import type { Outcome } from '../proof/outcome.ts';
import { Icon, type IconName } from './icons.tsx';

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  pass: 'Pass',
  fail: 'Fail',
  not_checked: 'Not checked',
  cannot_check: 'Cannot check',
  not_applicable: 'Not applicable',
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

/** The state of an agent or key. */
export function StateMark({ status }: { readonly status: string }) {
  const outcome: Outcome = status === 'active' ? 'pass' : status === 'frozen' ? 'cannot_check' : 'not_checked';
  return (
    <span className={`mark mark-${outcome}`}>
      <Icon name={status === 'frozen' ? 'snow' : status === 'active' ? 'pass' : 'dash'} />
      {status}
    </span>
  );
}
