import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../../runtime/index.ts';
import { ServiceError } from '../../base/errors.ts';
import type { QueryAnswer, QueryArguments, QueryName } from './case-queries.ts';
import type { ReadMessage, ReadRequest } from './case-read-worker.ts';

const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 };

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Asks the thread that reads cases; started when first needed, and anew where it died. */
export class CaseReads {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #asked = 0;

  /**
   * One question about the case in a folder.
   * @throws ServiceError what the query refuses with
   */
  ask<N extends QueryName>(folder: string, query: N, ...args: QueryArguments<N>): Promise<QueryAnswer<N>> {
    return this.#send((id) => ({ kind: 'ask', id, folder, query, args })) as Promise<QueryAnswer<N>>;
  }

  /** Closes the files of a case: needed before they are replaced or removed. */
  async release(folder: string): Promise<void> {
    if (this.#worker !== null) await this.#send((id) => ({ kind: 'release', id, folder }));
  }

  #send(make: (id: number) => ReadRequest): Promise<unknown> {
    const worker = this.#started();
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage(make(id));
    });
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(workerUrl(import.meta.url, 'case-read-worker'), { resourceLimits: LIMITS });
    worker.on('message', (message: ReadMessage) => {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (this.#waiting.size === 0) worker.unref();
      if (message.kind === 'answer') waiting?.resolve(message.answer);
      else if (message.kind === 'refused') waiting?.reject(new ServiceError(message.code, message.message));
      else waiting?.reject(message.error);
    });
    const ended = (error: unknown): void => {
      if (this.#worker === worker) this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('the thread that reads cases ended')));
    this.#worker = worker;
    return worker;
  }

  /** Ends the thread, which closes its files first. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    worker.ref();
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const request: ReadRequest = { kind: 'close' };
    worker.postMessage(request);
    await ended;
  }
}
