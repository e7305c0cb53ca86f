import type { AnnotationLogAnswer, AnnotationsAnswer } from '../../../contract/index.ts';
import { RequestThread, workerUrl } from '../../../runtime/index.ts';
import { type Refusal, ServiceError } from '../../base/service-error.ts';
import type { LogPart } from '../annotations/annotation-log.ts';
import type { AnnotationsAsked } from '../annotations/annotations.ts';
import type { ContentIndex } from '../content-index/content-index.ts';
import { DAMAGED_CODE } from '../content-index/segment-format.ts';
import type { LedgerQueryAnswer, LedgerQueryArguments, LedgerQueryName } from './ledger-queries.ts';
import type { LedgerReadData, LedgerReadRequest } from './ledger-read-worker.ts';

const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 };

/** Asks the thread that reads what is in the ledger's records. */
export class LedgerReads {
  readonly #content: ContentIndex;
  readonly #thread: RequestThread<LedgerReadRequest, unknown, never, Refusal>;

  constructor(content: ContentIndex, workerData: LedgerReadData) {
    this.#content = content;
    this.#thread = new RequestThread({
      url: workerUrl(import.meta.url, 'ledger-read-worker'),
      workerData,
      resourceLimits: LIMITS,
      refused: ({ code, message }) => new ServiceError(code, message),
    });
  }

  /**
   * One question about the records of an organization, as far as the index has come once it had some time to come after.
   * @throws ServiceError what the query refuses with
   */
  async ask<N extends LedgerQueryName>(
    orgId: string,
    query: N,
    ...args: LedgerQueryArguments<N>
  ): Promise<LedgerQueryAnswer<N>> {
    await this.#content.catchUp(orgId);
    return this.#ask(orgId, query, args);
  }

  /** The same, as far as the index has come by now. @throws ServiceError what the query refuses with */
  async askNow<N extends LedgerQueryName>(
    orgId: string,
    query: N,
    ...args: LedgerQueryArguments<N>
  ): Promise<LedgerQueryAnswer<N>> {
    await this.#content.opened();
    return this.#ask(orgId, query, args);
  }

  async #ask<N extends LedgerQueryName>(
    orgId: string,
    query: N,
    args: LedgerQueryArguments<N>,
  ): Promise<LedgerQueryAnswer<N>> {
    // The table of queries types both ends; between them it is only data.
    const ask = (): Promise<LedgerQueryAnswer<N>> =>
      this.#thread.ask({ kind: 'ask', orgId, query, args }) as Promise<LedgerQueryAnswer<N>>;
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== DAMAGED_CODE) throw error;
      await this.#content.rebuild(orgId);
      return ask();
    }
  }

  /** Annotations of an organization, or that of one record: their notes and tags are long and many. */
  async annotations(
    orgId: string,
    asked: AnnotationsAsked,
    operationId: string | undefined,
  ): Promise<AnnotationsAnswer> {
    await this.#content.opened();
    return this.#thread.ask({ kind: 'annotations', orgId, asked, of: operationId }) as Promise<AnnotationsAnswer>;
  }

  /** A page of the log of annotations, whose entries are checked. */
  async annotationLog(orgId: string, part: LogPart): Promise<AnnotationLogAnswer> {
    await this.#content.opened();
    return this.#thread.ask({ kind: 'annotation-log', orgId, part }) as Promise<AnnotationLogAnswer>;
  }

  /** Takes out of the index what was erased; afterwards neither a file nor this thread has it. */
  async erased(orgId: string): Promise<void> {
    await this.#content.erased(orgId);
    if (this.#thread.isRunning) await this.#thread.ask({ kind: 'refresh', orgId });
  }

  /** Ends the thread, which closes its files first. */
  close(): Promise<void> {
    return this.#thread.end();
  }
}
