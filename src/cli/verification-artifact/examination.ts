import { canonicalize, equalBytes, type Json } from '../../protocol/index.ts';
import { type Artifact, artifactBytes, isSignatureValid, type UnsignedArtifact, unsigned } from './artifact.ts';

export type SignatureState = 'trusted' | 'untrusted' | 'invalid' | 'missing';
export type ReproductionState = 'same' | 'different' | 'not_made';

/** What can be said of somebody else's report. */
export interface Examination {
  readonly signature: SignatureState;
  readonly reproduction: ReproductionState;
  /** The first member of the artifact that came out differently, where one did. */
  readonly differs: string | null;
  /** `failed` where it is not what was signed or not what the bundle gives; `incomplete` where neither speaks for it. */
  readonly outcome: 'verified' | 'failed' | 'incomplete';
}

function signatureState(artifact: Artifact, trusted: readonly string[]): SignatureState {
  const { signature } = artifact;
  if (signature === undefined) return 'missing';
  if (!isSignatureValid(artifact)) return 'invalid';
  // Named by its kid or by itself: nobody has the private key of a public key that equals the hash of another one.
  return trusted.includes(signature.kid) || trusted.includes(signature.public_key) ? 'trusted' : 'untrusted';
}

function firstDifference(left: UnsignedArtifact, right: UnsignedArtifact): string | null {
  const text = (value: unknown): string => canonicalize(value as Json);
  const members = ['subject', 'trust', 'inputs', 'verifier', 'report'] as const;
  return members.find((member) => text(left[member]) !== text(right[member])) ?? null;
}

/**
 * Examines a report.
 * @param trusted kids or public keys of the auditors whom the reader trusts
 * @param again the same verification, repeated, where the reader has the bundle
 */
export function examine(artifact: Artifact, trusted: readonly string[], again: UnsignedArtifact | null): Examination {
  const signature = signatureState(artifact, trusted);
  const bare = unsigned(artifact);
  const isSame = again !== null && equalBytes(artifactBytes(bare), artifactBytes(again));
  const reproduction = again === null ? 'not_made' : isSame ? 'same' : 'different';
  const vouchedFor = signature === 'trusted' || (reproduction === 'same' && trusted.length === 0);
  const wrong = signature === 'invalid' || reproduction === 'different';
  return {
    signature,
    reproduction,
    differs: again === null || isSame ? null : firstDifference(bare, again),
    outcome: wrong ? 'failed' : vouchedFor ? 'verified' : 'incomplete',
  };
}
