/** The real service, taken through the steps of test/states/ledger.ts: HTTP, SQLite, and a process that is killed at the very step. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import type { Receipt, SubmittedRecord } from '../../src/protocol/index.ts';
import { restoreBackup, writeBackup } from '../../src/service/index.ts';
import type { LedgerState } from '../states/ledger-state.ts';
import { atEnd } from './cleanup.ts';
import { Client, expectError } from './client.ts';
import { temporaryFolder } from './folders.ts';
import { type Account, ALWAYS, firstOwner, registerAgent, signInAt } from './service.ts';
import type { Signer } from './signer.ts';
import { until } from './until.ts';

/** A commit, by what it adds to, before or after which the process ends itself. */
export interface KillStep {
  readonly step: 'records' | 'epoch' | 'rotation';
  readonly when: 'before' | 'after';
}
export type ToChild = KillStep | 'release' | 'let all go';
type FromChild = 'end of a job' | { readonly url: string } | { readonly refused: string };

const CHILD = fileURLToPath(new URL('./step-child.ts', import.meta.url));
const SHIFTED_CLOCK = new URL('./shifted-clock.ts', import.meta.url).href;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What the writer is at, which is asked of the service once the model has come to its end. */
type Pending =
  | { readonly kind: 'submit'; readonly ids: readonly number[]; readonly kill: KillStep }
  | { readonly kind: 'seal' | 'rotate'; readonly kill: KillStep };

/** What is in the folder, in the model's terms. */
export interface Observed {
  readonly rows: readonly { readonly id: number; readonly isErased: boolean }[];
  readonly epochs: readonly number[];
  readonly rotations: number;
  readonly isHeld: boolean;
  readonly export: 'none' | 'processing' | 'completed';
}

export const modelled = ({ disk }: LedgerState): Observed => ({
  rows: disk.rows.map(({ id, isErased }) => ({ id, isErased })),
  epochs: disk.epochs.map(({ ids }) => ids.length),
  rotations: disk.key,
  isHeld: disk.isHeld,
  export: typeof disk.export === 'object' ? 'completed' : disk.export,
});

export class SteppedLedger {
  /** Every receipt that was given, in the order in which they were. */
  readonly receipts = new Map<number, Receipt>();
  readonly bundles: Buffer[] = [];
  dataDir = join(temporaryFolder(), 'data');
  readonly #folder = temporaryFolder();
  readonly #shiftFile = join(this.#folder, 'shift');
  readonly #signers: Signer[] = [];
  readonly #records = new Map<number, SubmittedRecord>();
  #child: ChildProcess | null = null;
  #ended: Promise<NodeJS.Signals | null> = Promise.resolve(null);
  #owner: Account | null = null;
  #heldJobs = 0;
  #pending: Pending | null = null;
  #backup = '';
  kid = '';

  private constructor() {
    writeFileSync(this.#shiftFile, '0');
  }

  /** A ledger with an owner, and an agent for each record: what the model begins with. It does not run. */
  static async make(records: number): Promise<SteppedLedger> {
    const made = new SteppedLedger();
    const url = await made.start();
    made.#owner = await firstOwner(url, made.dataDir);
    made.kid = (await made.#owner.client.ok('jwks')).keys[0]?.kid ?? '';
    for (let n = 0; n < records; n++) made.#signers.push(await registerAgent(made.#owner));
    await made.stop();
    return made;
  }

  get owner(): Account {
    if (this.#owner === null) throw new Error('nobody has signed up');
    return this.#owner;
  }

  #fork(rollback: string): Promise<FromChild> {
    const environment = {
      ...process.env,
      NODE_OPTIONS: `--import ${SHIFTED_CLOCK}`,
      CLOCK_SHIFT_FILE: this.#shiftFile,
    };
    const child = spawn(process.execPath, [CHILD, this.dataDir, rollback], {
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child = child;
    this.#heldJobs = 0;
    this.#ended = new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)));
    atEnd(() => child.kill('SIGKILL'));
    return new Promise((resolve, reject) => {
      child.once('close', (code, signal) => reject(new Error(`the service ended: ${code ?? signal}`)));
      child.on('message', (message: FromChild) => {
        if (message === 'end of a job') this.#heldJobs++;
        else resolve(message);
      });
    });
  }

  /** @returns where it listens @throws what it refuses to start with */
  async start(rollback = ''): Promise<string> {
    const said = await this.#fork(rollback);
    if (said === 'end of a job' || 'refused' in said) throw new Error(said === 'end of a job' ? said : said.refused);
    if (this.#owner !== null) {
      this.#owner = await signInAt(said.url, { ...this.#owner, client: new Client(said.url) });
      await this.#confirmClock();
    }
    return said.url;
  }

  get #runs(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  async startWhereItDoesNotRun(): Promise<void> {
    if (!this.#runs) await this.start();
  }

  /** Lets jobs have their turn of the writer from now on. */
  async letJobsEnd(): Promise<void> {
    this.#child?.send('let all go' satisfies ToChild);
    await until('the export', () => this.observe().export !== 'processing');
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    const signal = await this.#ended;
    if (signal !== 'SIGKILL') throw new Error(`the service was not killed: ${signal}`);
  }

  async stop(): Promise<void> {
    this.#child?.kill('SIGTERM');
    const signal = await this.#ended;
    if (signal !== null) throw new Error(`the service ended by ${signal} instead of stopping`);
  }

  /** Does what a step of the model says. What the product does at another step, as the rules say, is left out. */
  async step(named: string, state: LedgerState): Promise<void> {
    const step = named.replace(/^[AB] /, '');
    const signs = /^signs (a record|a record twice|two records|a record again)$/.exec(step);
    const task = state.processes.find((one) => one !== null)?.task;
    if (signs !== null && task?.kind === 'submit') {
      const ids = [...new Set([...task.made.map(({ id }) => id), ...task.repeated])];
      const sent = signs[1] === 'a record twice' ? [...ids, ...ids] : ids;
      this.#pending = { kind: 'submit', ids: sent, kill: { step: 'records', when: 'before' } };
      return;
    }
    const act = this.#acts[step];
    if (act !== undefined) return act();
    if (step.startsWith('the clock is set to ')) return this.#setClock(Number(step.slice(-1)));
    if (!LEFT_OUT.has(step)) throw new Error(`no such step: ${named}`);
  }

  readonly #acts: { readonly [step: string]: () => Promise<void> | void } = {
    starts: async () => void (await this.start()),
    'starts with the older ledger, which is recorded': async () => {
      const refusal = await this.start().catch((error: Error) => error.message);
      const id = /--accept-rollback ([0-9a-f]{16})/.exec(String(refusal))?.[1];
      if (id === undefined) throw new Error(`an older ledger is not refused: ${refusal}`);
      await this.start(id);
    },
    stops: () => this.stop(),
    'is killed': () => this.#kill(),
    commits: () => this.#comesTo({ step: 'records', when: 'after' }),
    'commits the full epoch': () => this.#comesTo({ step: 'epoch', when: 'after' }),
    answers: async () => this.#take(await this.#ask()),
    'signs an epoch': () => {
      this.#pending = { kind: 'seal', kill: { step: 'epoch', when: 'before' } };
    },
    'commits the epoch': async () => {
      if (this.#pending?.kind === 'seal') await this.#ask();
    },
    'writes the next key file': () => {
      this.#pending = { kind: 'rotate', kill: { step: 'rotation', when: 'before' } };
    },
    'commits the rotation': () => this.#comesTo({ step: 'rotation', when: 'after' }),
    'puts the new key file in place': async () => this.#take(await this.#ask()),
    'takes an export on': async () => void (await this.owner.client.ok('createExport', { body: ALWAYS })),
    'stamps the manifest': async () => void (await until('the end of a job', () => this.#heldJobs > 0)),
    'makes the export again': () => {
      this.#heldJobs = 0;
      this.#child?.send('release' satisfies ToChild);
    },
    'completes the export': async () => {
      this.#child?.send('release' satisfies ToChild);
      await until('the export', () => this.observe().export === 'completed');
    },
    'the bundle is downloaded': async () => {
      const [one] = (await this.owner.client.ok('listExports', {})).data;
      const params = { export_id: one?.exportId ?? '' };
      this.bundles.push((await this.owner.client.call('downloadExport', { params })).bytes);
    },
    'places the hold': async () => {
      const selection = { kind: 'records', runs: '1' };
      await this.owner.client.ok('placeHold', { body: { selection, reason: 'asked for' } });
    },
    'releases the hold': async () => {
      const { holds } = await this.owner.client.ok('listHolds', {});
      const params = { hold_id: holds.find(({ released_at }) => released_at === null)?.hold_id ?? '' };
      await this.owner.client.ok('releaseHold', { params, body: { reason: 'no longer' } });
    },
    'erases record 1': async () => {
      if ((await this.#erase()).status !== 200) throw new Error('record 1 was not erased');
    },
    'leaves record 1, which is held': async () => void expectError(await this.#erase(), 'RECORD_HELD'),
    'corrects the clock': async () => {
      const { id } = await this.owner.client.ok('getClock', {});
      await this.owner.client.ok('correctClock', { body: { id: id ?? '', reason: 'asked for' } });
      await this.#signIn();
    },
    'the backup copies the ledger': async () => {
      this.#backup = join(this.#folder, randomUUID());
      await writeBackup({ dataDir: this.dataDir, to: this.#backup, withoutKeys: false, now: Date.now });
    },
    'the backup is restored': async () => {
      this.dataDir = join(this.#folder, randomUUID());
      await restoreBackup({ from: this.#backup, dataDir: this.dataDir });
      this.#forgetLost();
    },
    'an older ledger is put in place': () => {
      for (const suffix of ['-wal', '-shm']) rmSync(join(this.dataDir, `ledger.sqlite${suffix}`), { force: true });
      copyFileSync(join(this.#backup, 'ledger.sqlite'), join(this.dataDir, 'ledger.sqlite'));
    },
  };

  /** What the log says was lost counts as given no more. */
  #forgetLost(): void {
    const kept = new Set(this.observe().rows.map(({ id }) => id));
    for (const id of this.receipts.keys()) if (!kept.has(id)) this.receipts.delete(id);
  }

  #comesTo(kill: KillStep): void {
    if (this.#pending !== null) this.#pending = { ...this.#pending, kill };
  }

  async #kill(): Promise<void> {
    const pending = this.#pending;
    this.#pending = null;
    if (pending === null) return this.kill();
    this.#child?.send(pending.kill satisfies ToChild);
    this.#pending = pending;
    const answered = await this.#ask().then(
      () => true,
      () => false,
    );
    if (answered) throw new Error(`${pending.kind}: answered, and was to be killed ${pending.kill.when} its commit`);
    return this.kill();
  }

  /** Asks the service for what is under way. */
  async #ask(): Promise<readonly (readonly [number, Receipt])[]> {
    const pending = this.#pending;
    this.#pending = null;
    const { client } = this.owner;
    if (pending?.kind === 'seal') await client.ok('closeEpoch');
    else if (pending?.kind === 'rotate') {
      const { keys } = await client.ok('listServiceKeys');
      const kid = keys.find(({ status }) => status === 'active')?.kid;
      await client.ok('rotateServiceKey', { body: { kid } });
    } else if (pending?.kind === 'submit') {
      const records = pending.ids.map((id) => this.#record(id));
      const { results } = await client.ok('submitBatch', { body: { records } });
      return results.map((result, n) => {
        if (!('receipt' in result)) throw new Error(`no receipt: ${JSON.stringify(result)}`);
        return [pending.ids[n] ?? 0, result.receipt];
      });
    }
    return [];
  }

  #take(given: readonly (readonly [number, Receipt])[]): void {
    for (const [id, receipt] of given) {
      const before = this.receipts.get(id);
      if (before !== undefined && JSON.stringify(before) !== JSON.stringify(receipt)) {
        throw new Error(`record ${id} has two receipts`);
      }
      this.receipts.set(id, receipt);
    }
  }

  /** Sends every record again, as agents do that had no answer. */
  async sendAll(): Promise<void> {
    const kill: KillStep = { step: 'records', when: 'before' };
    for (const id of this.#records.keys()) {
      this.#pending = { kind: 'submit', ids: [id], kill };
      this.#take(await this.#ask());
    }
  }

  #record(id: number): SubmittedRecord {
    const record = this.#records.get(id) ?? this.#signers[id - 1]?.next({ payload: { n: id }, ttl_ms: DAY_MS });
    if (record === undefined) throw new Error(`no agent for record ${id}`);
    this.#records.set(id, record);
    return record;
  }

  #erase() {
    const { operation_id = '' } = this.#records.get(this.observe().rows[0]?.id ?? 0) ?? {};
    return this.owner.client.call('eraseOperation', { params: { operation_id }, body: { reason: 'asked for' } });
  }

  async #setClock(hours: number): Promise<void> {
    writeFileSync(this.#shiftFile, String(hours * HOUR_MS));
    if (this.#runs) {
      await this.#signIn();
      await this.#confirmClock();
    }
  }

  async #signIn(): Promise<void> {
    this.#owner = await signInAt(this.owner.client.url, this.owner);
  }

  /** The model signs whatever the clock says: here a person has to say that it is right. */
  async #confirmClock(): Promise<void> {
    const { client } = this.owner;
    const { state, id } = await client.ok('getClock', {});
    if (state !== 'in_doubt') return;
    await client.ok('confirmClock', { body: { id: id ?? '', reason: 'asked for' } });
    await this.#signIn();
  }

  /** What is in the folder, whether a service runs or not. */
  observe(): Observed {
    const sqlite = new Database(join(this.dataDir, 'ledger.sqlite'), { readonly: true });
    const count = (query: string): number => sqlite.prepare(query).pluck().get() as number;
    try {
      const ids = new Map([...this.#records].map(([id, { operation_id }]) => [operation_id, id]));
      const rows = sqlite
        .prepare<[], { operation_id: string; seq_no: number; isErased: 0 | 1 }>(
          'SELECT operation_id, seq_no, payload IS NULL AS isErased FROM operations ORDER BY seq_no',
        )
        .all();
      const status = sqlite.prepare<[], string>('SELECT status FROM exports').pluck().get() ?? 'none';
      return {
        rows: rows.map(({ operation_id, isErased }) => ({ id: ids.get(operation_id) ?? 0, isErased: isErased === 1 })),
        epochs: sqlite.prepare<[], number>('SELECT leaf_count FROM epochs ORDER BY epoch_no').pluck().all(),
        rotations: count('SELECT count(*) FROM service_keys') - 1,
        isHeld: count('SELECT count(*) FROM legal_holds WHERE released_at IS NULL') > 0,
        export: status === 'completed' || status === 'processing' ? status : 'none',
      };
    } finally {
      sqlite.close();
    }
  }

  /** How many records heads.json says that there are; null where it is not there. */
  get recordedHead(): number | null {
    const path = join(this.dataDir, 'heads.json');
    if (!existsSync(path)) return null;
    const { heads } = JSON.parse(readFileSync(path, 'utf8')) as { heads: { record: { seq_no: number } | null }[] };
    return heads[0]?.record?.seq_no ?? 0;
  }
}

/** Steps that the service comes to by itself, or never: those that the rules forbid. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'has it on disk',
  'reads the heads',
  'writes heads.json',
  'begins the export',
  'begins to correct the clock',
  'finds record 1 due',
  'the backup copies the key',
  'answers before the commit',
  'commits the epoch before its records',
  'sees that nothing was erased',
  'refuses to start',
]);
