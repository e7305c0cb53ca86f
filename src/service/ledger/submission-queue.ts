import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Receipt } from '../../protocol/index.ts';
import type { Writer } from '../store/writer.ts';
import type { CheckedRecord } from './check-record.ts';

/** An accepted record's receipt, or the earlier one of a record sent again. */
export interface Submission {
  readonly receipt: Receipt;
  readonly repeated: boolean;
}

/** A record that waits for its commit, and whoever waits for it. */
export interface Waiting {
  readonly checked: CheckedRecord;
  readonly resolve: (submission: Submission) => void;
  readonly reject: (error: unknown) => void;
}

/** The largest number of records in one commit: bounds how long the first of them waits for the last. */
const MAX_BATCH = 512;

/** The longest that a record waits for others whose check is under way, in milliseconds. */
const MAX_WAIT_MS = 5;

/** This many records wait for no others: the flush that they share costs each of them little. */
const ENOUGH = 50;

/**
 * Records on their way into the ledger: many that arrive at once share a commit. One costs nearly as much for a single record as for
 * fifty, most of it a flush of the disk: so fewer wait for those that are being checked, though never for longer than the commit
 * before took, which is what it saves.
 */
export class SubmissionQueue {
  readonly #writer: Writer;
  readonly #commit: (batch: readonly Waiting[]) => Promise<void>;
  /** Filled by whoever submits, emptied within the writer. */
  readonly #waiting: Waiting[] = [];
  /** Whether it is about to be emptied, or a task of the writer is under way that does. */
  #draining = false;
  /** How many submissions are being checked. */
  #coming = 0;
  /** Ends the wait for them. */
  #goOn: () => void = () => undefined;
  /** How long the last commit took, in milliseconds. */
  #took = 0;

  /** @param commit settles every one of a batch, or throws: then all of it is rejected */
  constructor(writer: Writer, commit: (batch: readonly Waiting[]) => Promise<void>) {
    this.#writer = writer;
    this.#commit = commit;
  }

  /** Counts what is still being checked: a commit waits a moment for it. */
  async coming<T>(check: Promise<T>): Promise<T> {
    this.#coming++;
    try {
      return await check;
    } finally {
      if (--this.#coming === 0) this.#goOn();
    }
  }

  /** @returns the record's receipt, once it is on disk */
  add(checked: CheckedRecord): Promise<Submission> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ checked, resolve, reject }) >= ENOUGH) this.#goOn();
      this.#drain();
    });
  }

  /** Whatever has queued up while the last batch was written becomes the next one: the busier, the larger. */
  #drain(): void {
    if (this.#draining || this.#waiting.length === 0) return;
    this.#draining = true;
    const done = (): void => {
      this.#draining = false;
      this.#drain();
    };
    this.#gather()
      .then(() => this.#writer.append(() => this.#commitWaiting()))
      .then(done, done);
  }

  /** Waits for what is being checked, and no longer than it is worth. */
  async #gather(): Promise<void> {
    if (this.#coming === 0 || this.#waiting.length >= ENOUGH) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.min(this.#took, MAX_WAIT_MS));
    this.#goOn = resolve;
    await promise;
    clearTimeout(timer);
  }

  async #commitWaiting(): Promise<void> {
    // What has arrived on other connections meanwhile gets its turn first: one commit for all of it.
    await nextTurn();
    const began = performance.now();
    const batch = this.#waiting.splice(0, MAX_BATCH);
    try {
      await this.#commit(batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#took = performance.now() - began;
  }
}
