import { and, asc, count, eq, gt, isNotNull, lte, min, sql } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { webhookDeliveries as deliveries, webhooks } from '../../store/schema.ts';
import type { DeliveryRow, WebhookRow } from './enqueue.ts';

/** The webhooks, deleted ones too, that have something due. */
export function webhooksWithDue({ db }: Store, now: number): WebhookRow[] {
  const due = sql`EXISTS (SELECT 1 FROM webhook_deliveries d
    WHERE d.webhook_id = ${webhooks.webhookId} AND d.next_attempt_at <= ${now})`;
  return db.select().from(webhooks).where(due).all();
}

/** What a webhook has due, what waited longest first. Only what is pending has a next attempt. */
export function dueDeliveries({ db }: Store, webhookId: string, now: number, limit: number): DeliveryRow[] {
  return db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.webhookId, webhookId), lte(deliveries.nextAttemptAt, now)))
    .orderBy(asc(deliveries.nextAttemptAt), asc(deliveries.deliveryNo))
    .limit(limit)
    .all();
}

/** How many deliveries of a webhook wait to be sent. */
export function pendingOf({ db }: Store, webhookId: string): number {
  const pending = and(eq(deliveries.webhookId, webhookId), isNotNull(deliveries.nextAttemptAt));
  return db.select({ count: count() }).from(deliveries).where(pending).get()?.count ?? 0;
}

/** When something is due next, after now; null where nothing waits. */
export function nextDue({ db }: Store, now: number): number | null {
  const found = db
    .select({ at: min(deliveries.nextAttemptAt) })
    .from(deliveries)
    .where(gt(deliveries.nextAttemptAt, now))
    .get();
  return found?.at ?? null;
}
