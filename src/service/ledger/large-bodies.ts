import { RequestThread, ThreadEnded, workerUrl } from '../../node/index.ts';
import { JobQueue } from '../store/base/job-queue.ts';
import { type Refusal, ServiceError } from '../store/base/service-error.ts';
import type { LargeBodyData, LargeBodyRequest, ReadRecord } from './large-body-worker.ts';

/** A body from this size on, in bytes, is not parsed on the thread that answers. */
export const LARGE_BODY_BYTES = 256 * 1024;

/** It holds one body at a time: its text, its values, and what becomes of them. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 };

/** How long a thread that has nothing to do stays, with its memory, in milliseconds. */
const IDLE_MS = 10_000;

/** Reads large bodies on a thread, one at a time, of each organization in turn. */
export class LargeBodies {
  readonly #thread: RequestThread<LargeBodyRequest, ReadRecord[], never, Refusal>;
  readonly #queue = new JobQueue<'bodies'>();
  readonly #onError: (error: unknown) => void;

  constructor(workerData: LargeBodyData, onError: (error: unknown) => void) {
    this.#thread = new RequestThread({
      url: workerUrl(import.meta.url, 'large-body-worker'),
      workerData,
      resourceLimits: LIMITS,
      idleMs: IDLE_MS,
      refused: ({ code, message }) => new ServiceError(code, message),
    });
    this.#onError = onError;
  }

  /** The records of a body. @throws ServiceError what is wrong with the body as a whole */
  read(orgId: string, request: LargeBodyRequest): Promise<readonly ReadRecord[]> {
    return this.#queue.run('bodies', orgId, () => this.#ask(request));
  }

  async #ask({ bytes, isBatch }: LargeBodyRequest): Promise<ReadRecord[]> {
    // A copy that changes threads: the array may be a view of a larger one.
    const copy = Uint8Array.from(bytes);
    try {
      return await this.#thread.ask({ bytes: copy, isBatch }, { transfer: [copy.buffer] });
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      // A thread that ended most likely ran out of its memory. The next body gets a thread as well.
      if (!(error instanceof ThreadEnded)) this.#onError(error);
      throw new ServiceError('PAYLOAD_TOO_LARGE', 'body: has more values than can be read at once; send fewer records');
    }
  }

  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#thread.terminate();
  }
}
