import { readFileSync } from 'node:fs';
import { durations } from '../figures.ts';
import { type NameEngine, rowsOf } from './name-engine.ts';
import { openSegments } from './segments-engine.ts';
import { openKeyValue } from './store-engines.ts';
import { openTable } from './table-engine.ts';

/* One engine in a process, so that its processor time and its memory can be told from the others'. */

export const ENGINES = ['segments', 'table-in-ledger', 'table-beside', 'level', 'lmdb'] as const;
export type EngineName = (typeof ENGINES)[number];

export type EngineRequest =
  | { readonly kind: 'fill' | 'submit' | 'check'; readonly first: number; readonly last: number }
  | { readonly kind: 'close' };

/** Rates in records per second, durations in milliseconds. */
export interface SubmitFigures {
  readonly rate: number;
  /** Counting the wait for what was left to do in the background after the last commit. */
  readonly rateSettled: number;
  /** Processor time of all threads and time of the look-ups, in microseconds per record. */
  readonly cpu: number;
  readonly lookUp: number;
  /** Bytes written to files, per record. */
  readonly writtenBytes: number;
  readonly batch: ReturnType<typeof durations>;
  readonly residentMb: number;
}

/** What the filling took per record: processor time of all threads, in microseconds, and bytes written. */
export interface FillFigures {
  readonly cpu: number;
  readonly writtenBytes: number;
}

export type EngineReply =
  | { readonly kind: 'open'; readonly openMs: number; readonly firstLookUpMs: number; readonly last: number }
  | { readonly kind: 'committed'; readonly last: number }
  | {
      readonly kind: 'done';
      readonly figures: SubmitFigures | null;
      readonly filled: FillFigures;
      readonly known: number;
    };

/** As many records as one commit of the service takes. */
const BATCH = 512;

function open(name: EngineName, folder: string, stores: string): Promise<NameEngine> {
  if (name === 'segments') return openSegments(folder);
  if (name === 'table-in-ledger') return openTable(folder, 'ledger');
  if (name === 'table-beside') return openTable(folder, 'beside');
  return openKeyValue(folder, name, stores);
}

/** A number out of a file of /proc/self; Linux only. */
function processFigure(file: 'status' | 'io', name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/self/${file}`, 'utf8'))?.[1] ?? 0);
}

function send(reply: EngineReply): void {
  process.send?.(reply);
}

async function submit(engine: NameEngine, first: number, last: number): Promise<SubmitFigures> {
  const batches: number[] = [];
  let [spent, lookUps, making] = [0, 0, 0];
  const written = processFigure('io', 'write_bytes');
  const cpuBefore = microseconds(process.cpuUsage());
  for (let from = first; from <= last; from += BATCH) {
    const makingBefore = microseconds(process.threadCpuUsage());
    const rows = rowsOf(from, Math.min(last, from + BATCH - 1));
    making += microseconds(process.threadCpuUsage()) - makingBefore;
    const began = performance.now();
    if (engine.known(rows) > 0) throw new Error('a name is known that was never used');
    lookUps += performance.now() - began;
    await engine.commit(rows);
    batches.push(performance.now() - began);
    spent += batches.at(-1) ?? 0;
    send({ kind: 'committed', last: rows.at(-1)?.seqNo ?? 0 });
  }
  const began = performance.now();
  await engine.settle();
  const settled = performance.now() - began;
  const count = last - first + 1;
  const rate = (milliseconds: number): number => Math.round((count / milliseconds) * 1000);
  return {
    rate: rate(spent),
    rateSettled: rate(spent + settled),
    cpu: Number(((microseconds(process.cpuUsage()) - cpuBefore - making) / count).toFixed(1)),
    lookUp: Number(((lookUps / count) * 1000).toFixed(2)),
    writtenBytes: Math.round((processFigure('io', 'write_bytes') - written) / count),
    batch: durations(batches),
    residentMb: Math.round(processFigure('status', 'VmRSS') / 1024),
  };
}

function microseconds({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}

const [name = '', folder = '', stores = ''] = process.argv.slice(2);
const began = performance.now();
let engine = await open(name as EngineName, folder, stores);
const openMs = performance.now() - began;
engine.known(rowsOf(2 ** 40, 2 ** 40 + BATCH - 1));
send({ kind: 'open', openMs, firstLookUpMs: performance.now() - began - openMs, last: engine.last });

async function perform(request: EngineRequest): Promise<void> {
  if (request.kind === 'close') {
    await engine.close();
    process.disconnect();
    return;
  }
  const { kind, first, last } = request;
  const [cpu, written] = [microseconds(process.cpuUsage()), processFigure('io', 'write_bytes')];
  if (kind === 'fill') await engine.fill(first, last);
  const count = last - first + 1;
  const filled = {
    cpu: Number(((microseconds(process.cpuUsage()) - cpu) / count).toFixed(1)),
    writtenBytes: Math.round((processFigure('io', 'write_bytes') - written) / count),
  };
  if (kind === 'fill') {
    engine = await open(name as EngineName, folder, stores);
    await engine.settle();
  }
  const figures = kind === 'submit' ? await submit(engine, first, last) : null;
  const known = kind === 'check' ? engine.known(rowsOf(first, last)) : 0;
  send({ kind: 'done', figures, filled, known });
}

// Whoever asks may have been ended: nobody else would end this process.
process.on('disconnect', () => process.exit());

process.on('message', (request: EngineRequest) => {
  perform(request).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
