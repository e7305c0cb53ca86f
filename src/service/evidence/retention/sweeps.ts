import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { LIMITS, type Sweep, type SweepArchive } from '../../../api/index.ts';
import type { JobMeans } from '../../jobs/job-kind.ts';
import type { Jobs, JobsOfKind } from '../../jobs/jobs.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { placeInRanges } from '../../ledger/admin-log/clock-corrections.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import type { ErasedOperation } from '../../ledger/operations/erase-payload.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, eq } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { retentionSweeps } from '../../store/schema.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { certify, gatherErased } from './certificate.ts';
import { eraseDue } from './erase-due.ts';
import { examine } from './examine.ts';
import type { Holds } from './holds.ts';
import { type PlannedRule, planRules } from './rules.ts';
import { rulesDigest, rulesOf } from './stored-rules.ts';
import { findSweep, newestSweeps, newTally, planOf, type SweepRow, sweepView, tallyOf } from './sweep-row.ts';

/**
 * The last record that any rule may have a sweep erase: the newest one received before the latest of their times. Times by which records lie
 * in ranges never decrease along the sequence numbers (protocol F103), so it is looked up in a few steps; one of the stretch of a wrong clock, whose
 * own time is later, is left to the sweep itself. @returns 0 where there is none
 */
function lastDue(store: Store, orgId: string, plan: readonly PlannedRule[]): number {
  const { statement } = store;
  const placed = placeInRanges(store, orgId);
  const before = plan.reduce((latest, rule) => Math.max(latest, rule.before ?? 0), 0);
  const receivedAt = statement('SELECT received_at FROM operations WHERE org_id = ? AND seq_no = ?').pluck();
  let from = 0;
  let to = (statement('SELECT max(seq_no) FROM operations WHERE org_id = ?').pluck().get(orgId) as number | null) ?? 0;
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (placed(middle, receivedAt.get(orgId, middle) as number) < before) from = middle;
    else to = middle - 1;
  }
  return from;
}

/** After this many erased records the content index forgets them: each time it rewrites the files that have some of them. */
const FORGET_AT = 16_384;

/** Emptying the write-ahead log is tried so often, each time for some seconds. */
const EMPTYINGS = 3;

export interface SweepsContext extends WriteAccess {
  readonly key: KeyHolder;
  readonly holds: Holds;
  readonly jobs: Jobs;
  /** Called within the transaction that erases: deletes the rows of copies. @returns removes their files, after the commit */
  readonly onErased: (store: WritableStore, erased: readonly ErasedOperation[], sweepId: string) => () => Promise<void>;
  /** Takes what was erased out of the indexes of contents. */
  readonly forgetContents: (orgId: string) => Promise<void>;
  /** Tells of a commit, for whoever moves the write-ahead log into the database. */
  readonly committed: () => void;
}

/** What keeps how a sweep or a preview ended. */
type Keeper = (store: WritableStore) => void;

/**
 * The sweeps of a service: one job for each, in short transactions. A sweep that a stop, a crash or a failure interrupted is
 * continued, so that whatever it erased is in its one certificate. The row of a sweep owns its state, but for what a preview counts, which is
 * the progress of its job.
 */
export class Sweeps {
  /** What a preview counts besides the ledger, where there is an archive. */
  archive: { readonly count: (sweep: SweepRow) => AsyncIterable<SweepArchive> | null } | null = null;
  readonly #context: SweepsContext;
  readonly #jobs: JobsOfKind<SweepRow, Keeper, SweepRow>;

  constructor(context: SweepsContext) {
    this.#context = context;
    this.#jobs = context.jobs.of<SweepRow, Keeper, SweepRow>({
      lane: 'sweeps',
      ownerOf: ({ orgId }) => orgId,
      keyOf: ({ sweepId }) => sweepId,
      run: ({ orgId, sweepId, dryRun }, means) =>
        dryRun ? this.#count(orgId, sweepId, means) : this.#sweep(orgId, sweepId, means),
      keep: (store, { work: { sweepId } }, { status, failure, result }) =>
        status === 'completed' ? result(store) : keep(store, sweepId, { status: 'failed', failure }),
    });
  }

  /** Continues what a stop, a crash or a failure interrupted. */
  resume(): void {
    const { store } = this.#context;
    const open = store.db.select().from(retentionSweeps).where(eq(retentionSweeps.status, 'running')).all();
    for (const row of open) void this.#jobs.start(row);
  }

  /**
   * Begins a sweep, or continues one that failed.
   * @throws ServiceError CONFLICT while one is under way
   */
  async begin(
    { orgId, userId: actor }: { readonly orgId: string; readonly userId: string },
    dryRun: boolean,
  ): Promise<Sweep> {
    const { writer, now } = this.#context;
    // A crash after it leaves a sweep without its answer: it is listed, and the next start runs it.
    const row = await writer.transact((store) => {
      const ofOrg = eq(retentionSweeps.orgId, orgId);
      const unfinished = store.db
        .select()
        .from(retentionSweeps)
        .where(and(ofOrg, eq(retentionSweeps.status, 'running')))
        .get();
      if (unfinished !== undefined)
        throw new ServiceError('CONFLICT', 'a sweep or preview is running: wait until it ends');
      const failed = dryRun
        ? undefined
        : store.db
            .select()
            .from(retentionSweeps)
            .where(and(ofOrg, eq(retentionSweeps.status, 'failed'), eq(retentionSweeps.dryRun, false)))
            .get();
      if (failed === undefined) return newSweep(store, { orgId, actor, dryRun, now: now() });
      store.db
        .update(retentionSweeps)
        .set({ status: 'running', failure: null })
        .where(eq(retentionSweeps.sweepId, failed.sweepId))
        .run();
      return findSweep(store, orgId, failed.sweepId);
    });
    void this.#jobs.start(row);
    return sweepView(this.#context.store, row);
  }

  /** Newest first. */
  list(orgId: string): Sweep[] {
    const { store } = this.#context;
    return newestSweeps(store, orgId, LIMITS.retention.sweepsShown).map((row) => this.#view(row));
  }

  get(orgId: string, sweepId: string): Sweep {
    return this.#view(findSweep(this.#context.store, orgId, sweepId));
  }

  #view(row: SweepRow): Sweep {
    return sweepView(this.#context.store, this.#jobs.find(row.sweepId)?.progress ?? row);
  }

  /** The signed text. @throws ServiceError NOT_FOUND, CONFLICT while there is none */
  certificate(orgId: string, sweepId: string): string {
    const { certificate, dryRun } = findSweep(this.#context.store, orgId, sweepId);
    if (certificate !== null) return certificate;
    throw new ServiceError('CONFLICT', dryRun ? 'a preview has no certificate' : 'the sweep is still running');
  }

  /** Has a sweep end with what it erased so far. @throws ServiceError NOT_FOUND, CONFLICT where it has ended */
  async stop(
    { orgId, userId: actor }: { readonly orgId: string; readonly userId: string },
    sweepId: string,
  ): Promise<Sweep> {
    const { writer, now } = this.#context;
    // A crash after it leaves a sweep that the next start ends, with a certificate that says who asked for it.
    await writer.transact((store) => {
      const row = findSweep(store, orgId, sweepId);
      if (row.status !== 'running')
        throw new ServiceError('CONFLICT', `the sweep is not under way: it is ${row.status}`);
      if (row.stoppedBecause !== null) return;
      store.db
        .update(retentionSweeps)
        .set({ stoppedBecause: 'asked' })
        .where(eq(retentionSweeps.sweepId, sweepId))
        .run();
      if (row.dryRun) return;
      const target = { targetType: 'retention_sweep', targetId: sweepId, details: {} };
      recordAdminEvent(store, { orgId, actor, action: 'retention.stop', ...target }, now());
    });
    return this.get(orgId, sweepId);
  }

  async #sweep(orgId: string, sweepId: string, { signal }: JobMeans<SweepRow>): Promise<Keeper> {
    const { store, writer, key, now, forgetContents } = this.#context;
    // Asked before the work, which would be done again at each trial.
    store.clock.watch?.check();
    let unforgotten = 0;
    for (let isOver = false; !isOver; ) {
      signal.throwIfAborted();
      const step = await this.#step(orgId, sweepId);
      ({ isOver } = step);
      unforgotten += step.erased;
      if (unforgotten >= FORGET_AT) {
        await forgetContents(orgId);
        unforgotten = 0;
      }
    }
    // A crash from here on leaves a sweep that has nothing more to erase: the next start does this again.
    await forgetContents(orgId);
    for (let n = 0; n < EMPTYINGS && !(await writer.emptyLog()); n++) signal.throwIfAborted();
    const row = findSweep(store, orgId, sweepId);
    const erased = await gatherErased(store, row);
    return (store) => certify(store, key, findSweep(store, orgId, sweepId), erased, now());
  }

  /** One transaction, and what follows from it. The turn after it is anybody's. */
  async #step(orgId: string, sweepId: string): Promise<{ readonly erased: number; readonly isOver: boolean }> {
    const { writer, holds, now, onErased, committed } = this.#context;
    const { step, removeCopies } = await writer.append(() =>
      writer.commit((store) => {
        const step = eraseDue(store, holds, findSweep(store, orgId, sweepId), now());
        return { step, removeCopies: onErased(store, step.erased, sweepId) };
      }),
    );
    await removeCopies();
    committed();
    await turn();
    return { erased: step.erased.length, isOver: step.isOver };
  }

  /** A preview: the same examination, a step at a time, and nothing is changed but the row of its result. */
  async #count(orgId: string, sweepId: string, { signal, tell }: JobMeans<SweepRow>): Promise<Keeper> {
    const { store, holds, now } = this.#context;
    const begun = findSweep(store, orgId, sweepId);
    const plan = planOf(begun);
    let row: SweepRow = { ...begun, position: 0, tally: JSON.stringify(newTally(plan.length)) };
    do {
      signal.throwIfAborted();
      const step = { ...row, plan, holds: holds.active(store, orgId), tally: tallyOf(row) };
      const { position, tally } = examine(store, step, () => undefined);
      row = { ...row, position, tally: JSON.stringify(tally) };
      tell(row);
      await turn();
    } while (row.position < row.toSeqNo && findSweep(store, orgId, sweepId).stoppedBecause === null);
    for await (const archive of this.archive?.count(row) ?? []) {
      signal.throwIfAborted();
      row = { ...row, tally: JSON.stringify({ ...tallyOf(row), archive }) };
      tell(row);
      if (findSweep(store, orgId, sweepId).stoppedBecause !== null) break;
    }
    const { stoppedBecause } = findSweep(store, orgId, sweepId);
    const status = stoppedBecause === null ? 'completed' : 'stopped';
    const { position, tally } = row;
    return (store) => keep(store, sweepId, { status, position, tally, endedAt: now() });
  }
}

function keep({ db }: WritableStore, sweepId: string, outcome: Partial<SweepRow>): void {
  db.update(retentionSweeps).set(outcome).where(eq(retentionSweeps.sweepId, sweepId)).run();
}

/** The row of a new sweep, with the event that tells of it; a preview changes nothing, so no event tells of one. */
function newSweep(
  store: WritableStore,
  { orgId, actor, dryRun, now }: { readonly orgId: string; readonly actor: string; dryRun: boolean; now: number },
): SweepRow {
  const begunAt = store.clock.stamp(now);
  const rules = rulesOf(store, orgId);
  const plan = planRules(rules, begunAt);
  const row: SweepRow = {
    sweepId: randomUUID(),
    orgId,
    dryRun,
    status: 'running',
    stoppedBecause: null,
    begunBy: actor,
    begunAt,
    endedAt: null,
    rules: JSON.stringify(plan),
    rulesDigest: rulesDigest(rules),
    toSeqNo: lastDue(store, orgId, plan),
    position: 0,
    tally: JSON.stringify(newTally(plan.length)),
    certificate: null,
    certificateDigest: null,
    failure: null,
  };
  // Of previews only the last one is of use.
  const previews = and(eq(retentionSweeps.orgId, orgId), eq(retentionSweeps.dryRun, true));
  if (dryRun) store.db.delete(retentionSweeps).where(previews).run();
  store.db.insert(retentionSweeps).values(row).run();
  if (dryRun) return row;
  const details = { rules_digest: row.rulesDigest, to_seq_no: row.toSeqNo };
  const target = { targetType: 'retention_sweep', targetId: row.sweepId, details };
  recordAdminEvent(store, { orgId, actor, action: 'retention.sweep', ...target }, begunAt);
  return row;
}
