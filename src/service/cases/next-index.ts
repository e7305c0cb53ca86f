import { existsSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundSummary } from '../../api/index.ts';
import type { RequestOptions } from '../../node/index.ts';
import { contentPaths, removeContent } from '../search/content-index/catalog.ts';
import type { CaseFile } from './case-file.ts';
import { NAMES, NEXT_FOLDER } from './case-folder.ts';
import type { CaseStore } from './case-store.ts';
import { isUnsigned } from './collection/unsigned.ts';
import { FIRST_ITEM } from './items/items-table.ts';
import type { JobProgress, NumberedItem } from './job-messages.ts';
import { type CaseThreads, resultOf } from './job-thread.ts';
import type { CaseReads } from './reads/read-thread.ts';

interface IndexMeans {
  readonly threads: CaseThreads;
  readonly store: CaseStore;
  readonly reads: CaseReads;
  readonly onError: (error: unknown) => void;
}

/**
 * Makes the index of a case on a thread, in a folder apart, and puts it in the place of the one before: who asks the case meanwhile is
 * answered from that.
 * @param others items that nobody signed, but for the first
 * @param first what it waits for before it puts the index there
 * @returns what it has of items that nobody signed
 * @throws what the thread fails with, or what it waits for, with nothing left in that folder; a crash leaves a part of it, which the next
 *   index replaces
 */
export async function makeNextIndex(
  { threads, store, reads, onError }: IndexMeans,
  about: CaseFile,
  others: readonly NumberedItem[],
  { first, ...means }: RequestOptions<JobProgress> & { readonly first?: Promise<unknown> },
): Promise<FoundSummary | null> {
  const caseFolder = store.folderOf(about.case_id);
  const folder = join(caseFolder, NEXT_FOLDER);
  const found = [...(isUnsigned(about.kind) ? [{ itemNo: FIRST_ITEM, ...store.itemOf(about) }] : []), ...others];
  try {
    const done = await threads.run({ kind: 'index', file: store.fileOf(about), found, folder, caseFolder }, means);
    await first;
    await reads.replacing(caseFolder, () => moveInto(caseFolder));
    return resultOf(done, 'indexed').found;
  } catch (error) {
    // Whatever stays of it the next index removes.
    await rm(folder, { recursive: true, force: true }).catch(onError);
    throw error;
  }
}

/**
 * Puts an index that was made in a separate folder in the place of the one before. A crash on the way
 * leaves the one before or the new one, and what is missing of the contents the next question makes.
 */
function moveInto(folder: string): void {
  const next = join(folder, NEXT_FOLDER);
  removeContent(folder);
  renameSync(join(next, NAMES.index), join(folder, NAMES.index));
  const [made, wanted] = [contentPaths(next), contentPaths(folder)];
  renameSync(made.segments, wanted.segments);
  for (const ending of ['-wal', '-shm', '']) {
    if (existsSync(made.catalog + ending)) renameSync(made.catalog + ending, wanted.catalog + ending);
  }
  rmSync(next, { recursive: true, force: true });
}
