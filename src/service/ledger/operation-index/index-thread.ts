import { RequestThread, workerUrl } from '../../../node/index.ts';
import type { IndexJob, IndexReply, IndexRequest, IndexWorkerData } from './index-worker.ts';
import type { NameFilter } from './name-filter.ts';

/** Left to itself, V8 lets the garbage of a thread pile up, a hundred megabytes of it young. A step needs some forty. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 160 };

/** The index's thread. */
export class IndexThread {
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
