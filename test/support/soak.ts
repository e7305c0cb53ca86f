/** A service over a long time: what agents, investigators and an operator do to it, and what goes wrong around it, drawn from a seed. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Receipt, VerificationReport } from '../../src/protocol/index.ts';
import { AgentLoad } from './agent-load.ts';
import { importCase } from './cases.ts';
import { Client } from './client.ts';
import { temporaryFolder } from './folders.ts';
import { type CommandProcess, PATIENCE_MS } from './processes.ts';
import { SeededRandom } from './random.ts';
import { type Account, backupOf, bundleOf, firstOwner, registerAgent, signInAt } from './service.ts';
import { SmallDisk } from './small-disk.ts';
import { until } from './until.ts';

const HOUR_MS = 3_600_000;
const SHIFTED_CLOCK = new URL('./shifted-clock.ts', import.meta.url).href;

/** How often each act is drawn. */
const ACTS = {
  search: 20,
  export: 8,
  import: 4,
  verify: 4,
  'back up': 4,
  rotate: 2,
  kill: 0.5,
  'fill the disk': 2,
  'step the clock': 1,
} as const;
export type Act = keyof typeof ACTS;
export const ALL_ACTS = Object.keys(ACTS) as Act[];

/** Figures of one service process at rest, after an act. */
export interface Figures {
  readonly act: Act;
  /** Which start of the service it is, from 1. */
  readonly start: number;
  readonly receipts: number;
  readonly residentMb: number;
  /** Open file descriptors. */
  readonly handles: number;
  /** Files in the data folder. */
  readonly files: number;
}

/** What `countersign verify --receipts` says at the end. */
export interface Judged {
  readonly code: number | null;
  readonly verdict: VerificationReport['verdict'];
  /** That were ever given, and records of the ledger. */
  readonly receipts: number;
  readonly records: number;
  readonly receiptsCheck: VerificationReport['checks']['receipts'];
  readonly findings: VerificationReport['finding_counts'];
}

export interface SoakPlan {
  readonly seed: number;
  /** Records that all agents together send with each act, at least. */
  readonly records: number;
  /** Whether it may mount a small disk of so many mebibytes (test/support/small-disk.ts); null where it fills none. */
  readonly diskMebibytes: number | null;
  /** Starts a command of the product. */
  readonly command: (args: readonly string[], environment?: Readonly<Record<string, string>>) => CommandProcess;
}

const AGENTS = [
  { batch: 1, characters: 4000 },
  { batch: 1, characters: 500 },
  { batch: 20, characters: 2000 },
] as const;

export class Soak {
  readonly figures: Figures[] = [];
  readonly counts = Object.fromEntries(ALL_ACTS.map((act) => [act, 0])) as Record<Act, number>;
  readonly #plan: SoakPlan;
  readonly #random: SeededRandom;
  readonly #disk: SmallDisk | null;
  readonly #folder = temporaryFolder();
  readonly #dataDir: string;
  readonly #shiftFile: string;
  readonly #agents: AgentLoad[] = [];
  #service: CommandProcess | null = null;
  #owner: Account | null = null;
  #starts = 0;
  /** The first key: whoever trusts it follows all rotations. */
  #kid = '';

  constructor(plan: SoakPlan) {
    this.#plan = plan;
    this.#random = new SeededRandom(plan.seed);
    this.#disk = plan.diskMebibytes === null ? null : new SmallDisk(plan.diskMebibytes);
    this.#dataDir = join(this.#disk?.folder ?? this.#folder, 'data');
    this.#shiftFile = join(this.#folder, 'shift');
  }

  get #backups(): string {
    return join(this.#folder, 'backups');
  }

  get receipts(): Receipt[] {
    return this.#agents.flatMap(({ receipts }) => [...receipts.values()]);
  }

  get #account(): Account {
    if (this.#owner === null) throw new Error('the soak has not begun');
    return this.#owner;
  }

  get #running(): CommandProcess {
    if (this.#service === null) throw new Error('the service does not run');
    return this.#service;
  }

  async begin(): Promise<void> {
    this.#shift(0);
    const url = await this.#start();
    this.#owner = await firstOwner(url, this.#dataDir);
    this.#kid = (await this.#owner.client.ok('jwks')).keys[0]?.kid ?? '';
    for (const [n, size] of AGENTS.entries()) {
      this.#agents.push(new AgentLoad(await registerAgent(this.#owner, `agent-${n}`), size, this.#random));
    }
  }

  draw(): Act {
    const acts = ALL_ACTS.filter((act) => act !== 'fill the disk' || this.#disk !== null);
    let at = this.#random.next() * acts.reduce((sum, act) => sum + ACTS[act], 0);
    for (const act of acts) {
      at -= ACTS[act];
      if (at < 0) return act;
    }
    return 'search';
  }

  /** Has the agents send while an act is done, and takes the figures once both are over. */
  async round(act: Act = this.draw()): Promise<void> {
    if (act === 'step the clock') await this.#stepClock();
    if (act === 'kill') await this.#kill();
    else if (act === 'fill the disk') await this.#fillDisk();
    else await this.#underLoad(() => this.#do(act));
    this.counts[act]++;
    this.#note(act);
  }

  async #do(act: Exclude<Act, 'kill' | 'fill the disk'>): Promise<void> {
    const owner = this.#account;
    const { client } = owner;
    if (act === 'step the clock') return;
    if (act === 'search') return this.#search(client);
    if (act === 'export') await this.#export(owner);
    if (act === 'import') return this.#import(owner);
    if (act === 'verify') return this.#verify(client);
    if (act === 'back up') {
      await backupOf(owner);
      // As operators do: nobody else removes what a person had made.
      rmSync(this.#backups, { recursive: true });
    }
    if (act === 'rotate') {
      const { client } = await this.#signIn();
      const { keys } = await client.ok('listServiceKeys');
      const kid = keys.find(({ status }) => status === 'active')?.kid;
      await client.ok('rotateServiceKey', { body: { kid } });
    }
  }

  async #search(client: Client): Promise<void> {
    for (const query of ['agent = agent-1', 'type = file.write and agent = agent-2', 'xxxxxxxx']) {
      await client.ok('auditQuery', { body: { query, limit: 100 } });
    }
  }

  async #export(owner: Account): Promise<Buffer> {
    const known = this.receipts.length;
    const bundle = await bundleOf(owner);
    const { records } = JSON.parse(bundle.toString('utf8')) as { records: readonly unknown[] };
    if (records.length < known) throw new Error(`an export has ${records.length} of ${known} records`);
    for (const { exportId } of (await owner.client.ok('listExports', {})).data) {
      await owner.client.ok('deleteExport', { params: { export_id: exportId } });
    }
    return bundle;
  }

  async #import(owner: Account): Promise<void> {
    const bytes = await this.#export(owner);
    const { case_id, verdict } = await importCase(owner.client, { name: 'soak', bytes }, { trusted_kids: [this.#kid] });
    if (verdict !== 'verified') throw new Error(`an imported bundle is ${verdict}`);
    await owner.client.ok('deleteCase', { params: { case_id } });
  }

  async #verify(client: Client): Promise<void> {
    await client.ok('verifyLedger');
    const state = await until(
      'the verification',
      async () => {
        const asked = await client.ok('ledgerVerification');
        return asked.status !== 'running' && asked;
      },
      PATIENCE_MS * 5,
    );
    if (state.status !== 'completed' || !state.valid) throw new Error(`the ledger: ${JSON.stringify(state)}`);
  }

  async #kill(): Promise<void> {
    // After so many receipts, in the middle of whatever is under way.
    await this.#load(this.#random.below(this.#plan.records), async () => {
      await this.#running.kill('SIGKILL');
    });
    await this.#restart();
  }

  /** Fills it while agents send, until each is refused for it: they send that again once there is room. */
  async #fillDisk(): Promise<void> {
    this.#disk?.fill(this.#random.below(100_000));
    const { client } = this.#account;
    const ended = await Promise.allSettled(this.#agents.map((agent) => agent.run(client, () => false)));
    for (const one of ended) {
      if (one.status === 'rejected' && !String(one.reason).includes('STORAGE_FULL')) throw one.reason;
    }
    this.#disk?.clear();
    await this.#underLoad(() => this.#search(client));
  }

  /** Two hours ahead, which a person takes for right, and back, which the ledger's log states. */
  async #stepClock(): Promise<void> {
    this.#shift(2 * HOUR_MS);
    await this.#answerClock('confirmClock');
    await this.#load(this.#plan.records);
    this.#shift(0);
    await this.#answerClock('correctClock');
  }

  async #answerClock(answer: 'confirmClock' | 'correctClock'): Promise<void> {
    const { client } = await this.#signIn();
    const { id, state } = await client.ok('getClock', {});
    // Within an hour after a step back it may return to where it was, unasked.
    if (state !== 'right') await client.ok(answer, { body: { id: id ?? '', reason: 'soak' } });
    // A session of the other reading would not be as fresh as it was.
    await this.#signIn();
  }

  async #signIn(): Promise<Account> {
    this.#owner = await signInAt(this.#account.client.url, this.#account);
    return this.#owner;
  }

  #shift(milliseconds: number): void {
    writeFileSync(this.#shiftFile, String(milliseconds));
  }

  async #underLoad(act: () => Promise<unknown>): Promise<void> {
    await Promise.all([this.#load(this.#plan.records), act()]);
  }

  /** Has the agents send until there are so many receipts more. @param then ends the service while they still send */
  async #load(more: number, then?: () => Promise<void>): Promise<void> {
    const enough = this.receipts.length + more;
    let isGone = false;
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    const onReceipt = (): void => {
      if (this.receipts.length >= enough) resolve();
    };
    onReceipt();
    const { client } = this.#account;
    const sending = Promise.all(this.#agents.map((agent) => agent.run(client, () => isGone, onReceipt)));
    await Promise.race([reached, sending]);
    isGone = true;
    await then?.();
    await sending;
  }

  async #start(): Promise<string> {
    const args = [
      'serve',
      '--data-dir',
      this.#dataDir,
      '--port',
      '0',
      '--rate-limit',
      'off',
      '--backup-dir',
      this.#backups,
    ];
    const environment = { NODE_OPTIONS: `--import ${SHIFTED_CLOCK}`, CLOCK_SHIFT_FILE: this.#shiftFile };
    this.#service = this.#plan.command([...args, '--log-level', 'silent', '--epoch-max-leaves', '200'], environment);
    this.#starts++;
    return this.#service.listening();
  }

  async #restart(): Promise<void> {
    const url = await this.#start();
    this.#owner = { ...this.#account, client: new Client(url, this.#account.client.token) };
  }

  #note(act: Act): void {
    const { pid } = this.#running;
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    this.figures.push({
      act,
      start: this.#starts,
      receipts: this.receipts.length,
      residentMb: Math.round(kilobytes / 1024),
      handles: readdirSync(`/proc/${pid}/fd`).length,
      files: readdirSync(this.#dataDir, { recursive: true }).length,
    });
  }

  /** Ends everything, and has the command judge the whole ledger by every receipt that was ever given. */
  async finish(): Promise<Judged> {
    for (const agent of this.#agents) await agent.settle(this.#account.client);
    const bundle = await bundleOf(this.#account);
    const { code } = await this.#running.kill('SIGTERM');
    if (code !== 0) throw new Error(`the service ended with ${code}`);
    const bundlePath = join(this.#folder, 'whole.json');
    const receiptsPath = join(this.#folder, 'receipts.jsonl');
    const { receipts } = this;
    writeFileSync(bundlePath, bundle);
    writeFileSync(receiptsPath, receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join(''));
    const args = ['verify', bundlePath, '--trust', this.#kid, '--receipts', receiptsPath, '--json'];
    const judged = await this.#plan.command(args).ended;
    const report = JSON.parse(judged.stdout) as VerificationReport;
    return {
      code: judged.code,
      verdict: report.verdict,
      receipts: receipts.length,
      records: report.bundle.records,
      receiptsCheck: report.checks.receipts,
      findings: report.finding_counts,
    };
  }
}

/** Of each start the first figures are not compared: threads start, and caches fill. */
const WARMING = 20;
/** And none of a start with fewer than these. */
const ENOUGH = 60;
/** What may come on top of a fifth more, for each figure. */
const SLACK = { residentMb: 64, handles: 16, files: 16 } as const;

/** A figure of one start of the service: its medians over the first and the last third, and whether it did not stay level. */
export interface Level {
  readonly what: keyof typeof SLACK;
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly rises: boolean;
}

export function levels(figures: readonly Figures[]): Level[] {
  const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  return [...Map.groupBy(figures, ({ start }) => start)].flatMap(([start, all]) => {
    if (all.length < ENOUGH) return [];
    const warm = all.slice(WARMING);
    const third = Math.floor(warm.length / 3);
    return (['residentMb', 'handles', 'files'] as const).map((what) => {
      const values = warm.map((one) => one[what]);
      const from = median(values.slice(0, third));
      const to = median(values.slice(-third));
      return { what, start, from, to, rises: to > from * 1.2 + SLACK[what] };
    });
  });
}
