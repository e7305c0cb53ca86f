import {
  type BundleSource,
  type DemandedWitnesses,
  isTrustEntry,
  parseTime,
  type StatedRoot,
  statedAnchors,
  type VerificationReport,
  type VerifyOptions,
  type WitnessPolicy,
} from '../../protocol/index.ts';
import type { HeldTimes } from '../time-stamps/index.ts';

/** A policy as the verifier takes it. What checks ML-DSA-44 is loaded with the first such cosignature: it brings a library. */
export function demandedWitnesses(policy: WitnessPolicy): DemandedWitnesses {
  return {
    policy,
    mlDsa44: async (check) => (await import('../../protocol/ml-dsa/index.ts')).isMlDsaSignature(check),
  };
}

/** Whose word counts for somebody, for the verifier and for verifyTimed. */
export interface ReaderTrust extends Pick<VerifyOptions, 'witnesses'> {
  readonly trustedKids: readonly string[];
  /** Whom they trust to say what time it was. */
  readonly timeRoots: readonly StatedRoot[];
}

/** With what something was verified, as cases and reports state it (protocol V188). @throws ProtocolError */
export function readerOptions(trust: readonly string[]): ReaderTrust {
  const { witnesses, roots } = statedAnchors(trust);
  return {
    trustedKids: trust.filter(isTrustEntry),
    timeRoots: roots,
    ...(witnesses !== null && { witnesses: demandedWitnesses(witnesses) }),
  };
}

/** Files of time stamps, and those that a file carries, by the authorities that somebody trusts. */
export async function heldTimes(
  timeRoots: readonly StatedRoot[],
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[] = [],
): Promise<HeldTimes> {
  // Loaded only here: it brings schemas of ASN.1.
  const { HeldTimes, readRoots } = await import('../time-stamps/index.ts');
  const roots = timeRoots.flatMap(({ certificate, until }) =>
    readRoots(Buffer.from(certificate, 'base64'), until === null ? null : parseTime(until)),
  );
  return new HeldTimes(files, roots);
}

/** Verifies a file, with the time stamps that it carries where somebody is trusted for time (protocol V189). */
export async function verifyTimed(
  timeRoots: readonly StatedRoot[],
  verify: (source: BundleSource, options: VerifyOptions) => Promise<VerificationReport>,
  source: BundleSource,
  options: VerifyOptions,
): Promise<VerificationReport> {
  if (timeRoots.length === 0) return verify(source, options);
  return (await heldTimes(timeRoots)).verify(verify, source, options);
}
