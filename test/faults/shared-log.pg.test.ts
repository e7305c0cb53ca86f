// docs/shared-log.md, What it withstands: two nodes on a PostgreSQL pair, agents that send all the while, and faults of every
// kind. Judged is every receipt that left any node: one record for each number, and all of them in the ledger at the end.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { canonicalize, type Receipt, utf8 } from '../../src/protocol/index.ts';
import { writeBackup } from '../../src/service/operator/backup/write-backup.ts';
import { beginLog, joinLog } from '../../src/service/shared/membership.ts';
import { AgentLoad } from '../support/agent-load.ts';
import { Client } from '../support/client.ts';
import { seedOf, share } from '../support/extent.ts';
import { temporaryFolder } from '../support/folders.ts';
import { PostgresPair } from '../support/postgres.ts';
import { CommandProcess, serving } from '../support/processes.ts';
import { SeededRandom } from '../support/random.ts';
import { type Account, bundleOf, registerAgent, TestService, verifyWith } from '../support/service.ts';
import { until } from '../support/until.ts';

const SIZES = [...Array.from({ length: 3 }, () => ({ batch: 1, characters: 2_000 })), { batch: 20, characters: 2_000 }];

const LONG_MS = 600_000;

/** What waits for the standby of the database. */
const WAITING = "SELECT pid FROM pg_stat_activity WHERE application_name = 'countersign' AND wait_event = 'SyncRep'";

interface Node {
  readonly name: string;
  readonly dataDir: string;
  process: CommandProcess;
}

/** What each line of a node says of its role; the last one holds. */
function activeAt({ process: { stdout } }: Node): string | undefined {
  const [, state, url] =
    [...stdout.matchAll(/^node \S+ is (active|standby), at ([^\s:]+:\/\/[^\s:]+:\d+)/gm)].at(-1) ?? [];
  return state === 'active' ? url : undefined;
}

class Pair {
  readonly nodes: readonly [Node, Node];
  readonly #random: SeededRandom;
  readonly #owner: Account;
  readonly #agents: readonly AgentLoad[];
  readonly #log: string;

  private constructor(
    log: string,
    nodes: readonly [Node, Node],
    owner: Account,
    agents: readonly AgentLoad[],
    random: SeededRandom,
  ) {
    this.#log = log;
    this.nodes = nodes;
    this.#owner = owner;
    this.#agents = agents;
    this.#random = random;
  }

  static async start(log: string, seed: number): Promise<Pair> {
    const root = temporaryFolder();
    const [a, b] = [join(root, 'a'), join(root, 'b')];
    const service = await TestService.start({ dataDir: a });
    const owner = await service.signUp();
    const random = new SeededRandom(seed);
    const agents = await Promise.all(
      SIZES.map(async (size, n) => new AgentLoad(await registerAgent(owner, `agent-${n}`), size, random)),
    );
    await service.stop();
    await beginLog({ log, dataDir: a, passphraseFile: null });
    await writeBackup({ dataDir: a, to: join(root, 'backup'), withoutKeys: false, now: Date.now });
    await joinLog({ log, dataDir: b, passphraseFile: null }, join(root, 'backup'), []);
    const start = (name: string, dataDir: string): Node => ({ name, dataDir, process: startNode(name, dataDir, log) });
    const first = start('a', a);
    await until('the first to be active', () => activeAt(first));
    return new Pair(log, [first, start('b', b)], owner, agents, random);
  }

  async active(): Promise<{ readonly node: Node; readonly owner: Account }> {
    const [node, url] = await until('a node to be active', () => {
      for (const one of this.nodes) {
        const at = activeAt(one);
        if (at !== undefined) return [one, at] as const;
      }
      return undefined;
    });
    return { node, owner: { ...this.#owner, client: new Client(url, this.#owner.client.token) } };
  }

  otherThan(node: Node): Node {
    const [first, second] = this.nodes;
    return node === first ? second : first;
  }

  async becomesActive(node: Node): Promise<void> {
    await until(`node ${node.name} to be active`, () => activeAt(node));
  }

  restart(node: Node): void {
    node.process = startNode(node.name, node.dataDir, this.#log);
  }

  /** Has every agent send while something happens to the node that serves them. */
  async under(fault: (node: Node) => Promise<void>): Promise<void> {
    const { node, owner } = await this.active();
    let isOver = false;
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    // A node may step down by itself on a busy machine: that ends the load, and is judged like everything else.
    const over = (): boolean => isOver || activeAt(node) !== owner.client.url;
    const sending = Promise.all(this.#agents.map((agent) => agent.run(owner.client, over, answer)));
    await Promise.race([answered, sending]);
    await pause(this.#random.below(200));
    isOver = true;
    await fault(node);
    await sending;
  }

  async finish(): Promise<number> {
    const { owner } = await this.active();
    for (const agent of this.#agents) await agent.settle(owner.client);
    const receipts = this.#agents.flatMap((agent) => [...agent.receipts.values()]);
    const numbers = receipts.map(({ seq_no }) => seq_no).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: receipts.length }, (_, index) => index + 1));
    await expectBundle(owner, receipts);
    // One that was started again takes a signal for its end once it runs.
    for (const node of this.nodes)
      await until(`node ${node.name} to say what it is`, () => node.process.stdout.includes('node '));
    for (const { process } of this.nodes) expect(await process.kill('SIGTERM')).toMatchObject({ code: 0 });
    return receipts.length;
  }
}

function startNode(name: string, dataDir: string, log: string): CommandProcess {
  const options = ['--log-level', 'silent', '--epoch-max-leaves', '50', '--recorder', 'off', '--node', name];
  return new CommandProcess(serving(dataDir, ...options, '--shared-log', log));
}

async function expectBundle(owner: Account, receipts: readonly Receipt[]): Promise<void> {
  const [kid = ''] = (await owner.client.ok('jwks')).keys.map((key) => key.kid);
  const bundle = await bundleOf(owner);
  const { records } = JSON.parse(bundle.toString('utf8')) as { records: { ear: Receipt }[] };
  const kept = new Map(records.map(({ ear }) => [ear.operation_id, canonicalize(ear)]));
  expect(receipts.filter((receipt) => kept.get(receipt.operation_id) !== canonicalize(receipt))).toEqual([]);
  const text = receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
  const report = await verifyWith(kid, bundle, [{ name: 'receipts', source: () => [utf8(text)] }]);
  expect(report.findings).toEqual([]);
  expect(report).toMatchObject({ verdict: 'verified', bundle: { records: receipts.length } });
}

describe('two nodes on a synchronous pair', () => {
  it(
    'lose nothing and contradict nothing when the active node is paused or killed until the other one serves',
    async () => {
      const database = await PostgresPair.start();
      const pair = await Pair.start(database.url, seedOf(39));
      for (let round = 0; round < share(10); round++) {
        await pair.under(async (node) => {
          node.process.signal('SIGSTOP');
          await pair.becomesActive(pair.otherThan(node));
          node.process.signal('SIGCONT');
          await until('the paused one to step down', () => activeAt(node) === undefined);
        });
        await pair.under(async (node) => {
          expect(await node.process.kill('SIGKILL')).toMatchObject({ stderr: '' });
          await pair.becomesActive(pair.otherThan(node));
          pair.restart(node);
        });
      }
      expect(await pair.finish()).toBeGreaterThan(0);
    },
    LONG_MS,
  );

  it(
    'lose nothing and contradict nothing when the primary dies, commits are cut off, and a standby that was away takes over',
    async () => {
      const database = await PostgresPair.start();
      const { primary, standby } = database;
      const pair = await Pair.start(database.url, seedOf(40));
      for (let round = 0; round < share(10); round++) {
        await pair.under(async () => {
          primary.kill();
          await until('its processes to end', () => primary.startsAgain());
        });
        await pair.under(async (node) => {
          // Their commits wait for a standby that is not there; a commit that is cancelled then is answered with success.
          standby.stop('fast');
          await until(
            'a commit to wait',
            async () => (await primary.query(WAITING)).length > 0 || activeAt(node) === undefined,
          );
          await primary.query(
            `SELECT pg_${round % 2 === 0 ? 'cancel' : 'terminate'}_backend(pid) FROM (${WAITING}) AS w`,
          );
          await until('the node to step down', () => activeAt(node) === undefined);
          standby.start();
        });
      }
      await pair.under(async (node) => {
        standby.stop('fast');
        await until('the node to step down', () => activeAt(node) === undefined);
        // What it appended meanwhile is in the old primary alone, and answered by nobody.
        primary.kill();
        standby.start();
        standby.promote();
      });
      expect(await pair.finish()).toBeGreaterThan(0);
    },
    LONG_MS,
  );
});
