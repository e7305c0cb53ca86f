/**
 * The thread of one job of the case room: it reads what others made, at length, while the service goes on. It is asked to
 * end between two pieces of the file, never ended from outside: a native database that is torn down in the middle of a
 * query takes the whole process with it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { cryptoPool } from '../../runtime/index.ts';
import { isStorageFull } from '../store/sqlite-errors.ts';
import { CaseRefused } from './case-source.ts';
import type { JobMessage, JobProgress, JobThreadData } from './job-messages.ts';

/** At most so often progress is told, in milliseconds. */
const TELL_EVERY_MS = 100;

const { task, stop } = workerData as JobThreadData;

function tell(message: JobMessage): void {
  parentPort?.postMessage(message);
}

class Stopped extends Error {
  override readonly name = 'Stopped';
}

const signal = {
  throwIfAborted: () => {
    if (Atomics.load(stop, 0) !== 0) throw new Stopped();
  },
};

let toldAt = 0;
function onProgress(progress: JobProgress): void {
  signal.throwIfAborted();
  const now = performance.now();
  if (now < toldAt + TELL_EVERY_MS && progress.phase !== 'finishing') return;
  toldAt = now;
  tell({ kind: 'progress', progress });
}

/** What a job does is loaded with it: reports bring a PDF library, which takes its time. */
async function run(): Promise<JobMessage> {
  if (task.kind === 'pdf' || task.kind === 'json') {
    const { writeCaseJson, writeCasePdf } = await import('./report-files.ts');
    await (task.kind === 'pdf' ? writeCasePdf(task) : writeCaseJson(task));
    return { kind: 'written' };
  }
  const crypto = cryptoPool();
  const means = { crypto, signal, onProgress };
  try {
    if (task.kind === 'verify') {
      const { verifyCase } = await import('./verify-case.ts');
      return { kind: 'verified', outcome: await verifyCase(task, means) };
    }
    const { compareCases } = await import('./compare-cases.ts');
    return { kind: 'compared', result: await compareCases(task, means) };
  } finally {
    await crypto.close();
  }
}

function failure(error: unknown): JobMessage {
  if (error instanceof Stopped) return { kind: 'stopped' };
  if (error instanceof CaseRefused) return { kind: 'refused', code: error.code, message: error.message };
  if (isStorageFull(error)) {
    return { kind: 'refused', code: 'STORAGE_FULL', message: 'the disk of the data folder is full' };
  }
  return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

tell(await run().catch(failure));
