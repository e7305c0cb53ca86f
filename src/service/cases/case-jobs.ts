import { join } from 'node:path';
import type { CaseProgress } from '../../contract/index.ts';
import { RequestStopped } from '../../runtime/index.ts';
import { JobQueue } from '../base/job-queue.ts';
import { ServiceError } from '../base/service-error.ts';
import { type CaseFile, ownerOf, summaryOf } from './case-file.ts';
import { NAMES, receiptsName } from './case-folder.ts';
import { CaseRefused } from './case-source.ts';
import type { CaseStore } from './case-store.ts';
import type { StoredReceipts, VerifyTask } from './job-messages.ts';
import { runJob } from './job-thread.ts';
import { plainLimit } from './plain-limit.ts';
import { ProgressMeter } from './progress-meter.ts';
import type { CaseReads } from './reads/read-thread.ts';
import { keyOf, type Owner } from './scope.ts';
import type { StoredFile } from './stored-file.ts';
import type { TrustKeeper } from './trust/trust-keeper.ts';

export interface CaseJobsContext {
  readonly store: CaseStore;
  readonly reads: CaseReads;
  /** Of an upload, in bytes. */
  readonly maxBytes: number;
  /** Whether an organization is the home organization: its jobs wait for no guest's. */
  readonly isHome: (orgId: string) => boolean;
  readonly trust: TrustKeeper;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

interface Running {
  readonly stop: AbortController;
  readonly meter: ProgressMeter;
  /** Once it has begun: when it has ended, however that came. */
  ended?: Promise<void>;
}

/** A verification that nobody else can begin: its holder begins it, or gives it up. */
export interface ClaimedVerification {
  begin(): void;
  release(): void;
}

function failureOf(error: unknown): NonNullable<CaseFile['failure']> {
  if (error instanceof CaseRefused) return { code: error.code, message: error.message };
  // Such as a trust store that cannot be read.
  const message = error instanceof ServiceError ? error.message : 'unexpected error; the log of the service has it';
  return { code: 'UNEXPECTED', message };
}

/** The jobs of the case room, each on its own thread, one after the other; most of them verify a case. */
export class CaseJobs {
  readonly #context: CaseJobsContext;
  readonly #running = new Map<string, Running>();
  readonly #queue: JobQueue<'home' | 'guests'>;

  constructor(context: CaseJobsContext) {
    this.#context = context;
    this.#queue = new JobQueue(context.onError);
  }

  /** Has a job done after those of its owner before it, and in turn with those of other owners. */
  add(owner: Owner, job: () => Promise<void>): void {
    this.#queue.add(this.#laneOf(owner), keyOf(owner), job);
  }

  /** Whether an owner is the workstation or the home organization, which wait for no guest. */
  isHome(owner: Owner): boolean {
    return owner === 'workstation' || this.#context.isHome(owner.orgId);
  }

  /**
   * The same for a job whose caller waits for what comes of it.
   * @throws what the job fails with; RequestStopped where `signal` stops it before its turn
   */
  run<T>(owner: Owner, signal: AbortSignal, job: () => Promise<T>): Promise<T> {
    return this.#queue.run(this.#laneOf(owner), keyOf(owner), job, { signal });
  }

  #laneOf(owner: Owner): 'home' | 'guests' {
    return this.isHome(owner) ? 'home' : 'guests';
  }

  /** Has a case verified, and imported where it is not yet. */
  addVerification(about: CaseFile): void {
    this.claimVerification(about).begin();
  }

  /**
   * Takes the one verification that a case may have at a time, before anything is waited for: of several who ask at once, one
   * gets it.
   * @throws ServiceError CONFLICT
   */
  claimVerification(about: CaseFile): ClaimedVerification {
    const { case_id: caseId, bytes } = about;
    if (this.#running.has(caseId)) throw new ServiceError('CONFLICT', 'the case is being verified already');
    const running: Running = { stop: new AbortController(), meter: new ProgressMeter(bytes) };
    this.#running.set(caseId, running);
    const release = (): void => {
      this.#running.delete(caseId);
    };
    return {
      release,
      begin: () => {
        this.add(ownerOf(about), async () => {
          try {
            // What was cancelled or deleted while it waited is not begun.
            if (!running.stop.signal.aborted) {
              running.ended = this.#verify(caseId, running);
              await running.ended;
            }
          } finally {
            release();
          }
        });
      },
    };
  }

  /** Whether a verification of the case runs or waits. */
  isUnderWay(caseId: string): boolean {
    return this.#running.has(caseId);
  }

  progressOf(caseId: string): CaseProgress | null {
    return this.#running.get(caseId)?.meter.progress ?? null;
  }

  /** Stops the verification of a case that runs or waits. @returns kept once its thread, which has the files open, is gone */
  async stop(caseId: string): Promise<void> {
    const running = this.#running.get(caseId);
    running?.stop.abort();
    // What it failed with the queue tells.
    await running?.ended?.catch(() => undefined);
  }

  async #verify(caseId: string, { stop, meter }: Running): Promise<void> {
    const { store, reads, trust, now, onError } = this.#context;
    const about = store.must(caseId);
    try {
      const task = await this.#taskFor(about);
      const done = await runJob(task, stop.signal, (progress) => meter.take(progress));
      if (done.kind !== 'verified') throw new Error('the thread of a case did something else');
      // It was done before it could be stopped: an import that was cancelled stays cancelled.
      if (store.get(caseId)?.state !== about.state) return;
      const { report, plainDigest, pages, coherence } = done.outcome;
      const change = await trust.notice(ownerOf(about), report, plainDigest).catch((error: unknown) => {
        onError(error);
        return null;
      });
      await reads.release(store.folderOf(caseId));
      await store.change(caseId, {
        report: summaryOf(report),
        ...{ pages, coherence },
        verified_at: now(),
        verified_with: [...task.trustedKids],
        state: 'ready',
        failure: null,
        issuer_change: change && { ...change, known: [...change.known] },
      });
    } catch (error) {
      await this.#failed(caseId, error);
    }
  }

  async #failed(caseId: string, error: unknown): Promise<void> {
    const { store, onError } = this.#context;
    const about = store.get(caseId);
    // Whoever cancels or deletes has said so; where the service stops, the case stays as it is for the next start.
    if (error instanceof RequestStopped || about === undefined) return;
    const failure = failureOf(error);
    if (failure.code === 'UNEXPECTED') onError(error);
    await store.change(caseId, { failure, ...(about.state === 'importing' && { state: 'failed' as const }) });
  }

  async #taskFor(about: CaseFile): Promise<VerifyTask> {
    const folder = this.#context.store.folderOf(about.case_id);
    return {
      kind: 'verify',
      file: this.storedFile(about),
      receipts: this.storedReceipts(about),
      trustedKids: await this.trustedKids(about),
      reportPath: join(folder, NAMES.report),
      coherencePath: join(folder, NAMES.coherence),
      indexPath: about.state === 'importing' ? join(folder, NAMES.index) : null,
    };
  }

  /** Whom a verification of this case trusts: the trust store unless a guest's, and what was named for the case alone. */
  async trustedKids(about: CaseFile): Promise<string[]> {
    return [...new Set([...about.trusted_kids, ...(await this.#context.trust.entries(ownerOf(about)))])];
  }

  storedReceipts({ case_id, receipts }: CaseFile): StoredReceipts[] {
    const folder = this.#context.store.folderOf(case_id);
    return receipts.map(({ name }, index) => ({ name, path: join(folder, receiptsName(index)) }));
  }

  storedFile({ case_id, kind, bytes }: CaseFile): StoredFile {
    const { store, maxBytes } = this.#context;
    const path = join(store.folderOf(case_id), NAMES.original);
    return { path, kind, bytes, maxPlainBytes: plainLimit({ kind, bytes }, maxBytes) };
  }

  /** Stops between two pieces of a file; what is not finished is begun again at the next start. */
  async close(): Promise<void> {
    for (const { stop } of this.#running.values()) stop.abort();
    await this.#queue.idle();
  }
}
