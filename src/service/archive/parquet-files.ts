import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { putInPlace } from '../../node/index.ts';
import { writeRecordsOfBundle } from '../cases/records-of-bundle.ts';
import { ArchiveError } from './archive-error.ts';
import { readRunHead } from './run-head.ts';
import { ledgerPath, newestFirst, type RunName, runPath, versionOf } from './run-name.ts';
import type { RunStore } from './run-store.ts';

export interface ParquetRequest {
  readonly store: RunStore;
  /** Folder for the files, which must exist. */
  readonly to: string;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onFile: (file: ParquetFile) => void;
}

/** A file of records of one run, from the folder of all; `unreadable` where the run cannot be read. */
export interface ParquetFile {
  readonly path: string;
  readonly outcome: 'written' | 'removed' | 'unreadable';
  readonly records: number;
}

const ENDING = '.parquet';
/** How folders begin in which a file is made: a crash leaves one, with what the run shows. */
const TEMPORARY = '.countersign-run-';
const OWN = /^issuer=[^/]+\/org=[^/]+\/day=[^/]+\/[^/]+\.parquet$/;

/** The name of a run's file, in whichever folder of a day it is. */
function nameOf(run: RunName): string {
  return `${run.first}-${run.last}${versionOf(run)}${ENDING}`;
}

/** Folders by which readers leave files out: whoever wrote first, the organization, and the day (UTC) on which the run ends. */
function folderOf(name: RunName, day: string): string {
  const [kid, org] = ledgerPath(name).split('/');
  return `issuer=${kid}/org=${org}/day=${day}`;
}

/** The runs of an archive, each as its newest file shows it. */
async function runsOf(store: RunStore): Promise<RunName[]> {
  const newest = new Map<string, RunName>();
  for (const { name } of await store.list()) {
    if (name === null || name.second !== null) continue;
    const key = `${ledgerPath(name)}/${name.first}-${name.last}`;
    const known = newest.get(key);
    if (known === undefined || newestFirst(name, known) < 0) newest.set(key, name);
  }
  return [...newest.values()].sort((a, b) => (runPath(a) < runPath(b) ? -1 : 1));
}

/**
 * Writes the records of each run into a Parquet file for programs that search, and removes the files of runs that are gone, such as those of which
 * payloads were erased. What is there is not written again: neither a run nor its file ever changes. Nothing is verified.
 * @throws ArchiveError; what the disk fails with; the signal's reason
 */
export async function writeParquetFiles({ store, to, now, signal, onFile }: ParquetRequest): Promise<void> {
  await stat(to).catch((error: unknown) => {
    throw new ArchiveError('SPOOL_UNUSABLE', `${to} is not there: make the folder for the files first`, {
      cause: error,
    });
  });
  for (const name of await readdir(to)) {
    if (name.startsWith(TEMPORARY)) await rm(join(to, name), { recursive: true });
  }
  const runs = await runsOf(store);
  const files = (await readdir(to, { recursive: true })).map((path) => path.replaceAll('\\', '/'));
  const own = files.filter((path) => OWN.test(path));
  const wanted = new Map(runs.map((name) => [`${folderOf(name, '')}/${nameOf(name)}`, name]));
  const withoutDay = (path: string): string => path.replace(/\/day=[^/]+\//, '/day=/');
  for (const path of own.filter((path) => !wanted.has(withoutDay(path)))) {
    await rm(join(to, path));
    onFile({ path, outcome: 'removed', records: 0 });
  }
  const there = new Set(own.map(withoutDay));
  for (const [key, name] of wanted) {
    signal.throwIfAborted();
    if (!there.has(key)) onFile(await writeOne(name, { store, to, now, signal }));
  }
}

async function writeOne(
  name: RunName,
  { store, to, now, signal }: Omit<ParquetRequest, 'onFile'>,
): Promise<ParquetFile> {
  const source = runPath(name);
  const day = (await readRunHead(store.open(source)))?.epochs.at(-1)?.end_time.slice(0, 10);
  if (day === undefined) return { path: source, outcome: 'unreadable', records: 0 };
  const path = `${folderOf(name, day)}/${nameOf(name)}`;
  await mkdir(dirname(join(to, path)), { recursive: true });
  const folder = await mkdtemp(join(to, TEMPORARY));
  try {
    const bundle = join(folder, 'run.csbundle.json.gz');
    await pipeline(store.bytes(source), createWriteStream(bundle), { signal });
    const outPath = join(folder, `run${ENDING}`);
    const asked = { bundle, name: source, form: 'parquet', outPath, now: now() } as const;
    const records = await writeRecordsOfBundle(asked, { signal, onProgress: () => {} });
    await putInPlace(outPath, join(to, path));
    return { path, outcome: 'written', records };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
