import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Engine } from './support/name-engines/engine.ts';
import type { EngineName, SubmitFigures } from './support/name-engines/engine-process.ts';

/**
 * What could tell whether an operation id or a nonce is known, as the ledger grows: the index of operations, a plain table in
 * SQLite, and embedded stores. Each looks up, inserts and commits the same records in the batches that the service commits.
 * Engines take turns, forward and back, each in a separate process.
 *
 *     npm run bench:index -- [--sizes N,N] [--window N] [--rounds N] [--engines A,B] [--stores FOLDER]
 *
 * The stores are taken from FOLDER, where `npm install --prefix FOLDER lmdb classic-level` has put them. Prints JSON.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '0,1000000,5000000,10000000' },
    window: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '2' },
    engines: { type: 'string', default: 'segments,table-in-ledger,table-beside,level,lmdb' },
    stores: { type: 'string' },
  },
});
const sizes = values.sizes.split(',').map(Number);
const perWindow = Number(values.window);
const rounds = Number(values.rounds);
const { stores } = values;

/** Records whose names must be known after a crash, besides the newest. */
const SAMPLE = 20_000;

const PACKAGES: Partial<Record<EngineName, string>> = { level: 'classic-level', lmdb: 'lmdb' };

function isAvailable(name: EngineName): boolean {
  const needed = PACKAGES[name];
  return needed === undefined || (stores !== undefined && existsSync(join(stores, 'node_modules', needed)));
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

function medians(all: readonly SubmitFigures[]): Record<string, number> {
  const of = (figure: (figures: SubmitFigures) => number): number => Number(median(all.map(figure)).toFixed(2));
  return {
    rate: of(({ rate }) => rate),
    rateSettled: of(({ rateSettled }) => rateSettled),
    cpuMicrosecondsPerRecord: of(({ cpu }) => cpu),
    lookUpMicrosecondsPerRecord: of(({ lookUp }) => lookUp),
    writtenBytesPerRecord: of(({ writtenBytes }) => writtenBytes),
    batchP50Ms: of(({ batch }) => batch.p50Ms),
    batchP99Ms: of(({ batch }) => batch.p99Ms),
    batchMaxMs: Math.max(...all.map(({ batch }) => batch.maxMs)),
    residentMb: of(({ residentMb }) => residentMb),
  };
}

/** Ends an engine while it commits, starts it again, and counts which of the names it has lost. */
async function crash(engine: Engine, first: number): Promise<Record<string, number>> {
  const ended = engine.submit(first, first + 10 * perWindow).catch((error: unknown) => error);
  await sleep(1500);
  await engine.kill();
  if (!((await ended) instanceof Error)) throw new Error(`${engine.name} was done before it was killed`);

  const { openMs, firstLookUpMs } = await engine.start();
  const last = engine.committed;
  const sample = Math.min(SAMPLE, last - first + 1);
  const known = await engine.known(last - sample + 1, last);
  return { openMs: Math.round(openMs), firstLookUpMs: Number(firstLookUpMs.toFixed(1)), lost: sample - known };
}

const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-bench-'));
const engines = (values.engines.split(',') as EngineName[])
  .filter(isAvailable)
  .map((name) => new Engine(name, folder, stores ?? ''));
const bySize: Record<string, Record<string, unknown>> = {};
/** Of each engine what it did with nothing stored. */
const firsts = new Map<EngineName, Record<string, number>>();

/** Rate and rate per processor second, as shares of others. */
function ratios(figures: Record<string, number>, others: Record<string, number>): Record<string, number> {
  const two = (value: number): number => Number(value.toFixed(2));
  const [rate, cpu] = ['rate', 'cpuMicrosecondsPerRecord'];
  return {
    rate: two((figures[rate] ?? Number.NaN) / (others[rate] ?? Number.NaN)),
    perCpuSecond: two((others[cpu] ?? Number.NaN) / (figures[cpu] ?? Number.NaN)),
  };
}

async function measure(size: number, done: number): Promise<number> {
  const figures = new Map<EngineName, SubmitFigures[]>(engines.map(({ name }) => [name, []]));
  const filled = size > done ? await Promise.all(engines.map((engine) => engine.fill(done + 1, size))) : [];
  for (let round = 0; round < rounds; round++) {
    const [first, last] = [size + round * perWindow + 1, size + (round + 1) * perWindow];
    const inTurn = round % 2 === 0 ? engines : engines.toReversed();
    for (const engine of inTurn) figures.get(engine.name)?.push(await engine.submit(first, last));
  }
  const ofSize: Record<string, unknown> = {};
  for (const [at, engine] of engines.entries()) {
    const shown = medians(figures.get(engine.name) ?? []);
    const small = firsts.get(engine.name) ?? shown;
    firsts.set(engine.name, small);
    ofSize[engine.name] = {
      ...shown,
      toItself: ratios(shown, small),
      toSegments: ratios(shown, firsts.get('segments') ?? {}),
      ...engine.disk(),
      fill: filled[at],
    };
  }
  bySize[`${size} stored`] = ofSize;
  console.error(JSON.stringify({ size, ...ofSize }));
  return size + rounds * perWindow;
}

try {
  for (const engine of engines) await engine.start();
  let done = 0;
  for (const size of sizes) done = await measure(size, done);
  const starts: Record<string, unknown> = {};
  for (const engine of engines) {
    await engine.close();
    const { openMs, firstLookUpMs } = await engine.start();
    const start = { openMs: Math.round(openMs), firstLookUpMs: Number(firstLookUpMs.toFixed(1)) };
    starts[engine.name] = { start, afterCrash: await crash(engine, done + 1) };
    await engine.close();
  }
  process.stdout.write(`${JSON.stringify({ bench: 'operation-index', bySize, starts }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
