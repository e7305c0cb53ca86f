/** Two nodes on a PostgreSQL pair, agents that send all the while, and what goes wrong around them, drawn from a seed. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresPair } from '../../src/cli/shared/postgres-pair.ts';
import type { VerificationReport } from '../../src/protocol/index.ts';
import { writeBackup } from '../../src/service/operator/backup/write-backup.ts';
import { LogDoubt } from '../../src/service/shared/commit-log.ts';
import { beginLog, joinLog } from '../../src/service/shared/membership.ts';
import { AgentLoad } from './agent-load.ts';
import { Client } from './client.ts';
import { DatabaseLink } from './database-link.ts';
import { temporaryFolder } from './folders.ts';
import { postgresPair } from './postgres.ts';
import { type CommandProcess, serving } from './processes.ts';
import { SeededRandom } from './random.ts';
import { type Account, bundleOf, registerAgent, signInAt, TestService } from './service.ts';
import { until } from './until.ts';

const SIZES = [...Array.from({ length: 3 }, () => ({ batch: 1, characters: 2_000 })), { batch: 20, characters: 2_000 }];

const HOUR_MS = 3_600_000;
const SHIFTED_CLOCK = new URL('./shifted-clock.ts', import.meta.url).href;

/** What waits for the standby of the database. */
const WAITING = "SELECT pid FROM pg_stat_activity WHERE application_name = 'countersign' AND wait_event = 'SyncRep'";

const urlOf = (servers: LogServers['servers']): string =>
  `postgres://cs@${servers.map(({ host, port }) => `${host}:${port}`).join(',')}/postgres`;

/** Both servers of a pair, by the places that they change when one dies. */
function serversOf(pair: PostgresPair): LogServers {
  const servers = [pair.primary, pair.standby].map(({ port }) => ({ host: '127.0.0.1', port }));
  return { servers, query: (text) => pair.primary.query(text) };
}

/** What is done, each while agents send. */
export const FAULTS = [
  'pause the active node until the other one serves',
  'kill the active node',
  'kill the standby while it applies',
  'kill the primary',
  'cancel commits that wait',
  'terminate commits that wait',
  'cut the active node off the database',
  'cut the standby off the database',
  'cut both nodes off the database',
  'lose the answer to a commit',
  'promote a standby that was away',
  'rotate the service key at a takeover',
  'take over an hour behind',
  'take over an hour ahead',
] as const;
export type Fault = (typeof FAULTS)[number];

/** What it came to, by every receipt that left a node. */
export interface Verdict {
  readonly receipts: number;
  /** How often a node became active. */
  readonly terms: number;
  /** Numbers of the ledger that more than one receipt has. */
  readonly forks: number;
  /** Receipts whose record is not in the ledger as they say. */
  readonly lost: number;
  /** Of `countersign verify --receipts`. */
  readonly code: number | null;
  readonly verdict: string;
  readonly findings: VerificationReport['finding_counts'];
}

/** The servers of a log, whatever keeps them alive. */
export interface LogServers {
  readonly servers: readonly { readonly host: string; readonly port: number }[];
  /** @returns the rows that whichever takes writes answers */
  query(text: string): string[];
}

interface Node {
  readonly name: string;
  readonly dataDir: string;
  /** The log as this node reaches it: by these links. */
  readonly log: string;
  readonly links: readonly DatabaseLink[];
  readonly shiftFile: string;
  process: CommandProcess;
}

/** @returns false where the log gave no clear answer */
async function unlessInDoubt(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (!(error instanceof LogDoubt)) throw error;
    return false;
  }
}

type Command = (args: readonly string[], environment?: Readonly<Record<string, string>>) => CommandProcess;

/** What each line of a node says of its role; the last one holds. */
function activeAt({ process: { stdout } }: Node): string | undefined {
  const [, state, url] =
    [...stdout.matchAll(/^node \S+ is (active|standby), at ([^\s:]+:\/\/[^\s:]+:\d+)/gm)].at(-1) ?? [];
  return state === 'active' ? url : undefined;
}

function startNode(node: Omit<Node, 'process'>, command: Command): Node {
  const { name, dataDir, log, shiftFile } = node;
  const options = ['--log-level', 'silent', '--epoch-max-leaves', '50', '--recorder', 'off', '--node', name];
  const environment = { NODE_OPTIONS: `--import ${SHIFTED_CLOCK}`, CLOCK_SHIFT_FILE: shiftFile };
  return { ...node, process: command(serving(dataDir, ...options, '--shared-log', log), environment) };
}

/** Of a node that does not run, on a machine that was off: what an earlier run knew of the time holds no longer. */
function setClock({ shiftFile, dataDir }: Pick<Node, 'shiftFile' | 'dataDir'>, milliseconds: number): void {
  writeFileSync(shiftFile, String(milliseconds));
  rmSync(join(dataDir, 'clock.json'), { force: true });
}

export class SharedFaults {
  readonly #database: LogServers;
  /** The servers, where it is a pair that the faults below take apart. */
  readonly #pair: PostgresPair | null;
  readonly #command: Command;
  readonly #nodes: readonly [Node, Node];
  readonly #random: SeededRandom;
  readonly #owner: Account;
  readonly #kid: string;
  readonly #agents: readonly AgentLoad[];
  readonly #folder: string;

  private constructor(
    database: LogServers,
    pair: PostgresPair | null,
    command: Command,
    nodes: readonly [Node, Node],
    owner: Account,
    kid: string,
    agents: readonly AgentLoad[],
    random: SeededRandom,
    folder: string,
  ) {
    this.#database = database;
    this.#pair = pair;
    this.#command = command;
    this.#nodes = nodes;
    this.#owner = owner;
    this.#kid = kid;
    this.#agents = agents;
    this.#random = random;
    this.#folder = folder;
  }

  /** @param others the servers of the log; a pair is started where none are named */
  static async start(command: Command, seed: number, others: LogServers | null = null): Promise<SharedFaults> {
    const pair = others === null ? await postgresPair() : null;
    const database = pair === null ? others : serversOf(pair);
    if (database === null) throw new Error('no servers');
    const root = temporaryFolder();
    const service = await TestService.start({ dataDir: join(root, 'a') });
    const owner = await service.signUp();
    const { kid } = service;
    const random = new SeededRandom(seed);
    const agents = await Promise.all(
      SIZES.map(async (size, n) => new AgentLoad(await registerAgent(owner, `agent-${n}`), size, random)),
    );
    await service.stop();
    const folderOf = (name: string) => ({
      log: urlOf(database.servers),
      dataDir: join(root, name),
      passphraseFile: null,
    });
    // Servers that others keep alive may be starting again at this moment.
    await until('the log to begin', () => unlessInDoubt(beginLog(folderOf('a'))));
    await writeBackup({ dataDir: join(root, 'a'), to: join(root, 'backup'), withoutKeys: false, now: Date.now });
    await until('the second to join', () => unlessInDoubt(joinLog(folderOf('b'), join(root, 'backup'), [])));
    const start = async (name: string): Promise<Node> => {
      const links = await Promise.all(database.servers.map(({ host, port }) => DatabaseLink.start(port, host)));
      const log = urlOf(links.map(({ port }) => ({ host: '127.0.0.1', port })));
      const node = { name, dataDir: join(root, name), log, links, shiftFile: join(root, `${name}.shift`) };
      setClock(node, 0);
      return startNode(node, command);
    };
    const first = await start('a');
    await until('the first to be active', () => activeAt(first));
    const nodes = [first, await start('b')] as const;
    return new SharedFaults(database, pair, command, nodes, owner, kid, agents, random, root);
  }

  /** One fault while agents send, and all that has to follow from it. */
  async suffer(fault: Fault): Promise<void> {
    const acts: Readonly<Record<Fault, (active: Node, standby: Node, owner: Account) => Promise<unknown>>> = {
      'pause the active node until the other one serves': async (active, standby) => {
        active.process.signal('SIGSTOP');
        await this.#becomesActive(standby);
        active.process.signal('SIGCONT');
        await this.#stepsDown(active);
      },
      'kill the active node': (active, standby) => this.#takenOver(active, standby),
      'kill the standby while it applies': async (_, standby) => {
        await standby.process.kill('SIGKILL');
        this.#restart(standby);
      },
      'kill the primary': async () => {
        const { primary } = this.#needPair();
        primary.kill();
        await until('its processes to end', () => primary.startsAgain());
      },
      'cancel commits that wait': (active) => this.#endWaiting(active, 'cancel'),
      'terminate commits that wait': (active) => this.#endWaiting(active, 'terminate'),
      'cut the active node off the database': async (active, standby) => {
        this.#cut(active);
        await this.#becomesActive(standby);
        this.#mend(active);
        await this.#stepsDown(active);
      },
      'cut the standby off the database': async (_, standby) => {
        this.#cut(standby);
        // Longer than the active node may be silent to whoever hears it.
        await pause(3000 + this.#random.below(1000));
        this.#mend(standby);
      },
      'cut both nodes off the database': async (active, standby) => {
        for (const node of [active, standby]) this.#cut(node);
        await this.#stepsDown(active);
        for (const node of [active, standby]) this.#mend(node);
      },
      'lose the answer to a commit': async (active) => {
        const lost = active.links.map((link) => link.loseNextAnswer());
        await Promise.race([...lost, this.#stepsDown(active)]);
        await this.#stepsDown(active);
      },
      'promote a standby that was away': async (active) => {
        // What the node appends from here on is in the old primary alone, and answered by nobody.
        this.#needPair().standby.stop('fast');
        await this.#stepsDown(active);
        await this.#needPair().failOver();
      },
      'rotate the service key at a takeover': async (active, standby, owner) => {
        const rotated = owner.client.ok('rotateServiceKey', { body: { kid: await this.#kidAt(owner) } });
        // Before the commit, after it, or with its answer underway.
        await Promise.race([pause(this.#random.below(60)), rotated.catch(() => undefined)]);
        await this.#takenOver(active, standby);
        await rotated.catch(() => undefined);
      },
      'take over an hour behind': async (active, standby) => {
        await standby.process.kill('SIGKILL');
        setClock(standby, -HOUR_MS);
        this.#restart(standby);
        await until(`node ${standby.name} to be a standby`, () => standby.process.stdout.includes('is standby, at'));
        await this.#takenOver(active, standby);
        await this.#send(standby);
        await this.#takenOver(standby, active, () => setClock(standby, 0));
      },
      'take over an hour ahead': async (active, standby) => {
        await standby.process.kill('SIGKILL');
        setClock(standby, HOUR_MS);
        this.#restart(standby);
        await until(`node ${standby.name} to be a standby`, () => standby.process.stdout.includes('is standby, at'));
        await this.#takenOver(active, standby);
        const refused = await this.#ownerAt(activeAt(standby) ?? '').client.call('createToken', {
          body: { ttl_seconds: 60, name: 'by a wrong clock' },
        });
        if (refused.status !== 503) throw new Error(`an hour ahead it answered ${refused.status}`);
        await this.#takenOver(standby, active, () => setClock(standby, 0));
      },
    };
    const { node: active, owner } = await this.#active();
    // A person who did something just now: a rotation asks for that.
    const signedIn = fault.startsWith('rotate') ? await signInAt(owner.client.url, owner) : owner;
    await this.#send(active, () => acts[fault](active, this.#otherThan(active), signedIn));
  }

  /**
   * Something that befalls the servers while agents send all through it.
   * @param fault is given what cuts the node that is not active off a server, and returns what mends that
   * @returns the longest time without a receipt, in milliseconds
   */
  async sufferFrom(fault: (cut: (host: string) => () => void) => Promise<void>): Promise<number> {
    const { node: active } = await this.#active();
    const cut = (host: string): (() => void) => {
      const link = this.#otherThan(active).links[this.#database.servers.findIndex((server) => server.host === host)];
      link?.cut();
      return () => link?.mend();
    };
    let isOver = false;
    let [last, longest] = [performance.now(), 0];
    const given = (): boolean => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
      return isOver;
    };
    const suffered = async (): Promise<void> => {
      await pause(this.#random.below(1000));
      await fault(cut);
      isOver = true;
    };
    await Promise.all([...this.#agents.map((agent) => this.#sendThrough(agent, given)), suffered()]);
    return longest;
  }

  /** Has an agent send to whichever node is active, until `given`, which is called with each receipt, says that it was the last. */
  async #sendThrough(agent: AgentLoad, given: () => boolean): Promise<void> {
    let isDone = false;
    while (!isDone) {
      await this.#askActive(({ client }, hasLeft) =>
        agent.run(
          client,
          () => isDone || hasLeft(),
          () => {
            isDone = given();
          },
        ),
      );
    }
  }

  /** Asks whichever node is active, and the next one where it steps down meanwhile, as it may on a busy machine. */
  async #askActive<T>(question: (owner: Account, hasLeft: () => boolean) => Promise<T>): Promise<T> {
    for (;;) {
      const { node, owner } = await this.#active();
      const hasLeft = (): boolean => activeAt(node) !== owner.client.url;
      try {
        return await question(owner, hasLeft);
      } catch (error) {
        // A node answers so, or not at all, before it says what it is now.
        await until('the node that refused to step down', hasLeft).catch(() => {
          throw error;
        });
      }
    }
  }

  #needPair(): PostgresPair {
    if (this.#pair === null) throw new Error('these servers are kept alive by others');
    return this.#pair;
  }

  async #kidAt({ client }: Account): Promise<string> {
    const { keys } = await client.ok('listServiceKeys');
    return keys.find(({ status }) => status === 'active')?.kid ?? '';
  }

  async #takenOver(from: Node, by: Node, meanwhile: () => void = () => undefined): Promise<void> {
    const { stderr } = await from.process.kill('SIGKILL');
    if (stderr !== '') throw new Error(`node ${from.name} said ${stderr}`);
    await this.#becomesActive(by);
    meanwhile();
    this.#restart(from);
  }

  async #endWaiting(active: Node, how: 'cancel' | 'terminate'): Promise<void> {
    const { primary, standby } = this.#needPair();
    // Their commits wait for a standby that is not there; a commit that is cancelled then is answered with success.
    standby.stop('fast');
    await until('a commit to wait', () => primary.query(WAITING).length > 0 || activeAt(active) === undefined);
    primary.query(`SELECT pg_${how}_backend(pid) FROM (${WAITING}) AS w`);
    await this.#stepsDown(active);
    standby.start();
  }

  #cut({ links }: Node): void {
    for (const link of links) link.cut();
  }

  #mend({ links }: Node): void {
    for (const link of links) link.mend();
  }

  #otherThan(node: Node): Node {
    const [first, second] = this.#nodes;
    return node === first ? second : first;
  }

  async #becomesActive(node: Node): Promise<void> {
    await until(`node ${node.name} to be active`, () => activeAt(node));
  }

  async #stepsDown(node: Node): Promise<void> {
    await until(`node ${node.name} to step down`, () => activeAt(node) === undefined);
  }

  #restart(node: Node): void {
    node.process = startNode(node, this.#command).process;
  }

  async #active(): Promise<{ readonly node: Node; readonly owner: Account }> {
    const [node, url] = await until('a node to be active', () => {
      for (const one of this.#nodes) {
        const at = activeAt(one);
        if (at !== undefined) return [one, at] as const;
      }
      return undefined;
    });
    return { node, owner: this.#ownerAt(url) };
  }

  #ownerAt(url: string): Account {
    return { ...this.#owner, client: new Client(url, this.#owner.client.token) };
  }

  /** Has every agent send to a node until something has happened to it. */
  async #send(node: Node, fault: () => Promise<unknown> = async () => undefined): Promise<void> {
    const url = activeAt(node);
    if (url === undefined) return;
    let isOver = false;
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    // A node may step down by itself on a busy machine: that ends the load, and is judged like everything else.
    const over = (): boolean => isOver || activeAt(node) !== url;
    const sending = Promise.all(this.#agents.map((agent) => agent.run(this.#ownerAt(url).client, over, answer)));
    await Promise.race([answered, sending]);
    await pause(this.#random.below(200));
    isOver = true;
    await fault();
    await sending;
  }

  /** Has every agent find out what became of its last records, and the command judge all that they were given. */
  async finish(): Promise<Verdict> {
    for (const agent of this.#agents) await this.#askActive(({ client }) => agent.settle(client));
    const receipts = this.#agents.flatMap((agent) => [...agent.receipts.values()]);
    const bundle = await this.#askActive((owner) => bundleOf(owner));
    const [terms] = this.#database.query("SELECT count(*) FROM countersign_log WHERE kind = 'term'");
    // One that was started again takes a signal for its end once it runs.
    for (const { name, process } of this.#nodes) {
      await until(`node ${name} to say what it is`, () => process.stdout.includes('node '));
      const { code, stderr } = await process.kill('SIGTERM');
      // On a busy machine a stop may last longer than it may, and is ended then: what that left is judged below.
      const wasCutOff = stderr.includes('ended as after a crash, which loses nothing');
      if (code !== 0 && !wasCutOff) throw new Error(`node ${name} ended with ${code}: ${stderr}`);
    }
    const [bundlePath, receiptsPath] = [join(this.#folder, 'all.csbundle'), join(this.#folder, 'receipts.jsonl')];
    writeFileSync(bundlePath, bundle);
    writeFileSync(receiptsPath, receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join(''));
    const args = ['verify', bundlePath, '--trust', this.#kid, '--receipts', receiptsPath, '--json'];
    const { code, stdout } = await this.#command(args).ended;
    const report = JSON.parse(stdout) as VerificationReport;
    const { records } = JSON.parse(bundle.toString('utf8')) as { records: { ear: { operation_id: string } }[] };
    const kept = new Map(records.map(({ ear }) => [ear.operation_id, JSON.stringify(ear)]));
    return {
      receipts: receipts.length,
      terms: Number(terms),
      forks: receipts.length - new Set(receipts.map(({ seq_no }) => seq_no)).size,
      lost: receipts.filter((receipt) => kept.get(receipt.operation_id) !== JSON.stringify(receipt)).length,
      code,
      verdict: report.verdict,
      findings: report.finding_counts,
    };
  }
}
