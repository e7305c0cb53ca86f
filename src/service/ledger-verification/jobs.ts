import { eq } from 'drizzle-orm';
import { type LedgerVerification, ledgerFindings } from '../../contract/index.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OperationIndex } from '../operation-index/operation-index.ts';
import type { Store } from '../store/open.ts';
import { ledgerVerifications } from '../store/schema.ts';
import type { Writer } from '../store/writer.ts';
import { type LedgerFinding, verifyLedger } from './verify-ledger.ts';

type Row = typeof ledgerVerifications.$inferSelect;

export interface LedgerVerificationContext {
  readonly store: Store;
  readonly writer: Writer;
  readonly ledger: Ledger;
  readonly index: OperationIndex;
  readonly key: KeyHolder;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** More findings than these are one catastrophe, not so many findings. */
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

/** Verifications of whole ledgers: one at a time for each organization, the newest result kept. */
export class LedgerVerifications {
  readonly #context: LedgerVerificationContext;
  readonly #running = new Map<string, { row: Row; done: Promise<void> }>();
  readonly #stop = new AbortController();

  constructor(context: LedgerVerificationContext) {
    this.#context = context;
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

  /** Begins a verification; one that is running goes on instead. */
  start(orgId: string): LedgerVerification {
    const running = this.#running.get(orgId);
    if (running !== undefined) return view(running.row);
    const row: Row = {
      orgId,
      status: 'running',
      startedAt: this.#context.now(),
      completedAt: null,
      recordsChecked: 0,
      recordsTotal: 0,
      findings: '[]',
    };
    const job = { row, done: Promise.resolve() };
    this.#running.set(orgId, job);
    job.done = this.#run(orgId, job)
      .catch(this.#context.onError)
      // Also where its result could not be kept, on a full disk say: it can be begun again.
      .finally(() => this.#running.delete(orgId));
    return view(row);
  }

  async #run(orgId: string, job: { row: Row }): Promise<void> {
    const { store, writer, ledger, index, key, now, onError } = this.#context;
    let findings: LedgerFinding[] = [];
    let status = 'completed';
    try {
      const onProgress = (checked: number, total: number): void => {
        job.row = { ...job.row, recordsChecked: checked, recordsTotal: total };
      };
      findings = await verifyLedger({ store, ledger, index, key, orgId, onProgress, signal: this.#stop.signal });
    } catch (error) {
      if (!this.#stop.signal.aborted) onError(error);
      status = 'failed';
    }
    const kept = JSON.stringify(findings.slice(0, KEPT_FINDINGS));
    const row = { ...job.row, status, completedAt: now(), findings: kept };
    // A crash before it leaves the result of the verification before; after it this one.
    await writer.run(() =>
      store.db
        .insert(ledgerVerifications)
        .values(row)
        .onConflictDoUpdate({ target: ledgerVerifications.orgId, set: row })
        .run(),
    );
  }

  /** Stops what is running; it is noted as failed. */
  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }
}
