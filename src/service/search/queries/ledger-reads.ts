import { workerUrl } from '../../../node/index.ts';
import { hasCode } from '../../../protocol/light.ts';
import { type ReadingLoad, ReadingThreads } from '../../store/base/reading-threads.ts';
import type { ContentIndex } from '../content-index/content-index.ts';
import type { Reader } from '../content-index/queries/content-queries.ts';
import { DAMAGED_CODE } from '../content-index/segment-format.ts';
import type { LedgerQueryAnswer, LedgerQueryArguments, LedgerQueryName } from './ledger-queries.ts';
import type { LedgerReadData, LedgerReadRequest } from './ledger-read-worker.ts';
import type { RowAnswer, RowArguments, RowQuery } from './row-queries.ts';

const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 };

/** Asks the threads that read what is in the ledger's records. */
export class LedgerReads {
  readonly #content: ContentIndex;
  readonly #isHome: (orgId: string) => boolean;
  readonly #threads: ReadingThreads<LedgerReadRequest>;

  /** @param isHome whether an organization is the home organization, which waits for no guest */
  constructor(content: ContentIndex, workerData: LedgerReadData, isHome: (orgId: string) => boolean) {
    this.#content = content;
    this.#isHome = isHome;
    const url = workerUrl(import.meta.url, 'ledger-read-worker');
    this.#threads = new ReadingThreads({ url, workerData, resourceLimits: LIMITS });
  }

  /**
   * One question about the records of an organization, as far as the index has come once it had some time to come after.
   * @throws ServiceError what the query refuses with; what ReadingThreads.ask throws
   */
  async ask<N extends LedgerQueryName>(
    by: Reader,
    query: N,
    ...args: LedgerQueryArguments<N>
  ): Promise<LedgerQueryAnswer<N>> {
    await this.#content.catchUp(by.orgId, by.signal);
    return this.#ask(by, query, args, () => this.#content.catchUp(by.orgId, by.signal));
  }

  /** The same, as far as the index has come by now. @throws ServiceError what the query refuses with */
  async askNow<N extends LedgerQueryName>(
    by: Reader,
    query: N,
    ...args: LedgerQueryArguments<N>
  ): Promise<LedgerQueryAnswer<N>> {
    await this.#content.opened();
    return this.#ask(by, query, args);
  }

  async #ask<N extends LedgerQueryName>(
    by: Reader,
    query: N,
    args: LedgerQueryArguments<N>,
    madeAgain?: () => Promise<void>,
  ): Promise<LedgerQueryAnswer<N>> {
    const { orgId } = by;
    // The table of queries types both ends; between them it is only data.
    const ask = (): Promise<LedgerQueryAnswer<N>> =>
      this.#read(by, { kind: 'ask', orgId, query, args }) as Promise<LedgerQueryAnswer<N>>;
    try {
      return await ask();
    } catch (error) {
      if (!hasCode(error, DAMAGED_CODE)) throw error;
      await this.#content.rebuild(orgId);
      await madeAgain?.();
      return ask();
    }
  }

  #read({ orgId, signal }: Reader, request: LedgerReadRequest): Promise<unknown> {
    return this.#threads.ask({ owner: orgId, isHome: this.#isHome(orgId), signal }, request);
  }

  /**
   * Has the thread read what the first page of a list is made of, where it has not answered anything about an organization yet: for
   * somebody who opens the page, before they ask. @throws what ReadingThreads.ask throws
   */
  async prepare(orgId: string): Promise<void> {
    await this.#content.opened();
    await this.#read({ orgId }, { kind: 'prepare', orgId });
  }

  /** What an organization has besides its records and is long: notes and the log of them, the administrative log. */
  async rows<N extends RowQuery>(by: Reader, query: N, ...args: RowArguments<N>): Promise<RowAnswer<N>> {
    await this.#content.opened();
    return this.#read(by, { kind: 'rows', orgId: by.orgId, query, args }) as Promise<RowAnswer<N>>;
  }

  /** Takes out of the index what was erased; afterwards neither a file nor this organization's thread has it. */
  async erased(orgId: string): Promise<void> {
    await this.#content.erased(orgId);
    await this.#threads.letGo({ isHome: this.#isHome(orgId) }, { kind: 'refresh', orgId });
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
