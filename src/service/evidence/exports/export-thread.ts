import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../../runtime/index.ts';
import type { CurrentKey } from '../../ledger/keys/current-key.ts';
import type { ExportMessage, ExportRequest, ExportTask, ExportWorkerData } from './export-worker.ts';
import type { WrittenBundle } from './write-bundle.ts';

/** Its heap holds a page of records, one epoch's tree and the directory; for a report, its pages in the making. */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

/** There is no such export: its message says why to who asked for it. */
export class ExportRefused extends Error {
  override readonly name = 'ExportRefused';
}

/** The thread that makes exports, one at a time; started for the first, and anew where it died. */
export class ExportThread {
  readonly #ledgerPath: string;
  readonly #key: CurrentKey;
  readonly #stop = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | null = null;

  constructor(ledgerPath: string, key: CurrentKey) {
    this.#ledgerPath = ledgerPath;
    this.#key = key;
  }

  /**
   * Makes an export. Not before the one before it has ended.
   * @throws ExportRefused; what the thread threw; no file is left then
   */
  async make(
    given: Omit<ExportTask, 'serviceKid'>,
    onProgress: (records: number, share: number) => void,
  ): Promise<WrittenBundle> {
    // One key for all of it: a rotation meanwhile leaves a bundle by the key before, whose successor is linked to it.
    const key = this.#key.ofThisMoment;
    const task: ExportTask = { ...given, serviceKid: key.kid };
    const worker = this.#started();
    worker.ref();
    const watch = new AbortController();
    try {
      return await new Promise<WrittenBundle>((resolve, reject) => {
        const take = (message: ExportMessage): void => {
          if (message.kind === 'progress') onProgress(message.records, message.share);
          else if (message.kind === 'sign') this.#tell(worker, { signature: key.sign(message.message) });
          else if (message.kind === 'written') resolve(message.written);
          else reject(message.kind === 'refused' ? new ExportRefused(message.sentence) : message.error);
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
      });
    } finally {
      watch.abort();
      worker.unref();
    }
  }

  #tell(worker: Worker, request: ExportRequest): void {
    worker.postMessage(request);
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const workerData: ExportWorkerData = { ledgerPath: this.#ledgerPath, stop: this.#stop };
    const worker = new Worker(workerUrl(import.meta.url, 'export-worker'), { workerData, resourceLimits: LIMITS });
    const ended = (): void => {
      if (this.#worker === worker) this.#worker = null;
    };
    worker.on('error', ended);
    worker.on('exit', ended);
    this.#worker = worker;
    return worker;
  }

  /** Has the thread give up what it is making, which leaves no file; `make` fails then. */
  giveUp(): void {
    Atomics.store(this.#stop, 0, 1);
  }

  /** Ends the thread, once nothing is being made any more: it closes its connections first. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    worker.ref();
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    this.#tell(worker, 'close');
    await ended;
  }
}
