import { join } from 'node:path';
import { OperationIndex } from '../../src/service/operation-index/operation-index.ts';
import type { Store } from '../../src/service/store/open.ts';

/** The index of operations of a ledger in a folder, as the service opens it. */
export function openIndex(folder: string, store: Store, onError: (error: unknown) => void): Promise<OperationIndex> {
  const paths = { ledgerPath: join(folder, 'ledger.sqlite'), indexPath: join(folder, 'index.sqlite') };
  return OperationIndex.open({ ledger: store.sqlite, ...paths, onError });
}
