/** The thread of one job of the case room: it reads what others made, at length, while the service keeps serving. */
import { cryptoPool, serveRequests } from '../../node/index.ts';
import { CaseFileRefused } from '../../reports/case-file/light.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { isStorageFull } from '../store/sqlite-errors.ts';
import { CaseRefused } from './case-source.ts';
import type { JobProgress, JobRefusal, JobResult, JobTask } from './job-messages.ts';

/** At most so often progress is told, in milliseconds. */
const TELL_EVERY_MS = 100;

function refusalOf(error: unknown): JobRefusal | undefined {
  if (error instanceof CaseRefused) return { of: 'case', code: error.code, message: error.message };
  if (error instanceof CaseFileRefused) return { of: 'case-file', code: error.code, message: error.message };
  if (error instanceof ServiceError) return { of: 'request', code: error.code, message: error.message };
  if (!isStorageFull(error)) return undefined;
  return { of: 'case', code: 'STORAGE_FULL', message: 'the disk of the data folder is full' };
}

/** What a job does is loaded with it: reports bring a PDF library, which takes its time. */
serveRequests<JobTask, JobResult, JobProgress, JobRefusal>(
  async (task, { signal, tell }) => {
    let toldAt = 0;
    const onProgress = (progress: JobProgress): void => {
      signal.throwIfAborted();
      const now = performance.now();
      if (now < toldAt + TELL_EVERY_MS && progress.phase !== 'finishing') return;
      toldAt = now;
      tell(progress);
    };
    if (task.kind === 'pdf' || task.kind === 'json') {
      const { writeCaseJson, writeCasePdf } = await import('./report-files.ts');
      await (task.kind === 'pdf' ? writeCasePdf(task, { signal }) : writeCaseJson(task));
      return { kind: 'written' };
    }
    const crypto = cryptoPool();
    const means = { crypto, signal, onProgress };
    try {
      if (task.kind === 'verify') {
        const { verifyCase } = await import('./verify-case.ts');
        return { kind: 'verified', outcome: await verifyCase(task, means) };
      }
      if (task.kind === 'index') {
        const { indexCase } = await import('./verify-case.ts');
        return { kind: 'indexed', found: await indexCase(task, means) };
      }
      if (task.kind === 'chosen') {
        const { writeChosenReport } = await import('./chosen-report-file.ts');
        await writeChosenReport(task, means);
        return { kind: 'written' };
      }
      if (task.kind === 'compare') {
        const { compareCases } = await import('./compare-cases.ts');
        return { kind: 'compared', result: await compareCases(task, means) };
      }
      const { runItemTask } = await import('./item-tasks.ts');
      return await runItemTask(task, means);
    } finally {
      await crypto.close();
    }
  },
  { refusalOf },
);
