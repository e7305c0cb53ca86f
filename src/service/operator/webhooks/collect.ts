import { and, eq, gt, max, sql } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { epochs, operations, webhooks } from '../../store/schema.ts';
import { enqueue, eventsOf, type LedgerEvent, type WebhookRow } from './enqueue.ts';

/** How many events of a kind one transaction collects for a webhook: bounds how long it keeps the writer. */
const BATCH = 256;
const WEBHOOKS_AT_ONCE = 4;

/** Where an organization's ledger ends now. */
export function ledgerEnd({ db }: Store, orgId: string): { seqNo: number; epochNo: number } {
  const operation = db
    .select({ no: max(operations.seqNo) })
    .from(operations)
    .where(eq(operations.orgId, orgId))
    .get();
  const epoch = db
    .select({ no: max(epochs.epochNo) })
    .from(epochs)
    .where(eq(epochs.orgId, orgId))
    .get();
  return { seqNo: operation?.no ?? 0, epochNo: epoch?.no ?? 0 };
}

/** Some webhooks that the ledger has gone ahead of, in what they subscribe to. @param without some that are to be left out */
export function webhooksBehind({ db }: Store, without: readonly string[] = []): WebhookRow[] {
  const subscribes = (event: string) =>
    sql`EXISTS (SELECT 1 FROM json_each(${webhooks.events}) WHERE value = ${event})`;
  const behindRecords = sql`${webhooks.seenSeqNo} <
    (SELECT max(o.seq_no) FROM operations o WHERE o.org_id = ${webhooks.orgId})`;
  const behindEpochs = sql`${webhooks.seenEpochNo} <
    (SELECT max(e.epoch_no) FROM epochs e WHERE e.org_id = ${webhooks.orgId})`;
  return db
    .select()
    .from(webhooks)
    .where(
      sql`${webhooks.deletedAt} IS NULL AND ${webhooks.webhookId} NOT IN (SELECT value FROM json_each(${JSON.stringify(without)})) AND (
        (${subscribes('operation.accepted')} AND ${behindRecords}) OR (${subscribes('epoch.created')} AND ${behindEpochs})
      )`,
    )
    .limit(WEBHOOKS_AT_ONCE)
    .all();
}

/**
 * Collects what the ledger got since a webhook's cursors and moves them on. To be called within a transaction: a crash
 * before its commit leaves the events to be found again, after it they are in the queue, each once.
 * @param most the most of each kind
 */
export function collect(store: WritableStore, webhook: WebhookRow, now: number, most = BATCH): void {
  const { db } = store;
  const { webhookId, orgId } = webhook;
  const subscribed = eventsOf(webhook);
  const newRecords = and(eq(operations.orgId, orgId), gt(operations.seqNo, webhook.seenSeqNo));
  const limit = Math.min(BATCH, most);
  const records = subscribed.includes('operation.accepted')
    ? db
        .select({ no: operations.seqNo })
        .from(operations)
        .where(newRecords)
        .orderBy(operations.seqNo)
        .limit(limit)
        .all()
    : [];
  const newEpochs = and(eq(epochs.orgId, orgId), gt(epochs.epochNo, webhook.seenEpochNo));
  const sealed = subscribed.includes('epoch.created')
    ? db.select({ no: epochs.epochNo }).from(epochs).where(newEpochs).orderBy(epochs.epochNo).limit(limit).all()
    : [];
  const accepted = records.map(({ no }): LedgerEvent => ({ eventType: 'operation.accepted', ledgerNo: no }));
  const created = sealed.map(({ no }): LedgerEvent => ({ eventType: 'epoch.created', ledgerNo: no }));
  enqueue(store, webhookId, [...accepted, ...created], now);
  db.update(webhooks)
    .set({
      seenSeqNo: records.at(-1)?.no ?? webhook.seenSeqNo,
      seenEpochNo: sealed.at(-1)?.no ?? webhook.seenEpochNo,
    })
    .where(eq(webhooks.webhookId, webhookId))
    .run();
}
