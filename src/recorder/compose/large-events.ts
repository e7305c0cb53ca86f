import { RequestThread, Serial, ThreadEnded, workerUrl } from '../../node/index.ts';
import { RecordError } from '../base/record-error.ts';
import type { ContentPolicy, Prepared } from '../content/prepared.ts';
import { textOfSeen } from '../content/seen-text.ts';
import type { RecorderKeys } from '../redact/recorder-keys.ts';
import type { Seen } from '../seen/seen.ts';
import type { LargeEventData, LargeEventRequest } from './large-event-worker.ts';

/** It has the events of one request at a time: their text, their values, and what becomes of them. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };

/** How long a thread that has nothing to do stays, with its memory, in milliseconds. */
const IDLE_MS = 10_000;

/** Prepares events on a thread that would hold up those of every other agent on the one that answers: seconds, for secrets by the hundred thousand. */
export class LargeEvents {
  readonly #thread: RequestThread<LargeEventRequest, readonly Prepared[]>;
  /** What runs out of memory takes nothing with it that waits. */
  readonly #turns = new Serial();

  constructor({ root }: RecorderKeys) {
    const workerData: LargeEventData = { root };
    const url = workerUrl(import.meta.url, 'large-event-worker');
    this.#thread = new RequestThread({ url, workerData, resourceLimits: LIMITS, idleMs: IDLE_MS });
  }

  /**
   * Events as the preparer gives them, in their order.
   * @param secrets the recorder's own as they are now
   * @throws RecordError EVENT_TOO_LARGE where they need more memory than the thread has
   */
  async prepare(
    seen: readonly Seen[],
    { content, secrets }: { readonly content: ContentPolicy; readonly secrets: readonly string[] },
  ): Promise<readonly Prepared[]> {
    try {
      const events = textOfSeen(seen);
      return await this.#turns.run(() => this.#thread.ask({ events, content, secrets }));
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      throw new RecordError('EVENT_TOO_LARGE', 'the event has more values than can be read at once', { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.#turns.idle();
    await this.#thread.end();
  }
}
