/**
 * The threads of a central node. One verifies runs, the other puts what was accepted into the indexes that are searched: neither is the
 * one that serves.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type Database from 'better-sqlite3';
import { serveRequests, syncFile } from '../../node/index.ts';
import { addRun, digestOfRuns, indexedRuns, keepRoot } from '../cases/archived/archive-index.ts';
import { areContentsAsked, contentsAreMade } from '../cases/archived/contents-asked.ts';
import { NAMES } from '../cases/case-folder.ts';
import { growingIndex } from '../cases/case-index-file.ts';
import { CaseRecords } from '../cases/case-records.ts';
import { rulesInFolder } from '../cases/reading-file.ts';
import { Catalog } from '../search/content-index/catalog.ts';
import { ShelfWriter } from '../search/content-index/shelf-writer.ts';
import { ArchiveError } from './archive-error.ts';
import { FolderStore } from './folder-store.ts';
import { type AcceptedRun, acceptedPath, type FollowRequest, followArchive, type RefusedRun } from './follow.ts';
import { isBucket, openRunStore, type RunPlace } from './open-run-store.ts';
import { readRunPath } from './run-name.ts';

export type ArchiveTask =
  | ({
      readonly kind: 'follow';
      readonly from: RunPlace;
      /** Counts the acceptances that are written down: the next run is looked at once this one is. Negative where one failed. */
      readonly written: Int32Array<SharedArrayBuffer>;
    } & Pick<FollowRequest, 'trustedKids' | 'accepted' | 'recheck'>)
  /** What an index has. */
  | { readonly kind: 'look'; readonly folder: string }
  /** Puts a run into an index. */
  | { readonly kind: 'add'; readonly folder: string; readonly from: RunPlace; readonly run: AcceptedRun }
  /** Makes the records of an index searchable, for a while. */
  | { readonly kind: 'step'; readonly folder: string }
  /** Closes an index, which is going to be removed. */
  | { readonly kind: 'close'; readonly folder: string };

export interface IndexState {
  /** How many runs it has, and what tells which. */
  readonly runs: number;
  readonly digest: string;
  /** Records, and up to which of them all are found by searches and judged. */
  readonly records: number;
  readonly indexedTo: number;
  readonly more: boolean;
}

/** The archive refused, or cannot be reached. */
export type ArchiveRefusal = Pick<ArchiveError, 'code' | 'message'>;

export type ArchiveTold =
  | { readonly kind: 'accepted'; readonly run: AcceptedRun }
  | { readonly kind: 'refused'; readonly run: RefusedRun };

/** How long records are made searchable before others have their turn, in milliseconds. */
const STEP_MS = 500;

interface OpenIndex {
  readonly index: Database.Database;
  readonly catalog: Catalog;
  readonly records: CaseRecords;
  readonly writer: ShelfWriter;
}

const opened = new Map<string, OpenIndex>();

function open(folder: string): OpenIndex {
  const known = opened.get(folder);
  if (known !== undefined) return known;
  const index = growingIndex(join(folder, NAMES.index));
  const catalog = Catalog.open(folder);
  const records = new CaseRecords(index, () => rulesInFolder(folder));
  const found = { index, catalog, records, writer: new ShelfWriter(catalog, folder, records) };
  opened.set(folder, found);
  return found;
}

function close(folder: string): void {
  const found = opened.get(folder);
  if (found === undefined) return;
  found.writer.save();
  found.catalog.close();
  found.index.close();
  opened.delete(folder);
}

function stateOf({ index, records, catalog }: OpenIndex, more: boolean): IndexState {
  const runs = indexedRuns(index);
  const { indexed_to: indexedTo = 0, judged_to: judgedTo = 0 } = catalog.shelf('') ?? {};
  const last = records.last();
  return {
    runs: runs.length,
    digest: digestOfRuns(runs),
    records: last,
    indexedTo: Math.min(indexedTo, judgedTo),
    more: more || indexedTo < last || judgedTo < last,
  };
}

/** Copies of accepted runs of a bucket, in the data folder of a central node. */
const FOLDER = 'runs';

/**
 * The folder in which an accepted run can be read at any place: the archive's own, or one with copies, into which the run is fetched where it is
 * not there. A copy of what it replaces is removed.
 * @throws ArchiveError; what the disk fails with
 */
async function keptRuns(from: RunPlace, run: AcceptedRun): Promise<string> {
  if (!isBucket(from.at)) return from.at;
  const root = join(from.spool, FOLDER);
  const path = acceptedPath(run);
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  if ((await new FolderStore(root).digest(path)) !== run.sha256) {
    const part = `${file}.part`;
    const bucket = await openRunStore(from);
    await pipeline(bucket.bytes(path), createWriteStream(part, { mode: 0o600 }));
    await syncFile(part);
    await rename(part, file);
  }
  const folder = dirname(path);
  for (const name of await readdir(join(root, folder))) {
    const other = `${folder}/${name}`;
    const of = readRunPath(other);
    if (other !== path && of?.first === run.first_epoch_no && of.last === run.last_epoch_no)
      await rm(join(root, other));
  }
  return root;
}

/** @throws Error where the file is no longer what was accepted: whoever follows the archive says so */
async function add(folder: string, from: RunPlace, run: AcceptedRun): Promise<IndexState> {
  const found = open(folder);
  const path = acceptedPath(run);
  const root = await keptRuns(from, run);
  const bytes = await readFile(join(root, path));
  if (createHash('sha256').update(bytes).digest('hex') !== run.sha256)
    throw new Error(`${path} has other bytes than those that were accepted`);
  keepRoot(found.index, root);
  const { kid, org_id: orgId, first_epoch_no: firstEpochNo, last_epoch_no: lastEpochNo, sha256 } = run;
  const file = { kid, orgId, firstEpochNo, lastEpochNo, path, sha256 };
  await addRun(found.index, file, bytes, new FolderStore(root).open(path));
  return stateOf(found, true);
}

function step(folder: string): IndexState {
  const { writer } = open(folder);
  if (areContentsAsked(folder)) {
    writer.clear();
    contentsAreMade(folder);
  }
  const until = performance.now() + STEP_MS;
  let more = true;
  while (more && performance.now() < until) ({ more } = writer.step());
  return stateOf(open(folder), more);
}

serveRequests<ArchiveTask, IndexState | null, ArchiveTold, ArchiveRefusal>(
  async (task, { signal, tell }) => {
    switch (task.kind) {
      case 'follow': {
        const { from, written, trustedKids, accepted, recheck } = task;
        let told = 0;
        const stop = new AbortController();
        await followArchive({
          store: await openRunStore(from),
          trustedKids,
          accepted,
          recheck,
          signal: stop.signal,
          onAccepted: async (run) => {
            tell({ kind: 'accepted', run });
            told++;
            for (let now = 0; now < told; ) {
              now = Atomics.load(written, 0);
              if (now < 0) throw new Error('an acceptance could not be written down');
              if (now < told) await Atomics.waitAsync(written, 0, now, 1000).value;
              signal.throwIfAborted();
            }
          },
          onRefused: (run) => tell({ kind: 'refused', run }),
        });
        return null;
      }
      case 'look':
        return stateOf(open(task.folder), areContentsAsked(task.folder));
      case 'add':
        return add(task.folder, task.from, task.run);
      case 'step':
        return step(task.folder);
      case 'close':
        close(task.folder);
        return null;
    }
  },
  {
    refusalOf: (error) => (error instanceof ArchiveError ? { code: error.code, message: error.message } : undefined),
    onEnd: () => {
      for (const folder of [...opened.keys()]) close(folder);
    },
  },
);
