import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseProgress, FoundSummary } from '../../api/index.ts';
import { contentPaths, removeContent } from '../search/content-index/catalog.ts';
import { type CaseFile, ownerOf } from './case-file.ts';
import { ITEMS_FOLDER, NAMES, NEXT_FOLDER } from './case-folder.ts';
import { CASE_LANE, type CaseVerificationsContext } from './case-verifications.ts';
import { isIndexDue } from './case-view.ts';
import { isUnsigned } from './collection/unsigned.ts';
import { FIRST_ITEM, type StoredItem } from './items/items-table.ts';
import type { NumberedItem } from './job-messages.ts';
import { resultOf } from './job-thread.ts';
import { ProgressMeter } from './progress-meter.ts';
import { keyOf } from './scope.ts';

type CaseIndexingContext = Omit<CaseVerificationsContext, 'trust' | 'now'>;

export interface CaseIndexing {
  /** Has the index of a case made again, where items were added to it or removed whose contents are read. */
  readonly startWhereDue: (about: CaseFile) => void;
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

/** Indexes of cases that are made again: `case.json` says which items an index has, and which it is to have. */
export function caseIndexingOf({ jobs, threads, store, reads, onError }: CaseIndexingContext): CaseIndexing {
  const numbered = (about: CaseFile, items: readonly StoredItem[]): NumberedItem[] => {
    const folder = store.folderOf(about.case_id);
    const first = { itemNo: FIRST_ITEM, ...store.itemOf(about) };
    const others = items
      .filter(({ item_no }) => about.items.found.includes(item_no))
      .map(({ item_no: itemNo, stored_as, ...item }) => ({
        itemNo,
        name: item.name,
        bytes: item.bytes,
        sha256: item.sha256,
        path: join(folder, ITEMS_FOLDER, stored_as),
      }));
    return isUnsigned(about.kind) ? [first, ...others] : others;
  };
  const indexing = jobs.of<CaseFile, FoundSummary | null, CaseProgress>({
    lane: CASE_LANE,
    guestsApart: true,
    ownerOf: (about) => keyOf(ownerOf(about)),
    about: ({ case_id }) => [case_id],
    run: async ({ case_id }, { signal, tell }) => {
      const about = store.must(case_id);
      // Of several that were started the first did it.
      if (about.state !== 'ready' || !isIndexDue(about)) return about.found;
      const caseFolder = store.folderOf(case_id);
      const found = numbered(about, await reads.ask(caseFolder, 'items'));
      const folder = join(caseFolder, NEXT_FOLDER);
      const meter = new ProgressMeter(about.bytes + found.reduce((sum, { bytes }) => sum + bytes, 0));
      const task = { kind: 'index', file: store.fileOf(about), found, folder, caseFolder } as const;
      const done = await threads.run(task, {
        signal,
        onProgress: (progress) => {
          meter.take(progress);
          tell(meter.progress);
        },
      });
      const { found: summary } = resultOf(done, 'indexed');
      await reads.replacing(caseFolder, () => moveInto(caseFolder));
      await store.change(case_id, { found: summary });
      return summary;
    },
    ended: async ({ work }, end) => {
      const about = store.get(work.case_id);
      if (about === undefined || end.status === 'cancelled') return;
      if (end.status === 'failed') onError(end.error);
      // Items came or went meanwhile.
      else if (isIndexDue(about)) void indexing.start(about);
    },
  });
  return {
    startWhereDue: (about) => {
      if (about.state === 'ready' && isIndexDue(about)) void indexing.start(about);
    },
  };
}
