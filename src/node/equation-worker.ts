/** A worker thread of the crypto pool: takes packed checks, answers one byte for each, 1 where the equation holds. */
import { workerData } from 'node:worker_threads';
import { nodeCrypto } from './node-crypto.ts';
import { unpackChecks } from './packed-checks.ts';
import { serveRequests } from './serve-requests.ts';

/** How many batches are before this thread: whoever gives them counts up. */
const load = workerData as Int32Array;

serveRequests<ArrayBuffer, Uint8Array>(async (buffer) => {
  const answers = await nodeCrypto.verifyEquations(unpackChecks(buffer));
  Atomics.sub(load, 0, 1);
  return Uint8Array.from(answers, Number);
});
