import { join } from 'node:path';
import type { CaseProgress, FoundSummary } from '../../api/index.ts';
import { type CaseFile, ownerOf } from './case-file.ts';
import { ITEMS_FOLDER } from './case-folder.ts';
import { CASE_LANE, type CaseVerificationsContext } from './case-verifications.ts';
import { isIndexDue } from './case-view.ts';
import type { StoredItem } from './items/items-table.ts';
import type { NumberedItem } from './job-messages.ts';
import { makeNextIndex } from './next-index.ts';
import { ProgressMeter } from './progress-meter.ts';
import { keyOf } from './scope.ts';

type CaseIndexingContext = Omit<CaseVerificationsContext, 'trust' | 'now'>;

export interface CaseIndexing {
  /** Has the index of a case made again, where items were added to it or removed whose contents are read. */
  readonly startWhereDue: (about: CaseFile) => void;
}

/** Indexes of cases that are made again: `case.json` says which items an index has, and which it is to have. */
export function caseIndexingOf(context: CaseIndexingContext): CaseIndexing {
  const { jobs, store, reads, onError } = context;
  const foundItems = (about: CaseFile, items: readonly StoredItem[]): NumberedItem[] => {
    const folder = join(store.folderOf(about.case_id), ITEMS_FOLDER);
    return items
      .filter(({ item_no }) => about.items.found.includes(item_no))
      .map(({ item_no: itemNo, stored_as, name, bytes, sha256 }) => ({
        itemNo,
        name,
        bytes,
        sha256,
        path: join(folder, stored_as),
      }));
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
      const found = foundItems(about, await reads.ask(store.folderOf(case_id), 'items'));
      const meter = new ProgressMeter(about.bytes + found.reduce((sum, { bytes }) => sum + bytes, 0));
      const summary = await makeNextIndex(context, about, found, {
        signal,
        onProgress: (progress) => {
          meter.take(progress);
          tell(meter.progress);
        },
      });
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
