import { describeChanged } from '../../../protocol/index.ts';
import type { Comparison } from '../../api/answers.ts';
import type { Outcome } from '../../proof/outcome.ts';
import { COMPARISON_MEANING } from './texts.ts';

export type ComparisonResult = NonNullable<Comparison['result']>;

export interface Meaning {
  readonly outcome: Outcome;
  readonly title: string;
  readonly text: string;
}

const MEANINGS: Readonly<Record<ComparisonResult['relation'], Meaning>> = {
  same: {
    outcome: 'pass',
    title: COMPARISON_MEANING.same,
    text: COMPARISON_MEANING.sameText,
  },
  this_extends: {
    outcome: 'pass',
    title: COMPARISON_MEANING.continues,
    text: COMPARISON_MEANING.continuesText,
  },
  other_extends: {
    outcome: 'pass',
    title: COMPARISON_MEANING.otherContinues,
    text: COMPARISON_MEANING.otherContinuesText,
  },
  overlap: {
    outcome: 'cannot_check',
    title: COMPARISON_MEANING.overlap,
    text: COMPARISON_MEANING.overlapText,
  },
  disjoint: {
    outcome: 'cannot_check',
    title: COMPARISON_MEANING.nothingInCommon,
    text: COMPARISON_MEANING.nothingInCommonText,
  },
  contradiction: {
    outcome: 'fail',
    title: COMPARISON_MEANING.contradict,
    text: COMPARISON_MEANING.contradictText,
  },
  unrelated: {
    outcome: 'not_applicable',
    title: COMPARISON_MEANING.unrelated,
    text: COMPARISON_MEANING.unrelatedText,
  },
};

/** How many of the listed differences are in payloads alone. */
function isPayloadOnly({ first_content_differing: listed, content_differing: n }: ComparisonResult): boolean {
  return listed.length === n && listed.every(({ parts }) => parts.length === 1 && parts[0] === 'payload');
}

/** What was changed in a record that differs, and in which of the two; null where neither is as it was signed, or both show the same. */
export function changedText({
  seq_no: seqNo,
  changed,
}: ComparisonResult['first_content_differing'][number]): string | null {
  if (changed === null) return null;
  const { changed: sentence, inThis, inOther } = COMPARISON_MEANING;
  return sentence(seqNo, describeChanged(changed.members), changed.in === 'this' ? inThis : inOther);
}

/** What a comparison says, in a heading and a sentence. It is never “the same” where any content was not. */
export function comparisonMeaning(result: ComparisonResult): Meaning {
  const { relation, content_differing: differing, payloads_uncompared: uncompared } = result;
  const meaning = MEANINGS[relation];
  if (relation === 'contradiction' || relation === 'unrelated') return meaning;
  if (differing > 0) {
    return {
      outcome: 'fail',
      title: isPayloadOnly(result)
        ? COMPARISON_MEANING.differInPayload(differing)
        : COMPARISON_MEANING.differInContent(differing),
      text: [...result.first_content_differing.slice(0, 1).map(changedText), COMPARISON_MEANING.alteredAfter]
        .filter((part) => part !== null)
        .join(' '),
    };
  }
  if (uncompared === 0) return meaning;
  return {
    outcome: meaning.outcome === 'pass' ? 'cannot_check' : meaning.outcome,
    title: relation === 'same' ? COMPARISON_MEANING.sameReceipts : meaning.title,
    text: COMPARISON_MEANING.notCompared(uncompared),
  };
}
