import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { Indexer, type IndexerOptions } from '../../src/service/ledger/operation-index/indexer.ts';
import { NameFilter } from '../../src/service/ledger/operation-index/name-filter.ts';
import { OperationIndex } from '../../src/service/ledger/operation-index/operation-index.ts';
import type { Store } from '../../src/service/store/open.ts';

/** The index of operations of a ledger in a folder, as the service opens it. */
export function openIndex(folder: string, store: Store, onError: (error: unknown) => void): Promise<OperationIndex> {
  const paths = { ledgerPath: join(folder, 'ledger.sqlite'), indexPath: join(folder, 'index.sqlite') };
  return OperationIndex.open({ ledger: store.sqlite, ...paths, onError });
}

/** What takes records into an index that is empty, without a thread. */
export function newIndexer(
  ledger: Database.Database,
  index: Database.Database,
  options: Omit<IndexerOptions, 'ledger' | 'index' | 'filter'> = {},
): Indexer {
  const filter = new NameFilter();
  filter.cover(2, true);
  return new Indexer({ ledger, index, filter, ...options });
}
