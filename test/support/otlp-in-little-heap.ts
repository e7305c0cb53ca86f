/** A thread that reads one OTLP body, in a heap that its starter bounds, and says what came of it. */
import { parentPort, workerData } from 'node:worker_threads';
import { RecordError } from '../../src/recorder/base/record-error.ts';
import { type OtlpRequest, receiveOtlp } from '../../src/recorder/otlp/receive.ts';

export interface Outcome {
  readonly code: string | null;
  readonly milliseconds: number;
}

const started = performance.now();
let code: string | null = null;
try {
  receiveOtlp(workerData as OtlpRequest);
} catch (error) {
  if (!(error instanceof RecordError)) throw error;
  code = error.code;
}
parentPort?.postMessage({ code, milliseconds: performance.now() - started } satisfies Outcome);
