import {
  type AgentHead,
  type BundleFilter,
  type BundleHead,
  gapBetween,
  type LogHead,
  type Manifest,
  parseTime,
} from '../../../protocol/index.ts';
import { adminEventRows } from '../../ledger/admin-log/admin-events.ts';
import { epochOf, epochsOverlapping } from '../../ledger/epochs/epoch-queries.ts';
import { logNodes } from '../../ledger/epochs/log-subtrees.ts';
import { listServiceKeys } from '../../ledger/keys/service-keys.ts';
import { bundleAgents } from '../../people/agents/registry.ts';
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

/** A record that a bundle holds, and what the bundle states of the receipts between the one shown before and this one. */
export interface SelectedRecord {
  readonly row: ExportRow;
  readonly gap: readonly string[];
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
  const node = logNodes(store, orgId);
  const gap = (after: number, before: number): string[] => gapBetween(after, before, epochs, node);
  const newest = epochOf(store, orgId, lastSeqNo);
  const asShown = eventsAsShown(store, { from, agents, choice: adminEvents });
  const events = Array.from(adminEventRows(store, orgId), asShown);
  const head = {
    service_keys: listServiceKeys(store),
    org: { org_id: orgId, name: String(name ?? '') },
    agents,
    epochs,
    edges: readEdges(store, { orgId, agentId, lastSeqNo, bounds, shown, newest, gap }, agentHead),
    admin_events: events,
  };
  const adminLog = { count: events.length, head_hash: events.at(-1)?.event_hash ?? null };
  return { orgId, filter, logHead, agentHead, adminLog, run, head };
}

/** How many records are read with one look at the database, so that no look keeps an old state of it alive for long. */
const PAGE = 1000;

/** The records of a selection in the order of the ledger, a page at a time. */
export function* selectedRecords(store: Store, selection: BundleSelection): Generator<SelectedRecord[]> {
  const { orgId, filter, head, run } = selection;
  if (run === null) return;
  const page = store.statement(
    `SELECT ${EXPORT_COLUMNS} FROM operations
     WHERE org_id = @orgId AND seq_no > @after AND seq_no <= @last AND (@agentId IS NULL OR agent_id = @agentId)
     ORDER BY seq_no LIMIT ${PAGE}`,
  );
  const node = logNodes(store, orgId);
  let shown = head.edges.before?.ear.seq_no ?? 0;
  for (let after = run.first - 1; ; ) {
    const rows = page.all({ orgId, after, last: run.last, agentId: filter.agent_id }) as ExportRow[];
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.seqNo;
    yield rows.map((row) => {
      const gap = gapBetween(shown, row.seqNo, head.epochs, node);
      shown = row.seqNo;
      return { row, gap };
    });
  }
}
