import { join } from 'node:path';
import type { CaseProgress, FoundSummary } from '../../api/index.ts';
import type { JobEnd } from '../jobs/job-kind.ts';
import type { Jobs, JobsOfKind } from '../jobs/jobs.ts';
import { type CaseFile, ownerOf, summaryOf } from './case-file.ts';
import { NAMES } from './case-folder.ts';
import { CaseRefused } from './case-source.ts';
import type { CaseStore } from './case-store.ts';
import type { JobProgress, JobResult, VerifyOutcome, VerifyTask } from './job-messages.ts';
import { type CaseThreads, resultOf } from './job-thread.ts';
import { makeNextIndex } from './next-index.ts';
import { ProgressMeter } from './progress-meter.ts';
import type { CaseReads } from './reads/read-thread.ts';
import { keyOf } from './scope.ts';
import type { TrustKeeper } from './trust/trust-keeper.ts';

/** Where imports, verifications and comparisons of cases have their turns. */
export const CASE_LANE = 'cases';

export interface CaseVerificationsContext {
  readonly jobs: Jobs;
  readonly threads: CaseThreads;
  readonly store: CaseStore;
  readonly reads: CaseReads;
  readonly trust: TrustKeeper;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

interface Verified {
  readonly outcome: VerifyOutcome;
  /** Of an import, what was found in files that nobody signed. */
  readonly found: FoundSummary | null;
  readonly trust: readonly string[];
}

export type CaseVerifications = JobsOfKind<CaseFile, Verified, CaseProgress>;

/**
 * Verifications of cases, and imports of those that are not imported yet. `case.json` owns the state: a stop leaves it as it is, and
 * the next start begins an import again.
 */
export function caseVerificationsOf(context: CaseVerificationsContext): CaseVerifications {
  const { jobs, threads, store, reads, trust, now, onError } = context;

  async function taskFor(about: CaseFile): Promise<VerifyTask> {
    const folder = store.folderOf(about.case_id);
    return {
      kind: 'verify',
      file: store.fileOf(about),
      receipts: store.receiptsOf(about),
      trust: await trust.trustFor(about),
      reportPath: join(folder, NAMES.report),
      coherencePath: join(folder, NAMES.coherence),
      item: store.itemOf(about),
      hasItems: about.items.count > 0,
    };
  }

  async function completed(about: CaseFile, { outcome, found, trust: verifiedWith }: Verified): Promise<void> {
    const { report, plainDigest, pages, coherence } = outcome;
    const noticed = report === null ? null : trust.notice(ownerOf(about), report, plainDigest);
    const change = await Promise.resolve(noticed).catch((error: unknown) => {
      onError(error);
      return null;
    });
    await reads.release(store.folderOf(about.case_id));
    await store.change(about.case_id, {
      report: report && summaryOf(report),
      ...(about.state === 'importing' && { found }),
      pages,
      coherence,
      verified_at: now(),
      verified_with: [...verifiedWith],
      state: 'ready',
      failure: null,
      issuer_change: change && { ...change, known: [...change.known] },
    });
  }

  async function ended(begun: CaseFile, end: JobEnd<Verified>): Promise<void> {
    const about = store.get(begun.case_id);
    // Whoever cancels or deletes has said so. It may have been done before it could be stopped: what was cancelled stays cancelled.
    if (end.status === 'cancelled' || about === undefined) return;
    // An import that was outdated once it had ended runs again as a verification of what is there.
    if (about.state !== begun.state && about.state !== 'ready') return;
    if (end.status === 'completed') return completed(about, end.result);
    const { error, failure: message } = end;
    const failure = { code: error instanceof CaseRefused ? error.code : ('UNEXPECTED' as const), message };
    await store.change(about.case_id, { failure, ...(about.state === 'importing' && { state: 'failed' as const }) });
  }

  return jobs.of<CaseFile, Verified, CaseProgress>({
    lane: CASE_LANE,
    guestsApart: true,
    ownerOf: (about) => keyOf(ownerOf(about)),
    keyOf: ({ case_id }) => case_id,
    taken: 'the case is being verified already',
    about: ({ case_id }) => [case_id],
    run: async ({ case_id }, { signal, tell }) => {
      const about = store.must(case_id);
      const task = await taskFor(about);
      const meters = { file: new ProgressMeter(about.bytes), index: new ProgressMeter(about.bytes) };
      let waitsFor: keyof typeof meters = 'file';
      const onProgress = (of: keyof typeof meters) => (progress: JobProgress) => {
        meters[of].take(progress);
        if (of === waitsFor) tell(meters[of].progress);
      };
      const verify = (stopped: AbortSignal): Promise<JobResult> =>
        threads.run(task, { signal: stopped, onProgress: onProgress('file') }).finally(() => (waitsFor = 'index'));
      const done = (result: JobResult, found: FoundSummary | null): Verified => ({
        outcome: resultOf(result, 'verified').outcome,
        found,
        trust: task.trust,
      });
      if (about.state !== 'importing') return done(await verify(signal), null);
      // Where one fails the other gives up, but for what the index finds wrong with the file, which the verification says better.
      const stop = new AbortController();
      const either = AbortSignal.any([signal, stop.signal]);
      const giveUp = (error: unknown): never => {
        stop.abort(error);
        throw error;
      };
      const verifying = verify(either).catch(giveUp);
      const means = { signal: either, onProgress: onProgress('index'), first: verifying };
      const making = makeNextIndex(context, about, [], means).catch((error: unknown) =>
        error instanceof CaseRefused && error.code !== 'STORAGE_FULL' ? Promise.reject(error) : giveUp(error),
      );
      await Promise.allSettled([verifying, making]);
      stop.signal.throwIfAborted();
      return done(await verifying, await making);
    },
    foreseen: (error) => (error instanceof CaseRefused ? error.message : undefined),
    ended: ({ work }, end) => ended(work, end),
  });
}
