import type { Comparison } from '../../api/answers.ts';
import type { Outcome } from '../../proof/outcome.ts';

export type ComparisonResult = NonNullable<Comparison['result']>;

export interface Meaning {
  readonly outcome: Outcome;
  readonly title: string;
  readonly text: string;
}

const MEANINGS: Readonly<Record<ComparisonResult['relation'], Meaning>> = {
  same: {
    outcome: 'pass',
    title: 'The same',
    text: 'Both have the same receipt for every sequence number, and the same content in every record.',
  },
  this_extends: {
    outcome: 'pass',
    title: 'This case continues where the other ends',
    text: 'Every record that both have is the same, and this case has more.',
  },
  other_extends: {
    outcome: 'pass',
    title: 'The other continues where this case ends',
    text: 'Every record that both have is the same, and the other has more.',
  },
  overlap: {
    outcome: 'cannot_check',
    title: 'They agree where they meet',
    text: 'Each has records that the other lacks; what both have is the same.',
  },
  disjoint: {
    outcome: 'cannot_check',
    title: 'They have nothing in common',
    text: 'No sequence number is in both: nothing can be said of how they fit.',
  },
  contradiction: {
    outcome: 'fail',
    title: 'They contradict each other',
    text: 'There are different receipts for one sequence number: the issuer signed two statements that exclude each other.',
  },
  unrelated: {
    outcome: 'not_applicable',
    title: 'They are of different organizations',
    text: 'There is nothing to compare.',
  },
};

function records(n: number): string {
  return `${n.toLocaleString('en')} ${n === 1 ? 'record differs' : 'records differ'}`;
}

/** How many of the listed differences are in payloads alone. */
function isPayloadOnly({ first_content_differing: listed, content_differing: n }: ComparisonResult): boolean {
  return listed.length === n && listed.every(({ parts }) => parts.length === 1 && parts[0] === 'payload');
}

/** What a comparison says, in a heading and a sentence. It is never “the same” where any content was not. */
export function comparisonMeaning(result: ComparisonResult): Meaning {
  const { relation, content_differing: differing, payloads_uncompared: uncompared } = result;
  const meaning = MEANINGS[relation];
  if (relation === 'contradiction' || relation === 'unrelated') return meaning;
  if (differing > 0) {
    const where = isPayloadOnly(result) ? `in ${differing === 1 ? 'its payload' : 'their payloads'}` : 'in content';
    return {
      outcome: 'fail',
      title: `Receipts agree, ${records(differing)} ${where}`,
      text: 'A file was altered after its records were countersigned: receipts do not cover what was changed in it.',
    };
  }
  if (uncompared === 0) return meaning;
  const payloads = uncompared === 1 ? '1 payload was' : `${uncompared.toLocaleString('en')} payloads were`;
  return {
    outcome: meaning.outcome === 'pass' ? 'cannot_check' : meaning.outcome,
    title: relation === 'same' ? 'The same receipts' : meaning.title,
    text: `Nothing differs, but ${payloads} not compared: only one of the two has ${uncompared === 1 ? 'it' : 'them'}.`,
  };
}
