/**
 * A thread that verifies stored ledgers: it reads the database over a connection of its own, read-only, and has the
 * signatures checked on further threads. It is asked to end, never ended from outside: a native database that is torn
 * down in the middle of a query takes the whole process with it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { verifyLedger } from '../../../protocol/index.ts';
import { cryptoPool } from '../../../runtime/index.ts';
import { StartError } from '../../base/errors.ts';
import { openReadOnlyStore } from './read-only-store.ts';
import { organizationsIn, readStoredLedger } from './stored-ledger.ts';
import type { ThreadMessage, VerificationTask } from './thread-messages.ts';

/** How many records are checked between two words about it. */
const PROGRESS_STEP = 5000;

function tell(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

class Stopped extends Error {
  override readonly name = 'Stopped';
}

async function verify({ path, scratch, orgId, knownHead, trustedKids, stop }: VerificationTask): Promise<void> {
  const store = openReadOnlyStore(path, scratch);
  const crypto = cryptoPool();
  const signal = {
    throwIfAborted: () => {
      if (Atomics.load(stop, 0) !== 0) throw new Stopped();
    },
  };
  try {
    for (const id of orgId === null ? organizationsIn(store) : [orgId]) {
      const { ledger, records: total } = readStoredLedger(store, id, knownHead);
      let told = 0;
      tell({ kind: 'progress', progress: { orgId: id, checked: 0, total } });
      const report = await verifyLedger(ledger, {
        crypto,
        trustedKids,
        signal,
        onProgress: (checked) => {
          if (checked < told + PROGRESS_STEP) return;
          told = checked;
          tell({ kind: 'progress', progress: { orgId: id, checked, total } });
        },
      });
      tell({ kind: 'progress', progress: { orgId: id, checked: total, total } });
      tell({ kind: 'report', report });
    }
  } finally {
    await crypto.close();
    store.close();
  }
}

try {
  await verify(workerData as VerificationTask);
  tell({ kind: 'done' });
} catch (error) {
  if (error instanceof Stopped) tell({ kind: 'stopped' });
  else if (error instanceof StartError) tell({ kind: 'refused', code: error.code, message: error.message });
  else tell({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
