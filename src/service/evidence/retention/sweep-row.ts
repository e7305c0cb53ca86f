import type { HoldSelection, RetentionRule, Sweep, SweepArchive } from '../../../api/index.ts';
import { formatTime } from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, desc, eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { retentionSweeps, users } from '../../store/schema.ts';
import type { PlannedRule } from './rules.ts';
import { rulesDigest, rulesOf } from './stored-rules.ts';

export type SweepRow = typeof retentionSweeps.$inferSelect;

/** What a sweep did so far. Plain values: kept as JSON with each of its transactions. */
export interface Tally {
  /** For each rule of the sweep. */
  readonly erased: readonly number[];
  /** Due records that one or more holds kept. */
  readonly held: number;
  /** Every hold that was in force when some transaction of the sweep ran, and how many due records it kept. */
  readonly holds: Readonly<Record<string, { readonly kind: HoldSelection['kind']; readonly held: number }>>;
  /** Of a preview: what is due in an archive whose payloads these rules decide about. */
  readonly archive?: SweepArchive;
}

export function newTally(rules: number): Tally {
  return { erased: Array.from({ length: rules }, () => 0), held: 0, holds: {} };
}

export const tallyOf = ({ tally }: SweepRow): Tally => JSON.parse(tally) as Tally;

export const planOf = ({ rules }: SweepRow): PlannedRule[] => JSON.parse(rules) as PlannedRule[];

export const rulesOfPlan = (plan: readonly PlannedRule[]): RetentionRule[] => plan.map(({ rule }) => rule);

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

export function findSweep({ db }: Store, orgId: string, sweepId: string): SweepRow {
  const row = db
    .select()
    .from(retentionSweeps)
    .where(and(eq(retentionSweeps.orgId, orgId), eq(retentionSweeps.sweepId, sweepId)))
    .get();
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'there is no such sweep');
  return row;
}

/** The newest sweep that began after a time; null where it did not come to its end, or the rules are others now. */
export function endedSweep(store: Store, orgId: string, after: number): SweepRow | null {
  const { begunAt, dryRun } = retentionSweeps;
  const ofOrg = and(eq(retentionSweeps.orgId, orgId), eq(dryRun, false));
  const row = store.db.select().from(retentionSweeps).where(ofOrg).orderBy(desc(begunAt)).limit(1).get();
  const isOf = row !== undefined && row.begunAt > after && row.status === 'completed' && row.stoppedBecause === null;
  return isOf && row.rulesDigest === rulesDigest(rulesOf(store, orgId)) ? row : null;
}

/** Newest first. */
export function newestSweeps({ db }: Store, orgId: string, limit: number): SweepRow[] {
  return db
    .select()
    .from(retentionSweeps)
    .where(eq(retentionSweeps.orgId, orgId))
    .orderBy(desc(retentionSweeps.begunAt), desc(retentionSweeps.sweepId))
    .limit(limit)
    .all();
}

export function sweepView({ db }: Store, row: SweepRow): Sweep {
  const tally = tallyOf(row);
  const email = db.select({ email: users.email }).from(users).where(eq(users.userId, row.begunBy)).get()?.email;
  return {
    sweep_id: row.sweepId,
    dry_run: row.dryRun,
    status: row.status,
    stopped_because: row.stoppedBecause,
    begun_by: email ?? row.begunBy,
    begun_at: formatTime(row.begunAt),
    ended_at: row.endedAt === null ? null : formatTime(row.endedAt),
    examined: row.position,
    to_examine: row.toSeqNo,
    erased: sum(tally.erased),
    held: tally.held,
    rules: planOf(row).map(({ rule, before }, at) => ({
      name: rule.name,
      before: before === null ? null : formatTime(before),
      erased: tally.erased[at] ?? 0,
    })),
    holds: Object.entries(tally.holds).map(([holdId, hold]) => ({ hold_id: holdId, ...hold })),
    ...(tally.archive && { archive: tally.archive }),
    certificate_digest: row.certificateDigest,
    failure: row.failure,
  };
}
