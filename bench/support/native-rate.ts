import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { nodeCrypto } from '../../src/node/index.ts';

/** About as long as the statements that records and receipts sign, in bytes. */
const MESSAGE_BYTES = 420;
const MESSAGES = 256;

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const rawKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
/** Messages with sound signatures of one key. */
export const signed = Array.from({ length: MESSAGES }, () => {
  const message = randomBytes(MESSAGE_BYTES);
  return { publicKey: rawKey, message, signature: sign(null, message, privateKey) };
});

/** How often a second all of the signatures are verified, times their number. @param verifyAll whether all are sound */
async function rate(milliseconds: number, verifyAll: () => Promise<boolean>): Promise<number> {
  const started = performance.now();
  let done = 0;
  let elapsed = 0;
  for (; elapsed < milliseconds; elapsed = performance.now() - started) {
    if (!(await verifyAll())) throw new Error('a sound signature does not verify');
    done += signed.length;
  }
  return (done / elapsed) * 1000;
}

/** Ed25519 signatures a second that node:crypto verifies on one core, measured over about a second. */
export function nativeRate(milliseconds = 1000): Promise<number> {
  return rate(milliseconds, async () =>
    signed.every(({ message, signature }) => verify(null, message, publicKey, signature)),
  );
}

/** The same with what the service verifies with, libsodium where it can be loaded. */
export function hostRate(milliseconds = 1000): Promise<number> {
  return rate(milliseconds, async () => (await nodeCrypto.verifyEquations(signed)).every(Boolean));
}
