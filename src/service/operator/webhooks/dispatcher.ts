import type { LookupFunction } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { Sealer } from '../../ledger/keys/sealing.ts';
import { eq } from '../../store/drizzle.ts';
import type { WritableStore } from '../../store/open.ts';
import { webhookDeliveries } from '../../store/schema.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { withAttempt } from './attempt-log.ts';
import { collect, webhooksBehind } from './collect.ts';
import type { Connecting } from './connect.ts';
import { deliveryBody } from './delivery-body.ts';
import type { DeliveryRow, WebhookRow } from './enqueue.ts';
import { nextAttempt, RETRY_PLAN } from './plan.ts';
import { type Message, type Outcome, post } from './post.ts';
import { endedWebhook, purgeOld, purgeWebhook } from './purge.ts';
import { dueDeliveries, nextDue, pendingOf, webhooksWithDue } from './queue.ts';
import { type QueueHealth, queueHealth } from './queue-health.ts';
import { sealedSecret, signedHeaders } from './signing.ts';

export interface DispatcherOptions extends WriteAccess {
  readonly sealer: Sealer;
  /** Let deliveries go to private and loopback addresses (setting webhookAllowPrivate). */
  readonly allowPrivate: boolean;
  /** How many deliveries of a webhook may wait at present (setting quotaDeliveries). */
  readonly maxPending?: () => number;
  /** Gets errors of work in the background, which has no caller. A delivery that a receiver refuses is not one. */
  readonly onError: (error: unknown) => void;
  /** Of the service, for the User-Agent header. */
  readonly version: string;
  /** PEM certificates trusted besides those that Node trusts. */
  readonly tlsCa?: readonly string[];
  /** Waits after failed attempts, in milliseconds. */
  readonly plan?: readonly number[];
  readonly random?: () => number;
  /** For one attempt as a whole. */
  readonly timeLimitMs?: number;
  /** How long close() waits for attempts in progress. */
  readonly graceMs?: number;
  /** How names are looked up, in place of the lookup that passes on public addresses only. */
  readonly lookup?: LookupFunction;
}

const MAX_IN_FLIGHT = 8;
const MAX_IN_FLIGHT_PER_WEBHOOK = 2;
const TIME_LIMIT_MS = 10_000;
const GRACE_MS = 2000;
/** How long after a failure of our own, a full disk say, things are tried again. */
const TROUBLE_MS = 5000;
/** How long a webhook whose queue is full is passed over before its queue is looked at again. */
const FULL_MS = 1000;
/** The clock is looked at this often at least: it may be set, and a machine may sleep. */
const MAX_TIMER_MS = 60_000;
const PURGE_INTERVAL_MS = 3_600_000;

/**
 * Sends webhook deliveries from the queue in the database. What is in memory is only what is being sent right now: an
 * attempt's outcome is written after it, so a crash in between sends it again under the same id (at least once).
 */
export class WebhookDispatcher {
  readonly #options: DispatcherOptions;
  readonly #connecting: Connecting;
  readonly #inFlight = new Map<string, { readonly webhookId: string; readonly ended: Promise<void> }>();
  /** When each webhook had its last turn: one with a long queue and a slow receiver must not keep others waiting. */
  readonly #turns = new Map<string, { readonly turn: number; readonly at: number }>();
  /** Webhooks whose queue was full, and when. What they miss stays in the ledger, and is taken up as their queue empties. */
  readonly #full = new Map<string, number>();
  readonly #stop = new AbortController();
  #state: 'new' | 'started' | 'closed' = 'new';
  #woken = false;
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #turn = 0;
  #startedAt = 0;
  /** The time that the queue was last looked through for. */
  #lookedAt = 0;
  #purgeAt = 0;

  constructor(options: DispatcherOptions) {
    const { allowPrivate, lookup, tlsCa } = options;
    this.#options = options;
    const secureContext = tlsCa && createSecureContext({ ca: [...getCACertificates('default'), ...tlsCa] });
    this.#connecting = { allowPrivate, lookup, secureContext };
  }

  /** Resumes what an earlier run left. */
  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'started';
    this.#startedAt = this.#options.now();
    this.wake();
  }

  /** Says that there may be something to do. Cheap: many calls in a row come to one look at the database. */
  wake(): void {
    if (this.#state !== 'started') return;
    this.#woken = true;
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    let wait = MAX_TIMER_MS;
    while (this.#woken && this.#state === 'started') {
      this.#woken = false;
      try {
        // Lets whoever woke us finish first.
        await nextTurn();
        await this.#step();
        wait = MAX_TIMER_MS;
      } catch (error) {
        this.#options.onError(error);
        wait = TROUBLE_MS;
      }
    }
    this.#running = null;
    this.#sleep(wait);
  }

  #sleep(wait: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#state !== 'started') return;
    const { store, now, onError } = this.#options;
    let due = this.#full.size === 0 ? wait : Math.min(wait, FULL_MS);
    try {
      // From that look on, not from now on: what came due in between would be left out.
      if (this.#hasWebhooks())
        due = Math.min(due, (nextDue(store, this.#lookedAt) ?? Number.POSITIVE_INFINITY) - now());
    } catch (error) {
      onError(error);
    }
    this.#timer = setTimeout(() => this.wake(), Math.max(0, due));
    this.#timer.unref();
  }

  /** Asked with every commit of the ledger; most have nobody to tell. */
  #hasWebhooks(): boolean {
    return this.#options.store.statement('SELECT 1 FROM webhooks LIMIT 1').get() !== undefined;
  }

  async #step(): Promise<void> {
    const { store, writer } = this.#options;
    if (!this.#hasWebhooks()) return;
    const full = this.#stillFull();
    if (webhooksBehind(store, full).length > 0) {
      // A crash after it leaves events queued and the cursor moved past them: the next start sends them.
      await writer.transact((store) => {
        // Read again: what was read before the writer's turn may have been deleted since.
        for (const webhook of webhooksBehind(store, full)) this.#collect(store, webhook);
      });
      this.#woken = true;
    }
    this.#dispatch();
    await this.#purge();
  }

  #stillFull(): string[] {
    const before = performance.now() - FULL_MS;
    for (const [webhookId, at] of this.#full) if (at < before) this.#full.delete(webhookId);
    return [...this.#full.keys()];
  }

  #collect(store: WritableStore, webhook: WebhookRow): void {
    const { now, maxPending = () => Number.POSITIVE_INFINITY } = this.#options;
    const room = maxPending() - pendingOf(store, webhook.webhookId);
    if (room > 0) collect(store, webhook, now(), room);
    else this.#full.set(webhook.webhookId, performance.now());
  }

  /** Starts what is due, as far as there is room. */
  #dispatch(): void {
    const { store, now } = this.#options;
    const time = now();
    this.#lookedAt = time;
    if (this.#state !== 'started' || this.#inFlight.size >= MAX_IN_FLIGHT) return;
    const turnOf = ({ webhookId }: WebhookRow): number => this.#turns.get(webhookId)?.turn ?? 0;
    for (const webhook of webhooksWithDue(store, time).sort((a, b) => turnOf(a) - turnOf(b))) {
      const busy = [...this.#inFlight.values()].filter(({ webhookId }) => webhookId === webhook.webhookId).length;
      const room = Math.min(MAX_IN_FLIGHT - this.#inFlight.size, MAX_IN_FLIGHT_PER_WEBHOOK - busy);
      if (room <= 0) continue;
      const due = dueDeliveries(store, webhook.webhookId, time, room + busy);
      for (const delivery of due.filter(({ deliveryId }) => !this.#inFlight.has(deliveryId)).slice(0, room)) {
        this.#turns.set(webhook.webhookId, { turn: ++this.#turn, at: time });
        this.#begin(webhook, delivery);
      }
    }
  }

  #begin(webhook: WebhookRow, delivery: DeliveryRow): void {
    const ended = this.#attempt(webhook, delivery)
      .catch(this.#options.onError)
      .then(() => {
        this.#inFlight.delete(delivery.deliveryId);
        this.wake();
      });
    this.#inFlight.set(delivery.deliveryId, { webhookId: webhook.webhookId, ended });
  }

  async #attempt(webhook: WebhookRow, delivery: DeliveryRow): Promise<void> {
    const begunAt = this.#options.now();
    const outcome = await this.#send(webhook, delivery);
    // Stopped: it stays due and the next start sends it.
    if (outcome === null) return;
    const endedAt = this.#options.now();
    // A crash here, or a stop while it can't be written, sends once more what the receiver may have had.
    do {
      try {
        return await this.#record(delivery, outcome, begunAt, endedAt);
      } catch (error) {
        this.#options.onError(error);
        // Kept in flight meanwhile: it would be sent over and over while the disk is full.
        await delay(TROUBLE_MS, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined);
      }
    } while (!this.#stop.signal.aborted);
  }

  async #send(webhook: WebhookRow, delivery: DeliveryRow): Promise<Outcome | null> {
    const { store, sealer, now, version, onError, timeLimitMs = TIME_LIMIT_MS } = this.#options;
    let message: Message;
    try {
      const body = deliveryBody(store, webhook.orgId, delivery);
      const { sealed, context } = sealedSecret(webhook);
      const signature = signedHeaders(sealer.open(sealed, context), delivery.deliveryId, now(), body);
      const headers = { 'content-type': 'application/json', 'user-agent': `Countersign/${version}`, ...signature };
      message = { url: new URL(webhook.endpointUrl), headers, body };
    } catch (error) {
      // Only somebody who writes to the database gets here. The plan continues: what they altered may be restored.
      onError(error);
      return { status: null, error: 'the stored webhook cannot be used: its secret does not open' };
    }
    return post(message, this.#connecting, timeLimitMs, this.#stop.signal);
  }

  #record(delivery: DeliveryRow, { status, error }: Outcome, begunAt: number, endedAt: number): Promise<void> {
    const { writer, plan = RETRY_PLAN, random = Math.random } = this.#options;
    const attempts = delivery.attempts + 1;
    const next = error === null ? null : nextAttempt(plan, attempts, endedAt, random());
    const outcome = {
      status: error === null ? 'delivered' : next === null ? 'failed' : 'pending',
      attempts,
      nextAttemptAt: next,
      lastAttemptAt: endedAt,
      lastStatus: status,
      lastError: error,
      attemptLog: withAttempt(delivery, { status, error }, begunAt, endedAt),
    };
    // A crash after it leaves the outcome noted; nothing is sent again.
    return writer.transact((store) => {
      store.db
        .update(webhookDeliveries)
        .set(outcome)
        .where(eq(webhookDeliveries.deliveryId, delivery.deliveryId))
        .run();
    });
  }

  async #purge(): Promise<void> {
    const { store, writer, now } = this.#options;
    if (endedWebhook(store) !== undefined) {
      // A crash after it leaves some of the deliveries purged; the next start continues with the rest.
      await writer.transact((store) => {
        const webhookId = endedWebhook(store);
        if (webhookId === undefined) return;
        this.#turns.delete(webhookId);
        purgeWebhook(store, webhookId);
      });
      this.#woken = true;
    }
    const time = now();
    if (time < this.#purgeAt) return;
    // As above: what was purged is gone, and the next start continues.
    const more = await writer.transact((store) => purgeOld(store, time));
    if (more) this.#woken = true;
    else this.#purgeAt = time + PURGE_INTERVAL_MS;
  }

  queueHealth(): QueueHealth {
    const { store, now } = this.#options;
    return queueHealth(store, now(), (webhookId) => this.#turns.get(webhookId)?.at ?? this.#startedAt);
  }

  /** Waits a little for attempts in progress and leaves the rest to the next start. */
  async close(): Promise<void> {
    this.#state = 'closed';
    if (this.#timer !== null) clearTimeout(this.#timer);
    const grace = setTimeout(() => this.#stop.abort(), this.#options.graceMs ?? GRACE_MS);
    await this.#running;
    await Promise.all([...this.#inFlight.values()].map(({ ended }) => ended));
    clearTimeout(grace);
    this.#stop.abort();
  }
}
