import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Receipt, type SubmittedRecord, utf8, type VerificationReport } from '../../src/protocol/index.ts';
import { registerAgent } from '../../src/service/agents/registry.ts';
import { selectBundle } from '../../src/service/exports/bundle-source.ts';
import { writeBundle } from '../../src/service/exports/write-bundle.ts';
import { signUp } from '../../src/service/identity/accounts.ts';
import { openKeyFile } from '../../src/service/keys/file-key-holder.ts';
import type { KeyHolder } from '../../src/service/keys/key-holder.ts';
import { registerServiceKey } from '../../src/service/keys/service-keys.ts';
import { Ledger, type LedgerOptions, type Submission } from '../../src/service/ledger/ledger.ts';
import type { LedgerStore } from '../../src/service/ledger/ledger-store.ts';
import { sqliteLedgerStore } from '../../src/service/ledger/sqlite-ledger-store.ts';
import type { OperationIndex } from '../../src/service/operation-index/operation-index.ts';
import { openStore, type Store } from '../../src/service/store/open.ts';
import { Writer } from '../../src/service/store/writer.ts';
import { atEnd } from './cleanup.ts';
import { temporaryFolder } from './folders.ts';
import { openIndex } from './operation-index.ts';
import { verifyWith } from './service.ts';
import { Signer } from './signer.ts';

/** Steps of the ledger's database that can be made to fail. */
export type FailingStep = 'append' | 'appendEpoch' | 'lookUp' | 'tail';
/** Whether a step fails before it did anything, or when all of it was done. */
export type Failure = 'before' | 'after';

/** The error of a step that was made to fail. */
export class StepFailed extends Error {}

/** Real SQLite whose steps fail when they are told to. */
class FailingStore implements LedgerStore {
  readonly #inner: LedgerStore;
  readonly plan = new Map<FailingStep, Failure[]>();

  constructor(inner: LedgerStore) {
    this.#inner = inner;
  }

  async #step<T>(name: FailingStep, act: () => Promise<T>): Promise<T> {
    const failure = this.plan.get(name)?.shift();
    if (failure === 'before') throw new StepFailed(`${name}: before`);
    const result = await act();
    if (failure === 'after') throw new StepFailed(`${name}: after`);
    return result;
  }

  orgsWithOpenLeaves = (): ReturnType<LedgerStore['orgsWithOpenLeaves']> => this.#inner.orgsWithOpenLeaves();
  openLeaves: LedgerStore['openLeaves'] = (orgId) => this.#inner.openLeaves(orgId);
  findKey: LedgerStore['findKey'] = (...key) => this.#inner.findKey(...key);
  adminHeadHash: LedgerStore['adminHeadHash'] = (orgId) => this.#inner.adminHeadHash(orgId);
  tail: LedgerStore['tail'] = (orgId) => this.#step('tail', () => this.#inner.tail(orgId));
  lookUp: LedgerStore['lookUp'] = (keys) => this.#step('lookUp', () => this.#inner.lookUp(keys));
  append: LedgerStore['append'] = (rows) => this.#step('append', () => this.#inner.append(rows));
  appendEpoch: LedgerStore['appendEpoch'] = (epoch) => this.#step('appendEpoch', () => this.#inner.appendEpoch(epoch));
}

/** A ledger on real SQLite, without HTTP: its clock is the test's, and its database fails on demand. */
export class TestLedger {
  readonly folder: string;
  readonly store: Store;
  readonly key: KeyHolder;
  readonly writer: Writer;
  readonly orgId: string;
  readonly actor: string;
  readonly errors: unknown[] = [];
  /** What the clock says, in milliseconds. */
  clock = Date.now();
  #index: OperationIndex | null = null;
  #database: FailingStore | null = null;
  readonly #options: Partial<LedgerOptions>;
  #ledger: Ledger | null = null;

  private constructor(
    folder: string,
    store: Store,
    key: KeyHolder,
    user: { id: string; orgId: string },
    options: Partial<LedgerOptions>,
  ) {
    this.folder = folder;
    this.store = store;
    this.key = key;
    this.writer = new Writer(store);
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
      { store, writer: new Writer(store), now: Date.now, signUpIsOpen: true },
      { email: 'owner@example.org', password: 'correct horse battery', name: 'Owner', org_name: 'Organization' },
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

  /** Leaves the ledger as it is, as a crash does, and opens it anew. */
  async reopen(): Promise<void> {
    await this.#index?.close();
    this.#index = await openIndex(this.folder, this.store, (error) => void this.errors.push(error));
    this.#database = new FailingStore(sqliteLedgerStore(this.store, this.#index, this.writer));
    this.#ledger = await Ledger.open({
      store: this.#database,
      writer: this.writer,
      key: this.key,
      epochIntervalMs: 3_600_000,
      epochMaxLeaves: 1000,
      maxPayloadBytes: 262_144,
      now: () => this.clock,
      onError: (error) => void this.errors.push(error),
      ...this.#options,
    });
  }

  /** Makes the next call of a step fail, and with several failures the next ones. */
  fail(step: FailingStep, ...failures: Failure[]): void {
    this.#database?.plan.set(step, failures);
  }

  async agent(agentId: string): Promise<Signer> {
    const signer = new Signer(this.orgId, agentId);
    const { store, writer, key } = this;
    const context = { store, writer, key, now: Date.now };
    await registerAgent(context, this.orgId, this.actor, { ...signer.registration, integration_type: 'sdk' });
    return signer;
  }

  submit(record: SubmittedRecord): Promise<Submission> {
    return this.ledger.submit(this.orgId, record);
  }

  rows<T>(query: string): T[] {
    return this.store.sqlite.prepare(query).all() as T[];
  }

  /** Seals what is open, exports everything, and verifies it against the receipts that were given. */
  async verify(receipts: readonly Receipt[]): Promise<VerificationReport> {
    const head = await this.ledger.sealNow(this.orgId);
    const filter = { start_time: '2000-01-01T00:00:00.000Z', end_time: '2100-01-01T00:00:00.000Z', agent_id: null };
    const logHead = { seq_no: head.seqNo, epoch_no: head.epochNo };
    const selection = selectBundle(this.store, this.orgId, filter, logHead);
    const createdAt = new Date(Math.max(this.clock, head.notBefore)).toISOString();
    const path = join(this.folder, 'bundle.json');
    const identity = { exportId: 'export', createdAt };
    await writeBundle(path, this.store, this.key, selection, identity);
    const text = receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
    return verifyWith(this.key.kid, readFileSync(path), [{ name: 'receipts', source: () => [utf8(text)] }]);
  }
}
