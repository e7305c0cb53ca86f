import { type LedgerVerification, ledgerFindings } from '../../../api/index.ts';
import type { VerificationReport } from '../../../protocol/index.ts';
import type { JobEnd, OpenJob } from '../../jobs/job-kind.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { OperationIndex } from '../../ledger/operation-index/operation-index.ts';
import { eq } from '../../store/drizzle.ts';
import type { WritableStore } from '../../store/open.ts';
import { ledgerVerifications } from '../../store/schema.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import type { LedgerProgress } from './thread-messages.ts';
import { verifyInThread } from './verify-in-thread.ts';

type Row = typeof ledgerVerifications.$inferSelect;
type LedgerFinding = LedgerVerification['findings'][number];

export interface LedgerVerificationContext extends WriteAccess {
  readonly ledger: Ledger;
  readonly index: OperationIndex;
  readonly key: KeyHolder;
  readonly jobs: Jobs;
  /** Whether another node keeps the ledger's rows: then a result is kept in memory. */
  readonly isStandby: boolean;
  readonly onError: (error: unknown) => void;
}

/** A verification that is running or waits: its row says so, and how far it is the job alone knows. */
interface Work {
  readonly orgId: string;
  readonly startedAt: number;
}

/** More findings than these are one catastrophe, not separate findings. */
const KEPT_FINDINGS = 1000;

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

function runningRow({ work: { orgId, startedAt }, progress }: OpenJob<Work, LedgerProgress>): Row {
  const { checked, total } = progress ?? { checked: 0, total: 0 };
  const counts = { recordsChecked: checked, recordsTotal: total };
  return { orgId, status: 'running', startedAt, completedAt: null, ...counts, findings: '[]' };
}

function endedRow(
  job: OpenJob<Work, LedgerProgress>,
  { status, result = [] }: JobEnd<LedgerFinding[]>,
  completedAt: number,
): Row {
  return { ...runningRow(job), status, completedAt, findings: JSON.stringify(result.slice(0, KEPT_FINDINGS)) };
}

function keep({ db }: WritableStore, row: Row): void {
  db.insert(ledgerVerifications).values(row).onConflictDoUpdate({ target: ledgerVerifications.orgId, set: row }).run();
}

export type LedgerVerifications = ReturnType<typeof verificationsOf>;

/**
 * Verifications of whole ledgers, the newest result of each organization kept in its row. Each takes the disk and a processor for as
 * long as its ledger is large. An organization has one that is done or waits.
 */
export function verificationsOf(context: LedgerVerificationContext) {
  const { store, writer, ledger, index, key, jobs, isStandby, now, onError } = context;
  const ownRows = new Map<string, Row>();
  const verifications = jobs.of<Work, LedgerFinding[], LedgerProgress>({
    lane: 'verifications',
    guestsApart: true,
    ownerOf: ({ orgId }) => orgId,
    keyOf: ({ orgId }) => orgId,
    run: async ({ orgId }, { signal, tell }) => {
      const head = await ledger.sealNow(orgId);
      signal.throwIfAborted();
      const task = {
        path: store.sqlite.name,
        orgId,
        knownHead: { seq_no: head.seqNo, epoch_no: head.epochNo },
        trustedKids: [key.kid],
      };
      const reports = await verifyInThread(task, { signal, onProgress: tell });
      // No evidence, and so no finding: it is rebuilt where it is not sound.
      await index.check(orgId, signal);
      return reports.flatMap(findingsOf);
    },
    ...(isStandby
      ? { ended: (job, end) => void ownRows.set(job.work.orgId, endedRow(job, end, now())) }
      : { keep: (store, job, end) => keep(store, endedRow(job, end, now())) }),
  });

  /** State of the newest verification of an organization's ledger. */
  const get = (orgId: string): LedgerVerification => {
    const running = verifications.find(orgId);
    if (running !== undefined) return view(runningRow(running));
    const row =
      ownRows.get(orgId) ??
      store.db.select().from(ledgerVerifications).where(eq(ledgerVerifications.orgId, orgId)).get();
    return row === undefined ? NEVER : view(row);
  };

  return {
    get,
    /** Begins a verification; one that is running continues instead. One whose row cannot be kept ends without a result. */
    start: (orgId: string, startedAt = now()): LedgerVerification => {
      const work = { orgId, startedAt };
      // A crash after it leaves a verification that the next start begins again.
      const row = runningRow({ work, progress: undefined });
      const first = isStandby ? undefined : () => writer.transact((store) => keep(store, row));
      if (verifications.find(orgId) === undefined) verifications.start(work, first).catch(onError);
      return get(orgId);
    },
    /**
     * Begins again what a stop or a crash interrupted. From the first record: what was checked before stands and falls with
     * chain heads, trees and sets of a size that is not worth keeping, in a file that may have been changed since.
     */
    resume: (): void => {
      const interrupted = eq(ledgerVerifications.status, 'running');
      const rows = store.db.select().from(ledgerVerifications).where(interrupted).all();
      for (const { orgId, startedAt } of rows) void verifications.start({ orgId, startedAt });
    },
    /** Ends a running verification without a result. @returns the state then */
    cancel: async (orgId: string): Promise<LedgerVerification> => {
      await verifications.cancel(orgId);
      return get(orgId);
    },
  };
}
