import { and, asc, eq, gt, gte, lte, sql } from 'drizzle-orm';
import type { BundleFilter, BundleHead, BundleRecord, Epoch, LogHead } from '../../protocol/index.ts';
import { parseTime } from '../../protocol/index.ts';
import { adminEventsFrom } from '../admin/events.ts';
import { bundleAgents } from '../agents/registry.ts';
import { epochsOverlapping, inclusionIn, leavesOf } from '../epochs/queries.ts';
import { listServiceKeys } from '../keys/service-keys.ts';
import { operationRecord, receipt } from '../ledger/views.ts';
import type { Store } from '../store/open.ts';
import { type OperationRow, operations, organizations } from '../store/schema.ts';
import { runReceivedWithin, type SequenceRun } from './sequence-run.ts';

/** A stretch of the ledger, fixed at one moment: what an export is made from. */
export interface BundleSelection {
  readonly orgId: string;
  readonly filter: BundleFilter;
  readonly head: BundleHead;
  readonly logHead: LogHead;
  /** The run of records that the filter's times select, of all agents; null where there are none. */
  readonly run: SequenceRun | null;
}

const PAGE = 500;

/** Reads everything of a bundle but its records; in one go, so that it is of one moment. */
export function selectBundle(store: Store, orgId: string, filter: BundleFilter, logHead: LogHead): BundleSelection {
  const { db } = store;
  const org = db.select().from(organizations).where(eq(organizations.orgId, orgId)).get();
  const { start_time: start, end_time: end } = filter;
  // Up to the head that was fixed: later records are not seen.
  const run = runReceivedWithin(store, orgId, parseTime(start), parseTime(end), logHead.seq_no);
  const epochs = run === null ? [] : epochsOverlapping(store, orgId, run.first, run.last);
  return {
    orgId,
    filter,
    logHead,
    run,
    head: {
      service_keys: listServiceKeys(store),
      org: { org_id: orgId, name: org?.name ?? '' },
      agents: bundleAgents(store, orgId, filter.agent_id),
      epochs,
      admin_events: adminEventsFrom(store, orgId, parseTime(filter.start_time)),
    },
  };
}

/** The records of a selection in the order of the ledger, a page at a time, with proofs where their epoch is cut. */
export function* bundleRecords(store: Store, selection: BundleSelection): Generator<BundleRecord[]> {
  const { orgId, filter, head, run } = selection;
  if (run === null) return;
  const inRange = and(eq(operations.orgId, orgId), gte(operations.seqNo, run.first), lte(operations.seqNo, run.last));
  const wanted = filter.agent_id === null ? inRange : and(inRange, eq(operations.agentId, filter.agent_id));
  const epochs = new EpochCuts(store, head.epochs, wanted);
  for (let after = 0; ; ) {
    const rows = store.db
      .select()
      .from(operations)
      .where(and(wanted, gt(operations.seqNo, after)))
      .orderBy(asc(operations.seqNo))
      .limit(PAGE)
      .all();
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.seqNo;
    yield rows.map((row) => epochs.record(row));
  }
}

/** Tells which epochs are only partly in a bundle, and proves their records. Holds the leaves of one epoch at a time. */
class EpochCuts {
  readonly #store: Store;
  readonly #epochs: readonly Epoch[];
  readonly #wanted: ReturnType<typeof and>;
  #index = 0;
  #leaves: readonly Uint8Array[] | null = null;
  #judged = -1;

  constructor(store: Store, epochs: readonly Epoch[], wanted: ReturnType<typeof and>) {
    this.#store = store;
    this.#epochs = epochs;
    this.#wanted = wanted;
  }

  record(row: OperationRow): BundleRecord {
    while ((this.#epochs[this.#index]?.last_seq_no ?? Number.POSITIVE_INFINITY) < row.seqNo) this.#index++;
    const epoch = this.#epochs[this.#index];
    if (epoch === undefined) throw new Error(`no epoch covers record ${row.seqNo}`);
    if (this.#judged !== this.#index) {
      this.#judged = this.#index;
      this.#leaves = this.#isWhole(epoch) ? null : leavesOf(this.#store, epoch);
    }
    const record = { eor: operationRecord(row), ear: receipt(row) };
    return this.#leaves === null ? record : { ...record, inclusion: inclusionIn(epoch, this.#leaves, row.seqNo) };
  }

  #isWhole(epoch: Epoch): boolean {
    const found = this.#store.db
      .select({ count: sql<number>`count(*)` })
      .from(operations)
      .where(and(this.#wanted, gte(operations.seqNo, epoch.first_seq_no), lte(operations.seqNo, epoch.last_seq_no)))
      .get();
    return found?.count === epoch.leaf_count;
  }
}
