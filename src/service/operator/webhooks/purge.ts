import { and, eq, inArray, isNotNull, isNull, lt, notExists } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { webhookDeliveries as deliveries, webhooks } from '../../store/schema.ts';

/** How long a delivery that has ended is kept for the list: deliveries are no evidence, what they reported is. */
const KEEP_MS = 30 * 24 * 3_600_000;
const BATCH = 500;

/** A deleted webhook whose deliveries have all ended, or undefined. */
export function endedWebhook({ db }: Store): string | undefined {
  const pending = db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.webhookId, webhooks.webhookId), isNotNull(deliveries.nextAttemptAt)));
  return db
    .select({ webhookId: webhooks.webhookId })
    .from(webhooks)
    .where(and(isNotNull(webhooks.deletedAt), notExists(pending)))
    .get()?.webhookId;
}

/**
 * Takes such a webhook out of the database with its sealed secret, some deliveries at a time. To be called within a
 * transaction, and again while there is one.
 */
export function purgeWebhook({ db }: WritableStore, webhookId: string): void {
  const some = db
    .select({ no: deliveries.deliveryNo })
    .from(deliveries)
    .where(eq(deliveries.webhookId, webhookId))
    .limit(BATCH);
  const { changes } = db.delete(deliveries).where(inArray(deliveries.deliveryNo, some)).run();
  if (changes < BATCH) db.delete(webhooks).where(eq(webhooks.webhookId, webhookId)).run();
}

/**
 * Drops some of the deliveries that ended long ago. It looks at the oldest rows alone, which costs the same however many
 * there are: a pending one among them ends long before the others are old.
 * @returns whether there may be more
 */
export function purgeOld({ db }: WritableStore, now: number): boolean {
  const oldest = db.select({ no: deliveries.deliveryNo }).from(deliveries).orderBy(deliveries.deliveryNo).limit(BATCH);
  const { changes } = db
    .delete(deliveries)
    .where(
      and(
        inArray(deliveries.deliveryNo, oldest),
        isNull(deliveries.nextAttemptAt),
        lt(deliveries.createdAt, now - KEEP_MS),
      ),
    )
    .run();
  return changes === BATCH;
}
