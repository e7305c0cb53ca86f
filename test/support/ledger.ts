import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Receipt, type SubmittedRecord, utf8, type VerificationReport } from '../../src/protocol/index.ts';
import { selectBundle } from '../../src/service/evidence/exports/bundle-source.ts';
import { writeBundle } from '../../src/service/evidence/exports/write-bundle.ts';
import { openKeyFile } from '../../src/service/ledger/keys/file-key-holder.ts';
import type { KeyHolder } from '../../src/service/ledger/keys/key-holder.ts';
import { registerServiceKey } from '../../src/service/ledger/keys/service-keys.ts';
import { Ledger, type LedgerOptions } from '../../src/service/ledger/ledger.ts';
import type { OperationIndex } from '../../src/service/ledger/operation-index/operation-index.ts';
import { sqliteLedgerStore } from '../../src/service/ledger/sqlite-ledger-store.ts';
import type { Submission } from '../../src/service/ledger/submission-queue.ts';
import { registerAgent } from '../../src/service/people/agents/registry.ts';
import { signUp } from '../../src/service/people/identity/accounts.ts';
import { Passwords } from '../../src/service/people/identity/passwords.ts';
import { stampManifest } from '../../src/service/store/ledger-clock.ts';
import { type OpenStore, openStore } from '../../src/service/store/open.ts';
import { Writer } from '../../src/service/store/writer.ts';
import { atEnd } from './cleanup.ts';
import { type FailingStep, type Failure, FailurePlan, failing, failingCommits } from './failing.ts';
import { temporaryFolder } from './folders.ts';
import { openIndex } from './operation-index.ts';
import { LEAST_COST } from './password-cost.ts';
import { verifyWith } from './service.ts';
import { Signer } from './signer.ts';

/** The steps that are calls of the ledger's store. */
/** What tells a receipt's signed bytes from an epoch's. */
const RECEIPT_TYPE = '"countersign.receipt.v1"';

const LEDGER_STEPS = {
  findKey: 'findKey',
  lookUp: 'lookUp',
  tail: 'tail',
  openLeaves: 'openLeaves',
  logTree: 'logTree',
  append: 'append',
  adminHeadHash: 'adminHeadHash',
  appendEpoch: 'appendEpoch',
} as const;

/** A ledger on real SQLite, without HTTP: its clock is the test's, and its database fails on demand. */
export class TestLedger {
  readonly folder: string;
  readonly store: OpenStore;
  readonly key: KeyHolder;
  readonly writer: Writer;
  readonly orgId: string;
  readonly actor: string;
  readonly errors: unknown[] = [];
  /** What the clock says, in milliseconds. */
  clock = Date.now();
  #index: OperationIndex | null = null;
  readonly #plan = new FailurePlan();
  readonly #options: Partial<LedgerOptions>;
  #ledger: Ledger | null = null;

  private constructor(
    folder: string,
    store: OpenStore,
    key: KeyHolder,
    user: { id: string; orgId: string },
    options: Partial<LedgerOptions>,
  ) {
    this.folder = folder;
    this.store = store;
    this.key = key;
    this.writer = new Writer(store, failingCommits(this.#plan));
    this.actor = user.id;
    this.orgId = user.orgId;
    this.#options = options;
  }

  static async open(options: Partial<LedgerOptions> = {}): Promise<TestLedger> {
    const folder = temporaryFolder();
    const store = openStore(join(folder, 'ledger.sqlite'));
    const key = openKeyFile(join(folder, 'service-key.json'), true);
    registerServiceKey(store, key);
    const { user } = await signUp(
      {
        store,
        writer: new Writer(store),
        now: Date.now,
        signUpIsOpen: true,
        passwords: new Passwords(LEAST_COST),
        settings: { commonPasswords: 'allow', quotaOrganizations: 1 },
      },
      { email: 'owner@example.org', password: 'correct horse battery', name: 'Owner', org_name: 'Organization' },
      null,
    );
    const made = new TestLedger(folder, store, key, { id: user.id, orgId: user.orgId ?? '' }, options);
    atEnd(async () => {
      await made.#ledger?.close().catch(() => undefined);
      await made.#index?.close();
      store.close();
    });
    await made.reopen();
    return made;
  }

  get ledger(): Ledger {
    if (this.#ledger === null) throw new Error('the ledger is not open');
    return this.#ledger;
  }

  /** Leaves the ledger as it is, as a crash does, and opens it again. */
  async reopen(): Promise<void> {
    await this.#index?.close();
    this.#index = await openIndex(this.folder, this.store, (error) => void this.errors.push(error));
    const plan = this.#plan;
    const index = failing(this.#index, { committed: 'indexCommitted' }, plan);
    const { now = () => this.clock } = this.#options;
    this.#ledger = await Ledger.open({
      store: failing(sqliteLedgerStore(this.store, index, this.writer), LEDGER_STEPS, plan),
      writer: this.writer,
      key: {
        ...this.key,
        sign: (message) =>
          plan.run(Buffer.from(message).includes(RECEIPT_TYPE) ? 'sign' : 'signEpoch', () => this.key.sign(message)),
      },
      onCommit: () => plan.run('onCommit', () => undefined),
      epochIntervalMs: 3_600_000,
      epochMaxLeaves: 1000,
      maxPayloadBytes: 262_144,
      now,
      stamp: () => this.store.clock.stamp(now()),
      onError: (error) => void this.errors.push(error),
      ...this.#options,
    });
  }

  /** Makes the next call of a step fail, and with several failures the next ones. */
  fail(step: FailingStep, ...failures: Failure[]): void {
    this.#plan.set(step, failures);
  }

  /** Steps that were to fail and have not come to it. */
  get unfailed(): readonly FailingStep[] {
    return this.#plan.open;
  }

  /** The index of operations, with nothing that fails. */
  get index(): OperationIndex {
    if (this.#index === null) throw new Error('the ledger is not open');
    return this.#index;
  }

  async agent(agentId: string): Promise<Signer> {
    const signer = new Signer(this.orgId, agentId);
    const { store, writer, key } = this;
    const context = { store, writer, key, now: () => this.clock };
    await registerAgent(context, this.orgId, this.actor, { ...signer.registration, integration_type: 'sdk' });
    return signer;
  }

  submit(record: SubmittedRecord): Promise<Submission> {
    return this.ledger.submit(
      { orgId: this.orgId, onlyAgent: null, person: null },
      { bytes: null, parsed: () => record },
    );
  }

  rows<T>(query: string): T[] {
    return this.store.sqlite.prepare(query).all() as T[];
  }

  /** Seals what is open, exports everything, and verifies it against the receipts that were given. */
  async verify(receipts: readonly Receipt[]): Promise<VerificationReport> {
    const head = await this.ledger.sealNow(this.orgId);
    const filter = { start_time: '2000-01-01T00:00:00.000Z', end_time: '2100-01-01T00:00:00.000Z', agent_id: null };
    const logHead = { seq_no: head.seqNo, epoch_no: head.epochNo };
    const selection = selectBundle(this.store, { orgId: this.orgId, filter, logHead });
    const createdAt = new Date(
      await this.writer.transact((store) => stampManifest(store, this.orgId, this.clock)),
    ).toISOString();
    const path = join(this.folder, 'bundle.json');
    const identity = { exportId: 'export', createdAt };
    await writeBundle(path, this.store, this.key, selection, identity);
    const text = receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
    return verifyWith(this.key.kid, readFileSync(path), [{ name: 'receipts', source: () => [utf8(text)] }]);
  }
}
