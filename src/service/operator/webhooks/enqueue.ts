import { randomUUID } from 'node:crypto';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../api/index.ts';
import type { StatusChange } from '../../people/agents/lifecycle.ts';
import { and, eq, isNull } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { webhookDeliveries, webhooks } from '../../store/schema.ts';
import { statusChanged, type WebhookEventBody } from './payloads.ts';

export type WebhookRow = typeof webhooks.$inferSelect;
export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** An event that tells of a row of the ledger: of an operation by its seq_no, of an epoch by its epoch_no. */
export interface LedgerEvent {
  readonly eventType: 'operation.accepted' | 'epoch.created';
  readonly ledgerNo: number;
}

/** The events that a webhook subscribes to. */
export function eventsOf({ events }: Pick<WebhookRow, 'events'>): WebhookEvent[] {
  const named: unknown = JSON.parse(events);
  return WEBHOOK_EVENTS.filter((event) => Array.isArray(named) && named.includes(event));
}

/** The webhooks of an organization, oldest first, deleted ones left out. */
export function activeWebhooks({ db }: Store, orgId: string): WebhookRow[] {
  return db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.orgId, orgId), isNull(webhooks.deletedAt)))
    .orderBy(webhooks.createdAt, webhooks.webhookId)
    .all();
}

/**
 * Puts events into the queue of a webhook, due at once. To be called within the transaction of what they tell of, so that a
 * crash leaves both or neither; whoever calls it wakes the dispatcher after the commit.
 * @param now milliseconds since the Unix epoch
 */
export function enqueue(
  { db }: WritableStore,
  webhookId: string,
  events: readonly (WebhookEventBody | LedgerEvent)[],
  now: number,
): DeliveryRow[] {
  if (events.length === 0) return [];
  const rows = events.map((event) => ({
    deliveryId: randomUUID(),
    webhookId,
    eventType: event.eventType,
    ...('body' in event ? { body: event.body } : { body: '', ledgerNo: event.ledgerNo }),
    status: 'pending',
    attempts: 0,
    createdAt: now,
    nextAttemptAt: now,
  }));
  return db.insert(webhookDeliveries).values(rows).returning().all();
}

/** Tells the webhooks of an organization that an agent's status changed; called like enqueue. */
export function enqueueStatusChange(store: WritableStore, change: StatusChange): void {
  for (const webhook of activeWebhooks(store, change.orgId)) {
    if (!eventsOf(webhook).includes('agent.status_changed')) continue;
    enqueue(store, webhook.webhookId, [statusChanged(change)], change.at);
  }
}
