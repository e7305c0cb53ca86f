import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Task } from './support/content-engines/engine-process.ts';

/**
 * What could find records by their words: the content index, and SQLite's FTS5, over the same records and the same words.
 *
 *     npm run bench:investigate -- [--records N] [--bytes N] [--shape plain|calls] [--engines segments,fts5] [--folder FOLDER]
 *
 * Every task runs in a separate process, so that memory is that of the one that searches. Times are in milliseconds of the processor
 * (`clockMaxMs` of the clock), and of building also in units of reading the same records
 * into words, measured in the same run. `firstMaxMs` is the longest of the first time that questions were asked.
 *
 * Of the shape `calls`, two records in turn are the beginning and the end of a call, and the questions are those about actions.
 *
 * A folder that is given keeps what was built, with its figures; the next run asks only. Nothing is erased there. Prints JSON.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    bytes: { type: 'string', default: '2048' },
    shape: { type: 'string', default: 'plain' },
    engines: { type: 'string', default: 'segments,fts5' },
    folder: { type: 'string' },
  },
});
const count = Number(values.records);
const bytes = Number(values.bytes);
const PROCESS = fileURLToPath(new URL('./support/content-engines/engine-process.ts', import.meta.url));

/** Limits of memory as the service has them (bin/countersign.js): V8 alone lets garbage pile up. */
const LIMITS = ['--max-semi-space-size=8', '--heap-growing-percent=60'];

/** Runs one task of an engine. */
function task(name: string, what: Task, folder: string): unknown {
  const nodeOptions = process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? [];
  const args = [...nodeOptions, ...LIMITS, PROCESS, name, what, folder, String(count), String(bytes), values.shape];
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  return JSON.parse(execFileSync(process.execPath, args, { stdio, encoding: 'utf8' }));
}

interface Built {
  readonly records: number;
  readonly bytes: number;
  readonly shape: string;
  readonly buildMs: number;
  readonly buildPerReading: number;
  readonly bytesPerPayloadByte: number;
}

function build(name: string, folder: string): Built {
  const { readMs } = task(name, 'read', folder) as { readMs: number };
  const built = task(name, 'build', folder) as { buildMs: number; bytes: number };
  return {
    records: count,
    bytes,
    shape: values.shape,
    buildMs: Math.round(built.buildMs),
    buildPerReading: Number((built.buildMs / readMs).toFixed(2)),
    bytesPerPayloadByte: Number((built.bytes / (count * bytes)).toFixed(3)),
  };
}

/** What a folder has from an earlier run; made where there is nothing. */
function kept(name: string, folder: string): Built {
  const figures = join(folder, 'built.json');
  if (!existsSync(figures)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(figures, JSON.stringify(build(name, folder)));
  }
  const built = JSON.parse(readFileSync(figures, 'utf8')) as Built;
  if (built.records !== count || built.bytes !== bytes || built.shape !== values.shape)
    throw new Error(`${folder} has other records`);
  return built;
}

function measure(name: string): object {
  if (values.folder !== undefined) {
    const folder = join(values.folder, name);
    return { name, ...kept(name, folder), ...(task(name, 'ask', folder) as object) };
  }
  const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-bench-'));
  try {
    const built = build(name, folder);
    return { name, ...built, ...(task(name, 'ask', folder) as object), ...(task(name, 'erase', folder) as object) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

console.log(JSON.stringify({ records: count, bytes, engines: values.engines.split(',').map(measure) }, null, 2));
