import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Agent, generateKeyPair, ServiceClient } from '../../agent/index.ts';
import { messageOf } from '../../protocol/text/light.ts';
import { sharedLog, writeBackup } from '../../service/light.ts';
import { EXIT, FileProblem } from '../command.ts';
import { exportAll, runLedger } from '../demo/run-ledger.ts';
import { scenario } from '../demo/scenario.ts';
import type { Terminal } from '../terminal.ts';
import { freePort, PostgresPair, postgresFolder } from './postgres-pair.ts';

/** Before and after each takeover. */
const RECORDS = 50;
/** How long a node may take to become what it is waited for, in milliseconds: a start on a busy machine takes its time. */
const PATIENCE_MS = 60_000;

const NAMES = ['a', 'b'] as const;
type Name = (typeof NAMES)[number];

const signedIn = z.looseObject({ token: z.string() });

/** One node in a separate process. */
class NodeProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #output = '';

  constructor(name: Name, dataDir: string, log: string, port: number) {
    const options = [
      '--port',
      String(port),
      '--recorder',
      'off',
      '--rate-limit',
      'off',
      '--shared-log',
      log,
      '--node',
      name,
    ];
    this.#child = command(['serve', '--data-dir', dataDir, ...options]);
    this.#child.stdout?.on('data', (bytes: Buffer) => {
      this.#output += bytes.toString('utf8');
    });
    this.#child.stderr?.on('data', (bytes: Buffer) => {
      this.#output += bytes.toString('utf8');
    });
    this.#ended = new Promise((resolve) => this.#child.once('close', resolve));
  }

  /** @throws FileProblem where it ended */
  get isActive(): boolean {
    if (this.#child.exitCode !== null) throw new FileProblem(`a node ended: ${this.#output.trim()}`);
    return [...this.#output.matchAll(/^node \S+ is (active|standby)/gm)].at(-1)?.[1] === 'active';
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill(signal);
    await this.#ended;
  }
}

/** @returns what there is in the end. @throws FileProblem where that takes too long */
async function until<T>(what: string, look: () => T | null): Promise<T> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(10)) {
    const found = look();
    if (found !== null) return found;
  }
  throw new FileProblem(`waited in vain for ${what}`);
}

/** This program again, with other arguments. */
function command(args: readonly string[]): ChildProcess {
  const [, door = ''] = process.argv;
  return spawn(process.execPath, [...process.execArgv, door, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Has the command verify the bundle, and shows what it prints. @returns its exit code */
async function verified(args: readonly string[], terminal: Terminal): Promise<number> {
  const child = command(['verify', ...args]);
  child.stdout?.on('data', (bytes: Buffer) => {
    for (const line of bytes.toString('utf8').trimEnd().split('\n')) terminal.line(`  ${line}`);
  });
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? EXIT.unusable)));
}

/** A PostgreSQL pair for the trial; null where its programs are not installed. It ends with the trial, by a signal as well. */
async function startedDatabase(): Promise<PostgresPair | null> {
  if (postgresFolder() === undefined) return null;
  const pair = await PostgresPair.start().catch((error: unknown) => {
    throw new FileProblem(`PostgreSQL is installed and cannot be started: ${messageOf(error)}`);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.prependOnceListener(signal, () => pair.close());
  return pair;
}

/**
 * A pair of nodes on this machine, of which the active one is taken away twice while an agent has its records countersigned, and its
 * database's primary in between.
 * @param given where the order is kept, an empty log; null for a PostgreSQL that is started for it, or a folder where none is installed
 * @param kill whether they are killed; else the nodes are stopped, and the database stays
 * @returns the exit code of the verification of all records with all receipts
 */
export async function tryOutPair(
  folder: string,
  { log: given, kill }: { readonly log: string | null; readonly kill: boolean },
  terminal: Terminal,
): Promise<number> {
  const step = (title: string): void => terminal.line(terminal.style('bold', title));
  const database = given === null ? await startedDatabase() : null;
  if (given === null && database === null)
    terminal.line(
      'PostgreSQL is not installed here: a folder keeps the order in its place, and no database is killed.',
    );
  const log = given ?? database?.url ?? join(folder, 'log');
  const dirs: Readonly<Record<Name, string>> = { a: join(folder, 'data'), b: join(folder, 'second') };
  step('a ledger, and a copy of it for a second node');
  const quiet = { started: () => {}, submitted: () => {}, exported: () => {} };
  const { account, kid, orgId } = await runLedger(folder, scenario().slice(0, RECORDS), quiet, 'Trial');
  const { beginLog, joinLog } = await sharedLog();
  const from = join(folder, 'backup');
  await beginLog({ log, dataDir: dirs.a, passphraseFile: null });
  await writeBackup({ dataDir: dirs.a, to: from, withoutKeys: false, now: Date.now });
  await joinLog({ log, dataDir: dirs.b, passphraseFile: null }, from, [kid]);
  const nodes = new Map<Name, NodeProcess>();
  const ports: Readonly<Record<Name, number>> = { a: await freePort(), b: await freePort() };
  const start = (name: Name): void => void nodes.set(name, new NodeProcess(name, dirs[name], log, ports[name]));
  const activeNode = (): Promise<Name> =>
    until('a node to be active', () => [...nodes].find(([, { isActive }]) => isActive)?.[0] ?? null);
  // Agents have both addresses, and find out by themselves which one to ask.
  const serviceUrl = NAMES.map((name) => `http://127.0.0.1:${ports[name]}`).join(',');
  const { publicKey, privateKey } = generateKeyPair();
  const receiptsFile = join(folder, 'trial-receipts.jsonl');
  const named = { agentId: 'trial', orgId, kid: 'key-1', privateKey, serviceKid: kid, receiptsFile };
  /** @param heard called with the first receipt */
  const submit = async (token: string, heard = (): void => {}): Promise<void> => {
    const agent = new Agent({ ...named, serviceUrl, token });
    for (let n = 1; n <= RECORDS; n++) {
      await agent.submit({ operationType: 'trial.step', subject: `step ${n}`, action: 'count', payload: { n } });
      if (n === 1) heard();
    }
    await agent.close();
    terminal.line(`  ${RECORDS} records with a receipt each`);
  };
  try {
    if (database !== null) step('a PostgreSQL: a primary, and a standby that every commit waits for');
    start('a');
    let name = await activeNode();
    start('b');
    const { token } = signedIn.parse(await new ServiceClient({ serviceUrl }).post('/api/auth/sign-in/email', account));
    const keys = [{ kid: 'key-1', public_key: publicKey, algorithm: 'ed25519' }];
    await new ServiceClient({ serviceUrl, token }).post('/v1/agents/register', { agent_id: 'trial', keys });
    step(`node ${name} is active`);
    await submit(token);
    const killed = kill ? 'killed' : 'stopped';
    const takeNodeAway = async (): Promise<string> => {
      await nodes.get(name)?.end(kill ? 'SIGKILL' : 'SIGTERM');
      nodes.delete(name);
      return `node ${name} was ${killed}`;
    };
    const killPrimary = async (): Promise<string> => {
      await database?.failOver();
      return 'the primary of the database was killed, and its standby promoted';
    };
    for (const away of [takeNodeAway, ...(database !== null && kill ? [killPrimary] : []), takeNodeAway]) {
      const before = performance.now();
      const said = await away();
      await submit(token, () =>
        step(`${said}: the agent had its next receipt after ${Math.round(performance.now() - before)} ms`),
      );
      name = await activeNode();
      step(`node ${name} is active`);
      for (const other of NAMES) if (!nodes.has(other)) start(other);
    }
    step('every record and every receipt, before the verifier');
    const bundle = join(folder, 'trial.csbundle');
    await writeFile(bundle, await exportAll(new ServiceClient({ serviceUrl, token })));
    return await verified([bundle, '--trust', kid, '--receipts', receiptsFile], terminal);
  } finally {
    await Promise.all([...nodes.values()].map((node) => node.end('SIGTERM')));
    database?.close();
  }
}
