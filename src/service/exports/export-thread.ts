import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../host/index.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import type { ExportMessage, ExportWorkerData } from './export-worker.ts';
import type { WrittenBundle } from './write-bundle.ts';

/** Both generations of its heap: it holds a page of records, one epoch's tree and the directory. */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

export interface ExportRun {
  readonly key: KeyHolder;
  readonly signal: AbortSignal;
  readonly onProgress: (records: number, share: number) => void;
}

/**
 * Makes an export in a thread of its own.
 * @throws what the thread threw, or the signal's reason where it was stopped; no file is left then
 */
export async function runExport(
  data: Omit<ExportWorkerData, 'serviceKid' | 'stop'>,
  { key, signal, onProgress }: ExportRun,
): Promise<WrittenBundle> {
  signal.throwIfAborted();
  const stopFlag = new Int32Array(new SharedArrayBuffer(4));
  const workerData: ExportWorkerData = { ...data, serviceKid: key.kid, stop: stopFlag };
  const worker = new Worker(workerUrl(import.meta.url, 'export-worker'), { workerData, resourceLimits: LIMITS });
  const stop = (): void => void Atomics.store(stopFlag, 0, 1);
  const ended = once(worker, 'exit');
  signal.addEventListener('abort', stop);
  try {
    return await new Promise<WrittenBundle>((resolve, reject) => {
      worker.on('message', (message: ExportMessage) => {
        if (message.kind === 'progress') onProgress(message.records, message.share);
        else if (message.kind === 'sign') worker.postMessage(key.sign(message.message));
        else resolve(message.written);
      });
      worker.on('error', (error) => reject(signal.aborted ? signal.reason : error));
      worker.on('exit', () => reject(new Error('the thread of the export ended')));
    });
  } finally {
    signal.removeEventListener('abort', stop);
    // It closes its connection first and ends by itself.
    await ended.catch(() => undefined);
  }
}
