import { join } from 'node:path';
import type { VerificationReport } from '../../../protocol/index.ts';
import { type ThreadOptions, verifyInThread } from './verify-in-thread.ts';

/**
 * Verifies every ledger in a data folder, whether a service runs on it or not, or in a backup of one. Needs no key and
 * changes nothing there.
 * @param trustedKids the service keys that the reader trusts; the folder's own are not trusted for being in it
 * @returns a report for each organization
 * @throws StartError where there is no ledger that can be read; the signal's reason
 */
export function verifyDataDir(
  dataDir: string,
  trustedKids: readonly string[],
  options: ThreadOptions,
): Promise<VerificationReport[]> {
  const task = {
    path: join(dataDir, 'ledger.sqlite'),
    orgId: null,
    knownHead: { seq_no: 0, epoch_no: 0 },
    trustedKids,
  };
  return verifyInThread(task, options);
}
