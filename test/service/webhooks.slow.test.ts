/** Webhooks from event to receiver: over real TLS, verified there by the public library. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook as PublicLibrary } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { enqueueStatusChange } from '../../src/service/operator/webhooks/enqueue.ts';
import { Receiver, status } from './webhook-receiver.ts';
import { AGENT_ID, type Dispatching, WebhookService } from './webhook-service.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function receiving(secret?: string): Promise<Receiver> {
  const receiver = await Receiver.start(secret);
  cleanups.push(() => receiver.close());
  return receiver;
}

/** A service that trusts the receiver's certificate, with one organization. */
async function serving(receiver: Receiver, dispatching: Dispatching = {}) {
  const service = await WebhookService.start({ tlsCa: [receiver.certificate.cert], ...dispatching });
  cleanups.push(() => service.end());
  return { service, orgId: await service.organization() };
}

const WEEK_MS = 7 * 24 * 3_600_000;

describe('Webhook event types', () => {
  test('operation.accepted tells of a record, without its payload', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver);
    await service.register(orgId, receiver.url(), receiver.secret);
    const receipt = await service.submit(orgId);
    const [row] = await service.settled();
    expect(receiver.received[0]?.verify()).toEqual({
      type: 'operation.accepted',
      timestamp: receipt.server_received_at,
      data: {
        org_id: orgId,
        agent_id: AGENT_ID,
        operation_id: receipt.operation_id,
        operation_type: 'invoice.create',
        subject: 'invoice/7',
        action: 'create',
        seq_no: 1,
        chain_hash: receipt.chain_hash,
        server_received_at: receipt.server_received_at,
        receipt_id: receipt.receipt_id,
      },
    });
    expect(row).toMatchObject({
      status: 'delivered',
      attempts: 1,
      lastStatus: 204,
      lastError: null,
      nextAttemptAt: null,
    });
  });

  test('epoch.created carries the epoch with its signature', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver);
    await service.register(orgId, receiver.url(), receiver.secret, ['epoch.created']);
    await service.submit(orgId);
    await service.ledger.sealNow(orgId);
    await service.settled();
    expect(receiver.received.map((received) => received.verify())).toEqual([
      {
        type: 'epoch.created',
        timestamp: expect.any(String),
        data: expect.objectContaining({
          org_id: orgId,
          epoch_no: 1,
          leaf_count: 1,
          root_hash: expect.stringMatching(/^sha256:/),
          signature_by_service: expect.stringMatching(/^[\w-]{86}$/),
        }),
      },
    ]);
  });

  test('agent.status_changed is queued in the transaction of the change', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver);
    await service.register(orgId, receiver.url(), receiver.secret, ['agent.status_changed']);
    await service.register(orgId, receiver.url(), receiver.secret, ['operation.accepted']);
    const change = { orgId, agentId: AGENT_ID, from: 'active', to: 'frozen', reason: 'odd', at: service.now() };
    const undone = service.writer.transact(() => {
      enqueueStatusChange(service.store, change);
      throw new Error('the change fails');
    });
    await expect(undone).rejects.toThrow('the change fails');
    expect(service.rows()).toEqual([]);
    await service.writer.transact(() => enqueueStatusChange(service.store, change));
    service.dispatcher.wake();
    await service.settled();
    expect(receiver.received[0]?.verify()).toEqual({
      type: 'agent.status_changed',
      timestamp: new Date(change.at).toISOString(),
      data: { org_id: orgId, agent_id: AGENT_ID, from: 'active', to: 'frozen', reason: 'odd' },
    });
  });

  test('a test event is sent on demand, whatever the webhook subscribes to', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver);
    const { webhook_id } = await service.register(orgId, receiver.url(), receiver.secret);
    const delivery = await service.test(orgId, webhook_id);
    expect(delivery).toMatchObject({ event_type: 'test', status: 'pending', attempts: 0 });
    await service.settled();
    expect(receiver.received[0]).toMatchObject({ id: delivery.delivery_id, body: delivery.body });
    expect(receiver.received[0]?.verify()).toMatchObject({ type: 'test', data: { webhook_id } });
  });

  test('a webhook gets what comes after its registration, in order, and from one organization only', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver);
    const other = await service.organization('Other');
    await service.submit(orgId, 'before');
    await service.register(orgId, receiver.url(), receiver.secret);
    await service.submit(other, 'elsewhere');
    for (let index = 0; index < 5; index++) await service.submit(orgId, `after ${index}`);
    const rows = await service.settled(5);
    // The queue keeps which operation an event is about; the body is made when the event is sent.
    const bodyOf = (deliveryId: string) => receiver.received.find(({ id }) => id === deliveryId)?.body ?? '{}';
    const subjects = rows.map(({ deliveryId }) => JSON.parse(bodyOf(deliveryId)).data?.subject);
    expect(subjects).toEqual(['after 0', 'after 1', 'after 2', 'after 3', 'after 4']);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(5);
  });

  test('more events than one batch are all queued, each once', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver);
    await service.register(orgId, receiver.url(), receiver.secret);
    receiver.isDown = true;
    await service.dispatcher.close();
    for (let index = 0; index < 300; index++) await service.submit(orgId, String(index));
    await service.stop();
    cleanups.splice(1, 1);
    const again = await service.restart();
    cleanups.push(() => again.end());
    const rows = await again.queue(({ length }) => length >= 300);
    const seqNos = rows.map(({ ledgerNo }) => ledgerNo);
    expect(seqNos).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  });
});

describe('Standard Webhooks', () => {
  test('the headers are those of the specification, and a changed body does not verify', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver);
    const { webhook_id } = await service.register(orgId, receiver.url('/hook?a=1'), receiver.secret);
    await service.test(orgId, webhook_id);
    await service.settled();
    const [received] = receiver.received;
    const { headers, body = '' } = received ?? {};
    expect(headers).toMatchObject({
      host: `127.0.0.1:${receiver.port}`,
      'content-type': 'application/json',
      'user-agent': 'Countersign/1.2.3',
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    const library = new PublicLibrary(receiver.secret, { format: 'raw' });
    expect(() => library.verify(body.replace('test', 'tess'), headers as Record<string, string>)).toThrow();
  });

  test.each(['a secret in ASCII, yes', 'whsec_bm90IGRlY29kZWQgYXQgYWxs', 'ein Schlüssel aus Wörtern 🔑'])(
    'the key is the bytes of the secret as given: %s',
    async (secret) => {
      const receiver = await receiving(secret);
      const { service, orgId } = await serving(receiver);
      const { webhook_id } = await service.register(orgId, receiver.url(), secret);
      await service.test(orgId, webhook_id);
      await service.settled();
      const { body = '', headers } = receiver.received[0] ?? {};
      const bytes = Buffer.from(secret, 'utf8');
      for (const library of [
        new PublicLibrary(bytes, { format: 'raw' }),
        new PublicLibrary(`whsec_${bytes.toString('base64')}`),
      ]) {
        expect(library.verify(body, headers as Record<string, string>)).toMatchObject({ type: 'test' });
      }
    },
  );
});

describe('Retries', () => {
  test('what the receiver missed comes after it and the service were down, under the same id', async () => {
    const receiver = await receiving();
    const tlsCa = [receiver.certificate.cert];
    const { service, orgId } = await serving(receiver, { plan: [3000, 30_000] });
    await service.register(orgId, receiver.url(), receiver.secret);
    receiver.isDown = true;
    await service.submit(orgId);
    const [missed] = await service.queue(([row]) => row?.attempts === 1);
    expect(missed).toMatchObject({
      status: 'pending',
      lastStatus: null,
      lastError: expect.stringMatching(/^no answer/),
    });
    await service.stop();
    cleanups.splice(1, 1);

    receiver.isDown = false;
    const later = (): number => Date.now() + 4000;
    const again = await service.restart({ tlsCa, now: later });
    cleanups.push(() => again.end());
    const [row] = await again.settled();
    expect(row).toMatchObject({ status: 'delivered', attempts: 2, deliveryId: missed?.deliveryId });
    expect(JSON.parse(row?.attemptLog ?? '')).toMatchObject([
      { status: null, error: missed?.lastError },
      { status: 204, error: null },
    ]);
    expect(receiver.received).toMatchObject([{ id: missed?.deliveryId }]);
    expect(receiver.received[0]?.verify()).toMatchObject({
      type: 'operation.accepted',
      data: { seq_no: missed?.ledgerNo },
    });
  });

  test('an attempt whose outcome was not written is made again', async () => {
    const receiver = await receiving();
    const tlsCa = [receiver.certificate.cert];
    const { service, orgId } = await serving(receiver, { graceMs: 0 });
    const { webhook_id } = await service.register(orgId, receiver.url(), receiver.secret);
    const arrived = new Promise<void>((resolve) => receiver.replies.push(() => resolve()));
    const { delivery_id } = await service.test(orgId, webhook_id);
    await arrived;
    await service.stop();
    cleanups.splice(1, 1);
    const again = await service.restart({ tlsCa });
    cleanups.push(() => again.end());
    const [row] = await again.settled();
    expect(row).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(receiver.received.map(({ id }) => id)).toEqual([delivery_id, delivery_id]);
  });

  test('a failed delivery waits for its time by itself, and is given up when the plan ends', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver, { plan: [100, 150] });
    const { webhook_id } = await service.register(orgId, receiver.url(), receiver.secret);
    receiver.replies.push(status(500), status(503), status(429));
    await service.test(orgId, webhook_id);
    const [row] = await service.settled();
    expect(row).toMatchObject({ status: 'failed', attempts: 3, lastStatus: 429, lastError: 'HTTP 429' });
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    for (const received of receiver.received) received.verify();
    expect(service.dispatcher.queueHealth()).toEqual({ pending: 0, oldestOverdueMs: 0, failedLastHour: 1 });
  });

  test('redirects are failures and are not followed', async () => {
    const receiver = await receiving();
    const elsewhere = await receiving();
    const { service, orgId } = await serving(receiver, { plan: [] });
    const { webhook_id } = await service.register(orgId, receiver.url(), receiver.secret);
    receiver.replies.push(status(307, { location: elsewhere.url() }));
    await service.test(orgId, webhook_id);
    const [row] = await service.settled();
    expect(row).toMatchObject({ status: 'failed', lastStatus: 307, lastError: 'HTTP 307: redirects are not followed' });
    expect(elsewhere.connections).toBe(0);
  });

  test('a receiver that does not answer in time has failed', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver, { plan: [], timeLimitMs: 100 });
    const { webhook_id } = await service.register(orgId, receiver.url(), receiver.secret);
    receiver.replies.push(() => undefined);
    await service.test(orgId, webhook_id);
    const [row] = await service.settled();
    expect(row).toMatchObject({ status: 'failed', lastStatus: null, lastError: 'no answer within 0.1 s' });
  });

  test('an answer without end is cut off; its status has decided', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver, { plan: [] });
    const { webhook_id } = await service.register(orgId, receiver.url(), receiver.secret);
    receiver.replies.push((response) => {
      const more = (): void => void response.write('x'.repeat(65_536), (error) => error ?? more());
      more();
    });
    await service.test(orgId, webhook_id);
    const [row] = await service.settled();
    expect(row).toMatchObject({ status: 'delivered', lastStatus: 200 });
  });

  test('a certificate that nobody vouches for is refused', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver, { plan: [], tlsCa: [] });
    const { webhook_id } = await service.register(orgId, receiver.url(), receiver.secret);
    await service.test(orgId, webhook_id);
    const [row] = await service.settled();
    expect(row).toMatchObject({ status: 'failed', lastError: 'no answer: DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(receiver.received).toEqual([]);
  });

  test('a certificate for another name is refused', async () => {
    const receiver = await Receiver.start('a secret of the receiver', ['hooks.example']);
    cleanups.push(() => receiver.close());
    const { service, orgId } = await serving(receiver, { plan: [] });
    const { webhook_id } = await service.register(orgId, receiver.url(), receiver.secret);
    await service.test(orgId, webhook_id);
    const [row] = await service.settled();
    expect(row).toMatchObject({ status: 'failed', lastError: 'no answer: ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  test('a slow receiver gets two deliveries at a time and keeps no other webhook waiting', async () => {
    const receiver = await receiving();
    const quick = await receiving();
    const tlsCa = [receiver.certificate.cert, quick.certificate.cert];
    const { service, orgId } = await serving(receiver, { tlsCa, graceMs: 0 });
    const slow = await service.register(orgId, receiver.url(), receiver.secret);
    const other = await service.register(orgId, quick.url(), quick.secret);
    const held: (() => void)[] = [];
    for (let index = 0; index < 6; index++) receiver.replies.push((response) => held.push(() => response.end()));
    for (let index = 0; index < 6; index++) await service.test(orgId, slow.webhook_id);
    for (let index = 0; index < 6; index++) await service.test(orgId, other.webhook_id);
    await service.queue((rows) => rows.filter(({ status: state }) => state === 'delivered').length === 6);
    expect(quick.received).toHaveLength(6);
    expect(receiver.received).toHaveLength(2);
    receiver.replies.splice(0);
    for (const release of held) release();
    await service.settled(12);
  });
});

describe('Webhook', () => {
  const secret = 'correct horse battery staple';

  test('its secret is in no answer, no log and nowhere in the data folder', async () => {
    const receiver = await receiving(secret);
    const { service, orgId } = await serving(receiver, { plan: [] });
    const webhook = await service.register(orgId, receiver.url(), secret);
    await service.test(orgId, webhook.webhook_id);
    await service.settled();
    receiver.received[0]?.verify();
    expect(webhook).toEqual({
      webhook_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      org_id: orgId,
      endpoint_url: receiver.url(),
      events: ['operation.accepted'],
      status: 'active',
      created_at: expect.any(Number),
      updated_at: webhook.created_at,
    });
    const list = (await service.routes.listWebhooks(service.call<'listWebhooks'>(orgId))).body;
    expect(list).toEqual({ webhooks: [webhook] });
    const said = JSON.stringify([list, await service.deliveries(orgId, webhook.webhook_id), service.errors]);
    expect(said).not.toContain(secret);
    for (const file of readdirSync(service.folder)) {
      const bytes = readFileSync(join(service.folder, file));
      for (const form of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')]) {
        expect(bytes.includes(form), file).toBe(false);
      }
    }
  });

  test('registration and deletion are in the administrative log, in one transaction with the act', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver);
    const { webhook_id } = await service.register(orgId, receiver.url(), secret, ['epoch.created']);
    await service.delete(orgId, webhook_id);
    const events = service.store.sqlite
      .prepare("SELECT action, actor, target_type, target_id, details FROM admin_events WHERE target_type = 'webhook'")
      .all();
    const target = { actor: 'user-1', target_type: 'webhook', target_id: webhook_id };
    const details = JSON.stringify({ endpoint_url: receiver.url(), events: ['epoch.created'] });
    expect(events).toMatchObject([
      { action: 'webhook.register', ...target, details },
      { action: 'webhook.delete', ...target },
    ]);
    service.store.sqlite.exec(
      "CREATE TRIGGER full BEFORE INSERT ON admin_events BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    await expect(service.register(orgId, receiver.url(), secret)).rejects.toThrow('no room');
    const { body } = await service.routes.listWebhooks(service.call<'listWebhooks'>(orgId));
    expect(body.webhooks).toEqual([]);
  });

  test("another organization's webhook does not exist", async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver);
    const other = await service.organization('Other');
    const { webhook_id } = await service.register(orgId, receiver.url(), secret);
    const none = { code: 'NOT_FOUND' };
    await expect(service.test(other, webhook_id)).rejects.toMatchObject(none);
    await expect(service.delete(other, webhook_id)).rejects.toMatchObject(none);
    await expect(service.deliveries(other, webhook_id)).rejects.toMatchObject(none);
    expect((await service.routes.listWebhooks(service.call<'listWebhooks'>(other))).body.webhooks).toEqual([]);
    expect(service.rows()).toEqual([]);
  });

  test('deliveries are listed newest first, a page at a time', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver);
    const { webhook_id } = await service.register(orgId, receiver.url(), secret);
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.unshift((await service.test(orgId, webhook_id)).delivery_id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await service.deliveries(orgId, webhook_id, { limit: 2, ...(cursor === null ? {} : { cursor }) });
      expect(page.hasMore).toBe(page.nextCursor !== null);
      seen.push(...page.data.map(({ delivery_id }) => delivery_id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids);
    for (const cursor of ['bm90IG9uZQ', Buffer.from('"not one"').toString('base64url')]) {
      const malformed = service.deliveries(orgId, webhook_id, { cursor });
      await expect(malformed).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    await service.settled(5);
  });

  test('what was queued before its deletion is still attempted, and then the secret is gone', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver);
    const { webhook_id } = await service.register(orgId, receiver.url(), receiver.secret);
    const held: (() => void)[] = [];
    const bothArrived = new Promise<void>((resolve) => {
      const hold = (response: { end(): void }): void => {
        if (held.push(() => void response.end()) === 2) resolve();
      };
      receiver.replies.push(hold, hold);
    });
    for (let index = 0; index < 4; index++) await service.test(orgId, webhook_id);
    await bothArrived;
    await service.delete(orgId, webhook_id);
    await expect(service.deliveries(orgId, webhook_id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await service.submit(orgId, 'after its deletion');
    for (const release of held) release();
    const webhooks = service.store.sqlite.prepare('SELECT * FROM webhooks');
    await service.queue((rows) => rows.length === 0 && webhooks.all().length === 0);
    expect(receiver.received).toHaveLength(4);
    for (const received of receiver.received) expect(received.verify()).toMatchObject({ type: 'test' });
  });

  test('deliveries that ended long ago are dropped, pending ones never', async () => {
    const receiver = await receiving();
    let ahead = 0;
    const now = (): number => Date.now() + ahead;
    const { service, orgId } = await serving(receiver, { now, plan: [52 * WEEK_MS] });
    const { webhook_id } = await service.register(orgId, receiver.url(), secret);
    receiver.replies.push(status(500), status(204));
    const kept = await service.test(orgId, webhook_id);
    await service.queue(([row]) => row?.attempts === 1);
    await service.test(orgId, webhook_id);
    await service.queue((rows) => rows.length === 2 && rows[1]?.status === 'delivered');
    ahead = 6 * WEEK_MS;
    service.dispatcher.wake();
    const rows = await service.queue(({ length }) => length === 1);
    expect(rows[0]?.deliveryId).toBe(kept.delivery_id);
  });

  test('a sealed secret that was altered, or is another webhook’s, signs nothing', async () => {
    const receiver = await receiving();
    const { service, orgId } = await serving(receiver, { plan: [] });
    const altered = await service.register(orgId, receiver.url(), receiver.secret);
    const swapped = await service.register(orgId, receiver.url(), receiver.secret);
    const original = await service.register(orgId, receiver.url(), receiver.secret);
    const { sqlite } = service.store;
    const sealedOf = sqlite.prepare('SELECT sealed_secret FROM webhooks WHERE webhook_id = ?').pluck();
    const replace = sqlite.prepare('UPDATE webhooks SET sealed_secret = ? WHERE webhook_id = ?');
    const bytes = Buffer.from(sealedOf.get(altered.webhook_id) as Buffer);
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    replace.run(bytes, altered.webhook_id);
    replace.run(sealedOf.get(original.webhook_id), swapped.webhook_id);
    await service.test(orgId, altered.webhook_id);
    await service.test(orgId, swapped.webhook_id);
    for (const { status: state, lastError } of await service.settled(2)) {
      expect([state, lastError]).toEqual(['failed', 'the stored webhook cannot be used: its secret does not open']);
    }
    expect(receiver.received).toEqual([]);
    expect(service.errors).toMatchObject([{ name: 'SealBroken' }, { name: 'SealBroken' }]);
  });

  test('an outcome that cannot be written does not send the delivery over and over', async () => {
    const receiver = await receiving();
    const failures: { readonly promise: Promise<unknown>; readonly resolve: (error: unknown) => void }[] = [];
    for (let count = 0; count < 2; count++) failures.push(Promise.withResolvers<unknown>());
    const [first, second] = failures;
    let count = 0;
    const onError = (error: unknown): void => failures[count++]?.resolve(error);
    const { service, orgId } = await serving(receiver, { onError, graceMs: 0 });
    const { webhook_id } = await service.register(orgId, receiver.url(), receiver.secret);
    service.store.sqlite.exec(
      "CREATE TRIGGER full BEFORE UPDATE ON webhook_deliveries BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    const one = await service.test(orgId, webhook_id);
    expect(await first?.promise).toMatchObject({ message: 'no room' });
    const other = await service.test(orgId, webhook_id);
    expect(await second?.promise).toMatchObject({ message: 'no room' });
    expect(receiver.received.map(({ id }) => id)).toEqual([one.delivery_id, other.delivery_id]);
    expect(service.rows()).toMatchObject([{ status: 'pending', attempts: 0 }, { status: 'pending' }]);
  });
});
