/** What the queue gives out, and what it says of its health. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dueDeliveries, nextDue, webhooksWithDue } from '../../src/service/operator/webhooks/queue.ts';
import { queueHealth } from '../../src/service/operator/webhooks/queue-health.ts';
import { webhookDeliveries } from '../../src/service/store/schema.ts';
import { WebhookService } from './webhook-service.ts';

let service: WebhookService;
let webhooks: string[];

beforeEach(async () => {
  service = await WebhookService.start();
  await service.dispatcher.close();
  const orgId = await service.organization();
  const register = async () =>
    (await service.register(orgId, 'https://hooks.example/', 'a secret of somebody')).webhook_id;
  webhooks = [await register(), await register()];
});
afterEach(() => service.end());

interface Row {
  readonly webhook?: number;
  readonly next?: number;
  readonly failedAt?: number;
}

function add({ webhook = 0, next, failedAt }: Row): void {
  const row = {
    deliveryId: randomUUID(),
    webhookId: webhooks[webhook] ?? '',
    eventType: 'test',
    body: '{}',
    attempts: 0,
  };
  const state =
    next === undefined ? { status: failedAt ? 'failed' : 'delivered' } : { status: 'pending', nextAttemptAt: next };
  service.store.db
    .insert(webhookDeliveries)
    .values({ ...row, ...state, createdAt: 0, lastAttemptAt: failedAt ?? null })
    .run();
}

const due = (now: number, limit = 10) =>
  dueDeliveries(service.store, webhooks[0] ?? '', now, limit).map(({ deliveryNo }) => deliveryNo);

test('what waited longest is due first, and of equals what was queued first', () => {
  for (const next of [300, 100, 200, 100, 500]) add({ next });
  add({ next: 50, webhook: 1 });
  add({});
  expect(due(400)).toEqual([2, 4, 3, 1]);
  expect(due(400, 2)).toEqual([2, 4]);
  expect(nextDue(service.store, 400)).toBe(500);
  expect(nextDue(service.store, 500)).toBeNull();
});

test('a webhook counts as one with something due from the time on', () => {
  add({ next: 100 });
  add({ next: 200, webhook: 1 });
  add({});
  const withDue = (now: number) => webhooksWithDue(service.store, now).map(({ webhookId }) => webhookId);
  expect(withDue(99)).toEqual([]);
  expect(withDue(100)).toEqual([webhooks[0]]);
  expect(withDue(200).sort()).toEqual([...webhooks].sort());
});

test('health: what is pending, what is passed over, and what was given up within the hour', () => {
  const hour = 3_600_000;
  const now = 10 * hour;
  expect(queueHealth(service.store, now, () => 0)).toEqual({ pending: 0, oldestOverdueMs: 0, failedLastHour: 0 });
  add({ next: now - 5000 });
  add({ next: now - 90_000, webhook: 1 });
  add({ next: now + 1000 });
  add({});
  for (const failedAt of [now - 1, now - hour, now - hour - 1]) add({ failedAt });
  expect(queueHealth(service.store, now, () => 0)).toEqual({ pending: 3, oldestOverdueMs: 90_000, failedLastHour: 2 });
  // The slow one had its turn just now.
  const lastTurn = (webhookId: string): number => (webhookId === webhooks[1] ? now - 10 : 0);
  expect(queueHealth(service.store, now, lastTurn)).toMatchObject({ oldestOverdueMs: 5000 });
});
