/** A worker thread of the crypto pool: takes packed checks, answers one byte for each, 1 where the equation holds. */
import { parentPort, workerData } from 'node:worker_threads';
import { nodeCrypto } from './node-crypto.ts';
import { unpackChecks } from './packed-checks.ts';

/** How many batches are before this thread: whoever gives them counts up. */
const load = workerData as Int32Array;

parentPort?.on('message', async (buffer: ArrayBuffer) => {
  const answers = await nodeCrypto.verifyEquations(unpackChecks(buffer));
  Atomics.sub(load, 0, 1);
  const bytes = Uint8Array.from(answers, Number);
  parentPort?.postMessage(bytes, [bytes.buffer]);
});
