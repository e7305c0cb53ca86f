import {
  type AgentHead,
  type BundleFilter,
  type BundleHead,
  type CarriedFiles,
  type Edges,
  type Epoch,
  formatDigest,
  gapBetween,
  type LogHead,
  type Manifest,
  type Neighbour,
  parseTime,
} from '../../../protocol/index.ts';
import { adminEventRows } from '../../ledger/admin-log/admin-events.ts';
import { epochOf, epochsOverlapping } from '../../ledger/epochs/epoch-queries.ts';
import { logNodes } from '../../ledger/epochs/log-subtrees.ts';
import { listServiceKeys } from '../../ledger/keys/service-keys.ts';
import { operationRecord, receipt } from '../../ledger/views.ts';
import { bundleAgents } from '../../people/agents/registry.ts';
import { and, asc, desc, eq, gte, lt, lte } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { type OperationRow, operations } from '../../store/schema.ts';
import { type AdminEventsChoice, eventsAsShown } from './admin-events-choice.ts';
import type { Directory } from './directory-at.ts';
import { EXPORT_COLUMNS, type ExportRow } from './export-record-text.ts';
import { peopleInValue } from './named-people.ts';
import { boundsOfRange, type RangeBounds, runBetween, type SequenceRun } from './sequence-run.ts';

/** What the edges of a bundle are read by. */
interface EdgesRequest {
  readonly orgId: string;
  /** The agent of the filter; null for all. */
  readonly agentId: string | null;
  /** The newest record that a bundle may know of. */
  readonly lastSeqNo: number;
  readonly bounds: RangeBounds;
  /** From the first to the last record of the bundle; null where it has none. */
  readonly shown: SequenceRun | null;
  /** The newest epoch up to there; null where there is none. */
  readonly newest: Epoch | null;
  /** The gap between two receipts that are shown, by their numbers. */
  readonly gap: (after: number, before: number) => readonly string[];
}

type Scope = Pick<EdgesRequest, 'orgId' | 'agentId'>;

/** The record next to a place, of the agent where one is named. */
function recordNextTo(
  { db }: Store,
  { orgId, agentId }: Scope,
  where: { readonly before: number } | { readonly from: number; readonly to: number },
): OperationRow | undefined {
  const isBefore = 'before' in where;
  return db
    .select()
    .from(operations)
    .where(
      and(
        eq(operations.orgId, orgId),
        agentId === null ? undefined : eq(operations.agentId, agentId),
        isBefore ? lt(operations.seqNo, where.before) : gte(operations.seqNo, where.from),
        isBefore ? undefined : lte(operations.seqNo, where.to),
      ),
    )
    .orderBy(isBefore ? desc(operations.seqNo) : asc(operations.seqNo))
    .limit(1)
    .get();
}

/** The newest record of an agent up to a sequence number; null where it has none. */
function agentHeadAt(store: Store, orgId: string, agentId: string, lastSeqNo: number): AgentHead | null {
  const head = store
    .statement(
      'SELECT head_seq_no AS seqNo, head_chain_hash AS chainHash FROM agents WHERE org_id = ? AND agent_id = ?',
    )
    .get(orgId, agentId) as { readonly seqNo: number | null; readonly chainHash: Buffer | null } | undefined;
  if (head === undefined || head.seqNo === null || head.chainHash === null) return null;
  // Beyond what is sealed only where the ledger is damaged, and its open epoch is left alone.
  const newest = head.seqNo <= lastSeqNo ? head : recordNextTo(store, { orgId, agentId }, { before: lastSeqNo + 1 });
  if (newest === undefined || newest.seqNo === null || newest.chainHash === null) return null;
  return { seq_no: newest.seqNo, chain_hash: formatDigest(newest.chainHash) };
}

function neighbour(row: OperationRow, gap: readonly string[], withRecord: boolean): Neighbour {
  return {
    ear: receipt(row),
    ...(gap.length === 0 ? {} : { gap }),
    ...(withRecord ? { eor: operationRecord({ ...row, payload: null }) } : {}),
  };
}

/** What stands beside the records of a bundle, so that nobody can cut its ends off (protocol F145). */
function readEdges(store: Store, request: EdgesRequest, agentHead: AgentHead | null): Edges {
  const { agentId, lastSeqNo, bounds, shown, newest, gap } = request;
  const first = shown && recordNextTo(store, request, { from: shown.first, to: shown.first });
  // Looking for an agent's record goes through those of all others between: not where there is none.
  const isFirst = agentId !== null && (agentHead === null || first?.prevChainHash === null);
  const isLast = bounds.end === null || (agentId !== null && (agentHead === null || agentHead.seq_no < bounds.end));
  const before = isFirst ? undefined : recordNextTo(store, request, { before: bounds.start ?? lastSeqNo + 1 });
  const after = isLast ? undefined : recordNextTo(store, request, { from: bounds.end ?? 0, to: lastSeqNo });
  const lastShown = shown?.last ?? before?.seqNo ?? 0;
  return {
    before: before === undefined ? null : neighbour(before, gap(0, before.seqNo), false),
    after: after === undefined ? null : neighbour(after, gap(lastShown, after.seqNo), agentId !== null),
    rest: newest === null ? [] : gap(after?.seqNo ?? lastShown, newest.last_seq_no + 1),
    head: newest,
  };
}

/** What a bundle is to be of. */
export interface BundleRequest {
  readonly orgId: string;
  readonly filter: BundleFilter;
  /** Where the ledger ends: every record up to there is sealed. */
  readonly logHead: LogHead;
  readonly adminEvents?: AdminEventsChoice;
  /** People: of the events that can be withheld, none is shown that names one. */
  readonly names?: readonly string[];
  /** What the organization was at `logHead`, where the ledger has continued since; what it is now where this is left out. */
  readonly directory?: Directory;
  /** What others said of its log, nothing by default. */
  readonly carried?: CarriedFiles;
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
  { orgId, filter, logHead, adminEvents = 'all', names = [], directory, carried = {} }: BundleRequest,
): BundleSelection {
  const { start_time: start, end_time: end, agent_id: agentId } = filter;
  const { seq_no: lastSeqNo } = logHead;
  const from = parseTime(start);
  const bounds = boundsOfRange(store, orgId, from, parseTime(end), lastSeqNo, directory?.lastEventNo);
  const run = runBetween(store, orgId, bounds, lastSeqNo);
  const shown = shownWithin(store, orgId, run, agentId);
  const name = directory?.name ?? store.statement('SELECT name FROM organizations WHERE org_id = ?').pluck().get(orgId);
  const agents = directory?.agents ?? bundleAgents(store, orgId, agentId);
  const agentHead = agentId === null ? null : agentHeadAt(store, orgId, agentId, lastSeqNo);
  // A bundle without records has none.
  const epochs = run === null || shown === null ? [] : epochsOverlapping(store, orgId, run.first, run.last);
  const node = logNodes(store, orgId);
  const gap = (after: number, before: number): string[] => gapBetween(after, before, epochs, node);
  const newest = epochOf(store, orgId, lastSeqNo);
  const asShown = eventsAsShown(store, { from, agents, choice: adminEvents, namesSomebody: peopleInValue(names) });
  const events = Array.from(adminEventRows(store, orgId, directory?.lastEventNo), asShown);
  const head = {
    service_keys: listServiceKeys(store),
    org: { org_id: orgId, name: String(name ?? '') },
    agents,
    epochs,
    edges: {
      ...readEdges(store, { orgId, agentId, lastSeqNo, bounds, shown, newest, gap }, agentHead),
      ...carried,
    },
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
