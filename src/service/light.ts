/**
 * Of the service, what works on a data folder, a backup or a case file without being the service: settings and errors, and work that is
 * loaded when it is called.
 */

import type {
  decisionsIn as inLedger,
  acceptedRuns as readAccepted,
  lastKeepers as readKeepers,
  lastReaders as readReaders,
} from './archive/accepted-runs.ts';
import type { addRun as add } from './archive/add-runs.ts';
import type { Decision, LedgerDecision } from './archive/decisions.ts';
import type { AcceptedRun, followArchive as follow, RefusedRun } from './archive/follow.ts';
import type { ParquetFile, writeParquetFiles as writeParquet } from './archive/parquet-files.ts';
import type { shipRuns as ship } from './archive/ship.ts';
import type { importTranscripts as importAll } from './cases/collection/import-transcripts.ts';
import type { writeRecordsOfBundle as writeRecords } from './cases/records-of-bundle.ts';
import type { checkCaseFile as check } from './cases/sealed/check-case-file.ts';
import type { extractEvidence as extract } from './cases/sealed/read-case-file.ts';
import type { checkpointOfFolder as checkpoint } from './evidence/proofs/checkpoint-of-folder.ts';
import type { verifyDataDir as verifyAll } from './evidence/self-verification/verify-data-dir.ts';
import type { readBytes as read } from './http/body.ts';
import type { listen as listenOn } from './http/listen.ts';
import type { RateLimit, RateLimitOptions } from './http/rate-limit.ts';
import type { restoreBackup as restore } from './operator/backup/restore.ts';
import type { verifyBackup as verify } from './operator/backup/verify-backup.ts';
import type { writeBackup as write } from './operator/backup/write-backup.ts';
import type * as membership from './shared/membership.ts';

export { RECORD_FORM_NAMES, RECORD_FORMS } from '../actions/light.ts';
export { ArchiveError } from './archive/archive-error.ts';
export { isBucket, openRunStore, type RunPlace } from './archive/open-run-store.ts';
export {
  ACCEPTANCE,
  ARCHIVE_AGENT,
  DECISION,
  KEEPERS,
  orderedBy,
  orderPath,
  READERS,
  RECALL,
  REPLACEMENT,
  SWEPT,
} from './archive/run-name.ts';
export type { RunStore } from './archive/run-store.ts';
export type { ShippedRun, ShipRequest } from './archive/ship.ts';
export { CaseRefused } from './cases/case-source.ts';
export { CollectRefused } from './cases/collection/collect-refused.ts';
export type { ImportedTranscripts } from './cases/collection/import-transcripts.ts';
export type { CheckedCaseFile } from './cases/sealed/check-case-file.ts';
export { BackupError } from './operator/backup/backup-errors.ts';
export { isSingleFile } from './operator/backup/backup-target.ts';
export type { VerifiedBackup } from './operator/backup/verify-backup.ts';
export { type EngineAddress, readEngineAddress } from './search/engine/clickhouse.ts';
export { LogDoubt, LogError } from './shared/commit-log.ts';
export { ServiceError, StartError } from './store/base/service-error.ts';
export { SETTINGS } from './store/settings/setting-definitions.ts';
export { environmentName } from './store/settings/settings.ts';
export type { AcceptedRun, Decision, LedgerDecision, ParquetFile, RefusedRun };

export const shipRuns: typeof ship = async (...given) => (await import('./archive/ship.ts')).shipRuns(...given);

export const followArchive: typeof follow = async (...given) =>
  (await import('./archive/follow.ts')).followArchive(...given);

export const acceptedRuns = async (...given: Parameters<typeof readAccepted>): Promise<AcceptedRun[]> =>
  (await import('./archive/accepted-runs.ts')).acceptedRuns(...given);

export const lastReaders = async (...given: Parameters<typeof readReaders>): Promise<string | null> =>
  (await import('./archive/accepted-runs.ts')).lastReaders(...given);

export const lastKeepers = async (...given: Parameters<typeof readKeepers>): Promise<ReturnType<typeof readKeepers>> =>
  (await import('./archive/accepted-runs.ts')).lastKeepers(...given);

export const decisionsIn = async (...given: Parameters<typeof inLedger>): Promise<ReturnType<typeof inLedger>> =>
  (await import('./archive/accepted-runs.ts')).decisionsIn(...given);

export const addRun: typeof add = async (...given) => (await import('./archive/add-runs.ts')).addRun(...given);

export const writeParquetFiles: typeof writeParquet = async (...given) =>
  (await import('./archive/parquet-files.ts')).writeParquetFiles(...given);

export const importTranscripts: typeof importAll = async (...given) =>
  (await import('./cases/collection/import-transcripts.ts')).importTranscripts(...given);

export const writeRecordsOfBundle: typeof writeRecords = async (...given) =>
  (await import('./cases/records-of-bundle.ts')).writeRecordsOfBundle(...given);

export const checkCaseFile: typeof check = async (...given) =>
  (await import('./cases/sealed/check-case-file.ts')).checkCaseFile(...given);

export const extractEvidence: typeof extract = async (...given) =>
  (await import('./cases/sealed/read-case-file.ts')).extractEvidence(...given);

export const verifyDataDir: typeof verifyAll = async (...given) =>
  (await import('./evidence/self-verification/verify-data-dir.ts')).verifyDataDir(...given);

export const restoreBackup: typeof restore = async (...given) =>
  (await import('./operator/backup/restore.ts')).restoreBackup(...given);

export const verifyBackup: typeof verify = async (...given) =>
  (await import('./operator/backup/verify-backup.ts')).verifyBackup(...given);

export const writeBackup: typeof write = async (...given) =>
  (await import('./operator/backup/write-backup.ts')).writeBackup(...given);

export const checkpointOfFolder: typeof checkpoint = async (...given) =>
  (await import('./evidence/proofs/checkpoint-of-folder.ts')).checkpointOfFolder(...given);

/** For programs that answer HTTP without being the service: its bounds of connections and bodies. */
export const listen: typeof listenOn = async (...given) => (await import('./http/listen.ts')).listen(...given);

export const readBytes: typeof read = async (...given) => (await import('./http/body.ts')).readBytes(...given);

/** Counts requests by minute for each caller. @param most how many there may be */
export const rateLimit = async (most: number, options?: RateLimitOptions): Promise<RateLimit> =>
  new (await import('./http/rate-limit.ts')).RateLimit(() => most, options);

/** What makes, ends and joins a shared log. */
export const sharedLog = (): Promise<typeof membership> => import('./shared/membership.ts');
