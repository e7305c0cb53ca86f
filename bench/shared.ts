import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { PostgresPair } from '../src/cli/shared/postgres-pair.ts';
import { sharedLog, writeBackup } from '../src/service/light.ts';
import { undoAll } from '../test/support/cleanup.ts';
import { postgresPair } from '../test/support/postgres.ts';
import { CommandProcess, SOURCES, serving } from '../test/support/processes.ts';
import { until } from '../test/support/until.ts';
import { quantile } from './support/figures.ts';
import { batchesTo, type IngestFigures, singlesTo } from './support/ingest-runs.ts';
import { nativeRate } from './support/native-rate.ts';
import { ServiceProcess } from './support/service-process.ts';
import { makeWorkspace, nextRecord, type Workspace } from './support/workspace.ts';

/**
 * What a shared log costs, everything on one machine: durable receipts a second of a node with a standby on a PostgreSQL pair against
 * those of a service by itself, turn by turn; how soon a record is found on the standby; and how long agents have to wait for
 * the other node after the active one was killed or stopped.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    takeovers: { type: 'string', default: '5' },
  },
});
const native = await nativeRate();
const records = Number(values.records);
const single = { records, connections: 64, native };
const batches = { records, connections: 2, batchSize: 100, native };

/** A node in a separate process, which says what it is. */
class Node {
  readonly name: string;
  readonly dataDir: string;
  readonly #log: string;
  #process: CommandProcess | null = null;

  constructor(name: string, dataDir: string, log: string) {
    this.name = name;
    this.dataDir = dataDir;
    this.#log = log;
  }

  start(): void {
    const options = ['--log-level', 'error', '--recorder', 'off', '--shared-log', this.#log, '--node', this.name];
    this.#process = new CommandProcess(serving(this.dataDir, ...options), {}, undefined, SOURCES);
  }

  /** Where it listens in this role, once it does. */
  as(role: 'active' | 'standby'): Promise<string> {
    return until(`node ${this.name} to be ${role}`, () => {
      const [, is, url] =
        [...(this.#process?.stdout ?? '').matchAll(/ is (active|standby), at (http:\S+:\d+)/g)].at(-1) ?? [];
      return is === role ? url : undefined;
    });
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#process?.kill(signal);
  }
}

/** A ledger that two nodes can keep. */
async function pairOf(
  agents: number,
  database: string,
): Promise<{ readonly nodes: readonly [Node, Node]; readonly workspace: Workspace }> {
  const root = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-bench-'));
  const [a, b, backup] = ['a', 'b', 'backup'].map((name) => join(root, name)) as [string, string, string];
  const service = await ServiceProcess.start(a);
  const workspace = await makeWorkspace(service, agents);
  await service.stop({ keep: true });
  const { beginLog, joinLog } = await sharedLog();
  await beginLog({ log: database, dataDir: a, passphraseFile: null });
  await writeBackup({ dataDir: a, to: backup, withoutKeys: false, now: Date.now });
  await joinLog({ log: database, dataDir: b, passphraseFile: null }, backup, []);
  roots.push(root);
  return { nodes: [new Node('a', a, database), new Node('b', b, database)], workspace };
}
const roots: string[] = [];

async function databaseFor(pair: PostgresPair): Promise<string> {
  const name = `bench${roots.length}`;
  pair.primary.query(`CREATE DATABASE ${name}`);
  return pair.url.replace(/\/postgres$/, `/${name}`);
}

type Run = (service: ServiceProcess, workspace: Workspace) => Promise<IngestFigures>;

async function alone(agents: number, run: Run): Promise<IngestFigures> {
  const service = await ServiceProcess.start();
  try {
    return await run(service, await makeWorkspace(service, agents));
  } finally {
    await service.stop();
  }
}

async function shared(agents: number, run: Run, pair: PostgresPair): Promise<IngestFigures> {
  const log = await databaseFor(pair);
  const { nodes, workspace } = await pairOf(agents, log);
  const [first, second] = nodes;
  const service = await ServiceProcess.startNode(first.dataDir, log);
  second.start();
  try {
    await second.as('standby');
    return await run(service, workspace);
  } finally {
    await second.end('SIGTERM');
    await service.stop();
  }
}

async function submit(url: string, { token, agents }: Workspace, number: number): Promise<string> {
  const [agent] = agents;
  if (agent === undefined) throw new Error('no agent');
  const body = nextRecord(agent, number);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/v1/operations`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (JSON.parse(body) as { readonly operation_id: string }).operation_id;
}

/** Has a node open what it searches with: a standby that has just begun loads that, and cannot close it meanwhile. */
async function search(url: string, { token }: Workspace): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/v1/audit/query`, { method: 'POST', headers, body: '{"limit":1}' });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}

/** Milliseconds from a receipt until the standby has its record. */
async function lagOf(active: string, standby: string, workspace: Workspace, count: number): Promise<number[]> {
  const lags: number[] = [];
  for (let number = 0; number < count; number++) {
    const id = await submit(active, workspace, number);
    const from = performance.now();
    const headers = { authorization: `Bearer ${workspace.token}` };
    while (!(await fetch(`${standby}/v1/operations/${id}`, { headers })).ok) await pause(2);
    lags.push(performance.now() - from);
    await pause(150);
  }
  return lags.toSorted((a, b) => a - b);
}

const rounded = (values: readonly number[]) => ({
  p50Ms: Math.round(quantile([...values], 0.5)),
  maxMs: Math.round(values.at(-1) ?? 0),
});

try {
  const pair = await postgresPair();
  const runs = {
    single: { alone: [] as IngestFigures[], shared: [] as IngestFigures[] },
    batches: { alone: [] as IngestFigures[], shared: [] as IngestFigures[] },
  };
  const kinds = [
    ['single', 64, (service: ServiceProcess, of: Workspace) => singlesTo(service, of, single)],
    ['batches', 2, (service: ServiceProcess, of: Workspace) => batchesTo(service, of, batches)],
  ] as const;
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [kind, agents, run] of kinds) {
      const turns = [
        async () => runs[kind].alone.push(await alone(agents, run)),
        async () => runs[kind].shared.push(await shared(agents, run, pair)),
      ];
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    }
  }
  const rate = (of: readonly IngestFigures[]): number =>
    quantile(
      of.map(({ recordsPerSecond }) => recordsPerSecond).toSorted((a, b) => a - b),
      0.5,
    );
  const ratio = ({ alone: by, shared: of }: (typeof runs)['single']): number =>
    Number((rate(of) / rate(by)).toFixed(3));

  const { nodes, workspace } = await pairOf(1, await databaseFor(pair));
  let [active, standby] = nodes;
  active.start();
  const first = await active.as('active');
  standby.start();
  await search(await standby.as('standby'), workspace);
  const lag = await lagOf(first, await standby.as('standby'), workspace, 40);
  const took = { SIGKILL: [] as number[], SIGTERM: [] as number[] };
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    for (let n = 0; n < Number(values.takeovers); n++) {
      const from = performance.now();
      const ended = active.end(signal);
      await submit(await standby.as('active'), workspace, n);
      took[signal].push(performance.now() - from);
      await ended;
      active.start();
      await search(await active.as('standby'), workspace);
      [active, standby] = [standby, active];
    }
  }
  const inOrder = (values: readonly number[]) => rounded(values.toSorted((a, b) => a - b));
  const output = {
    bench: 'shared',
    single: { ratio: ratio(runs.single), alone: rate(runs.single.alone), shared: rate(runs.single.shared) },
    batches: { ratio: ratio(runs.batches), alone: rate(runs.batches.alone), shared: rate(runs.batches.shared) },
    lag: rounded(lag),
    takeoverAfterKill: inOrder(took.SIGKILL),
    takeoverAfterStop: inOrder(took.SIGTERM),
    runs,
  };
  process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
} finally {
  await undoAll();
  for (const root of roots) rmSync(root, { recursive: true, force: true });
}
