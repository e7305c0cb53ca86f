import { join } from 'node:path';
import { keyOf } from '../cases/scope.ts';
import { Exports } from '../evidence/exports/export-jobs.ts';
import { Holds } from '../evidence/retention/holds.ts';
import { Sweeps } from '../evidence/retention/sweeps.ts';
import { verificationsOf } from '../evidence/self-verification/verification-jobs.ts';
import { Jobs } from '../jobs/jobs.ts';
import { Refusals } from '../ledger/admin-log/refusals/refusals.ts';
import { isHome } from '../people/organizations/home.ts';
import type { StartContext } from './host.ts';
import type { OpenData } from './open-data.ts';
import type { OpenLedger } from './open-ledger.ts';

/** The long jobs of the service: what closes something that they use closes them first. */
export function openJobs({ teardown, onError }: StartContext, { store, writer }: OpenData): Jobs {
  const jobs = new Jobs({ writer, isHome: (owner) => owner === keyOf('workstation') || isHome(store, owner), onError });
  teardown.add(() => jobs.close());
  return jobs;
}

/** The jobs over the ledger, what holds them back, and the list of what was refused. */
export function openEvidenceJobs(
  start: StartContext,
  data: OpenData,
  jobs: Jobs,
  { ledger, index, content, checkpointer }: OpenLedger,
) {
  const { settings, teardown, now, onError } = start;
  const { store, writer, node, key, ledgerPath, refuseDisk } = data;
  const common = { store, writer, ledger, key, jobs, now, onError };
  const exports = new Exports({
    ...common,
    settings,
    refuseDisk,
    ledgerPath,
    isHome: (orgId) => isHome(store, orgId),
    folder: join(settings.dataDir, 'exports'),
  });
  teardown.add(() => exports.close());
  const holds = new Holds();
  const sweeps = new Sweeps({
    ...common,
    holds,
    onErased: (store, erased, sweepId) => exports.forget(store, erased, { sweep_id: sweepId }),
    forgetContents: (orgId) => content.erased(orgId),
    committed: () => checkpointer.committed(),
  });
  const refusals = new Refusals({ writer, now }, onError);
  teardown.add(() => refusals.flush());
  const ledgerVerifications = verificationsOf({ ...common, index, isStandby: node?.isStandby ?? false });
  return { exports, holds, sweeps, refusals, ledgerVerifications };
}
