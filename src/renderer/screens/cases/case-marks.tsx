import type { Case } from '../../api/answers.ts';
import { Mark } from '../../components/mark.tsx';
import { VERDICT_OUTCOMES } from '../../report/report.tsx';
import { CASE_MARKS } from './texts.ts';

const STATE_WORDS = {
  importing: CASE_MARKS.beingImported,
  failed: CASE_MARKS.importFailed,
  cancelled: CASE_MARKS.cancelled,
} as const;

/** What is known of a case, in one word: its verdict, or why there is none yet. */
export function CaseMark({ of: { state, verifying, verdict } }: { readonly of: Case }) {
  if (state === 'failed') return <Mark outcome="fail" word={STATE_WORDS.failed} />;
  if (state !== 'ready') return <Mark outcome="not_checked" word={STATE_WORDS[state]} />;
  if (verifying) return <Mark outcome="not_checked" word={CASE_MARKS.beingVerified} />;
  if (verdict === null) return <Mark outcome="not_checked" />;
  return <Mark outcome={VERDICT_OUTCOMES[verdict]} word={verdict.charAt(0).toUpperCase() + verdict.slice(1)} />;
}
