import { join } from 'node:path';
import { Refusals } from '../admin-log/refusals/refusals.ts';
import { Exports } from '../evidence/exports/export-jobs.ts';
import { Holds } from '../evidence/retention/holds.ts';
import { Sweeps } from '../evidence/retention/sweeps.ts';
import { LedgerVerifications } from '../evidence/self-verification/verification-jobs.ts';
import { isHome } from '../people/organizations/home.ts';
import type { StartContext } from './host.ts';
import type { OpenData } from './open-data.ts';
import type { OpenLedger } from './open-ledger.ts';

/** The jobs over the ledger, what holds them back, and the list of what was refused. */
export function openEvidenceJobs(
  start: StartContext,
  data: OpenData,
  { ledger, index, content, checkpointer }: OpenLedger,
) {
  const { settings, teardown, now, onError } = start;
  const { store, writer, key, ledgerPath } = data;
  const jobs = { store, writer, ledger, key, now, onError };
  const exports = new Exports({ ...jobs, settings, ledgerPath, folder: join(settings.dataDir, 'exports') });
  teardown.add(() => exports.close());
  const holds = new Holds();
  const sweeps = new Sweeps({
    ...jobs,
    holds,
    onErased: (store, erased, sweepId) => exports.forget(store, erased, { sweep_id: sweepId }),
    forgetContents: (orgId) => content.erased(orgId),
    committed: () => checkpointer.committed(),
  });
  teardown.add(() => sweeps.close());
  const refusals = new Refusals({ writer, now }, onError);
  teardown.add(() => refusals.flush());
  const ledgerVerifications = new LedgerVerifications({ ...jobs, index, isHome: (orgId) => isHome(store, orgId) });
  teardown.add(() => ledgerVerifications.close());
  return { exports, holds, sweeps, refusals, ledgerVerifications };
}
