import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generateKeyPair } from '../src/agent/index.ts';
import { writeAgentFile } from '../src/recorder/base/agent-file.ts';
import { type RecorderHome, recorderHome } from '../src/recorder/base/home.ts';
import { askStatus } from '../src/recorder/listen/ask-status.ts';
import { hookScript } from '../src/recorder/listen/hook-script.ts';
import { recorderCommand } from '../src/recorder/listen/recorder-command.ts';
import { durations, quantile } from './support/figures.ts';
import { OWNER } from './support/make-ledger.ts';
import { nativeRate } from './support/native-rate.ts';
import { ServiceProcess } from './support/service-process.ts';

/**
 * What a recorder costs: the time that a hook adds to an action, with the script that programs run and within a process, also of a large
 * output and of a recorder that is dead or hangs, next to a bare start of a process and a bare round trip; how many
 * events a second one recorder takes, and what it takes of the machine while nothing happens, before its first event and after the last.
 */
const { values } = parseArgs({
  options: {
    hooks: { type: 'string', default: '200' },
    events: { type: 'string', default: '10000' },
    'idle-seconds': { type: 'string', default: '30' },
  },
});
const hooks = Number(values.hooks);
const events = Number(values.events);
const idleSeconds = Number(values['idle-seconds']);
const CONNECTIONS = 16;

let calls = 0;
/** Hooks that were to be recorded and were not: on a machine that is busy for seconds with something else. */
let missed = 0;
const BLOCKED = 2;

/** What a program says before it runs a command and after: each call with its own id. */
function hookBody(event: 'PreToolUse' | 'PostToolUse', call: number, output = ' M src/index.ts\n'): string {
  return JSON.stringify({
    hook_event_name: event,
    session_id: 'bench',
    turn_id: 'turn',
    tool_name: 'Bash',
    tool_use_id: `call-${call}`,
    tool_input: { command: 'git status --short' },
    ...(event === 'PostToolUse' ? { tool_response: output } : {}),
    cwd: '/home/ada/project',
  });
}

/** Registers an agent and installs it in the recorder's folder. */
async function installAgent(service: ServiceProcess, home: RecorderHome): Promise<void> {
  const account = { ...OWNER, name: 'Owner', org_name: 'Bench' };
  const session = (await service.call('POST', '/api/auth/sign-up/email', null, account)) as {
    token: string;
    user: { orgId: string };
  };
  const { token } = (await service.call('POST', '/v1/auth/token', session.token, {})) as { token: string };
  const jwks = (await service.call('GET', '/.well-known/countersign/jwks.json', null)) as { keys: { kid: string }[] };
  const { publicKey, privateKey } = generateKeyPair();
  const keys = [{ kid: 'key-1', public_key: publicKey, algorithm: 'ed25519' }];
  await service.call('POST', '/v1/agents/register', token, { agent_id: 'codex', integration_type: 'codex', keys });
  writeAgentFile(home, {
    feed: 'codex',
    service_url: `http://127.0.0.1:${service.port}`,
    org_id: session.user.orgId,
    agent_id: 'codex',
    kid: 'key-1',
    private_key: privateKey,
    token,
    service_kid: jwks.keys[0]?.kid ?? '',
    on_failure: 'block',
    threshold: 'captured',
    require_receipt_for: 'changes',
    before: 'all',
    content: 'full',
    installed_at: new Date().toISOString(),
    head: null,
    config: [],
  });
}

/** Runs a program with a text on standard input. @returns milliseconds @throws where it ends with another code */
function timed(command: string, args: readonly string[], input: string, expected = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('close', (code) => {
      const isMissed = code === BLOCKED && expected === 0;
      if (isMissed) missed++;
      if (isMissed || code === expected) resolve(performance.now() - began);
      else reject(new Error(`${command} ended with ${code}`));
    });
    // A program that reads nothing may have ended.
    child.stdin.on('error', () => undefined).end(input);
  });
}

/** A request over the socket from this process, with a connection for each as a hook has it. @returns milliseconds */
function roundTrip(home: RecorderHome): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const sent = request({ socketPath: home.socket, path: '/v1/alive', agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(performance.now() - began));
    });
    sent.once('error', reject).end();
  });
}

/** What a program prints that lists sources: every rule for secrets has something to look at. */
const SOURCES = new URL('../src/recorder/', import.meta.url);
const LARGE_SOURCES = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(new URL(name, SOURCES), 'utf8'))
  .join('\n')
  .slice(0, 1_000_000);
const LARGE_OUTPUT = 'On branch main, nothing to commit, working tree clean\n'.repeat(Math.ceil(1_000_000 / 54));

/** The same many times, one after the other, in turns with what it is held against: load of the machine hits all alike. */
async function hookTimes(home: RecorderHome, script: string): Promise<object> {
  const status = ['-q', '-s', '-o', '/dev/null', '--unix-socket', home.socket, 'http://localhost/v1/alive'];
  const measured: Readonly<Record<string, (turn: number) => Promise<number>>> = {
    nothing: () => timed('/bin/true', [], ''),
    roundTrip: () => roundTrip(home),
    bareCurl: () => timed('curl', status, ''),
    script: (turn) => timed(script, [], hookBody(turn % 2 === 0 ? 'PreToolUse' : 'PostToolUse', calls)),
    scriptOf1MB: () => timed(script, [], hookBody('PostToolUse', calls++, LARGE_OUTPUT)),
    scriptOfSources: () => timed(script, [], hookBody('PostToolUse', calls++, LARGE_SOURCES)),
  };
  const times = new Map<string, number[]>(Object.keys(measured).map((name) => [name, []]));
  for (let turn = 0; turn < hooks; turn++) {
    for (const [name, measure] of Object.entries(measured)) times.get(name)?.push(await measure(turn));
    calls += turn % 2;
  }
  return withRatios(times);
}

/** With what a tenth of them were faster than: those that nothing else on the machine disturbed. */
function withFastest(times: readonly number[]): ReturnType<typeof durations> & { readonly p10Ms: number } {
  const sorted = [...times].sort((a, b) => a - b);
  return { p10Ms: Number(quantile(sorted, 0.1).toFixed(2)), ...durations(sorted) };
}

/** Each next to a bare start of a process, and a bare start of curl with a round trip, of the same run. */
function withRatios(times: ReadonlyMap<string, readonly number[]>): object {
  const found = new Map([...times].map(([name, list]) => [name, withFastest(list)]));
  const nothing = found.get('nothing')?.p50Ms;
  const fastestNothing = found.get('nothing')?.p10Ms;
  const curl = found.get('bareCurl')?.p50Ms;
  return Object.fromEntries(
    [...found].map(([name, figures]) => {
      const { p10Ms, p50Ms } = figures;
      const added = nothing && Number((p50Ms - nothing).toFixed(2));
      const addedUndisturbed = fastestNothing && Number((p10Ms - fastestNothing).toFixed(2));
      const ofNothing = nothing && Number((p50Ms / nothing).toFixed(2));
      return [
        name,
        { ...figures, added, addedUndisturbed, ofNothing, ofBareCurl: curl && Number((p50Ms / curl).toFixed(2)) },
      ];
    }),
  );
}

/** Hooks that no recorder answers: the first, and those after it. @param code how they end by their policy */
async function unrecorded(home: RecorderHome, script: string, code: 0 | typeof BLOCKED): Promise<object> {
  rmSync(home.away, { force: true });
  const first = await timed(script, [], hookBody('PreToolUse', calls++), code);
  const times = new Map<string, number[]>([
    ['nothing', []],
    ['later', []],
  ]);
  for (let turn = 0; turn < Math.min(hooks, 50); turn++) {
    times.get('nothing')?.push(await timed('/bin/true', [], ''));
    times.get('later')?.push(await timed(script, [], hookBody('PreToolUse', calls++), code));
  }
  return { first: Math.round(first), ...withRatios(times) };
}

interface Door {
  readonly port: number;
  readonly authorization: string;
  readonly agent: Agent;
}

/** Hands an event in over a connection that is kept. @returns milliseconds @throws where it is not taken */
function post({ port, authorization, agent }: Door, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const options = {
      host: '127.0.0.1',
      port,
      agent,
      method: 'POST',
      path: '/v1/hook/codex',
      headers: { authorization },
    };
    const sent = request(options, (answer) => {
      answer.resume().once('end', () => {
        if (answer.statusCode === 200) resolve(performance.now() - began);
        else reject(new Error(`the recorder answered ${answer.statusCode}`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** The processor time that a process has taken, in seconds; Linux only. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function inProcess(home: RecorderHome): Promise<object> {
  const { pid, url } = await askStatus(home);
  if (url === null) throw new Error('the recorder has no port');
  const { port } = new URL(url);
  const authorization = `Bearer ${readFileSync(home.token, 'utf8').trim()}`;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const door = { port: Number(port), authorization, agent };
  let isBegun = false;
  const next = (): string => {
    isBegun = !isBegun;
    return isBegun ? hookBody('PreToolUse', calls) : hookBody('PostToolUse', calls++);
  };
  for (let i = 0; i < 200; i++) await post(door, next());
  const single: number[] = [];
  for (let i = 0; i < 1000; i++) single.push(await post(door, next()));
  const together: number[] = [];
  const cpuBefore = cpuSeconds(pid);
  const began = performance.now();
  let left = events;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) together.push(await post(door, next()));
    }),
  );
  const perSecond = Math.round(events / ((performance.now() - began) / 1000));
  // What the machine does besides changes it less than it changes the rate.
  const cpuMsPerEvent = Number((((cpuSeconds(pid) - cpuBefore) * 1000) / events).toFixed(2));
  agent.destroy();
  return {
    oneAtATime: durations(single),
    connections: CONNECTIONS,
    events,
    perSecond,
    cpuMsPerEvent,
    manyAtATime: durations(together),
  };
}

const PROCESSES = 8;
const TOGETHER = 8;

/**
 * Events that eight processes hand in at once, some in each request, from when all of them have started, next to the signatures that one
 * core verifies in the same run.
 */
async function ofEightProcesses(home: RecorderHome): Promise<object> {
  const path = fileURLToPath(new URL('support/hand-in.ts', import.meta.url));
  const each = Math.ceil(events / 2 / TOGETHER) * TOGETHER;
  const signaturesPerSecond = Math.round(await nativeRate());
  const { pid } = await askStatus(home);
  const processes = Array.from({ length: PROCESSES }, () =>
    spawn(process.execPath, [path, home.socket, String(each), String(TOGETHER)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(processes.map(({ stdout }) => once(stdout, 'data')));
  const cpuBefore = cpuSeconds(pid);
  const began = performance.now();
  await Promise.all(
    processes.map(async (one) => {
      one.stdin.end();
      const [code] = await once(one, 'close');
      if (code !== 0) throw new Error(`a process that hands in events ended with ${code}`);
    }),
  );
  const perSecond = Math.round((each * PROCESSES) / ((performance.now() - began) / 1000));
  const cpuMsPerEvent = Number((((cpuSeconds(pid) - cpuBefore) * 1000) / (each * PROCESSES)).toFixed(2));
  const ofSignatures = Number((perSecond / signaturesPerSecond).toFixed(3));
  return {
    processes: PROCESSES,
    together: TOGETHER,
    events: each * PROCESSES,
    perSecond,
    cpuMsPerEvent,
    signaturesPerSecond,
    ofSignatures,
  };
}

/** Memory of a process and the share of one core that it takes while nothing happens; Linux only. */
async function idle(pid: number, seconds: number): Promise<object> {
  const before = cpuSeconds(pid);
  await pause(seconds * 1000);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (name: string): number =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
  const cpuPercent = Number((((cpuSeconds(pid) - before) / seconds) * 100).toFixed(2));
  return { seconds, cpuPercent, residentMb: mb('VmRSS'), ofItOwnMb: mb('RssAnon'), ofItFilesMb: mb('RssFile') };
}

async function whenRunning(home: RecorderHome): Promise<number> {
  for (let tries = 0; ; tries++) {
    try {
      return (await askStatus(home)).pid;
    } catch (error) {
      if (tries > 300) throw error;
      await pause(100);
    }
  }
}

async function allSent(home: RecorderHome): Promise<number> {
  const began = performance.now();
  while ((await askStatus(home)).waiting > 0) await pause(100);
  return Number(((performance.now() - began) / 1000).toFixed(1));
}

const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-bench-'));
const home = recorderHome({ COUNTERSIGN_RECORDER: join(folder, 'recorder') });
const service = await ServiceProcess.start(join(folder, 'service'));
const [program = '', ...args] = recorderCommand().start;
const started: number[] = [];

/** Starts a recorder as hooks do. */
async function startRecorder(): Promise<number> {
  const began = performance.now();
  const environment = { ...process.env, COUNTERSIGN_RECORDER: home.folder, MALLOC_ARENA_MAX: '2' };
  spawn(program, [...args, '--quiet'], { stdio: ['ignore', 'ignore', 'inherit'], env: environment });
  const pid = await whenRunning(home);
  started.push(Math.round(performance.now() - began));
  return pid;
}

async function stopRecorder(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM');
  while ((await askStatus(home).catch(() => null)) !== null) await pause(50);
}

try {
  await installAgent(service, home);
  mkdirSync(home.hooks, { recursive: true, mode: 0o700 });
  const script = join(home.hooks, 'codex');
  const text = hookScript({ home, feed: 'codex', onFailure: 'block', threshold: 'captured', ...recorderCommand() });
  writeFileSync(script, text, { mode: 0o700 });
  // The first start of a version compiles it; Node keeps what it compiled.
  await stopRecorder(await startRecorder());
  const pid = await startRecorder();
  const idleBefore = await idle(pid, idleSeconds);
  await timed(script, [], hookBody('PreToolUse', calls++));
  const hook = await hookTimes(home, script);
  const kept = await inProcess(home);
  const eightProcesses = await ofEightProcesses(home);
  const sentAfterSeconds = await allSent(home);
  // By then the recorder has given back what the events took.
  await pause(30_000);
  const idleAfter = await idle(pid, idleSeconds);
  process.kill(pid, 'SIGSTOP');
  const hung = await unrecorded(home, script, BLOCKED);
  process.kill(pid, 'SIGCONT');
  await stopRecorder(pid);
  // Apart: what they leave, and the hooks that still wait for what cannot start, are not for the recorder that is measured.
  const apart = recorderHome({ COUNTERSIGN_RECORDER: join(folder, 'apart') });
  mkdirSync(apart.hooks, { recursive: true, mode: 0o700 });
  const unstartable = { home: apart, feed: 'codex', threshold: 'captured', start: ['/bin/false'], node: null } as const;
  const without = async (onFailure: 'allow' | 'block'): Promise<object> => {
    const broken = join(apart.hooks, 'broken');
    writeFileSync(broken, hookScript({ ...unstartable, onFailure }), { mode: 0o700 });
    return unrecorded(apart, broken, onFailure === 'block' ? BLOCKED : 0);
  };
  const dead = await without('block');
  const deadAndLeft = await without('allow');
  rmSync(home.away, { force: true });
  const deadAndStarted = Math.round(await timed(script, [], hookBody('PreToolUse', calls++)));
  await stopRecorder(await whenRunning(home));
  const output = {
    bench: 'record',
    loadAverage: loadavg(),
    startMs: started,
    hook,
    missed,
    hung,
    dead,
    deadAndLeft,
    deadAndStarted,
    inProcess: { ...kept, sentAfterSeconds },
    eightProcesses,
    idleBefore,
    idleAfter,
  };
  process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
