import { join } from 'node:path';
import type { CaseProgress, FoundSummary } from '../../api/index.ts';
import type { JobEnd } from '../jobs/job-kind.ts';
import type { Jobs, JobsOfKind } from '../jobs/jobs.ts';
import { type CaseFile, ownerOf, summaryOf } from './case-file.ts';
import { NAMES } from './case-folder.ts';
import { CaseRefused } from './case-source.ts';
import type { CaseStore } from './case-store.ts';
import type { JobProgress, VerifyOutcome, VerifyTask } from './job-messages.ts';
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
      const meter = new ProgressMeter(about.bytes);
      let isVerified = false;
      const tellOf = (ofIndex: boolean) => (progress: JobProgress) => {
        // Of two at once the one is told that is waited for first.
        if (ofIndex !== isVerified) return;
        meter.take(progress);
        tell(meter.progress);
      };
      const stop = new AbortController();
      const verifying = threads
        .run(task, { signal, onProgress: tellOf(false) })
        .finally(() => (isVerified = true))
        .catch((error: unknown) => {
          stop.abort();
          throw error;
        });
      const means = { signal: AbortSignal.any([signal, stop.signal]), onProgress: tellOf(true), first: verifying };
      const making = about.state === 'importing' ? makeNextIndex(context, about, [], means) : null;
      // What the verification refuses is said first, whatever became of the index meanwhile.
      const [verified, found] = await Promise.allSettled([verifying, making]);
      if (verified.status === 'rejected') throw verified.reason;
      if (found.status === 'rejected') throw found.reason;
      return { outcome: resultOf(verified.value, 'verified').outcome, found: found.value, trust: task.trust };
    },
    foreseen: (error) => (error instanceof CaseRefused ? error.message : undefined),
    ended: ({ work }, end) => ended(work, end),
  });
}
