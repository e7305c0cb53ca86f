import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { joinIndexFile } from './index-file.ts';
import { Indexer } from './indexer.ts';
import { NameFilter } from './name-filter.ts';

/** What the thread is started with: the paths of both files. */
export interface IndexWorkerData {
  readonly ledgerPath: string;
  readonly indexPath: string;
}

/** What there is to do; `load` fills the filter of names, and a check goes on after a sequence number of an organization. */
export type IndexJob =
  | { readonly kind: 'step' | 'load' | 'checkpoint' | 'close' }
  | { readonly kind: 'check'; readonly orgId: string; readonly after: number };

/** A job for the thread, with the filter of names as it is shared now. It answers each with a reply of the same id. */
export type IndexRequest = IndexJob & { readonly id: number; readonly filter: readonly SharedArrayBuffer[] };

/*
 * The thread beside the ledger's own: takes committed records into the index, and moves the ledger's write-ahead log
 * into the database, so that neither keeps submissions waiting. It never writes a row of the ledger.
 */
const { ledgerPath, indexPath } = workerData as IndexWorkerData;
const ledger = new Database(ledgerPath, { fileMustExist: true });
ledger.pragma('trusted_schema = OFF');
ledger.pragma('synchronous = FULL');
const index = joinIndexFile(indexPath);
index.pragma('cache_size = -16384');
const filter = new NameFilter();
const indexer = new Indexer({ ledger, index, filter });

parentPort?.on('message', (request: IndexRequest) => {
  const { id, kind } = request;
  filter.share(request.filter);
  if (kind === 'step') parentPort?.postMessage({ id, ...indexer.step() });
  else if (kind === 'check') {
    const checked = indexer.check(request.orgId, request.after);
    parentPort?.postMessage({ id, upTo: [], more: false, checked });
  } else if (kind === 'load') {
    indexer.loadFilter();
    parentPort?.postMessage({ id, upTo: [], more: false });
  } else if (kind === 'close') {
    // Ended from outside with a database open, a thread would take the process with it.
    index.close();
    ledger.close();
    parentPort?.close();
  } else {
    // PASSIVE waits for nobody. A crash in the middle of it leaves a log that the next opening goes through again.
    ledger.pragma('wal_checkpoint(PASSIVE)');
    parentPort?.postMessage({ id, upTo: [], more: false });
  }
});
