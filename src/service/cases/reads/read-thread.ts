import { workerUrl } from '../../../node/index.ts';
import { type Asking, type ReadingLoad, ReadingThreads } from '../../store/base/reading-threads.ts';
import type { QueryAnswer, QueryArguments, QueryName } from './case-queries.ts';
import type { ReadRequest } from './case-read-worker.ts';

const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 };

/** Questions about the whole custody log, which may have 100,000 entries: it is checked piece by piece, and others are answered in between. */
const ASIDE: ReadonlySet<QueryName> = new Set<QueryName>(['custody', 'certificate', 'signCustody']);

/** Asks the threads that read cases. */
export class CaseReads {
  readonly #threads = new ReadingThreads<ReadRequest>({
    url: workerUrl(import.meta.url, 'case-read-worker'),
    resourceLimits: LIMITS,
  });
  readonly #ownerOf: (folder: string) => Asking;

  /** @param ownerOf whose a case is, by its folder */
  constructor(ownerOf: (folder: string) => Asking) {
    this.#ownerOf = ownerOf;
  }

  /**
   * One question about the case in a folder, for the service's own work.
   * @throws ServiceError what the query refuses with
   */
  ask<N extends QueryName>(folder: string, query: N, ...args: QueryArguments<N>): Promise<QueryAnswer<N>> {
    return this.askFor(undefined, folder, query, ...args);
  }

  /**
   * The same for a request, until `signal` gives it up.
   * @throws ServiceError what the query refuses with; what ReadingThreads.ask throws
   */
  askFor<N extends QueryName>(
    signal: AbortSignal | undefined,
    folder: string,
    query: N,
    ...args: QueryArguments<N>
  ): Promise<QueryAnswer<N>> {
    const isAside = ASIDE.has(query);
    const request = { kind: 'ask', folder, query, args, isAside } as const;
    // The table of queries types both ends; between them it is only data.
    return this.#threads.ask({ ...this.#ownerOf(folder), signal }, request, isAside) as Promise<QueryAnswer<N>>;
  }

  /** Closes the files of a case: needed before they are replaced or removed. */
  release(folder: string, owner = this.#ownerOf(folder)): Promise<void> {
    return this.#threads.letGo(owner, { kind: 'release', folder });
  }

  /** Replaces or removes files of a case: they are closed before, and once more for questions that had opened those that are gone. */
  async replacing(folder: string, replace: () => void): Promise<void> {
    await this.release(folder);
    replace();
    await this.release(folder);
  }

  /** Questions that the threads have. */
  get load(): ReadingLoad {
    return this.#threads.load;
  }

  /** Ends the threads, which close their files first. */
  close(): Promise<void> {
    return this.#threads.close();
  }
}
