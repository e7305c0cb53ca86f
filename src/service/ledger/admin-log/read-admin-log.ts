import type Database from 'better-sqlite3';
import type { AdminChain, AdminLogQuery, AnswerOf } from '../../../api/index.ts';
import { nodeCrypto, type StopSignal } from '../../../node/index.ts';
import { adminEventHash, ProtocolError, parseTime } from '../../../protocol/index.ts';
import { listPage } from '../../http/cursor.ts';
import { type AdminEventRow, adminEventView } from './admin-event-view.ts';

/** Rows of an organization on a thread that reads for a request, and until when somebody waits. */
export interface RowsOf {
  readonly sqlite: Database.Database;
  readonly orgId: string;
  readonly signal: StopSignal;
}

/** Its events, as rows. */
const SELECT_EVENTS = `SELECT org_id AS orgId, event_no AS eventNo, event_id AS eventId, actor, action, target_type AS targetType,
  target_id AS targetId, details, created_at AS createdAt, prev_event_hash AS prevEventHash, event_hash AS eventHash
  FROM admin_events WHERE org_id = @orgId`;

/** Which events are asked for: those that fit every filter, newest first. */
export interface EventsAsked {
  readonly filter: Omit<AdminLogQuery, 'limit' | 'cursor'>;
  readonly limit: number;
  /** The place that the page before ended at; null for the first page, undefined where no pages are asked for. */
  readonly before: number | null | undefined;
}

/** Events that are looked at before it is asked whether anybody still waits: some three milliseconds of a processor. */
const LOOKED_AT = 8192;

const FITTING = `${SELECT_EVENTS} AND event_no BETWEEN @from AND @to
  AND (@action IS NULL OR action = @action) AND (@actor IS NULL OR actor = @actor)
  AND (@targetType IS NULL OR target_type = @targetType) AND (@targetId IS NULL OR target_id = @targetId)
  AND (@startTime IS NULL OR created_at >= @startTime) AND (@endTime IS NULL OR created_at < @endTime)
  ORDER BY event_no DESC LIMIT @limit`;

const NEWEST = 'SELECT coalesce(max(event_no), 0) FROM admin_events WHERE org_id = ?';

/** A page of the administrative log. No index helps a filter that fits nothing: then all events are looked at. @throws RequestStopped */
export function filteredEvents(
  { sqlite, orgId, signal }: RowsOf,
  { filter, limit, before }: EventsAsked,
): AnswerOf<'listAdminEvents'> {
  const { action = null, actor = null, targetType = null, targetId = null, startTime, endTime } = filter;
  const timeOf = (text: string | undefined): number | null => (text === undefined ? null : parseTime(text));
  const named = { orgId, action, actor, targetType, targetId };
  const times = { startTime: timeOf(startTime), endTime: timeOf(endTime) };
  const fitting = sqlite.prepare(FITTING);
  const rows: AdminEventRow[] = [];
  const newest = sqlite.prepare(NEWEST).pluck().get(orgId) as number;
  for (let to = Math.min(newest, (before ?? newest + 1) - 1); to > 0 && rows.length <= limit; to -= LOOKED_AT) {
    signal.throwIfAborted();
    const step = { from: to - LOOKED_AT + 1, to, limit: limit + 1 - rows.length };
    rows.push(...(fitting.all({ ...named, ...times, ...step }) as AdminEventRow[]));
  }
  const page = listPage(rows, limit, ({ eventNo }) => eventNo);
  const events = page.data.map(adminEventView);
  return before === undefined ? { events } : { events, nextCursor: page.nextCursor, hasMore: page.hasMore };
}

/** This many events are hashed before it is asked whether anybody still waits. */
const HASHED = 500;

const NEWEST_EPOCH = `SELECT epoch_no AS epochNo, admin_head_hash AS adminHeadHash FROM epochs
  WHERE org_id = ? ORDER BY epoch_no DESC LIMIT 1`;

/** Whether an event is as its hash says, and follows on the one before. Damaged JSON throws a ProtocolError. */
function holds(row: AdminEventRow, no: number, previous: string | null): boolean {
  if (row.eventNo !== no || row.prevEventHash !== previous) return false;
  try {
    const { event_hash: hash, ...event } = adminEventView(row);
    return adminEventHash(event, nodeCrypto.sha256) === hash;
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof SyntaxError) return false;
    throw error;
  }
}

/**
 * Goes through the whole administrative log of an organization: each hash computed again, each link followed (protocol V70).
 * @throws RequestStopped
 */
export function examineAdminChain({ sqlite, orgId, signal }: RowsOf): AdminChain {
  const newest = sqlite.prepare(NEWEST_EPOCH).get(orgId) as { epochNo: number; adminHeadHash: string } | undefined;
  const next = sqlite.prepare(`${SELECT_EVENTS} AND event_no > @verified ORDER BY event_no LIMIT ${HASHED}`);
  let verified = 0;
  let head: string | null = null;
  let broken: string | null = null;
  let sealed = 0;
  for (let isMore = true; isMore && broken === null; ) {
    signal.throwIfAborted();
    const rows = next.all({ orgId, verified }) as AdminEventRow[];
    for (const row of rows) {
      if (!holds(row, verified + 1, head)) {
        broken = row.eventId;
        break;
      }
      verified = row.eventNo;
      head = row.eventHash;
      if (head === newest?.adminHeadHash) sealed = verified;
    }
    isMore = rows.length === HASHED;
  }
  const all = sqlite.prepare('SELECT count(*) FROM admin_events WHERE org_id = ?').pluck();
  return {
    events: broken === null ? verified : (all.get(orgId) as number),
    verified,
    head_hash: head,
    broken_event_id: broken,
    sealed,
    sealed_by_epoch_no: sealed === 0 ? null : (newest?.epochNo ?? null),
  };
}
