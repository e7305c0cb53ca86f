import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../host/index.ts';
import type { IndexRequest, IndexWorkerData } from './index-worker.ts';
import type { IndexedUpTo } from './indexer.ts';

/** What the thread answers. */
export interface IndexReply {
  readonly upTo: readonly IndexedUpTo[];
  readonly more: boolean;
}

interface Waiting {
  readonly resolve: (reply: IndexReply) => void;
  readonly reject: (error: Error) => void;
}

/** The index's thread, started at its first job; where it dies, its jobs fail and the next job starts another. */
export class IndexThread {
  readonly #data: IndexWorkerData;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(data: IndexWorkerData) {
    this.#data = data;
  }

  // A thread that cannot even be started fails its job, and nothing else.
  async run(kind: IndexRequest['kind']): Promise<IndexReply> {
    const worker = this.#started();
    const id = ++this.#lastId;
    // The service decides when the process ends, not this thread; but a job that somebody waits for is finished.
    worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, kind } satisfies IndexRequest);
    });
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(workerUrl(import.meta.url, 'index-worker'), {
      workerData: this.#data,
      // Left to itself, V8 gives each thread a young generation of a hundred megabytes.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    worker.on('message', ({ id, ...reply }: IndexReply & { id: number }) => {
      this.#waiting.get(id)?.resolve(reply);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) worker.unref();
    });
    const ended = (error: Error): void => {
      if (this.#worker === worker) this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('the thread of the index has ended')));
    this.#worker = worker;
    return worker;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}
