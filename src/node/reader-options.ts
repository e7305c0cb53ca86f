import {
  type DemandedWitnesses,
  isStatedPolicy,
  statedPolicy,
  type VerifyOptions,
  type WitnessPolicy,
} from '../protocol/index.ts';

/** A policy as the verifier takes it. What checks ML-DSA-44 is loaded with the first such cosignature: it brings a library. */
export function demandedWitnesses(policy: WitnessPolicy): DemandedWitnesses {
  return {
    policy,
    mlDsa44: async (check) => (await import('../protocol/ml-dsa/index.ts')).isMlDsaSignature(check),
  };
}

/** With what something was verified, as cases and reports state it (protocol V188), for the verifier. @throws ProtocolError */
export function readerOptions(
  trust: readonly string[],
): Pick<VerifyOptions, 'witnesses'> & { readonly trustedKids: readonly string[] } {
  const policy = statedPolicy(trust);
  return {
    trustedKids: trust.filter((text) => !isStatedPolicy(text)),
    ...(policy !== null && { witnesses: demandedWitnesses(policy) }),
  };
}
