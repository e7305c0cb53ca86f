import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { nodeCrypto, nodeSigner } from '../../src/node/index.ts';
import {
  CompactRange,
  canonicalize,
  chainHash,
  type EpochStatement,
  epochHash,
  epochSignedBytes,
  formatDigest,
  formatTime,
  type JsonObject,
  parseDigest,
  payloadHash,
  publicKeyOf,
  receiptLeafHash,
  receiptSignedBytes,
  recordSignedBytes,
  toBase64Url,
} from '../../src/protocol/index.ts';
import { selectBundle } from '../../src/service/evidence/exports/bundle-source.ts';
import { writeBundle } from '../../src/service/evidence/exports/write-bundle.ts';
import { LogTree } from '../../src/service/ledger/epochs/log-tree.ts';
import { makeKeyFile, openKeyFile } from '../../src/service/ledger/keys/file-key-holder.ts';
import type { KeyHolder } from '../../src/service/ledger/keys/key-holder.ts';
import { registerServiceKey } from '../../src/service/ledger/keys/service-keys.ts';
import type { LedgerStore } from '../../src/service/ledger/ledger-store.ts';
import type { OperationIndex } from '../../src/service/ledger/operation-index/operation-index.ts';
import { sqliteLedgerStore } from '../../src/service/ledger/sqlite-ledger-store.ts';
import { registerAgent } from '../../src/service/people/agents/registry.ts';
import { signUp } from '../../src/service/people/identity/accounts.ts';
import { Passwords } from '../../src/service/people/identity/passwords.ts';
import { type OpenStore, openStore } from '../../src/service/store/open.ts';
import type { OperationRow } from '../../src/service/store/schema.ts';
import { Writer } from '../../src/service/store/writer.ts';
import { openIndex } from '../../test/support/operation-index.ts';

/** What a record says, besides what makes it unlike any other. */
export interface RecordShape {
  /** Number of the agent, from 0. */
  readonly agent: number;
  readonly operationType: string;
  readonly subject: string;
  /** How long before its receipt it was issued, in milliseconds. */
  readonly delayMs: number;
  /** By default a small one. */
  readonly payload?: JsonObject;
}

export interface LedgerPlan {
  readonly records: number;
  readonly agents?: number;
  /** How many records each epoch seals; what is left over at the end stays open. */
  readonly epochSize?: number;
  /** Of each record, by its sequence number; by default all are much alike. */
  readonly shape?: (seqNo: number) => RecordShape;
  /** Milliseconds between records, of which the newest is received now; by default they come one a millisecond from now on. */
  readonly spacingMs?: number;
}

export interface MadeLedger {
  readonly orgId: string;
  /** The kid of the service key. */
  readonly kid: string;
  readonly seqNo: number;
  readonly epochNo: number;
  /** Milliseconds since the Unix epoch: when the last epoch was closed. */
  readonly closedAt: number;
  /** Milliseconds since the Unix epoch: when the first record was received. */
  readonly startedAt: number;
}

/** The account that every made ledger has. */
export const OWNER = { email: 'owner@example.org', password: 'correct horse battery' };

interface BenchAgent {
  readonly agentId: string;
  readonly publicKey: string;
  readonly sign: (message: Uint8Array) => Uint8Array;
  head: string | null;
}

const { sha256 } = nodeCrypto;
const COMMIT = 2000;
const KID = 'key-1';

/** Opens a folder's ledger and its key, as the service does. @param madeAt makes the key, as old as that */
function openFolder(folder: string, madeAt?: number): { store: OpenStore; key: KeyHolder } {
  const store = openStore(join(folder, 'ledger.sqlite'));
  const path = join(folder, 'service-key.json');
  const key = madeAt === undefined ? openKeyFile(path, false) : makeKeyFile(path, null, madeAt);
  registerServiceKey(store, key);
  return { store, key };
}

/**
 * Makes a ledger of one organization in an empty folder, much faster than by submitting: every record is signed and
 * countersigned with native crypto and written straight to the tables, checked by nobody.
 */
export async function makeLedger(folder: string, plan: LedgerPlan): Promise<MadeLedger> {
  const { records, epochSize = 1000, spacingMs = 0 } = plan;
  // Everything that signs is as old as the first record.
  const startedAt = Date.now() - records * spacingMs;
  const now = (): number => startedAt;
  const { store, key } = openFolder(folder, startedAt);
  let index: OperationIndex | null = null;
  try {
    // A made ledger is lost with its folder anyway.
    store.sqlite.pragma('synchronous = OFF');
    const writer = new Writer(store);
    const { user } = await signUp(
      {
        store,
        writer,
        now,
        signUpIsOpen: true,
        passwords: new Passwords(),
        settings: { commonPasswords: 'allow', quotaOrganizations: 1 },
      },
      { ...OWNER, name: 'Owner', org_name: 'Bench' },
      null,
    );
    const orgId = user.orgId ?? '';
    const agents: BenchAgent[] = [];
    for (let n = 0; n < (plan.agents ?? 8); n++) {
      const seed = randomBytes(32);
      const agentId = `agent-${n + 1}`;
      const publicKey = toBase64Url(publicKeyOf(seed));
      const registration = {
        agent_id: agentId,
        integration_type: 'sdk',
        keys: [{ kid: KID, public_key: publicKey }],
      };
      await registerAgent({ store, writer, key, now }, orgId, user.id, registration);
      agents.push({ agentId, publicKey, sign: nodeSigner(seed).sign, head: null });
    }
    index = await openIndex(folder, store, (error) => {
      throw error;
    });
    const ledgerStore = sqliteLedgerStore(store, index, writer);
    const made = new LedgerMaker(orgId, key, agents, writer, ledgerStore, { ...plan, epochSize, startedAt });
    for (let seqNo = 1; seqNo <= records; seqNo++) await made.add(seqNo);
    await made.commit();
    return {
      orgId,
      kid: key.kid,
      seqNo: records,
      epochNo: made.epochNo,
      closedAt: made.time,
      startedAt: made.timeOf(1),
    };
  } finally {
    await index?.close();
    store.close();
  }
}

const ALIKE = { operationType: 'file.write', delayMs: 20 };

class LedgerMaker {
  readonly #orgId: string;
  readonly #key: KeyHolder;
  readonly #agents: readonly BenchAgent[];
  readonly #writer: Writer;
  readonly #store: LedgerStore;
  readonly #epochSize: number;
  readonly #started: number;
  readonly #spacing: number;
  readonly #shape: (seqNo: number) => RecordShape;
  #rows: OperationRow[] = [];
  #tree = new CompactRange(0, sha256);
  readonly #log = new LogTree();
  #epochStart = 0;
  #previousEpoch: string | null = null;
  epochNo = 0;
  time: number;

  constructor(
    orgId: string,
    key: KeyHolder,
    agents: readonly BenchAgent[],
    writer: Writer,
    store: LedgerStore,
    { epochSize, spacingMs, shape, startedAt }: LedgerPlan & { readonly epochSize: number; readonly startedAt: number },
  ) {
    this.#spacing = spacingMs ?? 1;
    this.#started = startedAt;
    this.time = this.#started;
    this.#shape = shape ?? ((seqNo) => ({ ...ALIKE, agent: seqNo % agents.length, subject: `file ${seqNo % 100}` }));
    this.#orgId = orgId;
    this.#key = key;
    this.#agents = agents;
    this.#writer = writer;
    this.#store = store;
    this.#epochSize = epochSize;
  }

  /** When a record is received. */
  timeOf(seqNo: number): number {
    return this.#started + seqNo * this.#spacing;
  }

  async add(seqNo: number): Promise<void> {
    this.time = this.timeOf(seqNo);
    const row = this.#row(seqNo, this.#shape(seqNo));
    this.#rows.push(row);
    if (this.#tree.end === 0) this.#epochStart = seqNo;
    this.#tree.push(row.leafHash);
    this.#log.append(row.leafHash);
    if (this.#tree.end >= this.#epochSize) await this.#seal(seqNo);
    else if (this.#rows.length >= COMMIT) await this.commit();
  }

  async commit(): Promise<void> {
    await this.#writer.append(() => this.#store.append(this.#rows));
    this.#rows = [];
    // The index's thread answers in a turn of the event loop.
    await nextTurn();
  }

  async #seal(lastSeqNo: number): Promise<void> {
    await this.commit();
    const statement: EpochStatement = {
      epoch_id: randomUUID(),
      epoch_no: ++this.epochNo,
      org_id: this.#orgId,
      start_time: formatTime(this.timeOf(this.#epochStart)),
      end_time: formatTime(this.time),
      first_seq_no: this.#epochStart,
      last_seq_no: lastSeqNo,
      leaf_count: this.#tree.end,
      root_hash: formatDigest(this.#tree.root()),
      log_root: this.#log.root(),
      hash_alg: 'SHA-256',
      prev_epoch_hash: this.#previousEpoch,
      admin_head_hash: await this.#store.adminHeadHash(this.#orgId),
      service_kid: this.#key.kid,
    };
    const signedBytes = epochSignedBytes(statement);
    const signature = toBase64Url(this.#key.sign(signedBytes));
    await this.#writer.append(() => this.#store.appendEpoch({ statement, signature, subtrees: this.#log.grown }));
    this.#log.kept();
    this.#previousEpoch = epochHash(signedBytes, sha256);
    this.#tree = new CompactRange(0, sha256);
  }

  #row(seqNo: number, { agent: number, operationType, subject, delayMs, payload: given }: RecordShape): OperationRow {
    const agent = this.#agents[number] as BenchAgent;
    const payload = given ?? {
      path: `/srv/data/file-${seqNo}.csv`,
      bytes: seqNo * 17,
      sha: seqNo.toString(16),
      tags: ['a', 'b'],
    };
    const core = {
      op_version: 1 as const,
      operation_id: randomUUID(),
      org_id: this.#orgId,
      agent_id: agent.agentId,
      issued_at: formatTime(this.time - delayMs),
      ttl_ms: Math.max(60_000, delayMs),
      nonce: randomBytes(12).toString('hex'),
      operation_type: operationType,
      subject,
      action: 'write',
      payload_hash: payloadHash(payload, sha256),
      prev_chain_hash: agent.head,
      agent_pubkey_kid: KID,
    };
    const signedBytes = recordSignedBytes(core);
    const signature = agent.sign(signedBytes);
    const chain = chainHash(signedBytes, signature, sha256);
    const receipt = {
      receipt_id: randomUUID(),
      operation_id: core.operation_id,
      org_id: core.org_id,
      agent_id: core.agent_id,
      seq_no: seqNo,
      chain_hash: chain,
      server_received_at: formatTime(this.time),
      service_kid: this.#key.kid,
    };
    const receiptBytes = receiptSignedBytes(receipt);
    const previous = agent.head;
    agent.head = chain;
    return {
      orgId: core.org_id,
      seqNo,
      operationId: core.operation_id,
      agentId: core.agent_id,
      issuedAt: core.issued_at,
      issuedAtMs: this.time - delayMs,
      ttlMs: core.ttl_ms,
      nonce: core.nonce,
      operationType: core.operation_type,
      subject: core.subject,
      action: core.action,
      payload: canonicalize(payload),
      payloadHash: Buffer.from(parseDigest(core.payload_hash)),
      prevChainHash: previous === null ? null : Buffer.from(parseDigest(previous)),
      agentPubkeyKid: KID,
      signature: Buffer.from(signature),
      receiptId: receipt.receipt_id,
      chainHash: Buffer.from(parseDigest(chain)),
      receivedAt: this.time,
      serviceKid: receipt.service_kid,
      serviceSignature: Buffer.from(this.#key.sign(receiptBytes)),
      leafHash: Buffer.from(receiptLeafHash(receiptBytes, sha256)),
      disclosuresNo: null,
    };
  }
}

/** Exports a made ledger whole, as the service would. @returns the path of the bundle */
export async function makeBundle(folder: string, { orgId, seqNo, epochNo, closedAt }: MadeLedger): Promise<string> {
  const { store, key } = openFolder(folder);
  try {
    const filter = { start_time: '2000-01-01T00:00:00.000Z', end_time: '2100-01-01T00:00:00.000Z', agent_id: null };
    const selection = selectBundle(store, { orgId, filter, logHead: { seq_no: seqNo, epoch_no: epochNo } });
    const path = join(folder, 'bundle.json');
    const identity = { exportId: 'bench', createdAt: formatTime(closedAt + 1) };
    await writeBundle(path, store, key, selection, identity);
    return path;
  } finally {
    store.close();
  }
}
