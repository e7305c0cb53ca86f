import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../host/index.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import type { ExportMessage, ExportWorkerData } from './export-worker.ts';
import { partOf, type WrittenBundle } from './write-bundle.ts';

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
  data: Omit<ExportWorkerData, 'serviceKid'>,
  { key, signal, onProgress }: ExportRun,
): Promise<WrittenBundle> {
  signal.throwIfAborted();
  const workerData: ExportWorkerData = { ...data, serviceKid: key.kid };
  const worker = new Worker(workerUrl(import.meta.url, 'export-worker'), { workerData, resourceLimits: LIMITS });
  const stop = (): void => void worker.terminate();
  signal.addEventListener('abort', stop);
  try {
    return await new Promise<WrittenBundle>((resolve, reject) => {
      worker.on('message', (message: ExportMessage) => {
        if (message.kind === 'progress') onProgress(message.records, message.share);
        else if (message.kind === 'sign') worker.postMessage(key.sign(message.message));
        else resolve(message.written);
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(signal.aborted ? signal.reason : new Error('the thread of the export ended')));
    });
  } catch (error) {
    // A thread that was stopped could not do so itself.
    await rm(partOf(data.path), { force: true });
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
