import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { checkAnswering } from '../../../src/recorder/install/answering.ts';
import { startIfNoneRuns } from '../../../src/recorder/install/start-recorder.ts';
import { askStatus } from '../../../src/recorder/listen/ask-status.ts';
import { atEnd } from '../../support/cleanup.ts';
import { RecordedHome } from '../../support/recorded-home.ts';
import { installAgent } from '../../support/recorder.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const COMMAND = join(import.meta.dirname, '..', '..', '..', 'bin', 'countersign.js');
const service = await TestService.start();
const owner = await service.signUp();

async function stoppedAtEnd({ around: { home } }: RecordedHome): Promise<number> {
  const { pid } = await askStatus(home);
  atEnd(async () => {
    process.kill(pid, 'SIGTERM');
    await until('the recorder to end', () =>
      askStatus(home).then(
        () => false,
        () => true,
      ),
    );
  });
  return pid;
}

/** `record install other`, as somebody types it. */
async function installOther({ around }: RecordedHome): Promise<{ code: unknown; out: string; err: string }> {
  const args = ['record', 'install', 'other', '--service', service.url, '--yes'];
  const env = { ...process.env, ...around.environment, COUNTERSIGN_TOKEN: owner.client.token ?? '' };
  const child = spawn(process.execPath, [COMMAND, ...args], { env, cwd: around.cwd });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

it('a recorder is started for an installation, once, without the token of whoever installs', async () => {
  const recorded = new RecordedHome();
  const { home, environment } = recorded.around;
  const token = 'of-the-one-who-installs';
  const around = { ...process.env, ...environment, COUNTERSIGN_TOKEN: token, NODE_OPTIONS: '--no-such-option' };
  expect(await startIfNoneRuns(home, around)).toBe('started');
  const pid = await stoppedAtEnd(recorded);
  expect(await startIfNoneRuns(home, around)).toBe('running');
  expect((await askStatus(home)).pid).toBe(pid);
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(token);

  // One that ran before knows what is installed by now, and what is wrong with it.
  const { agent } = await installAgent(owner, service.kid, {}, join(home.folder, '..'));
  await checkAnswering(home, agent, { patienceMs: 0 });
  writeFileSync(home.agent('kimi'), '{}', { mode: 0o600 });
  const unreadable = { feed: 'kimi', agent_id: 'kimi-ada' } as const;
  await expect(checkAnswering(home, unreadable, { patienceMs: 0 })).rejects.toMatchObject({
    code: 'RECORDER_UNUSABLE',
    message: expect.stringContaining('kimi.json does not have the required form'),
  });
});

it('an installation asks the recorder, and tells why it does not answer', async () => {
  const recorded = new RecordedHome();
  const { home } = recorded.around;
  mkdirSync(home.socket, { recursive: true });
  chmodSync(home.folder, 0o700);
  const failed = await installOther(recorded);
  expect(failed.err).toContain('the recorder could not be started');
  expect(failed.err).toContain(`${home.socket} is not a socket: remove it`);
  expect(failed.out).toContain('Installed: ');
  expect(failed.code).toBe(2);

  const elsewhere = new RecordedHome();
  const fine = await installOther(elsewhere);
  expect([fine.code, fine.err]).toEqual([0, expect.not.stringContaining('recorder could not')]);
  expect(fine.out).toContain('The recorder is running, and knows the agent.');
  await stoppedAtEnd(elsewhere);
});

it('a recorder that nobody could start is away, with what is known of it', async () => {
  const { home } = new RecordedHome().around;
  const agent = { feed: 'gemini', agent_id: 'gemini-ada' } as const;
  const whyAway = async () => 'Result=exit-code';
  await expect(checkAnswering(home, agent, { patienceMs: 0, whyAway })).rejects.toMatchObject({
    code: 'RECORDER_AWAY',
    message: expect.stringMatching(/recorder\.sock: Result=exit-code$/),
  });
});

it('a proxy of MCP starts one before the first call, where an agent is installed', async () => {
  const recorded = new RecordedHome();
  const { home, environment, cwd } = recorded.around;
  await installAgent(owner, service.kid, {}, join(home.folder, '..'));
  const server = [process.execPath, '-e', 'process.stdin.pipe(process.stdout)'];
  const child = spawn(process.execPath, [COMMAND, 'record', 'mcp', '--feed', 'codex', '--', ...server], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd,
  });
  const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}}\n';
  child.stdin.end(call);
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect([code, out]).toEqual([0, call]);
  await stoppedAtEnd(recorded);
  await until('the call in the ledger', async () => {
    const { data } = await owner.client.ok('auditQuery', { body: {} });
    return data.some(({ subject, action }) => subject.includes('look') && action === 'started');
  });
});
