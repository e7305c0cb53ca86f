import { RequestThread, Serial, ThreadEnded, workerUrl } from '../../node/index.ts';
import { RecordError } from '../base/record-error.ts';
import { seenOfText } from '../content/seen-text.ts';
import type { OtlpReceived, OtlpRequest } from '../otlp/receive.ts';
import type { Received } from '../seen/received.ts';
import type { Seen } from '../seen/seen.ts';
import type { BodyRefusal, LargeBody, ReadBody } from './received-worker.ts';

/** It has one body at a time: its text, its values, and what becomes of them. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };

/** How long a thread that has nothing to do stays, with its memory, in milliseconds. */
const IDLE_MS = 10_000;

/** Reads large bodies on a thread, one at a time. */
export class LargeBodies {
  readonly #thread = new RequestThread<LargeBody, ReadBody, never, BodyRefusal>({
    url: workerUrl(import.meta.url, 'received-worker'),
    resourceLimits: LIMITS,
    idleMs: IDLE_MS,
    refused: ({ code, message }) => new RecordError(code, message),
  });
  /** What runs out of memory takes nothing with it that waits. */
  readonly #turns = new Serial();

  /** @throws RecordError as receiveOtlp; EVENT_TOO_LARGE where the thread has not enough memory */
  async export(request: OtlpRequest): Promise<Pick<OtlpReceived, 'byFeed' | 'rejected'>> {
    const { byFeed, rejected } = await this.#read(request.body, (body) => ({
      kind: 'export',
      request: { ...request, body },
    }));
    return { byFeed: new Map(byFeed.map(([feed, text]) => [feed, seenOfText(text)])), rejected };
  }

  /** @throws RecordError as readSeenBody; EVENT_TOO_LARGE where the thread has not enough memory */
  async seen(given: Received): Promise<readonly Seen[]> {
    return seenOfText((await this.#read(given, (body) => ({ kind: 'seen', body }))).seen);
  }

  async #read(given: Received, asked: (body: Received) => LargeBody): Promise<ReadBody> {
    // A copy that changes threads: the bytes may be part of a larger buffer.
    const json = Buffer.from(Uint8Array.from(given.json ?? []).buffer);
    const request = asked({ ...given, json });
    try {
      return await this.#turns.run(() => this.#thread.ask(request, { transfer: [json.buffer as ArrayBuffer] }));
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      throw new RecordError('EVENT_TOO_LARGE', 'the body has more values than can be read at once', { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.#turns.idle();
    await this.#thread.terminate();
  }
}
