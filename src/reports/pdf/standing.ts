import { describeVerdict, type VerificationReport } from '../../protocol/index.ts';
import type { Mark } from './layout/marks.ts';
import { counted, many, sentence, VERDICT_MARKS, VERDICT_WORDS } from './wording.ts';

const COHERENCE_WORDS = {
  coherent: 'they fit together',
  incoherent: 'they do not fit together',
  not_checked: 'not wholly checked',
} as const;

/** Whether the recorded actions fit together, in figures. */
export interface StandingCoherence {
  readonly status: keyof typeof COHERENCE_WORDS;
  readonly contradictions: number;
  /** Open questions. */
  readonly open: number;
  /** How many findings of each code there are. */
  readonly codes: { readonly [code: string]: number };
}

/** What is known of the case that a bundle is in: what whoever has the bundle alone does not see. */
export interface CaseStanding {
  /** Items that contradict the bundle. */
  readonly contradicting: readonly { readonly item_no: number; readonly name: string }[];
  /** How many items are not verified yet. */
  readonly unchecked: number;
  /** Null where it was not checked, and where no record is of the payload profile. */
  readonly coherence: StandingCoherence | null;
}

/** What a report says first. */
export interface Headline {
  readonly mark: Mark;
  /** As the end of "Verdict: ". */
  readonly title: string;
  /** In one or two words, for the head of each page. */
  readonly word: string;
  readonly texts: readonly string[];
}

/** Items that are named; more are counted. */
const MAX_NAMED = 10;

/** Of the name of an item or a code, in characters: what is longer no version of this wrote, and has no place in a box on one page. */
const MAX_NAME = 255;

/** The verdict on a bundle, or on the case that it is in: nothing is called verified that an item contradicts, or still may. */
export function headlineOf(report: VerificationReport, standing: CaseStanding | null): Headline {
  const { contradicting, unchecked } = standing ?? { contradicting: [], unchecked: 0 };
  const { verdict } = report;
  const summary = sentence(report.summary);
  const open = unchecked === 0 ? [] : [uncheckedText(unchecked)];
  if (contradicting.length > 0) {
    const texts = [contradictedText(contradicting), ...open, `The bundle by itself: ${summary}`];
    return { mark: 'fail', title: 'failed – contradicted by an item', word: 'failed', texts };
  }
  if (unchecked > 0 && verdict !== 'failed') {
    const title = `none yet – ${counted(unchecked, 'item')} being checked`;
    return {
      mark: 'not_applicable',
      title,
      word: 'no verdict yet',
      texts: [...open, `The bundle by itself: ${summary}`],
    };
  }
  const word = VERDICT_WORDS[verdict].toLowerCase();
  return { mark: VERDICT_MARKS[verdict], title: describeVerdict(report), word, texts: [summary, ...open] };
}

function contradictedText(items: CaseStanding['contradicting']): string {
  const named = items.slice(0, MAX_NAMED).map(({ item_no, name }) => `item ${item_no} (${name})`);
  const more = items.length - named.length;
  const all = [...named, ...(more > 0 ? [`${many(more)} more`] : [])].join(', ');
  const verb = items.length === 1 ? 'contradicts' : 'contradict';
  return sentence(`${all} ${verb} the bundle: the issuer signed statements that cannot both be true`);
}

function uncheckedText(unchecked: number): string {
  const subject = unchecked === 1 ? '1 item of this case was' : `${many(unchecked)} items of this case were`;
  return `${subject} still being checked when this report was made, and may contradict the bundle. Make the report again afterwards.`;
}

/** Coherence as a heading and a sentence below the verdict. */
export function describeCoherence({ status, contradictions, open, codes }: StandingCoherence): {
  readonly title: string;
  readonly text: string;
} {
  const results = `${counted(contradictions, 'contradiction')}, ${counted(open, 'open question')}`;
  // Sorted: the attached options, by which the pages are made again, have them in another order than a report of coherence.
  const found = Object.entries(codes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, count]) => `${code} (${many(count)})`);
  return {
    title: `Recorded actions: ${COHERENCE_WORDS[status]} – ${results}.`,
    text: [
      ...(found.length === 0 ? [] : [`Found: ${found.join(', ')}.`]),
      'Coherence does not change the verdict. The JSON report of the case names the records of each finding.',
    ].join(' '),
  };
}

/** Whether a value of an attached file, which anybody may have written, is what is known of a case. */
export function isCaseStanding(value: unknown): value is CaseStanding {
  const { contradicting, unchecked, coherence } = Object(value) as Record<string, unknown>;
  const isItem = (item: unknown) => {
    const { item_no, name } = Object(item) as Record<string, unknown>;
    return isCount(item_no) && typeof name === 'string' && name.length <= MAX_NAME;
  };
  if (!Array.isArray(contradicting) || !contradicting.every(isItem) || !isCount(unchecked)) return false;
  return coherence === null || isCoherence(coherence);
}

function isCoherence(value: unknown): value is StandingCoherence {
  const { status, contradictions, open, codes } = Object(value) as Record<string, unknown>;
  if (typeof status !== 'string' || !Object.hasOwn(COHERENCE_WORDS, status)) return false;
  if (!isCount(contradictions) || !isCount(open) || typeof codes !== 'object' || codes === null) return false;
  return Object.entries(codes).every(([code, count]) => code.length <= MAX_NAME && isCount(count));
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
