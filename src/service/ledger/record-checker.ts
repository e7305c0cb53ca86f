import { setImmediate as nextTurn } from 'node:timers/promises';
import { nodeCrypto, RequestThread, ThreadEnded, workerUrl } from '../../node/index.ts';
import { equalBytes, StrictVerifier } from '../../protocol/index.ts';
import { JobQueue } from '../store/base/job-queue.ts';
import { type Refusal, ServiceError } from '../store/base/service-error.ts';
import { unpackRecord } from './check-messages.ts';
import {
  type CheckedRecord,
  checkRecord,
  isOf,
  prepareRecord,
  readSubmission,
  type Submitter,
} from './check-record.ts';
import { CheckThreads } from './check-threads.ts';
import type { LargeBodyData, LargeBodyRequest, ReadRecord } from './large-body-worker.ts';
import type { LedgerStore } from './ledger-store.ts';

/** A body from this size on, in bytes, is not parsed on the thread that answers. */
const LARGE_BODY_BYTES = 256 * 1024;

/** It holds one body at a time: its text, its values, and what becomes of them. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 };

/** How long a thread that has nothing to do stays, with its memory, in milliseconds. */
const IDLE_MS = 10_000;

/** Reads large bodies on a thread, one at a time, of each organization in turn. */
class LargeBodies {
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

/** What somebody submitted: as it came, where it came as bytes, and parsed. */
export interface SubmittedBody<Parsed> {
  readonly bytes: Uint8Array | null;
  /** Any JSON value. @throws what is to be told to whoever sent what can't be parsed */
  readonly parsed: () => Parsed;
}

export interface RecordCheckerOptions {
  readonly store: LedgerStore;
  readonly maxPayloadBytes: number;
  /** Notified when a thread failed. */
  readonly onError: (error: unknown) => void;
}

/** This many records of a large body are checked before others get their turn: a signature takes some 50 µs. */
const BETWEEN_PAUSES = 100;

/** What a function gives, asked for once. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Steps 1 to 7 of protocol F50, which need no order among submissions: done by threads where a record is sound and much
 * arrives together, else here, where what is wrong is said.
 */
export class RecordChecker {
  readonly #options: RecordCheckerOptions;
  readonly #threads: CheckThreads;
  readonly #large: LargeBodies;
  readonly #verifier = new StrictVerifier(nodeCrypto);

  constructor(options: RecordCheckerOptions) {
    this.#options = options;
    const { maxPayloadBytes, onError } = options;
    this.#threads = new CheckThreads(maxPayloadBytes, onError);
    this.#large = new LargeBodies({ maxPayloadBytes }, onError);
  }

  /** @throws ServiceError with the code of the first check that failed */
  async checkOne(submitter: Submitter, { bytes, parsed }: SubmittedBody<unknown>): Promise<CheckedRecord> {
    if (bytes !== null && bytes.length >= LARGE_BODY_BYTES) {
      const [result] = await this.#checkLarge(submitter, { bytes, isBatch: false });
      if (result?.status === 'fulfilled') return result.value;
      throw result?.reason;
    }
    const found = bytes && (await this.#threads.check({ bytes, isBatch: false }));
    return (await this.#confirm(submitter, found?.[0] ?? null)) ?? this.#check(submitter, parsed());
  }

  /** Each record of a batch, in their order. @throws what `parsed` throws */
  async checkBatch(
    submitter: Submitter,
    { bytes, parsed }: SubmittedBody<readonly unknown[]>,
  ): Promise<PromiseSettledResult<CheckedRecord>[]> {
    if (bytes !== null && bytes.length >= LARGE_BODY_BYTES)
      return this.#checkLarge(submitter, { bytes, isBatch: true });
    const found = bytes && (await this.#threads.check({ bytes, isBatch: true }));
    // At most once for all records, however many of them a thread left.
    const records = once(parsed);
    return Promise.allSettled(
      (found ?? records()).map(async (_, index) => {
        const confirmed = await this.#confirm(submitter, found?.[index] ?? null);
        return confirmed ?? this.#check(submitter, records()[index]);
      }),
    );
  }

  /** Records of a body that is too large to be parsed here, with a pause now and then for others who wait for this thread. */
  async #checkLarge(submitter: Submitter, body: LargeBodyRequest): Promise<PromiseSettledResult<CheckedRecord>[]> {
    const read = await this.#large.read(submitter.orgId, body);
    const results: PromiseSettledResult<CheckedRecord>[] = [];
    for (let from = 0; from < read.length; from += BETWEEN_PAUSES) {
      const some = read.slice(from, from + BETWEEN_PAUSES);
      results.push(...(await Promise.allSettled(some.map((record) => this.#checkRead(submitter, record)))));
      await nextTurn();
    }
    return results;
  }

  async #checkRead(submitter: Submitter, read: ReadRecord): Promise<CheckedRecord> {
    if ('refused' in read) throw new ServiceError(read.refused.code, read.refused.message);
    const { packed, signedText, payloadDigest, disclosuresFit } = read;
    const prepared = { ...unpackRecord(packed), signedBytes: Buffer.from(signedText), payloadDigest, disclosuresFit };
    return checkRecord(prepared, submitter, { store: this.#options.store, verifier: this.#verifier });
  }

  /** What a thread found sound, where it is the caller's and was checked with the key that is registered; else null. */
  async #confirm(submitter: Submitter, checked: CheckedRecord | null): Promise<CheckedRecord | null> {
    if (checked === null || !isOf(submitter, checked.record)) return null;
    const { org_id: orgId, agent_id, agent_pubkey_kid } = checked.record;
    const key = await this.#options.store.findKey(orgId, agent_id, agent_pubkey_kid);
    if (typeof key !== 'object' || key.userId !== submitter.person) return null;
    return equalBytes(key.publicKey, checked.publicKey) ? checked : null;
  }

  async #check(submitter: Submitter, record: unknown): Promise<CheckedRecord> {
    const { store, maxPayloadBytes } = this.#options;
    const checked = await checkRecord(prepareRecord(readSubmission(record, maxPayloadBytes)), submitter, {
      store,
      verifier: this.#verifier,
    });
    this.#threads.learn(checked);
    return checked;
  }

  async close(): Promise<void> {
    await this.#threads.close();
    await this.#large.close();
  }
}
