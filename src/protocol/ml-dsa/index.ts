import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';

/**
 * ML-DSA-44 for witnesses. A layer of itself: the verifier for strangers and most programs here check no signature of that kind, and load
 * nothing for it.
 */

/** ML-DSA-44 (FIPS 204, pure, with an empty context): what stands when Ed25519 does not. */
export interface MlDsaSigner {
  /** 1,312 bytes. */
  readonly publicKey: Uint8Array;
  /** @returns 2,420 bytes; always the same ones for one message, as FIPS 204 allows */
  sign(message: Uint8Array): Uint8Array;
}

/** @param seed 32 bytes, ξ of FIPS 204 algorithm 6 */
export function mlDsaSigner(seed: Uint8Array): MlDsaSigner {
  const { publicKey, secretKey } = ml_dsa44.keygen(seed);
  return { publicKey, sign: (message) => ml_dsa44.sign(message, secretKey, { extraEntropy: false }) };
}

/** @returns false for whatever does not verify, wrong lengths included; never throws */
export function isMlDsaSignature({
  publicKey,
  message,
  signature,
}: Readonly<Record<'publicKey' | 'message' | 'signature', Uint8Array>>): boolean {
  try {
    return ml_dsa44.verify(signature, message, publicKey);
  } catch {
    return false;
  }
}
