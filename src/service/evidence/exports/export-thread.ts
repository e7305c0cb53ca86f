import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../../runtime/index.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import type { ExportMessage, ExportRequest, ExportTask, ExportWorkerData } from './export-worker.ts';
import type { WrittenBundle } from './write-bundle.ts';

/** Its heap holds a page of records, one epoch's tree and the directory; for a report, its pages in the making. */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

/** There is no such export: its message says why to who asked for it. */
export class ExportRefused extends Error {
  override readonly name = 'ExportRefused';
}

interface Started {
  readonly worker: Worker;
  /** Kept once it takes tasks. */
  readonly ready: Promise<unknown>;
}

/** The thread that makes exports, one at a time; started for the first, and anew where it died. */
export class ExportThread {
  readonly #ledgerPath: string;
  readonly #stop = new Int32Array(new SharedArrayBuffer(4));
  #thread: Started | null = null;

  constructor(ledgerPath: string) {
    this.#ledgerPath = ledgerPath;
  }

  /** Starts the thread where it is not running, so that beginning an export takes no longer than a look at the ledger. */
  async ready(): Promise<void> {
    await this.#started().ready;
  }

  /**
   * Begins an export of the ledger as it is now. Not before the one before it has ended.
   * @param key signs it, also where another one has taken its place meanwhile
   * @returns once the thread holds that state of the ledger; `written` is kept when the files are there
   * @throws what the thread threw; `written` fails with ExportRefused too. No file is left then
   */
  async begin(
    given: Omit<ExportTask, 'serviceKid'>,
    key: KeyHolder,
    onProgress: (records: number, share: number) => void,
  ): Promise<{ readonly written: Promise<WrittenBundle> }> {
    const task: ExportTask = { ...given, serviceKid: key.kid };
    const { worker } = this.#started();
    worker.ref();
    const watch = new AbortController();
    const begun = Promise.withResolvers<void>();
    const written = new Promise<WrittenBundle>((resolve, reject) => {
      const take = (message: ExportMessage): void => {
        if (message.kind === 'begun') begun.resolve();
        else if (message.kind === 'progress') onProgress(message.records, message.share);
        else if (message.kind === 'sign') this.#tell(worker, { signature: key.sign(message.message) });
        else if (message.kind === 'written') resolve(message.written);
        else if (message.kind === 'refused') reject(new ExportRefused(message.sentence));
        else if (message.kind === 'failed') reject(message.error);
      };
      worker.on('message', take);
      const gone = (): void => reject(new Error('the thread of the exports ended'));
      worker.once('error', reject);
      worker.once('exit', gone);
      watch.signal.addEventListener('abort', () => {
        worker.off('message', take);
        worker.off('error', reject);
        worker.off('exit', gone);
      });
      this.#tell(worker, { task });
    }).finally(() => {
      watch.abort();
      worker.unref();
    });
    await Promise.race([begun.promise, written]);
    return { written };
  }

  #tell(worker: Worker, request: ExportRequest): void {
    worker.postMessage(request);
  }

  #started(): Started {
    if (this.#thread !== null) return this.#thread;
    const workerData: ExportWorkerData = { ledgerPath: this.#ledgerPath, stop: this.#stop };
    const worker = new Worker(workerUrl(import.meta.url, 'export-worker'), { workerData, resourceLimits: LIMITS });
    const ended = (): void => {
      if (this.#thread?.worker === worker) this.#thread = null;
    };
    worker.on('error', ended);
    worker.on('exit', ended);
    // The first that it says.
    const ready = once(worker, 'message');
    // Whoever waits for it learns why; that nobody does is no failure of its own.
    ready.catch(() => undefined);
    this.#thread = { worker, ready };
    return this.#thread;
  }

  /** Has the thread give up what it is making, which leaves no file; `make` fails then. */
  giveUp(): void {
    Atomics.store(this.#stop, 0, 1);
  }

  /** Ends the thread, once nothing is being made any more: it closes its connections first. */
  async close(): Promise<void> {
    if (this.#thread === null) return;
    const { worker } = this.#thread;
    worker.ref();
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    this.#tell(worker, 'close');
    await ended;
  }
}
