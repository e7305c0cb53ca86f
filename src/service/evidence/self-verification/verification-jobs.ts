import { setTimeout as sleep } from 'node:timers/promises';
import { type LedgerVerification, ledgerFindings } from '../../../contract/index.ts';
import type { VerificationReport } from '../../../protocol/index.ts';
import { HELD_RETRY_MS, isHeldByClock } from '../../base/held-by-clock.ts';
import { JobQueue } from '../../base/job-queue.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { OperationIndex } from '../../operation-index/operation-index.ts';
import { eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { ledgerVerifications } from '../../store/schema.ts';
import type { Writer } from '../../store/writer.ts';
import { verifyInThread } from './verify-in-thread.ts';

type Row = typeof ledgerVerifications.$inferSelect;
type LedgerFinding = LedgerVerification['findings'][number];

export interface LedgerVerificationContext {
  readonly store: Store;
  readonly writer: Writer;
  readonly ledger: Ledger;
  readonly index: OperationIndex;
  readonly key: KeyHolder;
  /** Whether an organization is the home organization, which waits for no guest. */
  readonly isHome: (orgId: string) => boolean;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

interface Job {
  row: Row;
  readonly controller: AbortController;
  done: Promise<void>;
}

/** More findings than these are one catastrophe, not separate findings. */
const KEPT_FINDINGS = 1000;

/** Why a verification ends early: somebody wants it to, or the service stops and will begin it again. */
const CANCELLED = 'cancelled';
const STOPPED = 'stopped';

const NEVER: LedgerVerification = {
  status: 'never',
  started_at: null,
  completed_at: null,
  records_checked: 0,
  records_total: 0,
  valid: null,
  findings: [],
};

function view(row: Row): LedgerVerification {
  const findings = ledgerFindings.parse(JSON.parse(row.findings));
  const iso = (instant: number | null): string | null => (instant === null ? null : new Date(instant).toISOString());
  return {
    status: row.status as LedgerVerification['status'],
    started_at: iso(row.startedAt),
    completed_at: iso(row.completedAt),
    records_checked: row.recordsChecked,
    records_total: row.recordsTotal,
    valid: row.status === 'completed' ? findings.length === 0 : null,
    findings,
  };
}

/** What keeps a ledger from being verified; nothing where it is sound. */
function findingsOf({ verdict, findings }: VerificationReport): LedgerFinding[] {
  return findings
    .filter(({ severity }) => severity === 'error' || verdict === 'incomplete')
    .map(({ code, where, message, expected, actual }) => ({
      code,
      seq_no: where.seq_no ?? null,
      where,
      message,
      expected: expected ?? null,
      actual: actual ?? null,
    }));
}

/**
 * Verifications of whole ledgers, the newest result of each organization kept. Each takes the disk and a processor for as
 * long as its ledger is large: one is done at a time for the home organization, and one for all guests in turn. An organization has one
 * that is done or waits.
 */
export class LedgerVerifications {
  readonly #context: LedgerVerificationContext;
  readonly #running = new Map<string, Job>();
  readonly #queue: JobQueue<'home' | 'guests'>;
  #closed = false;

  constructor(context: LedgerVerificationContext) {
    this.#context = context;
    this.#queue = new JobQueue(context.onError);
  }

  /** State of the newest verification of an organization's ledger. */
  get(orgId: string): LedgerVerification {
    const running = this.#running.get(orgId);
    if (running !== undefined) return view(running.row);
    const row = this.#context.store.db
      .select()
      .from(ledgerVerifications)
      .where(eq(ledgerVerifications.orgId, orgId))
      .get();
    return row === undefined ? NEVER : view(row);
  }

  /** Begins a verification; one that is running continues instead. */
  start(orgId: string, startedAt = this.#context.now()): LedgerVerification {
    const running = this.#running.get(orgId);
    if (running !== undefined) return view(running.row);
    const row: Row = {
      orgId,
      status: 'running',
      startedAt,
      completedAt: null,
      recordsChecked: 0,
      recordsTotal: 0,
      findings: '[]',
    };
    const job: Job = { row, controller: new AbortController(), done: Promise.resolve() };
    this.#running.set(orgId, job);
    job.done = this.#run(job).catch(this.#context.onError);
    return view(row);
  }

  /**
   * Begins again what a stop or a crash interrupted. From the first record: what was checked before stands and falls with
   * chain heads, trees and sets of a size that is not worth keeping, in a file that may have been changed since.
   */
  resume(): void {
    const interrupted = this.#context.store.db
      .select()
      .from(ledgerVerifications)
      .where(eq(ledgerVerifications.status, 'running'))
      .all();
    for (const { orgId, startedAt } of interrupted) this.start(orgId, startedAt);
  }

  /** Ends a running verification without a result. @returns the state then */
  async cancel(orgId: string): Promise<LedgerVerification> {
    const running = this.#running.get(orgId);
    running?.controller.abort(CANCELLED);
    await running?.done;
    return this.get(orgId);
  }

  async #run(job: Job): Promise<void> {
    const { now, onError } = this.#context;
    const { signal } = job.controller;
    try {
      await this.#keep(job.row);
      const findings = await this.#inTurn(job);
      const kept = JSON.stringify(findings.slice(0, KEPT_FINDINGS));
      job.row = { ...job.row, status: 'completed', completedAt: now(), findings: kept };
    } catch (error) {
      if (!signal.aborted) onError(error);
      // Left as running, it is begun again by the next start.
      if (signal.reason !== STOPPED) {
        job.row = { ...job.row, status: signal.aborted ? 'cancelled' : 'failed', completedAt: now() };
      }
    }
    await this.#keep(job.row).finally(() => this.#running.delete(job.row.orgId));
  }

  /** Its findings, once it had its turn; another one each time that the clock held it back. */
  async #inTurn(job: Job): Promise<LedgerFinding[]> {
    const { orgId } = job.row;
    const { signal } = job.controller;
    const lane = this.#context.isHome(orgId) ? 'home' : 'guests';
    for (;;) {
      try {
        return await this.#queue.run(lane, orgId, () => this.#verify(job), { signal });
      } catch (error) {
        if (!isHeldByClock(error)) throw error;
      }
      await sleep(HELD_RETRY_MS, undefined, { signal, ref: false });
    }
  }

  async #verify(job: Job): Promise<LedgerFinding[]> {
    const { store, ledger, index, key } = this.#context;
    const { signal } = job.controller;
    const { orgId } = job.row;
    const head = await ledger.sealNow(orgId);
    signal.throwIfAborted();
    const task = {
      path: store.sqlite.name,
      orgId,
      knownHead: { seq_no: head.seqNo, epoch_no: head.epochNo },
      trustedKids: [key.kid],
    };
    const reports = await verifyInThread(task, {
      signal,
      onProgress: ({ checked, total }) => {
        job.row = { ...job.row, recordsChecked: checked, recordsTotal: total };
      },
    });
    // No evidence, and so no finding: it is rebuilt where it is not sound.
    await index.check(orgId, signal);
    return reports.flatMap(findingsOf);
  }

  #keep(row: Row): Promise<unknown> {
    return this.#context.writer.transact(({ db }) =>
      db
        .insert(ledgerVerifications)
        .values(row)
        .onConflictDoUpdate({ target: ledgerVerifications.orgId, set: row })
        .run(),
    );
  }

  /** Stops what is running; the next start begins it again. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const { controller } of this.#running.values()) controller.abort(STOPPED);
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }
}
