import type { AdminLogQuery, AnswerOf } from '../../../api/index.ts';
import { parseTime } from '../../../protocol/light.ts';
import { listPage } from '../../http/cursor.ts';
import { adminEventView, type RowsOf, SELECT_EVENTS } from './admin-event-view.ts';
import type { AdminEventRow } from './admin-events.ts';

/** Which events are asked for: those that fit every filter, newest first. */
export interface EventsAsked {
  readonly filter: Omit<AdminLogQuery, 'limit' | 'cursor'>;
  readonly limit: number;
  /** The place that the page before ended at; null for the first page, undefined where no pages are asked for. */
  readonly before: number | null | undefined;
}

/** Events that are looked at before it is asked whether anybody still waits: some three milliseconds of a processor. */
const STEP = 8192;

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
  for (let to = Math.min(newest, (before ?? newest + 1) - 1); to > 0 && rows.length <= limit; to -= STEP) {
    signal.throwIfAborted();
    const step = { from: to - STEP + 1, to, limit: limit + 1 - rows.length };
    rows.push(...(fitting.all({ ...named, ...times, ...step }) as AdminEventRow[]));
  }
  const page = listPage(rows, limit, ({ eventNo }) => eventNo);
  const events = page.data.map(adminEventView);
  return before === undefined ? { events } : { events, nextCursor: page.nextCursor, hasMore: page.hasMore };
}
