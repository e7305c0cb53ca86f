import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { serveRequests } from '../../../node/index.ts';
import { joinIndexFile } from './index-file.ts';
import { type IndexCheck, type IndexedUpTo, Indexer } from './indexer.ts';
import { NameFilter } from './name-filter.ts';

/** What the thread is started with: the paths of both files. */
export interface IndexWorkerData {
  readonly ledgerPath: string;
  readonly indexPath: string;
}

/** What there is to do; `load` fills the filter of names, and a check continues after a sequence number of an organization. */
export type IndexJob =
  | { readonly kind: 'step' | 'load' | 'checkpoint' }
  | { readonly kind: 'check'; readonly orgId: string; readonly after: number };

/** A job for the thread, with the filter of names as it is shared now. */
export type IndexRequest = IndexJob & { readonly filter: readonly SharedArrayBuffer[] };

export interface IndexReply {
  readonly upTo: readonly IndexedUpTo[];
  readonly more: boolean;
  readonly checked?: IndexCheck;
}

/*
 * The thread beside the ledger's own: takes committed records into the index, and moves the ledger's write-ahead log
 * into the database, so that neither keeps submissions waiting. It never writes a row of the ledger.
 */
const { ledgerPath, indexPath } = workerData as IndexWorkerData;
const ledger = new Database(ledgerPath, { fileMustExist: true });
ledger.pragma('trusted_schema = OFF');
ledger.pragma('synchronous = FULL');
const index = joinIndexFile(indexPath);
index.pragma('cache_size = -8192');
const filter = new NameFilter();
const indexer = new Indexer({ ledger, index, filter });

function run(request: IndexRequest): IndexReply {
  filter.share(request.filter);
  if (request.kind === 'step') return indexer.step();
  const nothing = { upTo: [], more: false };
  if (request.kind === 'check') return { ...nothing, checked: indexer.check(request.orgId, request.after) };
  if (request.kind === 'load') indexer.loadFilter();
  // PASSIVE waits for nobody. A crash in the middle of it leaves a log that the next opening goes through again.
  else ledger.pragma('wal_checkpoint(PASSIVE)');
  return nothing;
}

serveRequests(run, {
  onEnd: () => {
    index.close();
    ledger.close();
  },
});
