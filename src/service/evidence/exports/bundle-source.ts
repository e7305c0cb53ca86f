import {
  type BundleFilter,
  type BundleHead,
  type Epoch,
  formatDigest,
  type Inclusion,
  type LogHead,
  parseTime,
  TreeLevels,
} from '../../../protocol/index.ts';
import { nodeCrypto } from '../../../runtime/index.ts';
import { adminEventsFrom } from '../../admin-log/admin-events.ts';
import { bundleAgents } from '../../agents/registry.ts';
import { epochsOverlapping, leavesOf } from '../../ledger/epochs/epoch-queries.ts';
import { listServiceKeys } from '../../ledger/keys/service-keys.ts';
import type { Store } from '../../store/open.ts';
import { type AdminEventsChoice, chosenEvents } from './admin-events-choice.ts';
import { EXPORT_COLUMNS, type ExportRow } from './export-record-text.ts';
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

/** A record that a bundle holds, and its place in its epoch where the epoch is not wholly there. */
export interface SelectedRecord {
  readonly row: ExportRow;
  readonly inclusion: Inclusion | null;
}

/** Reads everything of a bundle but its records, in one transaction, so that it is of one moment. */
export function selectBundle(
  store: Store,
  orgId: string,
  filter: BundleFilter,
  logHead: LogHead,
  events: AdminEventsChoice = 'all',
): BundleSelection {
  return store.sqlite.transaction((): BundleSelection => {
    const { start_time: start, end_time: end } = filter;
    // Up to the head that was fixed: later records are not seen.
    const run = runReceivedWithin(store, orgId, parseTime(start), parseTime(end), logHead.seq_no);
    const name = store.statement('SELECT name FROM organizations WHERE org_id = ?').pluck().get(orgId);
    const agents = bundleAgents(store, orgId, filter.agent_id);
    const head = {
      service_keys: listServiceKeys(store),
      org: { org_id: orgId, name: String(name ?? '') },
      agents,
      epochs: run === null ? [] : epochsOverlapping(store, orgId, run.first, run.last),
      admin_events: chosenEvents(store, adminEventsFrom(store, orgId, parseTime(start)), agents, events),
    };
    return { orgId, filter, logHead, run, head };
  })();
}

/** How many records are read with one look at the database, so that no look keeps an old state of it alive for long. */
const PAGE = 1000;

/** The records of a selection in the order of the ledger, a page at a time, with proofs where their epoch is cut. */
export function* selectedRecords(store: Store, selection: BundleSelection): Generator<SelectedRecord[]> {
  const { orgId, filter, head, run } = selection;
  if (run === null) return;
  const page = store.statement(
    `SELECT ${EXPORT_COLUMNS} FROM operations
     WHERE org_id = @orgId AND seq_no > @after AND seq_no <= @last AND (@agentId IS NULL OR agent_id = @agentId)
     ORDER BY seq_no LIMIT ${PAGE}`,
  );
  const epochs = new EpochCuts(store, selection, run);
  let index = 0;
  for (let after = run.first - 1; ; ) {
    const rows = page.all({ orgId, after, last: run.last, agentId: filter.agent_id }) as ExportRow[];
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.seqNo;
    yield rows.map((row) => {
      while ((head.epochs[index]?.last_seq_no ?? Number.POSITIVE_INFINITY) < row.seqNo) index++;
      return { row, inclusion: epochs.inclusion(head.epochs[index], row.seqNo) };
    });
  }
}

/** Tells which epochs are only partly in a bundle, and proves their records. Holds the tree of one epoch at a time. */
class EpochCuts {
  readonly #store: Store;
  readonly #selection: BundleSelection;
  readonly #run: SequenceRun;
  #epoch: Epoch | null = null;
  #levels: TreeLevels | null = null;

  constructor(store: Store, selection: BundleSelection, run: SequenceRun) {
    this.#store = store;
    this.#selection = selection;
    this.#run = run;
  }

  inclusion(epoch: Epoch | undefined, seqNo: number): Inclusion | null {
    if (epoch === undefined || epoch.first_seq_no > seqNo) throw new Error(`no epoch covers record ${seqNo}`);
    if (this.#epoch !== epoch) {
      this.#epoch = epoch;
      this.#levels = this.#isWhole(epoch) ? null : new TreeLevels(leavesOf(this.#store, epoch), nodeCrypto.sha256);
    }
    if (this.#levels === null) return null;
    const leafIndex = seqNo - epoch.first_seq_no;
    return { epoch_id: epoch.epoch_id, leaf_index: leafIndex, path: this.#levels.path(leafIndex).map(formatDigest) };
  }

  #isWhole({ first_seq_no: first, last_seq_no: last, leaf_count: leaves }: Epoch): boolean {
    const { orgId, filter } = this.#selection;
    const count = this.#store
      .statement(
        `SELECT count(*) FROM operations
         WHERE org_id = @orgId AND seq_no BETWEEN @from AND @to AND (@agentId IS NULL OR agent_id = @agentId)`,
      )
      .pluck();
    const from = Math.max(first, this.#run.first);
    const to = Math.min(last, this.#run.last);
    return count.get({ orgId, from, to, agentId: filter.agent_id }) === leaves;
  }
}
