import { MessageChannel } from 'node:worker_threads';
import { RequestThread, workerUrl } from '../../../runtime/index.ts';
import type { CurrentKey } from '../../ledger/keys/current-key.ts';
import type { ExportProgress, ExportRequest, ExportTask } from './export-worker.ts';
import type { WrittenBundle } from './write-bundle.ts';

/** Its heap holds a page of records, one epoch's tree and the directory; for a report, its pages in the making. */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

/** There is no such export: its message says why to who asked for it. */
export class ExportRefused extends Error {
  override readonly name = 'ExportRefused';
}

/** What a task is made with: a signal that gives it up, and who is told how far it is. */
export interface ExportMeans {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ExportProgress) => void;
}

/** The thread that makes exports, one after the other. */
export class ExportThread {
  readonly #thread: RequestThread<ExportRequest, WrittenBundle, ExportProgress, string>;
  readonly #key: CurrentKey;

  constructor(ledgerPath: string, key: CurrentKey) {
    this.#thread = new RequestThread({
      url: workerUrl(import.meta.url, 'export-worker'),
      workerData: ledgerPath,
      resourceLimits: LIMITS,
      refused: (sentence) => new ExportRefused(sentence),
    });
    this.#key = key;
  }

  /**
   * Makes an export.
   * @throws ExportRefused, RequestStopped; what the thread failed with; no file is left then
   */
  async make(task: ExportTask, means: ExportMeans): Promise<WrittenBundle> {
    // One key for all of it: a rotation meanwhile leaves a bundle by the key before, whose successor is linked to it.
    const key = this.#key.ofThisMoment;
    // The service key stays where it is: what is to be signed comes here by a port of its own, and goes back signed.
    const { port1, port2: signer } = new MessageChannel();
    port1.on('message', (message: Uint8Array) => port1.postMessage(key.sign(message)));
    try {
      const request = { ...task, serviceKid: key.kid, signer };
      return await this.#thread.ask(request, { transfer: [signer], ...means });
    } finally {
      port1.close();
    }
  }

  /** Ends the thread, once nothing is being made any more. */
  close(): Promise<void> {
    return this.#thread.end();
  }
}
