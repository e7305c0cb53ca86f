import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';

/** About as long as the statements that records and receipts sign, in bytes. */
const MESSAGE_BYTES = 420;
const MESSAGES = 256;

/** Ed25519 signatures a second that node:crypto verifies on one core, measured over about a second. */
export function nativeRate(milliseconds = 1000): number {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const signed = Array.from({ length: MESSAGES }, () => {
    const message = randomBytes(MESSAGE_BYTES);
    return { message, signature: sign(null, message, privateKey) };
  });
  const started = performance.now();
  let done = 0;
  let elapsed = 0;
  for (; elapsed < milliseconds; elapsed = performance.now() - started) {
    for (const { message, signature } of signed) {
      if (!verify(null, message, publicKey, signature)) throw new Error('a sound signature does not verify');
    }
    done += signed.length;
  }
  return (done / elapsed) * 1000;
}
