import {
  type AgentHead,
  type BundleFilter,
  type BundleHead,
  type Epoch,
  formatDigest,
  type Inclusion,
  type LogHead,
  type Manifest,
  parseTime,
  TreeLevels,
} from '../../../protocol/index.ts';
import { nodeCrypto } from '../../../runtime/index.ts';
import { adminEventRows } from '../../admin-log/admin-events.ts';
import { bundleAgents } from '../../agents/registry.ts';
import { epochsOverlapping, leavesOf } from '../../ledger/epochs/epoch-queries.ts';
import { listServiceKeys } from '../../ledger/keys/service-keys.ts';
import type { Store } from '../../store/open.ts';
import { type AdminEventsChoice, eventsAsShown } from './admin-events-choice.ts';
import { agentHeadAt, readEdges } from './bundle-edges.ts';
import { EXPORT_COLUMNS, type ExportRow } from './export-record-text.ts';
import { boundsOfRange, runBetween, type SequenceRun } from './sequence-run.ts';

/** What a bundle is to be of. */
export interface BundleRequest {
  readonly orgId: string;
  readonly filter: BundleFilter;
  /** Where the ledger ends: every record up to there is sealed. */
  readonly logHead: LogHead;
  readonly adminEvents?: AdminEventsChoice;
}

/** A stretch of the ledger, fixed at one moment: what an export is made from. */
export interface BundleSelection {
  readonly orgId: string;
  readonly filter: BundleFilter;
  readonly head: BundleHead;
  readonly logHead: LogHead;
  readonly agentHead: AgentHead | null;
  readonly adminLog: Manifest['admin_log'];
  /** The run of records that the filter's times select, of all agents; null where there are none. */
  readonly run: SequenceRun | null;
}

/** A record that a bundle holds, and its place in its epoch where the epoch is not wholly there. */
export interface SelectedRecord {
  readonly row: ExportRow;
  readonly inclusion: Inclusion | null;
}

/** The records of a run that a bundle holds, from the first to the last: all of them, or one agent's. */
function shownWithin(store: Store, orgId: string, run: SequenceRun | null, agentId: string | null): SequenceRun | null {
  if (run === null || agentId === null) return run;
  const ends = store
    .statement(
      `SELECT min(seq_no) AS first, max(seq_no) AS last FROM operations
       WHERE org_id = @orgId AND agent_id = @agentId AND seq_no BETWEEN @first AND @last`,
    )
    .get({ orgId, agentId, ...run }) as { readonly first: number | null; readonly last: number | null };
  return ends.first === null || ends.last === null ? null : { first: ends.first, last: ends.last };
}

/** Reads everything of a bundle but its records. To be called within a transaction, so that it is of one moment. */
export function selectBundle(
  store: Store,
  { orgId, filter, logHead, adminEvents = 'all' }: BundleRequest,
): BundleSelection {
  const { start_time: start, end_time: end, agent_id: agentId } = filter;
  const { seq_no: lastSeqNo } = logHead;
  const from = parseTime(start);
  const bounds = boundsOfRange(store, orgId, from, parseTime(end), lastSeqNo);
  const run = runBetween(store, orgId, bounds, lastSeqNo);
  const shown = shownWithin(store, orgId, run, agentId);
  const name = store.statement('SELECT name FROM organizations WHERE org_id = ?').pluck().get(orgId);
  const agents = bundleAgents(store, orgId, agentId);
  const agentHead = agentId === null ? null : agentHeadAt(store, orgId, agentId, lastSeqNo);
  // A bundle without records has none.
  const epochs = run === null || shown === null ? [] : epochsOverlapping(store, orgId, run.first, run.last);
  const asShown = eventsAsShown(store, { from, agents, choice: adminEvents });
  const events = Array.from(adminEventRows(store, orgId), asShown);
  const head = {
    service_keys: listServiceKeys(store),
    org: { org_id: orgId, name: String(name ?? '') },
    agents,
    epochs,
    edges: readEdges(store, { orgId, agentId, lastSeqNo, bounds, shown, epochs }, agentHead),
    admin_events: events,
  };
  const adminLog = { count: events.length, head_hash: events.at(-1)?.event_hash ?? null };
  return { orgId, filter, logHead, agentHead, adminLog, run, head };
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
