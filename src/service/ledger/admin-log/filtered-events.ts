import type { AdminLogQuery } from '../../../api/index.ts';
import { parseTime } from '../../../protocol/index.ts';
import { and, desc, eq, gte, lt, type SQL } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { adminEvents } from '../../store/schema.ts';
import { type AdminEventRow, adminEventView } from './admin-events.ts';

type Filter = Omit<AdminLogQuery, 'limit' | 'cursor'>;

/** An event and its place in the log, which callers see as a cursor only. */
export interface PlacedEvent {
  readonly eventNo: number;
  readonly event: ReturnType<typeof adminEventView>;
}

function conditionsOf({ action, actor, targetType, targetId, startTime, endTime }: Filter): (SQL | undefined)[] {
  return [
    action === undefined ? undefined : eq(adminEvents.action, action),
    actor === undefined ? undefined : eq(adminEvents.actor, actor),
    targetType === undefined ? undefined : eq(adminEvents.targetType, targetType),
    targetId === undefined ? undefined : eq(adminEvents.targetId, targetId),
    startTime === undefined ? undefined : gte(adminEvents.createdAt, parseTime(startTime)),
    endTime === undefined ? undefined : lt(adminEvents.createdAt, parseTime(endTime)),
  ];
}

/**
 * The newest events of an organization that fit every filter, newest first.
 * @param before the place that the page before ended at; null for the first
 */
export function filteredEvents(
  { db }: Store,
  orgId: string,
  filter: Filter,
  before: number | null,
  limit: number,
): PlacedEvent[] {
  const after = before === null ? undefined : lt(adminEvents.eventNo, before);
  return db
    .select()
    .from(adminEvents)
    .where(and(eq(adminEvents.orgId, orgId), after, ...conditionsOf(filter)))
    .orderBy(desc(adminEvents.eventNo))
    .limit(limit)
    .all()
    .map((row: AdminEventRow) => ({ eventNo: row.eventNo, event: adminEventView(row) }));
}
