import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../runtime/index.ts';
import type { CheckAnswer, CheckRequest, CheckWorkerData } from './check-messages.ts';

/** Left to itself a thread lets garbage pile up. The worst body that comes here, two megabytes of empty objects, fits in. */
const LIMITS = { maxYoungGenerationSizeMb: 3, maxOldGenerationSizeMb: 96 };

/** One thread that checks records, with the questions that it has not answered. */
export class CheckThread {
  readonly #worker: Worker;
  readonly #owed: ((answer: CheckAnswer | null) => void)[] = [];

  /** @param onEnd told once when the thread is no more: of the error, or of null where it was closed or merely ended */
  constructor(data: CheckWorkerData, onEnd: (error: unknown) => void) {
    this.#worker = new Worker(workerUrl(import.meta.url, 'check-worker'), { workerData: data, resourceLimits: LIMITS });
    let failure: unknown = null;
    this.#worker.on('message', (answer: CheckAnswer) => {
      const resolve = this.#owed.shift();
      if (this.#owed.length === 0) this.#worker.unref();
      resolve?.(answer);
    });
    this.#worker.on('error', (error) => {
      failure = error;
    });
    this.#worker.on('exit', () => {
      for (const resolve of this.#owed.splice(0)) resolve(null);
      onEnd(failure);
    });
    this.#worker.unref();
  }

  /** How many questions it has before it. */
  get load(): number {
    return this.#owed.length;
  }

  /** Tells it something that it does not answer. */
  tell(request: CheckRequest): void {
    this.#worker.postMessage(request);
  }

  /** @returns the answer to packed bodies; null where the thread ended before it had answered */
  ask(buffer: ArrayBuffer): Promise<CheckAnswer | null> {
    return new Promise((resolve) => {
      this.#owed.push(resolve);
      // Keeps the process alive while answers are owed, and only then.
      this.#worker.ref();
      const request: CheckRequest = { kind: 'bodies', buffer };
      this.#worker.postMessage(request, [buffer]);
    });
  }

  /** Ends it; what it owes is answered with null. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
