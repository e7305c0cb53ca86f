import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSecureContext, getCACertificates } from 'node:tls';
import { cosignedBy, cosignedSizeBy, keepCosigned, type WitnessRow } from '../../ledger/epochs/cosignatures.ts';
import { listEpochs } from '../../ledger/epochs/epoch-queries.ts';
import { witnessRequestOf } from '../../ledger/epochs/log-proofs.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, eq, isNotNull, isNull } from '../../store/drizzle.ts';
import { witnessAsks, witnesses } from '../../store/schema.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import type { Connecting } from '../webhooks/connect.ts';
import { nextAttempt, RETRY_PLAN } from '../webhooks/plan.ts';
import { post } from '../webhooks/post.ts';

export interface WitnessAskerOptions extends WriteAccess {
  readonly key: KeyHolder;
  /** Ask witnesses at private and loopback addresses too (setting webhookAllowPrivate). */
  readonly allowPrivate: boolean;
  /** Gets errors of work in the background. A witness that refuses is not one. */
  readonly onError: (error: unknown) => void;
  /** Of the service, for the User-Agent header. */
  readonly version: string;
  /** PEM certificates trusted besides those that Node trusts. */
  readonly tlsCa?: readonly string[];
  /** Waits after failed attempts, in milliseconds. */
  readonly plan?: readonly number[];
  /** For one request as a whole. */
  readonly timeLimitMs?: number;
}

/** Up to an hour: nobody gives up on a witness, but whoever removes it. */
const PLAN = RETRY_PLAN.slice(0, 5);
const TIME_LIMIT_MS = 10_000;
const GRACE_MS = 2000;
const TROUBLE_MS = 5000;
/** The clock may be set, and a machine may sleep: what is due is looked for this often at least. */
const MAX_TIMER_MS = 60_000;

/** The newest checkpoint of each log that a witness has not cosigned, and when it may be asked. */
const BEHIND = `
  SELECT o.org_id AS orgId, coalesce(a.next_attempt_at, 0) AS due
  FROM organizations o LEFT JOIN witness_asks a ON a.witness_id = @witnessId AND a.org_id = o.org_id
  WHERE (SELECT max(last_seq_no) FROM epochs e WHERE e.org_id = o.org_id)
    > coalesce((SELECT max(size) FROM cosignatures c WHERE c.org_id = o.org_id AND c.witness_id = @witnessId), 0)
  ORDER BY due`;

interface Behind {
  readonly orgId: string;
  readonly due: number;
}

/** Why a witness refused, in words; null where its status says nothing that we know of. */
const REFUSALS: Readonly<Record<number, string>> = {
  403: 'HTTP 403: no key of the log that the witness trusts signed the checkpoint: hand it the service keys',
  404: 'HTTP 404: the witness does not know this log, or the address is not that of a witness',
  422: 'HTTP 422: the log does not continue what the witness cosigned',
};

/** What an attempt came to; `size` is what the witness said that it cosigned last. */
interface Failure {
  readonly error: string;
  readonly size: number | null;
}

/**
 * Asks witnesses to cosign the newest checkpoint of each log (C2SP tlog-witness), after each epoch. Nothing waits for it, and nothing of it
 * is in memory alone but what is being asked: the cosignatures that are kept say from which size a witness is asked next.
 */
export class WitnessAsker {
  readonly #options: WitnessAskerOptions;
  readonly #connecting: Connecting;
  readonly #asking = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  #state: 'new' | 'started' | 'closed' = 'new';
  #timer: NodeJS.Timeout | null = null;

  constructor(options: WitnessAskerOptions) {
    const { allowPrivate, tlsCa } = options;
    this.#options = options;
    const secureContext = tlsCa && createSecureContext({ ca: [...getCACertificates('default'), ...tlsCa] });
    this.#connecting = { allowPrivate, secureContext };
  }

  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'started';
    this.wake();
  }

  /** Says that there may be something to ask. */
  wake(): void {
    if (this.#state !== 'started') return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const { witnessId } of this.#witnesses()) {
      if (this.#asking.has(witnessId)) continue;
      const asking = this.#follow(witnessId)
        .catch((error: unknown) => {
          this.#options.onError(error);
          return TROUBLE_MS;
        })
        .then((wait) => {
          this.#asking.delete(witnessId);
          this.#wakeIn(wait);
        });
      this.#asking.set(witnessId, asking);
    }
  }

  #witnesses(): WitnessRow[] {
    const { db } = this.#options.store;
    return db
      .select()
      .from(witnesses)
      .where(and(isNull(witnesses.removedAt), isNotNull(witnesses.url)))
      .all();
  }

  #wakeIn(wait: number): void {
    if (this.#state !== 'started') return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), Math.max(0, Math.min(wait, MAX_TIMER_MS)));
    this.#timer.unref();
  }

  /** Asks one witness, one log at a time, until nothing is due. @returns how long to wait for the next, in milliseconds */
  async #follow(witnessId: string): Promise<number> {
    const { store, now } = this.#options;
    for (;;) {
      // Lets whoever woke us finish first.
      await nextTurn();
      const witness = this.#witnesses().find((one) => one.witnessId === witnessId);
      if (witness === undefined || this.#state !== 'started') return MAX_TIMER_MS;
      const [next] = store.statement(BEHIND).all({ witnessId }) as Behind[];
      const time = now();
      if (next === undefined) return MAX_TIMER_MS;
      if (next.due > time) return next.due - time;
      await this.#ask(witness, next.orgId);
    }
  }

  async #ask(witness: WitnessRow, orgId: string): Promise<void> {
    const { writer, now, plan = PLAN } = this.#options;
    const failure = await this.#attempt(witness, orgId);
    if (this.#stop.signal.aborted) return;
    const { witnessId } = witness;
    // A crash before it has the witness asked once more, which it answers alike.
    await writer.transact((tx) => {
      const ofBoth = and(eq(witnessAsks.witnessId, witnessId), eq(witnessAsks.orgId, orgId));
      const attempts = failure === null ? 0 : (tx.db.select().from(witnessAsks).where(ofBoth).get()?.attempts ?? 0) + 1;
      const time = now();
      const wait = nextAttempt(plan, Math.min(attempts, plan.length), time, Math.random());
      const row = {
        attempts,
        lastAttemptAt: time,
        nextAttemptAt: failure === null ? null : wait,
        lastError: failure?.error ?? null,
        toldSize: failure?.size ?? null,
      };
      const isThere =
        tx.db.select().from(witnesses).where(eq(witnesses.witnessId, witnessId)).get()?.removedAt === null;
      if (!isThere) return;
      tx.db
        .insert(witnessAsks)
        .values({ witnessId, orgId, ...row })
        .onConflictDoUpdate({ target: [witnessAsks.witnessId, witnessAsks.orgId], set: row })
        .run();
    });
  }

  /** Asks from the size that is known, and once more from the one that the witness names. @returns null where it cosigned */
  async #attempt(witness: WitnessRow, orgId: string): Promise<Failure | null> {
    const { store } = this.#options;
    const size = listEpochs(store, orgId, null, 1)[0]?.last_seq_no ?? 0;
    const known = cosignedSizeBy(store, orgId, witness.witnessId);
    const first = await this.#send(witness, orgId, { from: known, to: size });
    if (first === null || first.size === null || first.size === known) return first;
    if (first.size > size) {
      const error = `the witness cosigned the size ${first.size}, and this log ends at ${size}: was an older copy of the data folder restored?`;
      return { ...first, error };
    }
    if (first.size < known) {
      const error = `the witness cosigned the size ${known}, and now says ${first.size}: it was set back, so that it may cosign another log; have its holder make a new one`;
      return { ...first, error };
    }
    return this.#send(witness, orgId, { from: first.size, to: size });
  }

  async #send(
    witness: WitnessRow,
    orgId: string,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<Failure | null> {
    const { store, writer, key, now, version, timeLimitMs = TIME_LIMIT_MS } = this.#options;
    try {
      const body = await witnessRequestOf(store, key, orgId, { from, to });
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'user-agent': `Countersign/${version}` };
      const message = { url: new URL(`${witness.url ?? ''}/add-checkpoint`), headers, body };
      const posted = await post(message, this.#connecting, timeLimitMs, this.#stop.signal);
      if (posted === null) return { error: 'the service stopped', size: null };
      if (posted.status === 409 && /^(?:0|[1-9]\d{0,14})\n?$/.test(posted.text)) {
        const told = Number(posted.text);
        return { error: `HTTP 409: the witness cosigned another size, ${told} records long`, size: told };
      }
      if (posted.error !== null) return { error: REFUSALS[posted.status ?? 0] ?? posted.error, size: null };
      const cosigned = await cosignedBy(store, key, orgId, { witness, answer: posted.text, size: to });
      // A crash after it leaves the cosignatures kept.
      await writer.transact((tx) => keepCosigned(tx, orgId, witness.witnessId, cosigned, now()));
      return null;
    } catch (error) {
      // Of our ledger, which may be damaged, or of what was answered.
      if (error instanceof ServiceError) return { error: error.message, size: null };
      throw error;
    }
  }

  /** Waits a little for what is being asked. */
  async close(): Promise<void> {
    this.#state = 'closed';
    if (this.#timer !== null) clearTimeout(this.#timer);
    const grace = setTimeout(() => this.#stop.abort(), GRACE_MS);
    await Promise.all(this.#asking.values());
    clearTimeout(grace);
    this.#stop.abort();
  }
}
