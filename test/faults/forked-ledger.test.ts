// A raw copy of the data folder put in place behind running recorders and agents: protocol F90, as processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';
import { Agent, type AgentOptions } from '../../src/agent/index.ts';
import { parseEquivocationProof, toBase64Url } from '../../src/protocol/index.ts';
import { codeOf } from '../../src/protocol/light.ts';
import type { RecorderHome } from '../../src/recorder/base/home.ts';
import { builtChild } from '../support/built-command.ts';
import { atEnd } from '../support/cleanup.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type CommandProcess, PATIENCE_MS, serve } from '../support/processes.ts';
import { installAgent, receiptsIn } from '../support/recorder.ts';
import { type Account, firstOwner, registerAgent, submitNext } from '../support/service.ts';
import { noteSeen } from '../support/stand-in-pipeline.ts';
import { until } from '../support/until.ts';

interface Status {
  readonly waiting: number;
  readonly agents: readonly { readonly agent_id: string; readonly stopped: { readonly code: string } | null }[];
}

/** What a recorder in a separate process answers. */
function ask<T>({ socket: socketPath }: RecorderHome, feed = '', events?: readonly object[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const method = events === undefined ? 'GET' : 'POST';
    const asked = request({ socketPath, path: `/${feed}`, method }, (response) => {
      text(response).then((body) => resolve(JSON.parse(body) as T), reject);
    });
    asked.on('error', reject).end(events === undefined ? '' : JSON.stringify(events));
  });
}

function stoppedOf({ agents }: Status, { agent_id: id }: { readonly agent_id: string }): string | null {
  return agents.find(({ agent_id }) => agent_id === id)?.stopped?.code ?? null;
}

function recorderOn({ folder }: RecorderHome): ChildProcess {
  const env = { ...process.env, COUNTERSIGN_RECORDER: folder };
  const child = spawn(process.execPath, [builtChild('recorder-child')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(() => child.kill('SIGKILL'));
  return child;
}

/** An agent by the library for Python, in a process for each operation. */
function pythonAgent(environment: Readonly<Record<string, string>>): () => Promise<string> {
  const args = [join(ROOT, 'test', 'interop', 'python', 'submit_once.py')];
  const env = { ...process.env, ...environment, PYTHONPATH: join(ROOT, 'python', 'src'), PYTHONDONTWRITEBYTECODE: '1' };
  return async () => (await text(spawn('python3', args, { env, stdio: ['ignore', 'pipe', 'inherit'] }).stdout)).trim();
}

async function optionsOf(account: Account, serviceKid: string, receiptsFile: string): Promise<AgentOptions> {
  const { agentId, seed: privateKey } = await registerAgent(account);
  const { client, orgId } = account;
  const { token } = await client.ok('createToken', {
    body: { name: agentId, scope: 'submit', agent_id: agentId, ttl_seconds: null },
  });
  return { serviceUrl: client.url, token, orgId, agentId, kid: 'key-1', privateKey, serviceKid, receiptsFile };
}

it(
  'finds a ledger that was set back behind them at the next submission, proves it, and loses nothing',
  async () => {
    const folder = temporaryFolder();
    const [dataDir, copy] = [join(folder, 'data'), join(folder, 'copy')];
    let service: CommandProcess = serve(dataDir, '--log-level', 'silent');
    const url = await service.listening();
    const startAgain = async (): Promise<void> => {
      service = serve(dataDir, '--log-level', 'silent', '--port', new URL(url).port);
      await service.listening();
    };
    const owner = await firstOwner(url, dataDir);
    const [kid = ''] = (await owner.client.ok('jwks')).keys.map((key) => key.kid);
    const { home, agent: busy } = await installAgent(owner, kid);
    const { agent: quiet } = await installAgent(owner, kid, { feed: 'gemini' }, join(home.folder, '..'));
    const [ours, theirs] = [join(folder, 'ours.jsonl'), join(folder, 'theirs.jsonl')];
    const library = new Agent(await optionsOf(owner, kid, ours));
    const given = await optionsOf(owner, kid, theirs);
    const submitByPython = pythonAgent({
      SERVICE: url,
      TOKEN: given.token,
      ORG: owner.orgId,
      AGENT: given.agentId,
      KEY: toBase64Url(given.privateKey as Uint8Array),
      KID: kid,
      RECEIPTS: theirs,
    });
    const other = await registerAgent(owner);
    const recorder = recorderOn(home);
    await until('the recorder to listen', () => existsSync(home.socket));
    let events = 0;
    const recordBy = async (feed: string): Promise<void> => {
      events++;
      await ask(home, feed, [noteSeen(`${feed} ${events}`)]);
    };
    const sent = (): Promise<boolean> =>
      until('the recorder to have sent', async () => (await ask<Status>(home)).waiting === 0);
    const round = async (): Promise<void> => {
      await recordBy('codex');
      await sent();
      await library.submit({ operationType: 'test', subject: 'test/1', action: 'run', payload: { n: 1 } });
      expect(await submitByPython()).toMatch(/^\d+$/);
      await submitNext(owner, other);
      await owner.client.ok('closeEpoch');
    };
    await recordBy('gemini');
    await round();
    await round();
    await service.kill('SIGKILL');
    cpSync(dataDir, copy, { recursive: true });
    await startAgain();
    for (let n = 0; n < 3; n++) await round();

    await service.kill('SIGKILL');
    rmSync(dataDir, { recursive: true });
    cpSync(copy, dataDir, { recursive: true });
    await startAgain();
    // Nothing of this agent was lost: its record is accepted, and the answer shows what others of its recorder have seen.
    await recordBy('gemini');
    const log = join(home.receipts, `log-${owner.orgId}`);
    await until('the recorder to have found it', () => existsSync(`${log}.fork.json`));
    await recordBy('codex');
    await until('the recorder to refuse', async () => stoppedOf(await ask(home), busy) !== null);
    const submission = library.submit({ operationType: 'test', subject: 'test/1', action: 'run', payload: { n: 2 } });
    expect(codeOf(await submission.catch((error: unknown) => error))).toBe('HISTORY_LOST');
    expect(await submitByPython()).toBe('HISTORY_LOST');
    const proofs = [`${log}.fork.json`, `${ours}.fork.json`, `${theirs}.fork.json`];

    for (const proof of proofs) {
      expect(parseEquivocationProof(readFileSync(proof))).toMatchObject({ kind: 'set_back', org_id: owner.orgId });
      const verified = await run('verify', proof, '--trust', kid, '--no-trust-store');
      expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('The proof holds')]);
      expect((await run('forks', proof, '--trust', kid, '--no-trust-store')).code).toBe(1);
    }
    // What was not answered is in the spool; what was, is in the receipts.
    const status = await ask<Status>(home);
    expect([busy, quiet].map((agent) => stoppedOf(status, agent))).toEqual(['HISTORY_LOST', 'HISTORY_LOST']);
    expect(status.waiting).toBe(1);
    const kept = [busy, quiet].map(({ agent_id }) => readFileSync(join(home.receipts, `${agent_id}.jsonl`), 'utf8'));
    expect(kept.map((file) => receiptsIn(file).length)).toEqual([5, 2]);
    await library.close();
    recorder.kill('SIGKILL');
    await service.kill('SIGTERM');
  },
  3 * PATIENCE_MS,
);
