import type Database from 'better-sqlite3';
import { RequestThread, workerUrl } from '../../../node/index.ts';
import type { IndexDamage } from './index-damage.ts';
import type { IndexJob, IndexReply, IndexRequest, IndexWorkerData } from './index-worker.ts';
import type { IndexCheck } from './indexer.ts';
import type { NameFilter } from './name-filter.ts';
import type { UnindexedRecords } from './unindexed-records.ts';

/**
 * At this many pending records they are indexed whatever else happens. With fewer, indexing waits until submissions come
 * slowly: the more are indexed at once, the less each costs, and until then they are found in memory.
 */
const STEP_SIZE = 65_536;

/** How often it looks whether they do, and how many records meanwhile are slow. */
const STEP_DELAY_MS = 500;
const CALM = 500;

/** After a failure, a full disk say, the index is tried again so much later. */
const RETRY_MS = 5000;

interface StepScheduleOptions {
  /** One step. @returns whether there is more to take up at once */
  readonly step: () => Promise<boolean>;
  /** How many records wait. */
  readonly waiting: () => number;
  /** Notified when a step failed. */
  readonly onError: (error: unknown) => void;
}

/** Says when the index adds new records: at once where much waits, else in a calm moment; one step at a time. */
class StepSchedule {
  readonly #options: StepScheduleOptions;
  #timer: NodeJS.Timeout | null = null;
  /** How many records waited when the timer was set. */
  #waited = 0;
  #stepping: Promise<void> | null = null;
  /** The last step failed, and the next waits for its time. */
  #resting = false;
  #closed = false;

  constructor(options: StepScheduleOptions) {
    this.#options = options;
  }

  /** Says that there may be records to take up. */
  wake(): void {
    if (this.#closed || this.#stepping !== null || this.#resting) return;
    if (this.#options.waiting() >= STEP_SIZE) this.#step();
    else this.#later(STEP_DELAY_MS);
  }

  #later(delay: number): void {
    if (this.#timer !== null || this.#closed) return;
    this.#waited = this.#options.waiting();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#resting = false;
      const came = this.#options.waiting() - this.#waited;
      if (came > CALM) this.#later(STEP_DELAY_MS);
      else this.#step();
    }, delay);
    this.#timer.unref();
  }

  #step(): void {
    if (this.#closed || this.#stepping !== null) return;
    this.#stopTimer();
    this.#stepping = this.#options
      .step()
      .then((more) => {
        this.#stepping = null;
        const waiting = this.#options.waiting();
        if (more || waiting >= STEP_SIZE) this.#step();
        else if (waiting > 0) this.#later(STEP_DELAY_MS);
      })
      .catch((error: unknown) => {
        this.#stepping = null;
        if (this.#closed) return;
        this.#resting = true;
        this.#options.onError(error);
        this.#later(RETRY_MS);
      });
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Waits for the step that runs; no other follows. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopTimer();
    await this.#stepping;
  }
}

/** Left to itself, V8 lets the garbage of a thread pile up, a hundred megabytes of it young. A step needs some forty. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 160 };

/** The index's thread. */
class IndexThread {
  readonly #filter: NameFilter;
  readonly #thread: RequestThread<IndexRequest, IndexReply>;

  /** @param filter shared with the thread, which adds to it */
  constructor(workerData: IndexWorkerData, filter: NameFilter) {
    const url = workerUrl(import.meta.url, 'index-worker');
    this.#thread = new RequestThread({ url, workerData, resourceLimits: LIMITS });
    this.#filter = filter;
  }

  /** Does one job. @throws what the thread failed with; the next job has another thread then */
  async run(job: IndexJob): Promise<IndexReply> {
    try {
      return await this.#thread.ask({ ...job, filter: this.#filter.buffers });
    } catch (error) {
      // What a thread holds in memory is not to be relied on after a failure.
      await this.#thread.end();
      throw error;
    }
  }

  /** Has the thread close its databases and end; a later job starts another. */
  close(): Promise<void> {
    return this.#thread.end();
  }
}

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
