/**
 * The threads of a central node. One verifies runs, the other puts what was accepted into the indexes that are searched: neither is the
 * one that serves.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type Database from 'better-sqlite3';
import { serveRequests, syncFile } from '../../node/index.ts';
import { CLOCK_CORRECTED, isInRuns, isSalted, type NumberRun, RunBuilder } from '../../protocol/index.ts';
import { hasCode } from '../../protocol/light.ts';
import { addRun, digestOfRuns, indexedRuns, keepRoot, otherBytes } from '../cases/archived/archive-index.ts';
import { KEPT_IN_ORDER } from '../cases/archived/archived-records.ts';
import { areContentsAsked, contentsAreMade } from '../cases/archived/contents-asked.ts';
import { NAMES } from '../cases/case-folder.ts';
import { growingIndex } from '../cases/case-index-file.ts';
import { CaseRecords } from '../cases/case-records.ts';
import { rulesInFolder } from '../cases/reading-file.ts';
import type { HeldSelection } from '../evidence/retention/holds.ts';
import { decidingRule, type PlannedRule } from '../evidence/retention/rules.ts';
import { Catalog } from '../search/content-index/catalog.ts';
import { ShelfWriter } from '../search/content-index/shelf-writer.ts';
import { type Covers, coversOf } from '../search/reading/covers.ts';
import { namingRecordOf } from '../search/reading/named-places.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { ArchiveError } from './archive-error.ts';
import { readOrder } from './decisions.ts';
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
    } & Pick<FollowRequest, 'trustedKids' | 'accepted' | 'decisions' | 'recheck'>)
  /** What an index has. */
  | { readonly kind: 'look'; readonly folder: string }
  /** Puts a run into an index. */
  | { readonly kind: 'add'; readonly folder: string; readonly from: RunPlace; readonly run: AcceptedRun }
  /** Makes the records of an index searchable, for a while. */
  | { readonly kind: 'step'; readonly folder: string }
  /** Which records of a run are due, and held by nothing. */
  | ({ readonly kind: 'due'; readonly folder: string; readonly sha256: string } & DueRequest)
  /** Puts a decision in its place for the host, unless it is there, or takes it away. */
  | {
      readonly kind: 'order';
      readonly from: RunPlace;
      readonly path: string;
      readonly trusted: string;
      readonly proof: string | null;
    }
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

export interface DueRequest {
  /** By what records are due about which it was not decided before; null where those are asked about that are decided. */
  readonly plan: readonly PlannedRule[] | null;
  readonly holds: readonly HeldSelection[];
  /** Records of the ledger about which it was decided. */
  readonly decided: readonly NumberRun[];
}

export interface DueRecords {
  /** Numbers in the ledger of those that no hold covers. */
  readonly due: readonly NumberRun[];
  /** How many are due and held, and by which holds. */
  readonly held: number;
  readonly holds: readonly string[];
}

export type ArchiveAnswer = IndexState | DueRecords | null;

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
  const records = new CaseRecords(index, () => rulesInFolder(folder), KEPT_IN_ORDER);
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
  const store = new FolderStore(root);
  // Before anything of it is read: else what a changed byte did to it would be said.
  if ((await store.digest(path)) !== run.sha256) throw otherBytes(path);
  keepRoot(found.index, root);
  const { kid, org_id: orgId, first_epoch_no: firstEpochNo, last_epoch_no: lastEpochNo, sha256 } = run;
  const file = { kid, orgId, firstEpochNo, lastEpochNo, path, sha256 };
  await addRun(found.index, file, () => store.bytes(path));
  return stateOf(found, true);
}

/** Records whose heads are read at once. */
const HEADS = 2000;

/** A hold over records of a ledger, which are none of this service's: by its numbers in that ledger, and rather too much than too little. */
function coversIn({ selection }: HeldSelection, isCorrected: boolean): Covers {
  // Which records a case has is known of the service's own ledger only.
  if (selection.kind === 'case') return () => true;
  if (selection.kind !== 'range' || !isCorrected) return coversOf(selection, []);
  const { from_time: _, to_time: __, ...numbers } = selection;
  return coversOf(numbers, []);
}

/** @returns null where the index does not have the run, or its file cannot be read at present */
function dueIn(folder: string, sha256: string, { plan, holds, decided }: DueRequest): DueRecords | null {
  const { index, records } = open(folder);
  const run = index
    .prepare(
      'SELECT ledger_no AS ledger, first_n AS firstN, last_n AS lastN, first_seq_no AS firstSeqNo FROM runs WHERE sha256 = ?',
    )
    .get(sha256) as
    | { readonly ledger: number; readonly firstN: number; readonly lastN: number; readonly firstSeqNo: number }
    | undefined;
  if (run === undefined) return null;
  const isCorrected =
    index
      .prepare("SELECT 1 FROM admin_events WHERE ledger_no = ? AND event ->> 'action' = ?")
      .get(run.ledger, CLOCK_CORRECTED) !== undefined;
  const covers = holds.map((hold) => ({ holdId: hold.holdId, isOver: coversIn(hold, isCorrected) }));
  const rules = plan?.map(({ rule }) => rule) ?? [];
  const due = new RunBuilder();
  const holding = new Set<string>();
  let held = 0;
  for (let from = run.firstN; from <= run.lastN; from += HEADS) {
    for (const head of records.heads(from, Math.min(from + HEADS - 1, run.lastN))) {
      const seqNo = head.n - run.firstN + run.firstSeqNo;
      const { agentId, operationType, receivedMs: receivedAt } = head;
      const isOld = plan === null || plan.some(({ before }) => before !== null && receivedAt < before);
      if (!isOld || isInRuns(decided, seqNo) !== (plan === null)) continue;
      const record = records.record(head.n);
      if (record === null || record.payload === null) continue;
      if (isSalted(record.payload) && Object.keys(record.disclosures).length === 0) continue;
      const { profile } = record.payload;
      const ruled = { head: { agentId, operationType }, profile: typeof profile === 'string' ? profile : null };
      const before = plan?.[decidingRule(rules, ruled)]?.before ?? null;
      if (plan !== null && (before === null || receivedAt >= before)) continue;
      const covered = { ...namingRecordOf(record), head: { agentId, seqNo, receivedAt }, corrections: [] };
      const over = covers.filter(({ isOver }) => isOver(covered));
      if (over.length > 0) held++;
      else due.add(seqNo);
      for (const { holdId } of over) holding.add(holdId);
    }
  }
  return { due: due.runs, held, holds: [...holding].sort() };
}

/** @throws ArchiveError */
async function order({ from, path, trusted, proof }: Extract<ArchiveTask, { readonly kind: 'order' }>): Promise<void> {
  const store = await openRunStore(from);
  if (proof === null) return store.remove(path);
  const isThere = await readOrder(store, path, [trusted]).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
    return null;
  });
  if (isThere === null) await store.keep(path, Buffer.from(proof));
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

serveRequests<ArchiveTask, ArchiveAnswer, ArchiveTold, ArchiveRefusal>(
  async (task, { signal, tell }) => {
    switch (task.kind) {
      case 'follow': {
        const { from, written, trustedKids, accepted, decisions = [], recheck } = task;
        let told = 0;
        const stop = new AbortController();
        await followArchive({
          store: await openRunStore(from),
          trustedKids,
          accepted,
          decisions,
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
      case 'due':
        try {
          return dueIn(task.folder, task.sha256, task);
        } catch (error) {
          // Whoever follows the archive says that its file is gone or has changed.
          if (error instanceof ServiceError) return null;
          throw error;
        }
      case 'order':
        await order(task);
        return null;
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
