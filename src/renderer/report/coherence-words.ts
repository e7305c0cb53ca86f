import type { AnswerOf } from '../../api/index.ts';
import type { IconName } from '../ui/icons.tsx';
import { COHERENCE_FINDINGS, COHERENCE_WORDS } from './texts.ts';

type Coherence = AnswerOf<'caseCoherence'>;
export type CoherenceGaps = Coherence['not_checked'];

/** What of coherence decides how the lamp looks: of a case, null where it was not checked. */
export interface CoherenceSummary {
  readonly status: Coherence['status'];
  readonly counts: Pick<Coherence['counts'], 'contradictions' | 'open'>;
}

export type LampState = 'coherent' | 'open' | 'incoherent' | 'unknown';

export interface Lamp {
  readonly state: LampState;
  readonly word: string;
  readonly icon: IconName;
}

/**
 * How the lamp of coherence looks: words and colours that no verdict has.
 * @returns null where no record is of the payload profile: then there is no lamp
 */
export function lampOf(coherence: CoherenceSummary | null): Lamp | null {
  if (coherence === null) return { state: 'unknown', word: COHERENCE_WORDS.notChecked, icon: 'links_unknown' };
  const { status, counts } = coherence;
  if (status === 'not_applicable') return null;
  if (status === 'incoherent') return { state: 'incoherent', word: COHERENCE_WORDS.incoherent, icon: 'links_broken' };
  if (status === 'not_checked') return { state: 'unknown', word: COHERENCE_WORDS.partlyChecked, icon: 'links_unknown' };
  if (counts.open > 0) return { state: 'open', word: COHERENCE_WORDS.openQuestions, icon: 'links' };
  return { state: 'coherent', word: COHERENCE_WORDS.coherent, icon: 'links' };
}

type Severity = Coherence['findings'][number]['severity'];

/** How findings look, the gravest first: those of one severity come in the order of the report. */
export const SEVERITIES: Readonly<Record<Severity, Lamp>> = {
  contradiction: { state: 'incoherent', word: COHERENCE_FINDINGS.contradiction, icon: 'links_broken' },
  open: { state: 'open', word: COHERENCE_FINDINGS.openQuestion, icon: 'links_unknown' },
  note: { state: 'unknown', word: COHERENCE_FINDINGS.note, icon: 'links' },
};
const ORDER = Object.keys(SEVERITIES);

export function gravestFirst<F extends { readonly severity: Severity }>(findings: readonly F[]): F[] {
  return findings.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

/** How much was not checked, and why, as parts of a sentence. */
export function notCheckedOf(given: CoherenceGaps): string[] {
  const gaps = [
    [given.withheld, COHERENCE_WORDS.record(given.withheld), COHERENCE_WORDS.withheld],
    [given.not_comparable, COHERENCE_WORDS.decision(given.not_comparable), COHERENCE_WORDS.notComparable],
    [given.forgotten, COHERENCE_WORDS.item(given.forgotten), COHERENCE_WORDS.forgotten],
    [given.unreadable, COHERENCE_WORDS.record(given.unreadable), COHERENCE_WORDS.unreadable],
  ] as const;
  return gaps.flatMap(([number, counted, why]) => (number === 0 ? [] : [`${counted} ${why}`]));
}
