import { type Outcome, tallyOf } from './outcome.ts';
import type { Step } from './step.ts';
import { SUMMARY } from './texts.ts';

/** The steps that only a sealed record can be taken through. */
const OF_SEALING: readonly string[] = ['inclusion', 'epoch'];

/** What all steps come to, in one mark, a heading and a sentence. */
export interface Summary {
  readonly outcome: Outcome;
  readonly title: string;
  readonly detail: string;
}

/**
 * What all steps of a proof come to. One that fails fails them all; one that does not apply counts for nothing. A record
 * that has passed everything but what only sealing brings is a success already, and says what it waits for.
 * @param isFinal whether nothing of it is still to come: it is sealed, or of a file
 */
export function summaryOf(steps: readonly Step[], isFinal: boolean): Summary {
  const checks = steps.filter(({ outcome }) => outcome !== 'not_applicable');
  const { passed, failed, total } = tallyOf(steps);
  const waiting = isFinal
    ? 0
    : checks.filter(({ id, outcome }) => outcome === 'not_checked' && OF_SEALING.includes(id)).length;
  const detail = SUMMARY.passed(passed, total);
  if (failed > 0) return { outcome: 'fail', title: SUMMARY.failed(failed, total), detail };
  if (total === 0) return { outcome: 'not_applicable', title: SUMMARY.nothing, detail };
  if (passed === total) {
    const notes = steps.filter(({ outcome }) => outcome === 'not_applicable');
    const title = SUMMARY.allPassed(total);
    return { outcome: 'pass', title, detail: notes.map(({ sentence }) => sentence).join(' ') };
  }
  if (waiting > 0 && passed + waiting === total) {
    return {
      outcome: 'pass',
      title: SUMMARY.received,
      detail: SUMMARY.passedWaiting(passed, total, waiting),
    };
  }
  if (checks.some(({ outcome }) => outcome === 'cannot_check')) {
    return { outcome: 'cannot_check', title: SUMMARY.someCannot, detail };
  }
  return { outcome: 'not_checked', title: SUMMARY.someNotYet, detail };
}
