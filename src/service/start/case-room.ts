import { join } from 'node:path';
import { ArchiveRoom } from '../archive/archive-room.ts';
import { CaseReports } from '../cases/case-reports.ts';
import { Cases } from '../cases/cases.ts';
import { Comparisons } from '../cases/comparisons.ts';
import { SealedCases } from '../cases/sealed/sealed-cases.ts';
import { TrustKeeper } from '../cases/trust/trust-keeper.ts';
import type { Exports } from '../evidence/exports/export-jobs.ts';
import { RecordFiles } from '../evidence/record-files/record-files.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { recordAdminEvent } from '../ledger/admin-log/admin-events.ts';
import { carriedOf } from '../ledger/epochs/carried.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isHome } from '../people/organizations/home.ts';
import type { StartContext } from './host.ts';
import type { OpenData } from './open-data.ts';

/** Cases, what is made of them, and the keys that are trusted. */
export function openCaseRoom(
  start: StartContext,
  { store, writer, key, ledgerPath, refuseDisk }: OpenData,
  jobs: Jobs,
  exports: Exports,
  ledger: Ledger,
) {
  const { settings, teardown, now, onError } = start;
  const folder = join(settings.dataDir, 'cases');
  const uploads = join(folder, 'uploads');
  const trust = new TrustKeeper({ setting: settings.trustStore, store, writer, now });
  const cases = new Cases({
    folder,
    limits: {
      maxBytes: settings.caseMaxBytes,
      // These may change meanwhile.
      get maxWaiting() {
        return settings.quotaUploads;
      },
      get maxCases() {
        return settings.quotaCases;
      },
      get maxCaseBytes() {
        return settings.quotaCaseBytes;
      },
    },
    isHome: (orgId) => isHome(store, orgId),
    refuseDisk,
    jobs,
    trust,
    now,
    onError,
    record: (act) => writer.transact((store) => recordAdminEvent(store, act, now())),
  });
  const bundleOf = exports.bundleTo.bind(exports);
  const comparisons = new Comparisons({ cases, jobs, trust, folder: uploads, now, bundleOf });
  const caseReports = new CaseReports(cases, uploads, {
    jobs,
    now,
    ledgerPath,
    seal: (orgId) => ledger.sealThen(orgId, async () => undefined),
    carried: (orgId, shown) => carriedOf(store, key, orgId, shown),
    noteReport: (orgId, actor, details) =>
      writer.transact((store) => {
        const target = { targetType: 'organization', targetId: orgId, details };
        recordAdminEvent(store, { orgId, actor, action: 'report.create', ...target }, now());
      }),
  });
  const recordFiles = new RecordFiles(jobs, uploads);
  const sealedCases = new SealedCases({ cases, jobs, folder, scratch: uploads, now });
  const archive = new ArchiveRoom({ cases, store, folder, now, onError });
  teardown.add(async () => {
    await archive.close();
    sealedCases.close();
    // Ends the jobs, which close their files.
    await cases.close();
    await recordFiles.close();
  });
  return { trust, cases, comparisons, caseReports, recordFiles, sealedCases, archive };
}
