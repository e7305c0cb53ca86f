import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { joinIndexFile } from './index-file.ts';
import { Indexer } from './indexer.ts';

/** What the thread is started with: the paths of both files. */
export interface IndexWorkerData {
  readonly ledgerPath: string;
  readonly indexPath: string;
}

/** What there is to do; a check goes on after a sequence number of an organization. */
export type IndexJob =
  | { readonly kind: 'step' | 'checkpoint' | 'close' }
  | { readonly kind: 'check'; readonly orgId: string; readonly after: number };

/** A job for the thread. It answers each with a reply of the same id. */
export type IndexRequest = IndexJob & { readonly id: number };

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
const indexer = new Indexer(ledger, index);

parentPort?.on('message', (request: IndexRequest) => {
  const { id, kind } = request;
  if (kind === 'step') parentPort?.postMessage({ id, ...indexer.step() });
  else if (kind === 'check') {
    const checked = indexer.check(request.orgId, request.after);
    parentPort?.postMessage({ id, upTo: [], more: false, checked });
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
