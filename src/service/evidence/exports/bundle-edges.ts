import { type AgentHead, type Edges, type Epoch, formatDigest, type Neighbour } from '../../../protocol/index.ts';
import { operationRecord, receipt } from '../../ledger/views.ts';
import { and, asc, desc, eq, gte, lt, lte } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { type OperationRow, operations } from '../../store/schema.ts';
import type { RangeBounds, SequenceRun } from './sequence-run.ts';

/** What the edges of a bundle are read by. */
export interface EdgesRequest {
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
export function agentHeadAt(store: Store, orgId: string, agentId: string, lastSeqNo: number): AgentHead | null {
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
export function readEdges(store: Store, request: EdgesRequest, agentHead: AgentHead | null): Edges {
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
