/** A worker thread of the crypto pool: takes packed checks, answers one byte for each, 1 where the equation holds. */
import { parentPort } from 'node:worker_threads';
import { nodeCrypto } from './node-crypto.ts';
import { unpackChecks } from './packed-checks.ts';

parentPort?.on('message', async (buffer: ArrayBuffer) => {
  const answers = await nodeCrypto.verifyEquations(unpackChecks(buffer));
  const bytes = Uint8Array.from(answers, Number);
  parentPort?.postMessage(bytes, [bytes.buffer]);
});
