import { nodeCrypto } from '../../host/index.ts';
import { equalBytes, StrictVerifier } from '../../protocol/index.ts';
import { type CheckedRecord, checkRecord, isOf, readSubmission, type Submitter } from './check-record.ts';
import { CheckThreads } from './check-threads.ts';
import type { LedgerStore } from './ledger-store.ts';

/** What somebody submitted: as it came, where it came as bytes, and parsed. */
export interface Given<Parsed> {
  readonly bytes: Uint8Array | null;
  /** Any JSON value. @throws what is to be told to whoever sent what can't be parsed */
  readonly parsed: () => Parsed;
}

export interface RecordCheckerOptions {
  readonly store: LedgerStore;
  readonly maxPayloadBytes: number;
  /** Told of a thread that failed. */
  readonly onError: (error: unknown) => void;
}

/** What a function gives, asked for once. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Steps 1 to 7 of protocol §4, which need no order among submissions: done by threads where a record is sound and much
 * arrives together, else here, where what is wrong is said.
 */
export class RecordChecker {
  readonly #options: RecordCheckerOptions;
  readonly #threads: CheckThreads;
  readonly #verifier = new StrictVerifier(nodeCrypto);

  constructor(options: RecordCheckerOptions) {
    this.#options = options;
    this.#threads = new CheckThreads(options.maxPayloadBytes, options.onError);
  }

  /** @throws ServiceError with the code of the first check that failed */
  async checkOne(submitter: Submitter, { bytes, parsed }: Given<unknown>): Promise<CheckedRecord> {
    const found = bytes && (await this.#threads.check({ bytes, isBatch: false }));
    return (await this.#confirm(submitter, found?.[0] ?? null)) ?? this.#check(submitter, parsed());
  }

  /** Each record of a batch, in their order. @throws what `parsed` throws */
  async checkBatch(
    submitter: Submitter,
    { bytes, parsed }: Given<readonly unknown[]>,
  ): Promise<PromiseSettledResult<CheckedRecord>[]> {
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

  /** What a thread found sound, where it is the caller's and was checked with the key that is registered; else null. */
  async #confirm(submitter: Submitter, checked: CheckedRecord | null): Promise<CheckedRecord | null> {
    if (checked === null || !isOf(submitter, checked.record)) return null;
    const { org_id: orgId, agent_id, agent_pubkey_kid } = checked.record;
    const key = await this.#options.store.findKey(orgId, agent_id, agent_pubkey_kid);
    return typeof key === 'object' && equalBytes(key.publicKey, checked.publicKey) ? checked : null;
  }

  async #check(submitter: Submitter, record: unknown): Promise<CheckedRecord> {
    const { store, maxPayloadBytes } = this.#options;
    const checked = await checkRecord(readSubmission(record, maxPayloadBytes), submitter, {
      store,
      verifier: this.#verifier,
    });
    this.#threads.learn(checked);
    return checked;
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}
