/**
 * One log of hypercore, written in a separate process: FOLDER SECONDS. Prints JSON (HypercoreFigures). The package is taken
 * from FOLDER, where `npm install --prefix FOLDER hypercore` has put it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { operationMembers } from '../workspace.ts';

export interface HypercoreFigures {
  readonly version: string;
  readonly blocks: number;
  readonly singlePerSecond: number;
  readonly batchesPerSecond: number;
}

/** What is used of hypercore. */
interface Hypercore {
  readonly length: number;
  ready: () => Promise<void>;
  append: (blocks: Buffer | readonly Buffer[]) => Promise<unknown>;
  close: () => Promise<void>;
}

const BATCH_SIZE = 100;
const WARM_UP = 200;

const [folder = '', seconds = ''] = process.argv.slice(2);
const load = createRequire(join(resolve(folder), 'package.json'));
const Log = load('hypercore') as new (storage: string) => Hypercore;
const { version } = load('hypercore/package.json') as { version: string };

const block = (number: number): Buffer => Buffer.from(JSON.stringify(operationMembers(number)));

const storage = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-peer-'));
const log = new Log(storage);
await log.ready();

/** Blocks a second. */
async function appended(next: () => Promise<unknown>): Promise<number> {
  const before = log.length;
  const began = performance.now();
  while (performance.now() - began < Number(seconds) * 1000) await next();
  return ((log.length - before) * 1000) / (performance.now() - began);
}

for (let number = 0; number < WARM_UP; number++) await log.append(block(number));
const singlePerSecond = await appended(() => log.append(block(log.length)));
const batchesPerSecond = await appended(() =>
  log.append(Array.from({ length: BATCH_SIZE }, (_, index) => block(log.length + index))),
);
const figures: HypercoreFigures = { version, blocks: log.length, singlePerSecond, batchesPerSecond };
await log.close();
rmSync(storage, { recursive: true, force: true });
process.stdout.write(JSON.stringify(figures));
