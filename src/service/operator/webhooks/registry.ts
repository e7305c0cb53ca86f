import { randomUUID } from 'node:crypto';
import type { Delivery, Webhook, WebhookEvent } from '../../../api/index.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import type { SealedSecret, Sealer } from '../../ledger/keys/sealing.ts';
import { needRoom } from '../../store/base/quotas.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, desc, eq, isNull, lt, sql } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { webhookDeliveries, webhooks } from '../../store/schema.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { attemptsOf } from './attempt-log.ts';
import { collect, ledgerEnd } from './collect.ts';
import { refusePrivate } from './connect.ts';
import { deliveryBody } from './delivery-body.ts';
import { activeWebhooks, type DeliveryRow, enqueue, eventsOf, type WebhookRow } from './enqueue.ts';
import { testEvent } from './payloads.ts';
import { pendingOf } from './queue.ts';
import { sealedSecret, secretContext } from './signing.ts';

/** What the registry of webhooks works on. `now` is milliseconds since the Unix epoch. */
export interface WebhookContext extends WriteAccess {
  readonly settings: Pick<Settings, 'webhookAllowPrivate' | 'quotaWebhooks' | 'quotaDeliveries'>;
  readonly sealer: Sealer;
  /** Told after a commit that there may be something to send. */
  readonly webhooks: { wake(): void };
}

export interface WebhookRegistration {
  readonly endpoint_url: string;
  readonly events: readonly WebhookEvent[];
  readonly secret: string;
}

/** Column by column, so that the secret can't slip in. */
function view(row: WebhookRow): Webhook {
  return {
    webhook_id: row.webhookId,
    org_id: row.orgId,
    endpoint_url: row.endpointUrl,
    events: eventsOf(row),
    status: 'active',
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

function deliveryView(store: Store, orgId: string, row: DeliveryRow): Delivery {
  return {
    delivery_id: row.deliveryId,
    event_type: row.eventType as Delivery['event_type'],
    status: row.status as Delivery['status'],
    attempts: row.attempts,
    created_at: row.createdAt,
    next_attempt_at: row.nextAttemptAt,
    last_attempt_at: row.lastAttemptAt,
    last_status: row.lastStatus,
    last_error: row.lastError,
    body: deliveryBody(store, orgId, row),
    attempt_log: attemptsOf(row),
  };
}

/** A webhook of the organization; NOT_FOUND also for another organization's. @throws ServiceError NOT_FOUND */
function find({ db }: Store, orgId: string, webhookId: string): WebhookRow {
  const row = db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.orgId, orgId), eq(webhooks.webhookId, webhookId), isNull(webhooks.deletedAt)))
    .get();
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'there is no such webhook');
  return row;
}

export function listWebhooks({ store }: WebhookContext, orgId: string): Webhook[] {
  return activeWebhooks(store, orgId).map(view);
}

/** Every secret in the database, of deleted webhooks too, for the check of the sealing key at the start. */
export function sealedSecrets({ db }: Store): SealedSecret[] {
  return db
    .select({ webhookId: webhooks.webhookId, sealedSecret: webhooks.sealedSecret })
    .from(webhooks)
    .all()
    .map(sealedSecret);
}

/**
 * Registers a webhook. It is sent what comes after its registration, not of what the ledger has already.
 * @throws ServiceError VALIDATION_ERROR, QUOTA_EXCEEDED
 */
export function registerWebhook(
  { settings, writer, sealer, now }: WebhookContext,
  orgId: string,
  actor: string,
  { endpoint_url, events, secret }: WebhookRegistration,
): Promise<Webhook> {
  refusePrivate('endpoint_url', endpoint_url, settings.webhookAllowPrivate);
  const webhookId = randomUUID();
  const sealed = Buffer.from(sealer.seal(Buffer.from(secret, 'utf8'), secretContext(webhookId)));
  // A crash after it leaves the webhook registered, from this moment of the ledger on: it is listed.
  return writer.transact((store) => {
    const time = now();
    const used = activeWebhooks(store, orgId).length;
    needRoom({
      what: 'webhooks',
      used,
      most: settings.quotaWebhooks,
      remedy: 'delete those that are no longer needed',
    });
    const end = ledgerEnd(store, orgId);
    const row: WebhookRow = {
      webhookId,
      orgId,
      endpointUrl: endpoint_url,
      events: JSON.stringify(events),
      sealedSecret: sealed,
      createdAt: time,
      updatedAt: time,
      deletedAt: null,
      seenSeqNo: end.seqNo,
      seenEpochNo: end.epochNo,
    };
    store.db.insert(webhooks).values(row).run();
    const target = { targetType: 'webhook', targetId: webhookId, details: { endpoint_url, events: [...events] } };
    recordAdminEvent(store, { orgId, actor, action: 'webhook.register', ...target }, time);
    return view(row);
  });
}

/**
 * Deletes a webhook for everybody but its queue: what happened before is still sent, signed with its secret, and only then
 * are row and secret removed.
 * @throws ServiceError NOT_FOUND
 */
export async function deleteWebhook(
  { writer, now, webhooks: dispatcher }: WebhookContext,
  orgId: string,
  actor: string,
  webhookId: string,
): Promise<void> {
  // A crash after it leaves the webhook ended, with what was due to it queued.
  await writer.transact((store) => {
    const time = now();
    const row = find(store, orgId, webhookId);
    collect(store, row, time);
    store.db.update(webhooks).set({ deletedAt: time, updatedAt: time }).where(eq(webhooks.webhookId, webhookId)).run();
    const target = { targetType: 'webhook', targetId: webhookId, details: { endpoint_url: row.endpointUrl } };
    recordAdminEvent(store, { orgId, actor, action: 'webhook.delete', ...target }, time);
  });
  dispatcher.wake();
}

/** Queues a test event. @throws ServiceError NOT_FOUND, QUOTA_EXCEEDED */
export async function sendTest(
  { settings, store, writer, now, webhooks: dispatcher }: WebhookContext,
  orgId: string,
  webhookId: string,
): Promise<Delivery> {
  // A crash after it leaves the test event queued: the next start sends it.
  const rows = await writer.transact((store) => {
    const time = now();
    find(store, orgId, webhookId);
    needRoom({
      what: 'deliveries of this webhook that wait to be sent',
      used: pendingOf(store, webhookId),
      most: settings.quotaDeliveries,
      remedy: 'wait until some are sent',
    });
    return enqueue(store, webhookId, [testEvent(webhookId, time)], time);
  });
  dispatcher.wake();
  const [row] = rows;
  if (row === undefined) throw new Error('a delivery was queued and is not there');
  return deliveryView(store, orgId, row);
}

/**
 * Newest first; `before` is the last delivery of the page before. Where that is no longer kept, nothing older is.
 * @throws ServiceError NOT_FOUND
 */
export function listDeliveries(
  { store }: WebhookContext,
  orgId: string,
  webhookId: string,
  before: string | null,
  limit: number,
): Delivery[] {
  const ofWebhook = eq(webhookDeliveries.webhookId, find(store, orgId, webhookId).webhookId);
  const place = sql`(SELECT p.delivery_no FROM webhook_deliveries p
    WHERE p.delivery_id = ${before} AND p.webhook_id = ${webhookId})`;
  return store.db
    .select()
    .from(webhookDeliveries)
    .where(before === null ? ofWebhook : and(ofWebhook, lt(webhookDeliveries.deliveryNo, place)))
    .orderBy(desc(webhookDeliveries.deliveryNo))
    .limit(limit)
    .all()
    .map((row) => deliveryView(store, orgId, row));
}
