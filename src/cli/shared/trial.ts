import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Agent, generateKeyPair, ServiceClient } from '../../agent/index.ts';
import { sharedLog, writeBackup } from '../../service/light.ts';
import { EXIT, FileProblem } from '../command.ts';
import { exportAll, runLedger } from '../demo/run-ledger.ts';
import { scenario } from '../demo/scenario.ts';
import type { Terminal } from '../terminal.ts';

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

  constructor(name: Name, dataDir: string, log: string) {
    const options = ['--port', '0', '--recorder', 'off', '--rate-limit', 'off', '--shared-log', log, '--node', name];
    this.#child = command(['serve', '--data-dir', dataDir, ...options]);
    this.#child.stdout?.on('data', (bytes: Buffer) => {
      this.#output += bytes.toString('utf8');
    });
    this.#child.stderr?.on('data', (bytes: Buffer) => {
      this.#output += bytes.toString('utf8');
    });
    this.#ended = new Promise((resolve) => this.#child.once('close', resolve));
  }

  /** @returns where it listens, once it is active. @throws FileProblem where it ended instead */
  async active(): Promise<string> {
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(10)) {
      const [, state, url] =
        [...this.#output.matchAll(/^node \S+ is (active|standby), at (\S+?):?(?: |$)/gm)].at(-1) ?? [];
      if (state === 'active' && url !== undefined) return url;
      if (this.#child.exitCode !== null) break;
    }
    throw new FileProblem(`a node did not become active: ${this.#output.trim()}`);
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill(signal);
    await this.#ended;
  }
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

/**
 * A pair of nodes on this machine, of which the active one is taken away twice while an agent has its records countersigned.
 * @param given where the order is kept, an empty log; null for a folder
 * @param kill whether it is killed; else it is stopped
 * @returns the exit code of the verification of all records with all receipts
 */
export async function tryOutPair(
  folder: string,
  { log: given, kill }: { readonly log: string | null; readonly kill: boolean },
  terminal: Terminal,
): Promise<number> {
  const step = (title: string): void => terminal.line(terminal.style('bold', title));
  const log = given ?? join(folder, 'log');
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
  const start = (name: Name): void => void nodes.set(name, new NodeProcess(name, dirs[name], log));
  const nodeOf = (name: Name): NodeProcess => {
    const node = nodes.get(name);
    if (node === undefined) throw new Error('a node that was not started');
    return node;
  };
  const { publicKey, privateKey } = generateKeyPair();
  const receiptsFile = join(folder, 'trial-receipts.jsonl');
  const named = { agentId: 'trial', orgId, kid: 'key-1', privateKey, serviceKid: kid, receiptsFile };
  const signIn = async (serviceUrl: string): Promise<string> =>
    signedIn.parse(await new ServiceClient({ serviceUrl }).post('/api/auth/sign-in/email', account)).token;
  let token = '';
  const submitAt = async (serviceUrl: string): Promise<void> => {
    const agent = new Agent({ ...named, serviceUrl, token });
    for (let n = 1; n <= RECORDS; n++) {
      await agent.submit({ operationType: 'trial.step', subject: `step ${n}`, action: 'count', payload: { n } });
    }
    await agent.close();
  };
  try {
    start('a');
    const first = await nodeOf('a').active();
    start('b');
    token = await signIn(first);
    const keys = [{ kid: 'key-1', public_key: publicKey, algorithm: 'ed25519' }];
    await new ServiceClient({ serviceUrl: first, token }).post('/v1/agents/register', { agent_id: 'trial', keys });
    step(`node a is active: ${RECORDS} records`);
    await submitAt(first);
    let url = first;
    for (const [gone, next] of [NAMES, [NAMES[1], NAMES[0]]] as const) {
      const before = performance.now();
      await nodeOf(gone).end(kill ? 'SIGKILL' : 'SIGTERM');
      url = await nodeOf(next).active();
      step(
        `node ${gone} was ${kill ? 'killed' : 'stopped'}, and node ${next} active after ${Math.round(performance.now() - before)} ms`,
      );
      await submitAt(url);
      terminal.line(`  ${RECORDS} records with a receipt each`);
      start(gone);
    }
    step('every record and every receipt, before the verifier');
    const bundle = join(folder, 'trial.csbundle');
    await writeFile(bundle, await exportAll(new ServiceClient({ serviceUrl: url, token })));
    return await verified([bundle, '--trust', kid, '--receipts', receiptsFile], terminal);
  } finally {
    await Promise.all([...nodes.values()].map((node) => node.end('SIGTERM')));
  }
}
