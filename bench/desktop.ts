import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildDesktop } from '../scripts/support/build.ts';
import type { DesktopProcess } from '../test/support/desktop-process.ts';
import { AGENTS, auditRecord } from './support/audit-records.ts';
import { type Launched, launch, layOutBare, medians } from './support/desktop-launch.ts';
import { quantile } from './support/figures.ts';
import { makeLedger, OWNER } from './support/make-ledger.ts';
import { nativeRate } from './support/native-rate.ts';

/**
 * The desktop with a large ledger, its built main process under the host of the tests: from launch to a window that can be
 * used, the start of the service in it, phase by phase, each launch beside one of a bare application with a page of one
 * line; what it takes when nothing happens; and how long its main process is held up while the whole stored ledger is
 * verified. Chromium is the headless one of the machine, not Electron's.
 *
 * With --ledger the folder of user data stays, and is taken again by the next run: a ledger is made in it once.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    launches: { type: 'string', default: '7' },
    ledger: { type: 'string' },
  },
});
const IDLE_S = 10;

const temporary = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-bench-'));
const userData = values.ledger ?? join(temporary, 'user-data');

/** A port for all launches: as on a workstation, where the page's address stays, and so what its browser keeps of it. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

/** Makes the ledger where there is none. @returns how many records it has */
async function ledgerOf(records: number): Promise<number> {
  const folder = join(userData, 'service');
  const note = join(userData, 'records.json');
  if (existsSync(note)) return Number(readFileSync(note, 'utf8'));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await makeLedger(folder, { records, agents: AGENTS, spacingMs: 10, shape: auditRecord });
  writeFileSync(note, String(records));
  return records;
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

interface Launches {
  readonly own: readonly Launched[];
  readonly bare: readonly Launched[];
}

/** Launches both in turn; the last of the desktop keeps running. */
async function launchAll(port: number): Promise<Launches> {
  const bareApplication = layOutBare(join(temporary, 'bare'));
  const bareData = join(temporary, 'bare-data');
  mkdirSync(bareData);
  const own: Launched[] = [];
  const bare: Launched[] = [];
  // The first of each is not counted: it seals the key files, and writes what a ledger that was made has not.
  for (let n = 0; n <= Number(values.launches); n++) {
    const window = await launch({ userData: bareData, application: bareApplication });
    await window.desktop.quit();
    const desktop = await launch({ userData, args: [`--port=${port}`] });
    if (n < Number(values.launches)) await desktop.desktop.quit();
    if (n === 0) continue;
    bare.push(window);
    own.push(desktop);
  }
  return { own, bare };
}

function figuresOf(launched: readonly Launched[]) {
  const times = launched.map(({ timeline }) => timeline['usable'] ?? 0).toSorted((a, b) => a - b);
  const processor = launched.map(({ processorMs }) => processorMs).toSorted((a, b) => a - b);
  return {
    medianMs: medians(launched.map(({ timeline }) => timeline)),
    usableMs: times,
    mainProcessorMs: quantile(processor, 0.5),
  };
}

try {
  const build = await buildDesktop();
  if (!build.ok) throw new Error(build.output);
  mkdirSync(userData, { recursive: true });
  const records = await ledgerOf(Number(values.records));
  const { own, bare } = await launchAll(await freePort());
  const desktop = own.at(-1)?.desktop;
  if (desktop === undefined) throw new Error('--launches must be 1 or more');
  await pause(2000);
  const before = await usage(desktop);
  await watchLoop(desktop);
  await pause(IDLE_S * 1000);
  const after = await usage(desktop);
  const idleLoop = await heldUp(desktop);
  const verification = await verify(desktop);
  await desktop.quit();
  const log = readFileSync(join(userData, 'logs', 'countersign.log'), 'utf8');
  const launches = { desktop: figuresOf(own), bare: figuresOf(bare) };
  const ratio = (launches.desktop.medianMs['usable'] ?? 0) / (launches.bare.medianMs['usable'] ?? 1);
  const output = {
    bench: 'desktop',
    records,
    nativeVerificationsPerSecond: Math.round(await nativeRate()),
    launches,
    usableToBare: Number(ratio.toFixed(2)),
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
  };
  process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
