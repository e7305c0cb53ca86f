import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIMITS } from '../../api/index.ts';
import { RequestThread, ThreadEnded, workerUrl } from '../../node/index.ts';
import { equalBytes } from '../../protocol/index.ts';
import {
  type CheckAnswer,
  type CheckRequest,
  type CheckWorkerData,
  keyName,
  packBodies,
  type RecordsBody,
  unpackRecord,
} from './check-messages.ts';
import type { CheckedRecord } from './check-record.ts';

/**
 * This many bytes of bodies go to a thread at once, some ten records, while the next are still arriving: so it checks one part
 * while this thread reads the next and commits the one before. All in one piece, each would wait for the other.
 */
const CHUNK_BYTES = 10_000;

/** Less than this, a few records, is not worth an idle thread's while. */
const INLINE_BELOW_BYTES = 6000;

/** What a thread does not take, for it would hold all of it several times over. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Left to itself a thread lets garbage pile up; with less room for young objects it would collect for an eighth of its time. The worst body that comes here, two megabytes of empty objects, fits in. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 96 };

/** One processor is left to this thread. Asked for once: the answer comes out of files of the operating system. */
const MAX_THREADS = Math.min(4, Math.max(1, availableParallelism() - 1));
const MAX_KEYS = 10_000;

type CheckThread = RequestThread<CheckRequest, CheckAnswer>;

/** The records of a body in their order, null for one not found sound; null where nothing is known of the body. */
export type Found = readonly (CheckedRecord | null)[] | null;

interface Waiting {
  readonly body: RecordsBody;
  readonly resolve: (found: Found) => void;
}

/**
 * Checks on other threads what arrives together: the bodies of requests, from their bytes to the signatures of their records.
 * What it says of a record is that it is sound; whatever else becomes of it, a thread that ends included, says nothing, and
 * the caller looks for itself.
 */
export class CheckThreads {
  readonly #maxPayloadBytes: number;
  readonly #onError: (error: unknown) => void;
  readonly #threads: CheckThread[] = [];
  readonly #keys = new Map<string, Uint8Array>();
  /** How often a key took, or may have taken, the place of another one of its name. */
  #replaced = 0;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #flushComes = false;

  /** @param onError called when a thread failed */
  constructor(maxPayloadBytes: number, onError: (error: unknown) => void) {
    this.#maxPayloadBytes = maxPayloadBytes;
    this.#onError = onError;
  }

  /** What can be said of a body's records without the database; those signed with keys it does not know are left out. */
  check(body: RecordsBody): Promise<Found> {
    if (body.bytes.length > MAX_BYTES) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#waiting.push({ body, resolve });
      this.#bytes += body.bytes.length;
      if (this.#bytes >= CHUNK_BYTES) this.#flush();
      else if (!this.#flushComes) {
        this.#flushComes = true;
        void nextTurn().then(() => {
          this.#flushComes = false;
          this.#flush();
        });
      }
    });
  }

  /** Adopts the key of a record that the caller found sound: what it signs from now on can be checked here. */
  learn({ record, publicKey }: CheckedRecord): void {
    const name = keyName(record);
    const known = this.#keys.get(name);
    if (known !== undefined && equalBytes(known, publicKey)) return;
    if (known !== undefined) this.#replaced++;
    if (this.#keys.size >= MAX_KEYS) {
      // Of a name that comes again nobody knows any more whether it had the same key.
      this.#replaced++;
      this.#keys.clear();
      for (const thread of this.#threads) thread.tell({ kind: 'forget' });
    }
    // A copy: the array may be a view of a larger one, which would go along as a whole.
    const key = Uint8Array.from(publicKey);
    this.#keys.set(name, key);
    for (const thread of this.#threads) thread.tell({ kind: 'key', name, publicKey: key });
  }

  #flush(): void {
    const waiting = this.#waiting;
    const bytes = this.#bytes;
    this.#waiting = [];
    this.#bytes = 0;
    // Behind those that a thread has: what came later, on one connection say, is not to overtake them.
    if (bytes >= INLINE_BELOW_BYTES || this.#threads.some(({ waiting: owed }) => owed > 0)) void this.#ask(waiting);
    else for (const { resolve } of waiting) resolve(null);
  }

  async #ask(waiting: readonly Waiting[]): Promise<void> {
    const replaced = this.#replaced;
    const buffer = packBodies(waiting.map(({ body }) => body));
    const answer = await this.#leastBusy()
      .ask({ kind: 'bodies', buffer }, { transfer: [buffer] })
      .catch(this.#failed);
    // With which of two keys a signature was checked nobody could say.
    const isKnown = answer !== null && replaced === this.#replaced;
    for (const [index, { resolve }] of waiting.entries()) {
      resolve(isKnown ? (answer[index]?.map((packed) => packed && this.#withKey(unpackRecord(packed))) ?? null) : null);
    }
  }

  #withKey(checked: Omit<CheckedRecord, 'publicKey'>): CheckedRecord | null {
    const publicKey = this.#keys.get(keyName(checked.record));
    return publicKey === undefined ? null : { ...checked, publicKey };
  }

  #leastBusy(): CheckThread {
    const idle = this.#threads.find(({ waiting }) => waiting === 0);
    if (idle !== undefined) return idle;
    if (this.#threads.length < MAX_THREADS) return this.#another();
    return this.#threads.reduce((least, thread) => (thread.waiting < least.waiting ? thread : least));
  }

  #another(): CheckThread {
    const workerData: CheckWorkerData = { maxPayloadBytes: this.#maxPayloadBytes, maxRecords: LIMITS.batch };
    const thread: CheckThread = new RequestThread({
      url: workerUrl(import.meta.url, 'check-worker'),
      workerData,
      resourceLimits: THREAD_LIMITS,
      firstNotices: () => Array.from(this.#keys, ([name, publicKey]) => ({ kind: 'key', name, publicKey })),
    });
    this.#threads.push(thread);
    return thread;
  }

  /** Of a thread that merely ended, as at a close, nobody is told. */
  readonly #failed = (error: unknown): null => {
    if (!(error instanceof ThreadEnded) || error.cause !== undefined) this.#onError(error);
    return null;
  };

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }
}
