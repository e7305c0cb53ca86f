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

/** Records on their way into the ledger: many that arrive at once share a commit. */
export class SubmissionQueue {
  readonly #writer: Writer;
  readonly #commit: (batch: readonly Waiting[]) => Promise<void>;
  /** Filled by whoever submits, emptied within the writer. */
  readonly #waiting: Waiting[] = [];
  /** Whether a task of the writer is under way that empties it. */
  #draining = false;

  /** @param commit settles every one of a batch, or throws: then all of it is rejected */
  constructor(writer: Writer, commit: (batch: readonly Waiting[]) => Promise<void>) {
    this.#writer = writer;
    this.#commit = commit;
  }

  /** @returns the record's receipt, once it is on disk */
  add(checked: CheckedRecord): Promise<Submission> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ checked, resolve, reject });
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
    this.#writer
      .append(async () => {
        // What has arrived on other connections meanwhile gets its turn first: one commit for all of it.
        await nextTurn();
        const batch = this.#waiting.splice(0, MAX_BATCH);
        return this.#commit(batch).catch((error: unknown) => {
          for (const { reject } of batch) reject(error);
        });
      })
      .then(done, done);
  }
}
