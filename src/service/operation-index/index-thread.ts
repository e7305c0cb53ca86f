import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../runtime/index.ts';
import type { IndexJob, IndexRequest, IndexWorkerData } from './index-worker.ts';
import type { IndexCheck, IndexedUpTo } from './indexer.ts';
import type { NameFilter } from './name-filter.ts';

/** What the thread answers. */
export interface IndexReply {
  readonly upTo: readonly IndexedUpTo[];
  readonly more: boolean;
  readonly checked?: IndexCheck;
}

interface Job {
  readonly resolve: (reply: IndexReply) => void;
  readonly reject: (error: Error) => void;
}

/** A thread with the jobs that it has not answered: when it ends, these fail and no others. */
interface Running {
  readonly worker: Worker;
  readonly jobs: Map<number, Job>;
}

/** The index's thread, started at its first job; where it dies, its jobs fail and the next job starts another. */
export class IndexThread {
  readonly #data: IndexWorkerData;
  readonly #filter: NameFilter;
  #running: Running | null = null;
  #lastId = 0;

  /** @param filter shared with the thread, which adds to it */
  constructor(data: IndexWorkerData, filter: NameFilter) {
    this.#data = data;
    this.#filter = filter;
  }

  // A thread that cannot even be started fails its job, and nothing else.
  async run(job: IndexJob): Promise<IndexReply> {
    const { worker, jobs } = this.#started();
    const id = ++this.#lastId;
    // The service decides when the process ends, not this thread; but a job that somebody waits for is finished.
    worker.ref();
    return new Promise((resolve, reject) => {
      jobs.set(id, { resolve, reject });
      worker.postMessage({ ...job, id, filter: this.#filter.buffers } satisfies IndexRequest);
    });
  }

  #started(): Running {
    if (this.#running !== null) return this.#running;
    const worker = new Worker(workerUrl(import.meta.url, 'index-worker'), {
      workerData: this.#data,
      // Left to itself, V8 gives each thread a young generation of a hundred megabytes, and lets garbage pile up besides.
      // A step needs some forty.
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 160 },
    });
    const jobs = new Map<number, Job>();
    const running: Running = { worker, jobs };
    worker.on('message', ({ id, ...reply }: IndexReply & { id: number }) => {
      jobs.get(id)?.resolve(reply);
      jobs.delete(id);
      if (jobs.size === 0) worker.unref();
    });
    const ended = (error: Error): void => {
      if (this.#running === running) this.#running = null;
      for (const { reject } of jobs.values()) reject(error);
      jobs.clear();
    };
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('the thread of the index has ended')));
    this.#running = running;
    return running;
  }

  async close(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    const { worker } = running;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    worker.postMessage({ id: 0, kind: 'close', filter: [] } satisfies IndexRequest);
    await ended;
  }
}
