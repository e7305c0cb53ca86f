/**
 * A thread that verifies stored ledgers: it reads the database over its own connection, read-only, and has the
 * signatures checked on further threads.
 */

import { cryptoPool, serveRequests } from '../../../node/index.ts';
import { type VerificationReport, verifyLedger } from '../../../protocol/index.ts';
import { StartError } from '../../store/base/service-error.ts';
import { openReadOnlyStore } from './read-only-store.ts';
import { organizationsIn, readStoredLedger } from './stored-ledger.ts';
import type { LedgerProgress, VerificationRefusal, VerificationTask } from './thread-messages.ts';

/** How many records are checked between two words about it. */
const PROGRESS_STEP = 5000;

function refusalOf(error: unknown): VerificationRefusal | undefined {
  return error instanceof StartError ? { code: error.code, message: error.message } : undefined;
}

serveRequests<VerificationTask, VerificationReport[], LedgerProgress, VerificationRefusal>(
  async ({ path, scratch, orgId, knownHead, trustedKids }, { signal, tell }) => {
    const store = openReadOnlyStore(path, scratch);
    const crypto = cryptoPool();
    const reports: VerificationReport[] = [];
    try {
      for (const id of orgId === null ? organizationsIn(store) : [orgId]) {
        const { ledger, records: total } = readStoredLedger(store, id, knownHead);
        let told = 0;
        const onProgress = (checked: number): void => {
          if (checked < told + PROGRESS_STEP) return;
          told = checked;
          tell({ orgId: id, checked, total });
        };
        tell({ orgId: id, checked: 0, total });
        reports.push(await verifyLedger(ledger, { crypto, trustedKids, signal, onProgress }));
        tell({ orgId: id, checked: total, total });
      }
    } finally {
      await crypto.close();
      store.close();
    }
    return reports;
  },
  { refusalOf },
);
