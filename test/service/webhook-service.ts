/** The parts of a service that webhooks need, on a database of their own that outlives a stop. */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Delivery, RouteName, Webhook } from '../../src/contract/index.ts';
import { nodeCrypto, nodeSigner } from '../../src/host/index.ts';
import {
  chainHash,
  formatTime,
  fromBase64Url,
  payloadHash,
  type Receipt,
  recordSignedBytes,
  toBase64Url,
} from '../../src/protocol/index.ts';
import { registerAgent } from '../../src/service/agents/registry.ts';
import type { Call, Member } from '../../src/service/http/handler.ts';
import { openKeyFile } from '../../src/service/keys/file-key-holder.ts';
import { openSealingKeyFile } from '../../src/service/keys/file-sealer.ts';
import type { KeyHolder } from '../../src/service/keys/key-holder.ts';
import type { Sealer } from '../../src/service/keys/sealing.ts';
import { hasServiceKey, registerServiceKey } from '../../src/service/keys/service-keys.ts';
import { Ledger } from '../../src/service/ledger/ledger.ts';
import { sqliteLedgerStore } from '../../src/service/ledger/sqlite-ledger-store.ts';
import { openStore, type Store } from '../../src/service/store/open.ts';
import { organizations, webhookDeliveries } from '../../src/service/store/schema.ts';
import { Writer } from '../../src/service/store/writer.ts';
import { type DispatcherOptions, WebhookDispatcher } from '../../src/service/webhooks/dispatcher.ts';
import type { DeliveryRow } from '../../src/service/webhooks/enqueue.ts';
import { sealedSecrets, type WebhookContext } from '../../src/service/webhooks/registry.ts';
import { webhookRoutes } from '../../src/service/webhooks/routes.ts';

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

export class WebhookService {
  readonly folder = mkdtempSync(join(tmpdir(), 'countersign-webhooks-'));
  readonly errors: unknown[] = [];
  now: () => number = Date.now;
  store!: Store;
  writer!: WatchedWriter;
  key!: KeyHolder;
  sealer!: Sealer;
  ledger!: Ledger;
  dispatcher!: WebhookDispatcher;
  #allowPrivate = true;
  readonly #agents = new Map<string, Agent>();

  /** Opens what the folder holds, as a start does. `dispatching` stands in for what the service is set to. */
  async start(dispatching: Dispatching = {}): Promise<this> {
    const now = (): number => this.now();
    const onError = (error: unknown): void => void this.errors.push(error);
    const store = openStore(join(this.folder, 'ledger.sqlite'));
    this.store = store;
    this.writer = new WatchedWriter(store);
    const { writer } = this;
    this.key = openKeyFile(join(this.folder, 'service-key.json'), !hasServiceKey(store));
    registerServiceKey(store, this.key);
    this.sealer = openSealingKeyFile(join(this.folder, 'sealing-key.json'), sealedSecrets(store));
    this.#allowPrivate = dispatching.allowPrivate ?? true;
    const { key, sealer } = this;
    this.dispatcher = new WebhookDispatcher({
      ...{ store, writer, sealer, now, onError, allowPrivate: true, version: '1.2.3' },
      ...dispatching,
    });
    this.ledger = await Ledger.open({
      ...{ store: sqliteLedgerStore(store), writer, key, now, onError },
      ...{ epochIntervalMs: 3_600_000, epochMaxLeaves: 1000, maxPayloadBytes: 65_536 },
      onCommit: () => this.dispatcher.wake(),
    });
    this.dispatcher.start();
    return this;
  }

  /** Leaves records unsealed, as a crash would: closing the ledger would seal them. */
  async stop(): Promise<void> {
    await this.dispatcher.close();
    this.store.close();
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }

  get routes(): ReturnType<typeof webhookRoutes> {
    const { store, writer, sealer, now, dispatcher } = this;
    const settings = { webhookAllowPrivate: this.#allowPrivate };
    const context: WebhookContext = { settings, store, writer, sealer, now, webhooks: dispatcher };
    return webhookRoutes(context);
  }

  /** An organization with one agent; its id. */
  async organization(name = 'Acme'): Promise<string> {
    const orgId = randomUUID();
    this.store.db.insert(organizations).values({ orgId, name, createdAt: this.now() }).run();
    const { privateKey } = generateKeyPairSync('ed25519');
    const jwk = privateKey.export({ format: 'jwk' });
    await registerAgent(this, orgId, 'user-1', {
      agent_id: AGENT_ID,
      integration_type: 'sdk',
      keys: [{ kid: 'key-1', public_key: jwk.x ?? '' }],
    });
    this.#agents.set(orgId, { orgId, sign: nodeSigner(fromBase64Url(jwk.d ?? '', 32)), head: null });
    return orgId;
  }

  /** Submits the next operation of the organization's agent. */
  async submit(orgId: string, subject = 'invoice/7'): Promise<Receipt> {
    const agent = this.#agents.get(orgId);
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
    const { receipt } = await this.ledger.submit(orgId, { ...core, payload, signature: toBase64Url(signature) });
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
    return (await this.routes.testWebhook(call)).body.delivery;
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
    await this.writer.until(() => holds(this.rows()));
    return this.rows();
  }

  /** Waits until so many deliveries are there and none is pending. */
  settled(count = 1): Promise<DeliveryRow[]> {
    return this.queue((rows) => rows.length === count && rows.every(({ status }) => status !== 'pending'));
  }
}
