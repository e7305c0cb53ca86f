/**
 * How fast a bundle and a stored ledger are verified, beside what one core's native Ed25519 does in the same run.
 *
 *     npm run bench:verify -- [RECORDS] [--only bundle|ledger|forks|threads]
 *
 * `--only threads` verifies the bundle in this process with 1 to 4 threads that only check signatures next to the one that reads: `readingMicros` is
 * the processor time of the reading one for a record, and `mostRatio` what that alone would come to: further threads do not get beyond it.
 *
 * `--only forks` compares 3, 10 and 30 copies of the bundle with each other instead; `perFile` is the time for each in units of verifying it once.
 *
 * Prints JSON. Rates are of one moment on one machine; `ratio` is what can be compared: signatures verified a second by the
 * whole command over those of the bare native call on one core, measured right before and right after it.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openBundleFile } from '../src/cli/bundle-file.ts';
import { cryptoPool } from '../src/node/index.ts';
import { verifyBundle } from '../src/protocol/index.ts';
import { makeBundle, makeLedger } from './support/make-ledger.ts';
import { nativeRate } from './support/native-rate.ts';

const DEFAULT_RECORDS = 100_000;
const COMMAND = fileURLToPath(new URL('../bin/countersign.js', import.meta.url));

interface Run {
  readonly verdict: string;
  readonly records: number;
  readonly seconds: number;
  readonly records_per_second: number;
  readonly signatures_per_second: number;
  readonly native_one_core: readonly [before: number, after: number];
  readonly ratio: number;
  /** Largest resident set of the process, all of its threads, in MB; null where the system does not tell. */
  readonly peak_rss_mb: number | null;
}

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly seconds: number;
  readonly peakRss: number | null;
}

function peakRssOf(pid: number): number | null {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    // Not Linux, or the process has just ended.
    return null;
  }
}

/** Runs the command as people do, in a separate process, start and loading included. */
function runCommand(args: readonly string[]): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, [COMMAND, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // Nothing of a measurement belongs into the store of whoever measures.
      env: { ...process.env, COUNTERSIGN_TRUST_STORE: '' },
    });
    let stdout = '';
    let peakRss: number | null = null;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    const watch = setInterval(() => {
      peakRss = (child.pid === undefined ? null : peakRssOf(child.pid)) ?? peakRss;
    }, 50);
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(watch);
      resolve({ code, stdout, seconds: (performance.now() - started) / 1000, peakRss });
    });
  });
}

async function measure(args: readonly string[]): Promise<Run> {
  const before = await nativeRate();
  const { code, stdout, seconds, peakRss } = await runCommand(['verify', ...args, '--json']);
  const after = await nativeRate();
  const report = JSON.parse(stdout) as { verdict: string; bundle: { records: number } };
  if (code !== 0) throw new Error(`the command ended with ${code}: ${report.verdict}`);
  const { records } = report.bundle;
  const signatures = (2 * records) / seconds;
  return {
    verdict: report.verdict,
    records,
    seconds: Number(seconds.toFixed(2)),
    records_per_second: Math.round(records / seconds),
    signatures_per_second: Math.round(signatures),
    native_one_core: [Math.round(before), Math.round(after)],
    ratio: Number((signatures / ((before + after) / 2)).toFixed(2)),
    peak_rss_mb: peakRss === null ? null : Math.round(peakRss),
  };
}

/** Compares copies of a bundle with each other: time and memory for each number of them. */
async function compare(bundle: string, kid: string): Promise<object> {
  const { seconds: verified } = await runCommand(['verify', bundle, '--trust', kid]);
  const of: Record<string, object> = {};
  for (const files of [3, 10, 30]) {
    const copies = Array.from({ length: files }, (_, n) => join(folder, `copy-${n}.json`));
    for (const copy of copies) copyFileSync(bundle, copy);
    const { code, seconds, peakRss } = await runCommand(['forks', ...copies, '--trust', kid]);
    if (code !== 0) throw new Error(`forks ended with ${code}`);
    const perFile = Number((seconds / files / verified).toFixed(2));
    of[files] = { seconds: Number(seconds.toFixed(2)), perFile, peakRssMb: peakRss && Math.round(peakRss) };
  }
  return { verifiedSeconds: Number(verified.toFixed(2)), files: of };
}

/** Verifies a bundle with some threads for its signatures, none of which the reading thread checks itself. */
async function withThreads(bundle: string, kid: string, threads: number) {
  const before = await nativeRate();
  const crypto = cryptoPool({ threads, queued: 64, inlineBelow: 0 });
  const { source } = await openBundleFile(bundle);
  const began = performance.now();
  const busy = process.threadCpuUsage();
  const { verdict, bundle: of } = await verifyBundle(source, { crypto, trustedKids: [kid] });
  const { user, system } = process.threadCpuUsage(busy);
  const readingMicros = (user + system) / of.records;
  const seconds = (performance.now() - began) / 1000;
  await crypto.close();
  const native = (before + (await nativeRate())) / 2;
  if (verdict !== 'verified') throw new Error(`the bundle is ${verdict}`);
  const ratio = (2 * of.records) / seconds / native;
  return {
    threads,
    records_per_second: Math.round(of.records / seconds),
    ratio: Number(ratio.toFixed(2)),
    readingMicros: Number(readingMicros.toFixed(1)),
    mostRatio: Number((2e6 / readingMicros / native).toFixed(2)),
  };
}

async function byThreads(bundle: string, kid: string): Promise<object[]> {
  const found: object[] = [];
  for (let threads = 1; threads <= 4; threads++) found.push(await withThreads(bundle, kid, threads));
  return found;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
const isAsked = (what: 'bundle' | 'ledger'): boolean => values.only === undefined || values.only === what;
const records = Number(positionals[0] ?? DEFAULT_RECORDS);
const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
try {
  const ledger = await makeLedger(folder, { records: Math.ceil(records / 1000) * 1000 });
  const bundle = await makeBundle(folder, ledger);
  const result = {
    benchmark: 'verify',
    node: process.version,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? null,
    bundle_mb: Math.round(statSync(bundle).size / 1024 / 1024),
    ledger_mb: Math.round(statSync(join(folder, 'ledger.sqlite')).size / 1024 / 1024),
    forks: values.only === 'forks' ? await compare(bundle, ledger.kid) : null,
    threads: values.only === 'threads' ? await byThreads(bundle, ledger.kid) : null,
    bundle: isAsked('bundle') ? await measure([bundle, '--trust', ledger.kid]) : null,
    ledger: isAsked('ledger') ? await measure(['--data-dir', folder, '--trust', ledger.kid]) : null,
  };
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
