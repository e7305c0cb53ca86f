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
export function CaseMark({ of }: { readonly of: Case }) {
  const { state, verifying, verdict, verdict_code, unchecked_items } = of;
  if (state === 'failed') return <Mark outcome="fail" word={STATE_WORDS.failed} />;
  if (state !== 'ready') return <Mark outcome="not_checked" word={STATE_WORDS[state]} />;
  if (verifying) return <Mark outcome="not_checked" word={CASE_MARKS.beingVerified} />;
  if (verdict_code === 'ITEMS_UNCHECKED') {
    return <Mark outcome="not_checked" word={CASE_MARKS.itemsUnchecked(unchecked_items)} />;
  }
  if (verdict === null) return <Mark outcome="not_checked" />;
  return <Mark outcome={VERDICT_OUTCOMES[verdict]} word={verdict.charAt(0).toUpperCase() + verdict.slice(1)} />;
}
