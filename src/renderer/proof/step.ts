import { toHex } from '../../protocol/index.ts';
import type { Outcome } from './outcome.ts';

/** A value that goes into a step or comes out of it. */
export interface Operand {
  readonly label: string;
  readonly value: string;
  /** Whether it is what the step fails by. */
  readonly bad?: boolean;
}

/** One step of a verification: what was computed from what, and what it came to. */
export interface Step {
  readonly id: string;
  readonly title: string;
  readonly outcome: Outcome;
  /** What the outcome means here, in one sentence. */
  readonly sentence: string;
  /** Where the protocol has the rule. */
  readonly rule: string;
  readonly operands: readonly Operand[];
}

/** A step as text: for the clipboard. */
export function stepText({ title, outcome, sentence, rule, operands }: Step): string {
  const lines = operands.map(({ label, value }) => `${label}: ${value}`);
  return [`${title} (${rule}): ${outcome}`, sentence, ...lines].join('\n');
}

export function hexOf(bytes: Uint8Array): string {
  return toHex(bytes);
}

/** Two values that must be the same. */
export function comparison(
  about: Pick<Step, 'id' | 'title' | 'rule'>,
  computed: { readonly label: string; readonly value: string },
  stated: { readonly label: string; readonly value: string },
  inputs: readonly Operand[],
  sentences: { readonly pass: string; readonly fail: string },
): Step {
  const isSame = computed.value === stated.value;
  return {
    ...about,
    outcome: isSame ? 'pass' : 'fail',
    sentence: isSame ? sentences.pass : sentences.fail,
    operands: [...inputs, { ...computed, bad: !isSame }, { ...stated, bad: !isSame }],
  };
}

/** A step that cannot be done with what is at hand. */
export function withoutWork(
  about: Pick<Step, 'id' | 'title' | 'rule'>,
  outcome: 'not_checked' | 'cannot_check',
  why: string,
): Step {
  return { ...about, outcome, sentence: why, operands: [] };
}
