/** The parts of a service that webhooks need, on a database of their own that outlives a stop. */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Delivery, RouteName, Webhook } from '../../src/api/index.ts';
import { nodeCrypto, nodeSigner } from '../../src/node/index.ts';
import {
  chainHash,
  formatTime,
  fromBase64Url,
  payloadHash,
  type Receipt,
  recordSignedBytes,
  toBase64Url,
} from '../../src/protocol/index.ts';
import type { Call, Member } from '../../src/service/http/handler.ts';
import { openLedgerKey } from '../../src/service/ledger/keys/file-key-holder.ts';
import { openSealingKeyFile } from '../../src/service/ledger/keys/file-sealer.ts';
import type { KeyHolder } from '../../src/service/ledger/keys/key-holder.ts';
import type { Sealer } from '../../src/service/ledger/keys/sealing.ts';
import { activeServiceKid, registerServiceKey } from '../../src/service/ledger/keys/service-keys.ts';
import { Ledger } from '../../src/service/ledger/ledger.ts';
import type { OperationIndex } from '../../src/service/ledger/operation-index/operation-index.ts';
import { sqliteLedgerStore } from '../../src/service/ledger/sqlite-ledger-store.ts';
import { type DispatcherOptions, WebhookDispatcher } from '../../src/service/operator/webhooks/dispatcher.ts';
import type { DeliveryRow } from '../../src/service/operator/webhooks/enqueue.ts';
import { sealedSecrets } from '../../src/service/operator/webhooks/registry.ts';
import { webhookRoutes } from '../../src/service/operator/webhooks/webhook-routes.ts';
import { registerAgent } from '../../src/service/people/agents/registry.ts';
import { type OpenStore, openStore } from '../../src/service/store/open.ts';
import { organizations, webhookDeliveries } from '../../src/service/store/schema.ts';
import { Writer } from '../../src/service/store/writer.ts';
import { openIndex } from '../support/operation-index.ts';

/** Says when something was written, so that tests wait for what they wait for and not for a time. */
class WatchedWriter extends Writer {
  readonly #waiting = new Set<() => void>();

  override run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = super.run(task);
    const look = (): void => {
      for (const waiter of this.#waiting) waiter();
    };
    result.then(look, look);
    return result;
  }

  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}

export type Dispatching = Partial<DispatcherOptions>;

/** The submitting agent of the tests: key, and where its chain ends. */
interface Agent {
  readonly orgId: string;
  readonly sign: (message: Uint8Array) => Uint8Array;
  head: string | null;
}

export const AGENT_ID = 'agent-1';

/** What a start opens, and what a stop closes. */
interface Parts {
  readonly store: OpenStore;
  readonly index: OperationIndex;
  readonly writer: WatchedWriter;
  readonly key: KeyHolder;
  readonly sealer: Sealer;
  readonly ledger: Ledger;
  readonly dispatcher: WebhookDispatcher;
  readonly allowPrivate: boolean;
}

/** What outlives a stop. */
interface World {
  readonly folder: string;
  readonly agents: Map<string, Agent>;
  readonly errors: unknown[];
}

async function open({ folder, errors }: World, dispatching: Dispatching, now: () => number): Promise<Parts> {
  const onError = (error: unknown): void => void errors.push(error);
  const store = openStore(join(folder, 'ledger.sqlite'));
  const writer = new WatchedWriter(store);
  const key = openLedgerKey(join(folder, 'service-key.json'), activeServiceKid(store), null);
  registerServiceKey(store, key);
  const sealer = openSealingKeyFile(join(folder, 'sealing-key.json'), sealedSecrets(store));
  const allowPrivate = dispatching.allowPrivate ?? true;
  const dispatcher = new WebhookDispatcher({
    store,
    writer,
    sealer,
    now,
    onError,
    allowPrivate,
    version: '1.2.3',
    ...dispatching,
  });
  const index = await openIndex(folder, store, onError);
  const ledger = await Ledger.open({
    store: sqliteLedgerStore(store, index, writer),
    writer,
    key,
    now,
    onError,
    stamp: () => store.clock.stamp(now()),
    epochIntervalMs: 3_600_000,
    epochMaxLeaves: 1000,
    maxPayloadBytes: 65_536,
    onCommit: () => dispatcher.wake(),
  });
  dispatcher.start();
  return { store, index, writer, key, sealer, ledger, dispatcher, allowPrivate };
}

export class WebhookService {
  readonly #world: World;
  readonly #parts: Parts;
  readonly now: () => number;

  private constructor(world: World, parts: Parts, now: () => number) {
    this.#world = world;
    this.#parts = parts;
    this.now = now;
  }

  /** @param dispatching stands in for what the service is set to */
  static async start(dispatching: Dispatching = {}): Promise<WebhookService> {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-webhooks-'));
    const world: World = { folder, agents: new Map(), errors: [] };
    const now = dispatching.now ?? Date.now;
    return new WebhookService(world, await open(world, dispatching, now), now);
  }

  /** Opens the same folder again, after a stop. */
  async restart(dispatching: Dispatching = {}): Promise<WebhookService> {
    const now = dispatching.now ?? Date.now;
    return new WebhookService(this.#world, await open(this.#world, dispatching, now), now);
  }

  get folder(): string {
    return this.#world.folder;
  }
  /** What the dispatcher and the ledger had to tell nobody of. */
  get errors(): readonly unknown[] {
    return this.#world.errors;
  }
  get store(): OpenStore {
    return this.#parts.store;
  }
  get writer(): Writer {
    return this.#parts.writer;
  }
  get ledger(): Ledger {
    return this.#parts.ledger;
  }
  get dispatcher(): WebhookDispatcher {
    return this.#parts.dispatcher;
  }

  /** Leaves records unsealed, as a crash would: closing the ledger would seal them. */
  async stop(): Promise<void> {
    await this.dispatcher.close();
    await this.#parts.index.close();
    this.store.close();
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }

  get routes(): ReturnType<typeof webhookRoutes> {
    const { store, writer, sealer, dispatcher, allowPrivate } = this.#parts;
    const settings = { webhookAllowPrivate: allowPrivate, quotaWebhooks: 1000, quotaDeliveries: 10_000 };
    return webhookRoutes({ settings, store, writer, sealer, now: this.now, webhooks: dispatcher });
  }

  /** An organization with one agent; its id. */
  async organization(name = 'Acme'): Promise<string> {
    const orgId = randomUUID();
    this.store.db.insert(organizations).values({ orgId, name, createdAt: this.now() }).run();
    const { privateKey } = generateKeyPairSync('ed25519');
    const jwk = privateKey.export({ format: 'jwk' });
    await registerAgent({ ...this.#parts, now: this.now }, orgId, 'user-1', {
      agent_id: AGENT_ID,
      integration_type: 'sdk',
      keys: [{ kid: 'key-1', public_key: jwk.x ?? '' }],
    });
    this.#world.agents.set(orgId, { orgId, sign: nodeSigner(fromBase64Url(jwk.d ?? '', 32)).sign, head: null });
    return orgId;
  }

  /** Submits the next operation of the organization's agent. */
  async submit(orgId: string, subject = 'invoice/7'): Promise<Receipt> {
    const agent = this.#world.agents.get(orgId);
    if (agent === undefined) throw new Error('there is no such organization');
    const payload = { secret_of_the_agent: 'never in a webhook' };
    const core = {
      op_version: 1 as const,
      operation_id: randomUUID(),
      org_id: orgId,
      agent_id: AGENT_ID,
      issued_at: formatTime(this.now()),
      ttl_ms: 300_000,
      nonce: randomBytes(16).toString('hex'),
      operation_type: 'invoice.create',
      subject,
      action: 'create',
      payload_hash: payloadHash(payload),
      prev_chain_hash: agent.head,
      agent_pubkey_kid: 'key-1',
    };
    const signedBytes = recordSignedBytes(core);
    const signature = agent.sign(signedBytes);
    const record = { ...core, payload, signature: toBase64Url(signature) };
    const { receipt } = await this.ledger.submit(
      { orgId, onlyAgent: null, person: null },
      { bytes: null, parsed: () => record },
    );
    agent.head = chainHash(signedBytes, signature, nodeCrypto.sha256);
    return receipt;
  }

  /** Calls a handler as a security_admin of the organization, behind parsing and access checks. */
  call<N extends RouteName>(orgId: string, call: Partial<Call<N>> & { params?: Record<string, string> } = {}): Call<N> {
    const caller: Pick<Member, 'orgId' | 'role' | 'userId'> = { orgId, role: 'security_admin', userId: 'user-1' };
    const param = (name: string): string => call.params?.[name] ?? '';
    return { caller, param, query: {}, body: undefined, address: '', token: null, ...call } as unknown as Call<N>;
  }

  async register(
    orgId: string,
    endpoint_url: string,
    secret: string,
    events: Webhook['events'] = ['operation.accepted'],
  ): Promise<Webhook> {
    const call = this.call<'registerWebhook'>(orgId, { body: { endpoint_url, events, secret } });
    return (await this.routes.registerWebhook(call)).body.webhook as Webhook;
  }

  async delete(orgId: string, webhookId: string): Promise<void> {
    await this.routes.deleteWebhook(this.call<'deleteWebhook'>(orgId, { params: { webhook_id: webhookId } }));
  }

  async test(orgId: string, webhookId: string): Promise<Delivery> {
    const call = this.call<'testWebhook'>(orgId, { params: { webhook_id: webhookId } });
    return (await this.routes.testWebhook(call)).body.delivery as Delivery;
  }

  async deliveries(orgId: string, webhookId: string, query = {}) {
    const call = this.call<'listDeliveries'>(orgId, { params: { webhook_id: webhookId }, query });
    return (await this.routes.listDeliveries(call)).body;
  }

  rows(): DeliveryRow[] {
    return this.store.db.select().from(webhookDeliveries).orderBy(webhookDeliveries.deliveryNo).all();
  }

  /** Waits until the queue satisfies a condition. */
  async queue(holds: (rows: readonly DeliveryRow[]) => boolean): Promise<DeliveryRow[]> {
    await this.#parts.writer.until(() => holds(this.rows()));
    return this.rows();
  }

  /** Waits until so many deliveries are there and none is pending. */
  settled(count = 1): Promise<DeliveryRow[]> {
    return this.queue((rows) => rows.length === count && rows.every(({ status }) => status !== 'pending'));
  }
}
