import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { OperationIndex } from '../../../src/service/ledger/operation-index/operation-index.ts';
import { BenchLedger } from './bench-ledger.ts';
import { fillSegments } from './fill.ts';
import { type NameEngine, ORG, rowOf } from './name-engine.ts';

/** The service's own index of operations, whole: it writes the records of each agent besides. */
export async function openSegments(folder: string): Promise<NameEngine> {
  const ledger = new BenchLedger(folder);
  const { sqlite } = ledger.store;
  const indexPath = join(folder, 'index.sqlite');
  const index = await OperationIndex.open({
    ledger: sqlite,
    ledgerPath: ledger.path,
    indexPath,
    onError: (error) => {
      throw error;
    },
  });
  ledger.checkpointBy(() => index.checkpoint());
  const file = new Database(indexPath, { readonly: true });
  const indexed = file.prepare('SELECT indexed_seq FROM orgs WHERE org_id = ?').pluck();
  let last = (sqlite.prepare('SELECT max(seq_no) FROM operations').pluck().get() as number | null) ?? 0;
  const settle = async (): Promise<void> => {
    // Checks nothing, but first loads the filter of names.
    await index.check('nobody', new AbortController().signal);
    while (((indexed.get(ORG) as number | undefined) ?? 0) < last) await sleep(10);
  };
  const commit: NameEngine['commit'] = async (rows) => {
    await ledger.commit(rows);
    index.committed(rows);
    last = rows.at(-1)?.seqNo ?? last;
  };

  return {
    get last() {
      return last;
    },
    known: (rows) =>
      index.reading(
        () =>
          rows.filter(({ operationId, agentId, nonce }) => {
            const isIdKnown = index.findOperation(ORG, operationId) !== null;
            return index.isNonceUsed(ORG, agentId, nonce) || isIdKnown;
          }).length,
      ),
    commit,
    settle,
    fill: async (first, to) => {
      await settle();
      await index.close();
      // All that the index asks the ledger for is its newest record.
      await ledger.commit([rowOf(to)]);
      const writing = new Database(indexPath);
      fillSegments(writing, first, to);
      writing.close();
      file.close();
      await ledger.close();
    },
    close: async () => {
      file.close();
      await index.close();
      await ledger.close();
    },
  };
}
