import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';

/** Bytes of an operation record's signed form, about: what is verified in the ledger. */
const MESSAGE_BYTES = 560;

/**
 * The primitive that figures are given as ratios of: how many Ed25519 signatures one core verifies in a second with
 * Node's own crypto and nothing around it.
 */
export function nativeVerifyRate(milliseconds = 1000): number {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const message = randomBytes(MESSAGE_BYTES);
  const signature = sign(null, message, privateKey);
  const began = performance.now();
  let count = 0;
  let elapsed = 0;
  while (elapsed < milliseconds) {
    for (let i = 0; i < 200; i++) verify(null, message, publicKey, signature);
    count += 200;
    elapsed = performance.now() - began;
  }
  return (count * 1000) / elapsed;
}
