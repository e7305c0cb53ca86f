import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/support/paths.ts';
import { RecorderClient } from '../../../src/agent/index.ts';
import { installedFeeds, readAgentFile } from '../../../src/recorder/base/agent-file.ts';
import type { RecorderHome } from '../../../src/recorder/base/home.ts';
import type { FeedId } from '../../../src/recorder/base/programs.ts';
import { checkAnswering } from '../../../src/recorder/install/answering.ts';
import { startIfNoneRuns } from '../../../src/recorder/install/start-recorder.ts';
import { askStatus } from '../../../src/recorder/listen/ask-status.ts';
import { atEnd } from '../../support/cleanup.ts';
import { attributes, span } from '../../support/otlp.ts';
import { RecordedHome } from '../../support/recorded-home.ts';
import { installAgent, ledgerOf } from '../../support/recorder.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const COMMAND = join(ROOT, 'bin', 'countersign.js');
const service = await TestService.start();
const owner = await service.signUp();

function isThere(home: RecorderHome): Promise<boolean> {
  return askStatus(home).then(
    () => true,
    () => false,
  );
}

async function stoppedAtEnd({ around: { home } }: RecordedHome): Promise<number> {
  const { pid } = await askStatus(home);
  atEnd(async () => {
    process.kill(pid, 'SIGTERM');
    await until('the recorder to end', async () => !(await isThere(home)));
  });
  return pid;
}

async function killed(home: RecorderHome): Promise<void> {
  process.kill((await askStatus(home)).pid, 'SIGKILL');
  await until('it to be dead', async () => !(await isThere(home)));
}

/** `record`, as somebody types it. */
async function record(
  { around }: RecordedHome,
  ...words: readonly string[]
): Promise<{ code: unknown; out: string; err: string }> {
  const args = ['record', ...words, '--yes'];
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

const installOther = (recorded: RecordedHome) => record(recorded, 'install', 'other', '--service', service.url);

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

it.each([
  ['allow', true],
  ['block', false],
] as const)('what a proxy sees while its recorder is dead: %s', async (on_failure, isAllowed) => {
  const recorded = new RecordedHome();
  const { home, environment, cwd } = recorded.around;
  const { agent } = await installAgent(owner, service.kid, { on_failure }, join(home.folder, '..'));
  expect(await startIfNoneRuns(home, { ...process.env, ...environment })).toBe('started');
  const result = JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} });
  const server = `process.stdin.on('data', (text) => console.log(String(text).includes('look') ? '${result}' : ''))`;
  const args = ['record', 'mcp', '--feed', 'codex', '--', process.execPath, '-e', server];
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd,
  });
  // It forwards what is no action, so it has looked for a recorder by then.
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await once(child.stdout, 'data');
  await killed(home);
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}}\n');
  const [answer] = await once(child.stdout, 'data');
  expect('result' in JSON.parse(String(answer))).toBe(isAllowed);
  // The proxy has one started, which takes up what was left, or makes a gap of what was missed.
  await until('another recorder', () => isThere(home));
  child.stdin.end();
  await once(child, 'close');
  await stoppedAtEnd(recorded);
  const actions = await until('the records', async () => {
    const all = (await ledgerOf(owner, agent)).map(({ action }) => action);
    return all.includes(isAllowed ? 'completed' : 'gap') && all;
  });
  expect(actions.slice(0, 2)).toEqual(isAllowed ? ['started', 'completed'] : expect.not.arrayContaining(['started']));
  expect(actions.includes('gap')).toBe(!isAllowed);
  expect(existsSync(home.left) ? readdirSync(home.left) : []).toEqual([]);
});

/** A session of an agent that continues whatever becomes of its records. */
interface LibrarySession {
  call(input: string): Promise<unknown>;
  end(): Promise<unknown>;
}

const LIBRARIES: Readonly<Record<string, (environment: NodeJS.ProcessEnv, folder: string) => LibrarySession>> = {
  TypeScript: (_, folder) => {
    const session = new RecorderClient({ feed: 'codex', folder, retryForMs: 0 }).session({ onFailure: 'continue' });
    return { call: (input) => session.call({ tool: 'look', input }, () => 1), end: () => session.end() };
  },
  Python: (environment) => {
    const env = {
      ...process.env,
      ...environment,
      PYTHONPATH: join(ROOT, 'python', 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const script = join(ROOT, 'test', 'interop', 'python', 'calls_on_request.py');
    const child = spawn('python3', [script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    return {
      call: (input) => {
        child.stdin.write(`${input}\n`);
        return Promise.race([once(child.stdout, 'data'), closed]);
      },
      end: () => {
        child.stdin.end();
        return closed;
      },
    };
  },
};
const hasCryptography = spawnSync('python3', ['-c', 'import cryptography']).status === 0;

describe.each(Object.entries(LIBRARIES))('what the %s library sees while its recorder is dead', (name, open) => {
  it.skipIf(name === 'Python' && !hasCryptography)('is recorded by the next one, each once', async () => {
    const recorded = new RecordedHome();
    const { home, environment } = recorded.around;
    const { agent } = await installAgent(owner, service.kid, { before: 'all' }, join(home.folder, '..'));
    const start = () => startIfNoneRuns(home, { ...process.env, ...environment });
    await start();
    const session = open(environment, home.folder);
    await session.call('first');
    await killed(home);
    await session.call('second');
    expect(readdirSync(home.left)).toHaveLength(2);
    await start();
    await stoppedAtEnd(recorded);
    await session.call('third');
    await session.end();
    const ledger = await until('the end of the session', async () => {
      const all = await ledgerOf(owner, agent);
      return all.some(({ operation_type }) => operation_type === 'session.end') && all;
    });
    const calls = ledger.filter(({ operation_type }) => operation_type.startsWith('tool.'));
    expect(calls.map(({ action }) => action)).toEqual(Array.from({ length: 3 }, () => ['started', 'completed']).flat());
    const inputs = calls.map(({ shown }) => JSON.stringify(shown['input']));
    expect(['first', 'second', 'third'].map((word) => inputs.findIndex((text) => text?.includes(word)))).toEqual([
      0, 2, 4,
    ]);
    expect(ledger.filter(({ action }) => action === 'gap')).toEqual([]);
    expect(readdirSync(home.left)).toEqual([]);
  });
});

it('a service that exports has a chain to itself once an agent is installed for it', async () => {
  const recorded = new RecordedHome();
  const { home } = recorded.around;
  const install = ['install', 'enterprise', '--service', service.url];
  expect(await record(recorded, ...install)).toMatchObject({ code: 0 });
  await stoppedAtEnd(recorded);
  const alone = await record(recorded, ...install, '--service-name', 'Kasse 3.1');
  expect(alone).toMatchObject({ code: 0, out: expect.stringContaining('Record the service "Kasse 3.1"') });
  const own = 'enterprise@Kasse%203%2E1';
  const { url } = JSON.parse(readFileSync(home.address, 'utf8'));
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${readFileSync(home.token, 'utf8').trim()}`,
  };
  const spansOf = (name: string, spanId: string): object => ({
    resource: { attributes: attributes({ 'service.name': name }) },
    scopeSpans: [{ spans: [span('look', { 'gen_ai.tool.name': 'look', tool_arguments: '{}' }, { spanId })] }],
  });
  const resourceSpans = [spansOf('Kasse 3.1', '1'.repeat(16)), spansOf('Lager', '2'.repeat(16))];
  expect((await askStatus(home)).agents.map(({ feed }) => feed)).toEqual(['enterprise', own]);
  const answer = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body: JSON.stringify({ resourceSpans }) });
  expect([answer.status, await answer.text()]).toEqual([200, '{}']);
  const agentOf = (feed: FeedId): string => readAgentFile(home, feed).agent_id;
  expect(agentOf(own)).toMatch(/^enterprise-kasse-3\.1-/);
  const owned = await until('both calls', async () => {
    const { data } = await owner.client.ok('auditQuery', { body: {} });
    const calls = data.filter(({ agent_id }) => agent_id === agentOf(own) || agent_id === agentOf('enterprise'));
    return calls.length === 2 && calls.find(({ agent_id }) => agent_id === agentOf(own));
  });
  const operation = await owner.client.ok('getOperation', { params: { operation_id: owned.operation_id } });
  expect(JSON.stringify(operation.disclosures)).toContain('Kasse 3.1');
  const { agents } = await owner.client.ok('listAgents', {});
  expect(agents.find(({ agent_id }) => agent_id === agentOf(own))).toMatchObject({
    integration_type: 'enterprise',
    display_name: expect.stringMatching(/^Kasse 3\.1 of /),
  });
  const token = ['--token', owner.client.token ?? ''];
  expect(await record(recorded, 'uninstall', 'enterprise', '--service-name', 'Kasse 3.1', ...token)).toMatchObject({
    code: 0,
    out: expect.stringContaining('is revoked'),
  });
  expect([...installedFeeds(home)]).toEqual(['enterprise']);
  const wrong = [
    ['codex', 'a'],
    ['enterprise', ''],
    ['enterprise', 'x'.repeat(101)],
  ] as const;
  for (const [program, name] of wrong) {
    expect(await record(recorded, 'install', program, '--service-name', name)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--service-name'),
    });
  }
});
