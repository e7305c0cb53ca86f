import { RequestThread, workerUrl } from '../../../runtime/index.ts';
import { type Refusal, ServiceError } from '../../base/service-error.ts';
import type { QueryAnswer, QueryArguments, QueryName } from './case-queries.ts';
import type { ReadRequest } from './case-read-worker.ts';

const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 };

/** Asks the thread that reads cases. */
export class CaseReads {
  readonly #thread = new RequestThread<ReadRequest, unknown, never, Refusal>({
    url: workerUrl(import.meta.url, 'case-read-worker'),
    resourceLimits: LIMITS,
    refused: ({ code, message }) => new ServiceError(code, message),
  });

  /**
   * One question about the case in a folder.
   * @throws ServiceError what the query refuses with
   */
  ask<N extends QueryName>(folder: string, query: N, ...args: QueryArguments<N>): Promise<QueryAnswer<N>> {
    // The table of queries types both ends; between them it is only data.
    return this.#thread.ask({ kind: 'ask', folder, query, args }) as Promise<QueryAnswer<N>>;
  }

  /** Closes the files of a case: needed before they are replaced or removed. */
  async release(folder: string): Promise<void> {
    if (this.#thread.isRunning) await this.#thread.ask({ kind: 'release', folder });
  }

  /** Ends the thread, which closes its files first. */
  close(): Promise<void> {
    return this.#thread.end();
  }
}
