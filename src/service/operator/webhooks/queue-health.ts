import { and, count, gte, isNotNull, lte, min, sql } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { webhookDeliveries as deliveries } from '../../store/schema.ts';

/** The state of the queue, for the health of the service. */
export interface QueueHealth {
  readonly pending: number;
  /** For how long something due has been passed over; 0 where nothing is. */
  readonly oldestOverdueMs: number;
  /** How many deliveries were given up within the last hour. */
  readonly failedLastHour: number;
}

/**
 * @param lastTurn when a webhook was last attended to, in milliseconds. A receiver that is slow makes its own queue long,
 * and may do so on purpose: that is no illness of the service as long as its webhook has its turns.
 */
export function queueHealth({ db }: Store, now: number, lastTurn: (webhookId: string) => number): QueueHealth {
  const pending = db.select({ count: count() }).from(deliveries).where(isNotNull(deliveries.nextAttemptAt)).get();
  const due = db
    .select({ webhookId: deliveries.webhookId, since: min(deliveries.nextAttemptAt) })
    .from(deliveries)
    .where(lte(deliveries.nextAttemptAt, now))
    .groupBy(deliveries.webhookId)
    .all();
  const overdue = due.map(({ webhookId, since }) => now - Math.max(since ?? now, lastTurn(webhookId)));
  const failed = db
    .select({ count: count() })
    .from(deliveries)
    // Written out, not bound: only so does SQLite see that a partial index on it may be used.
    .where(and(sql`${deliveries.status} = 'failed'`, gte(deliveries.lastAttemptAt, now - 3_600_000)))
    .get();
  return {
    pending: pending?.count ?? 0,
    oldestOverdueMs: Math.max(0, ...overdue),
    failedLastHour: failed?.count ?? 0,
  };
}
