import type Database from 'better-sqlite3';
import type { IndexDamage } from './index-damage.ts';
import { IndexThread } from './index-thread.ts';
import type { IndexReply, IndexWorkerData } from './index-worker.ts';
import type { IndexCheck } from './indexer.ts';
import type { NameFilter } from './name-filter.ts';
import { StepSchedule } from './step-schedule.ts';
import type { UnindexedRecords } from './unindexed-records.ts';

/** At most this many records are read into memory at a start; with more, the index is brought up to the ledger first. */
const MAX_UNINDEXED_AT_START = 8192;

export interface IndexUpkeepOptions {
  readonly paths: IndexWorkerData;
  readonly index: Database.Database;
  readonly filter: NameFilter;
  readonly unindexed: UnindexedRecords;
  readonly damage: IndexDamage;
}

/** Keeps the index up with the ledger, on a thread, and fills the filter of names. */
export class IndexUpkeep {
  readonly #filter: NameFilter;
  readonly #unindexed: UnindexedRecords;
  readonly #damage: IndexDamage;
  readonly #thread: IndexThread;
  readonly #schedule: StepSchedule;
  readonly #segments: Database.Statement;
  #fillingBegan = false;

  constructor({ paths, index, filter, unindexed, damage }: IndexUpkeepOptions) {
    this.#filter = filter;
    this.#unindexed = unindexed;
    this.#damage = damage;
    this.#thread = new IndexThread(paths, filter);
    this.#schedule = new StepSchedule({
      step: () => this.#step(),
      waiting: () => unindexed.count,
      onError: (error) => damage.failed(error),
    });
    this.#segments = index.prepare('SELECT coalesce(max(segment) + 1, 0) FROM segments').pluck();
  }

  /** Indexes what a start finds unindexed, except for the newest records. @param onProgress receives records done, and in all */
  async catchUp(onProgress?: (done: number, total: number) => void): Promise<void> {
    this.#filter.cover(this.#segments.get() as number, false);
    for (;;) {
      const { behind, total } = this.#unindexed.lag();
      if (behind <= MAX_UNINDEXED_AT_START) {
        // A thread keeps the memory that a rebuild took. The next job starts another.
        return this.#thread.close();
      }
      onProgress?.(total - behind, total);
      await this.#fillFilter();
      await this.#runStep();
    }
  }

  #runStep(): Promise<IndexReply> {
    // A step may fill a segment and begin the next.
    this.#filter.cover((this.#segments.get() as number) + 2, true);
    return this.#thread.run({ kind: 'step' });
  }

  async #step(): Promise<boolean> {
    try {
      const { upTo, more } = await this.#runStep();
      this.#unindexed.drop(upTo);
      return more;
    } catch (error) {
      // Some organizations may have been indexed before another one failed.
      this.#unindexed.dropIndexed();
      throw error;
    }
  }

  /** Until this is done every segment may have every name, and is searched: an answer takes longer, and is the same. */
  async #fillFilter(): Promise<void> {
    if (!this.#filter.isSettled) await this.#thread.run({ kind: 'load' });
  }

  /** Fills the filter of names when the first record is submitted. If that fails, the next start tries again. */
  fillFilterOnce(): void {
    if (this.#fillingBegan) return;
    this.#fillingBegan = true;
    this.#fillFilter().catch((error: unknown) => this.#damage.failed(error));
  }

  /** Schedules what the files say is to be done. */
  scheduleAll(): void {
    if (this.#unindexed.count > 0) this.#schedule.wake();
  }

  /** Schedules the indexing of records that were committed. */
  scheduleRecords(): void {
    this.#schedule.wake();
  }

  /** Checks some records of an organization after a sequence number. @returns null where the thread gave no answer */
  async check(orgId: string, after: number): Promise<IndexCheck | null> {
    await this.#fillFilter();
    const { checked } = await this.#thread.run({ kind: 'check', orgId, after });
    return checked ?? null;
  }

  /** Moves the ledger's write-ahead log into its database. */
  async checkpoint(): Promise<void> {
    await this.#thread.run({ kind: 'checkpoint' });
  }

  /** Waits for the step that runs. */
  async close(): Promise<void> {
    await this.#schedule.close();
    await this.#thread.close();
  }
}
