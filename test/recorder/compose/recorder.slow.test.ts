import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentFile } from '../../../src/recorder/base/agent-file.ts';
import type { RecorderHome } from '../../../src/recorder/base/home.ts';
import { askStatus, type RunningStatus } from '../../../src/recorder/listen/ask-status.ts';
import { hookScript } from '../../../src/recorder/listen/hook-script.ts';
import { recorderCommand } from '../../../src/recorder/listen/recorder-command.ts';
import { atEnd } from '../../support/cleanup.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { runHook } from '../../support/hook-runs.ts';
import { CommandProcess, serving } from '../../support/processes.ts';
import { installAgent, receiptsIn } from '../../support/recorder.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();

const HOOK = {
  hook_event_name: 'PreToolUse',
  session_id: 'session',
  turn_id: 'turn',
  tool_name: 'Bash',
  tool_use_id: 'call',
  tool_input: { command: 'ls' },
  cwd: '/tmp',
};

interface Installed {
  readonly home: RecorderHome;
  readonly agent: AgentFile;
  readonly script: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** An agent of Codex, with the script that its hooks run. Whatever recorder a hook starts ends with the file. */
async function installed(members: Partial<AgentFile> = {}): Promise<Installed> {
  const { home, agent } = await installAgent(owner, service.kid, members);
  mkdirSync(home.hooks, { mode: 0o700 });
  const script = join(home.hooks, 'codex');
  const { on_failure: onFailure, threshold } = agent;
  writeFileSync(script, hookScript({ home, feed: 'codex', onFailure, threshold, ...recorderCommand() }), {
    mode: 0o700,
  });
  atEnd(() => stop(home, 'SIGKILL'));
  return { home, agent, script, environment: { COUNTERSIGN_RECORDER: home.folder } };
}

function pidIn(home: RecorderHome): number | null {
  return existsSync(home.pid) ? Number(readFileSync(home.pid, 'utf8').split('\n')[0]) : null;
}

/** Ends the recorder that a hook has started. */
async function stop(home: RecorderHome, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const pid = pidIn(home);
  if (pid === null || pid === process.pid || !existsSync(`/proc/${pid}`)) return;
  process.kill(pid, signal);
  await until('the recorder to end', () => !existsSync(`/proc/${pid}`) || isZombie(pid));
}

function isZombie(pid: number): boolean {
  return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

async function sent(home: RecorderHome): Promise<RunningStatus> {
  return until('the spool to be empty', async () => {
    // A machine with much else to do takes longer to start it than a hook waits: then what comes is the gap.
    const status = await askStatus(home).catch(() => null);
    return status !== null && status.waiting === 0 && status.agents[0]?.last_receipt_at !== null && status;
  });
}

function receiptsOf({ home, agent }: Installed): number {
  return receiptsIn(readFileSync(join(home.receipts, `${agent.agent_id}.jsonl`), 'utf8')).length;
}

function call(id: string): string {
  return JSON.stringify({ ...HOOK, tool_use_id: id });
}

/** What the ledger has of an agent, as JSON. */
async function operationsOf({ agent_id }: AgentFile): Promise<string[]> {
  const { data } = await owner.client.ok('agentChain', { params: { agent_id }, query: { limit: '200' } });
  return Promise.all(
    data.map(async ({ operation_id }) =>
      JSON.stringify(await owner.client.ok('getOperation', { params: { operation_id } })),
    ),
  );
}

describe('a recorder that a hook started', () => {
  it('has its records acknowledged, and survives being killed', async () => {
    const given = await installed();
    const { home, script } = given;
    expect(await runHook(script, { input: call('1') })).toMatchObject({ code: 0, stderr: '' });
    await sent(home);
    const before = receiptsOf(given);
    expect(before).toBeGreaterThan(0);
    await stop(home, 'SIGKILL');
    expect(existsSync(home.pid)).toBe(true);
    expect(await runHook(script, { input: call('2') })).toMatchObject({ code: 0, stderr: '' });
    await until('a further receipt', () => receiptsOf(given) > before);
    await stop(home, 'SIGTERM');
    expect([existsSync(home.pid), existsSync(home.address), existsSync(home.socket)]).toEqual([false, false, false]);
  });

  it('stops an agent that was frozen, at its next call', async () => {
    const { agent, script, environment } = await installed({ threshold: 'countersigned', on_failure: 'block' });
    const recorder = new CommandProcess(['record', 'run'], environment);
    await recorder.listening();
    // The first event loads what a recorder without events does without.
    await until('the first call', async () => (await runHook(script, { input: call('0') })).code === 0);
    expect(await runHook(script, { input: call('1') })).toMatchObject({ code: 0 });
    await owner.client.ok('freezeAgent', { params: { agent_id: agent.agent_id }, body: { reason: 'test' } });
    const ran = await runHook(script, { input: call('2') });
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.stderr).toContain('AGENT_FROZEN');
  });

  it('has each call once that two hooks told while it was killed again and again', async () => {
    const { home, script, agent } = await installed();
    const ids = Array.from({ length: 24 }, (_, at) => `call ${at}`);
    const killed = new Set<number | null>();
    for (let at = 0; at < ids.length; at += 2) {
      const two = ids.slice(at, at + 2).map((id) => runHook(script, { input: call(id) }));
      // Every other time they are told to a recorder that is starting.
      if (at % 4 === 0) await until('a recorder', () => pidIn(home) !== null && !killed.has(pidIn(home)));
      killed.add(pidIn(home));
      await stop(home, 'SIGKILL');
      expect(await Promise.all(two)).toMatchObject([{ code: 0 }, { code: 0 }]);
    }
    const operations = await until('the last of them', async () => {
      const kept = await operationsOf(agent);
      return ids.every((id) => kept.some((text) => text.includes(`"${id}"`))) && kept;
    });
    expect(killed.size).toBeGreaterThanOrEqual(6);
    expect(ids.map((id) => operations.filter((text) => text.includes(`"${id}"`)).length)).toEqual(ids.map(() => 1));
    expect(operations.filter((text) => text.includes('recorder.gap'))).toEqual([]);
    expect([readdirSync(home.left), existsSync(join(home.missed, 'codex'))]).toEqual([[], false]);
  });

  it('makes a signed gap of what was missed before', async () => {
    const given = await installed();
    const { home, script, agent } = given;
    mkdirSync(home.missed, { mode: 0o700 });
    writeFileSync(join(home.missed, 'codex'), '2026-11-22T10:00:00Z 0b0f4b9e-3c1d-4f6a-8a3b-2f1e0d9c8b7a\n');
    await runHook(script, { input: call('1') });
    await until('the gap', async () => (await operationsOf(agent)).some((text) => text.includes('recorder.gap')));
  });
});

describe('countersign record run', () => {
  it('says where it listens, lets no second one in, and ends in order', async () => {
    const { home, environment } = await installed();
    const first = new CommandProcess(['record', 'run'], environment);
    await first.listening();
    expect(statSync(home.folder).mode & 0o777).toBe(0o700);
    expect(statSync(home.lock).mode & 0o777).toBe(0o600);
    const second = await new CommandProcess(['record', 'run'], environment).ended;
    expect(second).toMatchObject({ code: 2, stdout: '' });
    expect(second.stderr).toContain('another recorder uses the folder');
    const status = await new CommandProcess(['record', 'status'], environment).ended;
    expect(status).toMatchObject({ code: 0 });
    expect(status.stdout).toMatch(/^The recorder is running/);
    const json = await new CommandProcess(['record', 'status', '--json'], environment).ended;
    expect(JSON.parse(json.stdout)).toMatchObject({ running: true, agents: [{ feed: 'codex', waiting: 0 }] });
    expect(await first.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    const after = await new CommandProcess(['record', 'status'], environment).ended;
    expect(after).toMatchObject({ code: 1 });
    expect(after.stdout).toMatch(/^No recorder is running/);
  });
});

describe('countersign serve', () => {
  it('runs the recorder too, where an agent is installed', async () => {
    const { home, environment } = await installed();
    const process = new CommandProcess(serving(temporaryFolder()), environment);
    await process.listening();
    const { pid } = await until('the recorder', () => askStatus(home).catch(() => undefined));
    expect(pid).toBe(pidIn(home));
    const other = new CommandProcess(serving(temporaryFolder()), environment);
    await until('the other one to say so', () => other.stderr.includes('another one of this user is running'));
    expect((await other.kill('SIGTERM')).code).toBe(0);
    expect((await process.kill('SIGTERM')).code).toBe(0);
    expect(existsSync(home.socket)).toBe(false);
  });

  it('leaves it alone where it is told to, or no agent is installed', async () => {
    const { home, environment } = await installed();
    const off = new CommandProcess(serving(temporaryFolder(), '--recorder', 'off'), environment);
    await off.listening();
    expect((await off.kill('SIGTERM')).stdout).not.toContain('recorder');
    expect(existsSync(home.lock)).toBe(false);
    const folder = join(temporaryFolder(), 'none');
    const none = new CommandProcess(serving(temporaryFolder()), { COUNTERSIGN_RECORDER: folder });
    await none.listening();
    expect((await none.kill('SIGTERM')).stdout).not.toContain('recorder');
    expect(existsSync(folder)).toBe(false);
  });
});
