import { canonicalize, type ExaminerKey, equalBytes, examinerState, type Json } from '../../protocol/index.ts';
import { type Artifact, artifactBytes, isSignatureValid, type UnsignedArtifact, unsigned } from './artifact.ts';

export type SignatureState = 'named' | 'unnamed' | 'invalid' | 'missing';
export type ReproductionState = 'same' | 'different' | 'not_made';

/** What can be said of somebody else's report. */
export interface Examination {
  /** `failed` where it is not what was signed or not what the bundle gives; `incomplete` where neither speaks for it. */
  readonly verdict: 'verified' | 'failed' | 'incomplete';
  /** One sentence for a person. */
  readonly summary: string;
  readonly signature: SignatureState;
  readonly reproduction: ReproductionState;
  /** The first member of the artifact that came out differently, where one did. */
  readonly differs: string | null;
}

function signatureState(artifact: Artifact, examiners: readonly ExaminerKey[]): SignatureState {
  const { signature } = artifact;
  if (signature === undefined) return 'missing';
  if (!isSignatureValid(artifact)) return 'invalid';
  // An artifact names nobody, so a key cannot be there in the name of another.
  return examinerState(examiners, signature.kid, null) === 'named' ? 'named' : 'unnamed';
}

function firstDifference(left: UnsignedArtifact, right: UnsignedArtifact): string | null {
  const text = (value: unknown): string => canonicalize(value as Json);
  const members = ['subject', 'trust', 'inputs', 'verifier', 'report'] as const;
  return members.find((member) => text(left[member]) !== text(right[member])) ?? null;
}

/**
 * Examines a report.
 * @param examiners keys of those whose signature the reader accepts
 * @param again the same verification, repeated, where the reader has the bundle
 */
export function examine(
  artifact: Artifact,
  examiners: readonly ExaminerKey[],
  again: UnsignedArtifact | null,
): Examination {
  const signature = signatureState(artifact, examiners);
  const bare = unsigned(artifact);
  const isSame = again !== null && equalBytes(artifactBytes(bare), artifactBytes(again));
  const reproduction = again === null ? 'not_made' : isSame ? 'same' : 'different';
  const differs = again === null || isSame ? null : firstDifference(bare, again);
  const found = { signature, reproduction, differs } as const;
  if (signature === 'invalid') {
    return { verdict: 'failed', summary: 'The report is not what was signed.', ...found };
  }
  if (reproduction === 'different') {
    return {
      verdict: 'failed',
      summary: `The bundle gives another report: ${differs} is the first that differs.`,
      ...found,
    };
  }
  const by = [
    ...(signature === 'named' ? ['a key that you named signed it'] : []),
    ...(isSame ? ['its bundle gives it again, byte for byte'] : []),
  ];
  // Whoever asks for a signature does not get along without.
  if (signature === 'named' || (isSame && examiners.length === 0)) {
    const states = `The report is what it was: ${by.join(', and ')}.`;
    return { verdict: 'verified', summary: `${states} This says nothing about what it states.`, ...found };
  }
  const missing = isSame
    ? 'Its bundle gives the report again, but no key that you named signed it.'
    : 'Nothing speaks for the report: name who signed it with --examiner, or its bundle with --bundle.';
  return { verdict: 'incomplete', summary: missing, ...found };
}
