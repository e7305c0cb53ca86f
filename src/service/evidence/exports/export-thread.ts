import { MessageChannel } from 'node:worker_threads';
import { RequestThread, workerUrl } from '../../../node/index.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import type { ExportProgress, ExportRequest, ExportTask } from './export-worker.ts';
import type { WrittenBundle } from './write-bundle.ts';

/** Its heap holds a page of records, one epoch's tree and the directory; for a report, its pages in the making. */
const LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };

/** How long the thread stays without an export, in milliseconds. */
const IDLE_MS = 60_000;

/** There is no such export: its message says why to who asked for it. */
export class ExportRefused extends Error {
  override readonly name = 'ExportRefused';
}

/** What a task is made with: a signal that gives it up, and who is told how far it is. */
export interface ExportMeans {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ExportProgress) => void;
}

/** A thread that makes exports, one after the other; there is none while nothing was made for a minute. */
export class ExportThread {
  readonly #thread: RequestThread<ExportRequest, WrittenBundle | null, ExportProgress | 'begun', string>;

  constructor(ledgerPath: string) {
    this.#thread = new RequestThread({
      url: workerUrl(import.meta.url, 'export-worker'),
      workerData: ledgerPath,
      resourceLimits: LIMITS,
      refused: (sentence) => new ExportRefused(sentence),
      idleMs: IDLE_MS,
    });
  }

  /** Starts the thread where it is not running, so that beginning an export takes no longer than a look at the ledger. */
  async ready(): Promise<void> {
    if (!this.#thread.isRunning) await this.#thread.ask('ready');
  }

  /**
   * Begins an export of the ledger as it is now. Not before the one before it has ended.
   * @param key signs it, also where another one has taken its place meanwhile
   * @returns once the thread holds that state of the ledger; `written` is kept when the files are there
   * @throws RequestStopped; what the thread failed with; `written` fails with ExportRefused too. No file is left then
   */
  async begin(
    task: ExportTask,
    key: KeyHolder,
    { signal, onProgress }: ExportMeans,
  ): Promise<{ readonly written: Promise<WrittenBundle> }> {
    // The service key stays where it is: what is to be signed comes here through a separate port, and goes back signed.
    const { port1, port2: signer } = new MessageChannel();
    port1.on('message', (message: Uint8Array) => port1.postMessage(key.sign(message)));
    const begun = Promise.withResolvers<void>();
    const answer = this.#thread.ask(
      { ...task, serviceKid: key.kid, signer },
      {
        transfer: [signer],
        signal,
        onProgress: (progress) => (progress === 'begun' ? begun.resolve() : onProgress?.(progress)),
      },
    );
    const written = answer.then((bundle) => {
      if (bundle === null) throw new Error('the thread of the exports gave no bundle');
      return bundle;
    });
    const closed = written.finally(() => port1.close());
    await Promise.race([begun.promise, closed]);
    return { written: closed };
  }

  /** Ends the thread, once nothing is being made any more. */
  close(): Promise<void> {
    return this.#thread.end();
  }
}
