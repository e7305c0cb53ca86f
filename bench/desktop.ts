import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildDesktop } from '../scripts/support/build.ts';
import { DesktopProcess } from '../test/support/desktop-process.ts';
import { AGENTS, auditRecord } from './support/audit-records.ts';
import { makeLedger, OWNER } from './support/make-ledger.ts';
import { nativeRate } from './support/native-rate.ts';

/**
 * The desktop with a large ledger, its built main process under the host of the tests: from launch to a window that can be
 * used, the start of the service in it; what it takes when nothing happens; and how long its main process is held up while
 * the whole stored ledger is verified. Chromium is the headless one of the machine, not Electron's.
 */
const { values } = parseArgs({
  options: { records: { type: 'string', default: '1000000' }, launches: { type: 'string', default: '5' } },
});
const records = Number(values.records);
const IDLE_S = 10;

const userData = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-bench-'));

/** Milliseconds since the Unix epoch at which the service last said in the log that it has started. */
function startedAt(): number {
  const lines = readFileSync(join(userData, 'logs', 'countersign.log'), 'utf8')
    .trimEnd()
    .split('\n');
  const started = lines.findLast((line) => line.includes('"msg":"started"')) ?? '{}';
  return (JSON.parse(started) as { time: number }).time;
}

interface Launched {
  readonly desktop: DesktopProcess;
  readonly seconds: number;
  /** Of these, until the service listened. */
  readonly serviceSeconds: number;
}

async function launch(): Promise<Launched> {
  const began = performance.now();
  const beganAt = Date.now();
  const desktop = new DesktopProcess({ userData, args: ['--port=0'] });
  const page = await desktop.page();
  await page.getByRole('link').first().waitFor();
  return { desktop, seconds: (performance.now() - began) / 1000, serviceSeconds: (startedAt() - beganAt) / 1000 };
}

/** Resident memory and processor time of the main process, in MB and seconds; what its Chromium takes is not in it. */
async function usage(desktop: DesktopProcess): Promise<{ residentMb: number; cpuSeconds: number }> {
  const { rss, user, system } = await desktop.evaluate(() => {
    const { rss: resident } = process.memoryUsage();
    return { rss: resident, ...process.cpuUsage() };
  });
  return { residentMb: Math.round(rss / 1_048_576), cpuSeconds: (user + system) / 1e6 };
}

/** Begins to watch how long the main process's event loop is held up. */
async function watchLoop(desktop: DesktopProcess): Promise<void> {
  await desktop.evaluate(() => {
    const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    Object.assign(globalThis, { delay });
  });
}

/** @returns the longest and the 99th percentile since then, in milliseconds */
function heldUp(desktop: DesktopProcess): Promise<{ maxMs: number; p99Ms: number }> {
  return desktop.evaluate(() => {
    const { delay } = globalThis as unknown as { delay: { max: number; percentile(of: number): number } };
    return { maxMs: delay.max / 1e6, p99Ms: delay.percentile(99) / 1e6 };
  });
}

/** Verifies the whole ledger. @returns how long that took, and the longest that the main process was held up meanwhile */
async function verify(
  desktop: DesktopProcess,
): Promise<{ seconds: number; verdict: string; delayMaxMs: number; delayP99Ms: number }> {
  const url = new URL((await desktop.page()).url()).origin;
  const call = async (method: string, path: string, token: string, body?: object): Promise<Record<string, unknown>> => {
    const headers = {
      'Content-Type': 'application/json',
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const { token } = (await call('POST', '/api/auth/sign-in/email', '', OWNER)) as { token: string };
  await watchLoop(desktop);
  const began = performance.now();
  await call('POST', '/v1/ledger/verify', token, {});
  let state: Record<string, unknown>;
  do {
    await pause(100);
    state = await call('GET', '/v1/ledger/verify', token);
  } while (state['status'] === 'running');
  const seconds = (performance.now() - began) / 1000;
  const { maxMs, p99Ms } = await heldUp(desktop);
  return { seconds, verdict: String(state['status']), delayMaxMs: maxMs, delayP99Ms: p99Ms };
}

try {
  const build = await buildDesktop();
  if (!build.ok) throw new Error(build.output);
  const folder = join(userData, 'service');
  mkdirSync(folder, { mode: 0o700 });
  await makeLedger(folder, { records, agents: AGENTS, spacingMs: 10, shape: auditRecord });
  // The first start seals the key files and writes what a ledger that was made has not.
  await (await launch()).desktop.quit();
  const times: number[] = [];
  const services: number[] = [];
  for (let n = 1; n < Number(values.launches); n++) {
    const { desktop, seconds, serviceSeconds } = await launch();
    times.push(seconds);
    services.push(serviceSeconds);
    await desktop.quit();
  }
  const { desktop, seconds } = await launch();
  times.push(seconds);
  const started = await usage(desktop);
  await pause(2000);
  const before = await usage(desktop);
  await watchLoop(desktop);
  await pause(IDLE_S * 1000);
  const after = await usage(desktop);
  const idleLoop = await heldUp(desktop);
  const verification = await verify(desktop);
  await desktop.quit();
  const log = readFileSync(join(userData, 'logs', 'countersign.log'), 'utf8');
  console.log(
    JSON.stringify(
      {
        records,
        nativeVerificationsPerSecond: Math.round(nativeRate()),
        launchToWindowSeconds: times.map((time) => Number(time.toFixed(2))).toSorted(),
        ofTheseUntilTheServiceListens: services.map((time) => Number(time.toFixed(2))).toSorted(),
        processorSecondsToWindow: Number(started.cpuSeconds.toFixed(2)),
        idle: {
          loopDelayMaxMs: Number(idleLoop.maxMs.toFixed(1)),
          mainResidentMb: after.residentMb,
          mainProcessorPercent: Number((((after.cpuSeconds - before.cpuSeconds) / IDLE_S) * 100).toFixed(2)),
        },
        verification: {
          seconds: Number(verification.seconds.toFixed(1)),
          status: verification.verdict,
          loopDelayMaxMs: Number(verification.delayMaxMs.toFixed(1)),
          loopDelayP99Ms: Number(verification.delayP99Ms.toFixed(1)),
        },
        errorsInLog: log.split('"level":50').length - 1,
      },
      null,
      2,
    ),
  );
} finally {
  rmSync(userData, { recursive: true, force: true });
}
