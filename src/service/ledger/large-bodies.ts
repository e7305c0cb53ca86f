import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../runtime/index.ts';
import { ServiceError } from '../base/errors.ts';
import { JobQueue } from '../base/job-queue.ts';
import type { LargeBodyAnswer, LargeBodyData, LargeBodyRequest, ReadRecord } from './large-body-worker.ts';

/** A body from this size on, in bytes, is not parsed on the thread that answers. */
export const LARGE_BODY_BYTES = 256 * 1024;

/** It holds one body at a time: its text, its values, and what becomes of them. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 };

/** How long a thread that has nothing to do stays, with its memory, in milliseconds. */
const IDLE_MS = 10_000;

/** Reads large bodies on a thread, one at a time, of each organization in turn. */
export class LargeBodies {
  readonly #data: LargeBodyData;
  readonly #queue: JobQueue<'bodies'>;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor(data: LargeBodyData, onError: (error: unknown) => void) {
    this.#data = data;
    this.#queue = new JobQueue(onError);
  }

  /** The records of a body. @throws ServiceError what is wrong with the body as a whole */
  async read(orgId: string, request: LargeBodyRequest): Promise<readonly ReadRecord[]> {
    const answer = await new Promise<LargeBodyAnswer | null>((resolve) => {
      this.#queue.add('bodies', orgId, async () => resolve(await this.#ask(request)));
    });
    if (answer === null) {
      throw new ServiceError('PAYLOAD_TOO_LARGE', 'body: it holds more than can be read at once: send fewer records');
    }
    if ('refused' in answer) throw new ServiceError(answer.refused.code, answer.refused.message);
    return answer.records;
  }

  /** @returns null where the thread ended over it */
  async #ask({ bytes, isBatch }: LargeBodyRequest): Promise<LargeBodyAnswer | null> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    const worker = this.#started();
    worker.ref();
    const done = new AbortController();
    const { signal } = done;
    try {
      // A copy that changes threads: the array may be a view of a larger one.
      const copy = Uint8Array.from(bytes);
      worker.postMessage({ bytes: copy, isBatch } satisfies LargeBodyRequest, [copy.buffer]);
      const answered = once(worker, 'message', { signal }).then(([answer]) => answer as LargeBodyAnswer);
      return await Promise.race([answered, once(worker, 'exit', { signal }).then(() => null)]);
    } catch {
      // Most likely it ran out of its memory. Whoever sent this is told so, and the next body gets a thread as well.
      return null;
    } finally {
      done.abort();
      worker.unref();
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
    }
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const url = workerUrl(import.meta.url, 'large-body-worker');
    const worker = new Worker(url, { workerData: this.#data, resourceLimits: LIMITS });
    const ended = (): void => {
      if (this.#worker === worker) this.#worker = null;
    };
    worker.on('error', ended);
    worker.on('exit', ended);
    this.#worker = worker;
    return worker;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    await this.#queue.idle();
    if (this.#idle !== null) clearTimeout(this.#idle);
    await this.#end();
  }
}
