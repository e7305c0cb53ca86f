/** The audit service. */

export { isInForce } from './archive/decisions.ts';
export {
  type KeyProtection,
  makeProtection,
  newWrappingKey,
  PASSPHRASE_MAX,
  PASSPHRASE_MIN,
  type PassphraseWrap,
  PROTECTION_FILE,
  readProtection,
  unwrapWithPassphrase,
  wrappingKeyId,
  wrapWithPassphrase,
  writeProtection,
} from './ledger/keys/key-protection.ts';
export { BackupError } from './operator/backup/backup-errors.ts';
export type { BackupManifest } from './operator/backup/manifest.ts';
export { restoreBackup } from './operator/backup/restore.ts';
export { verifyBackup } from './operator/backup/verify-backup.ts';
export { writeBackup } from './operator/backup/write-backup.ts';
export { LogDoubt, LogError } from './shared/commit-log.ts';
export { type NodeOptions, SharedNode } from './shared/node.ts';
export type { HostOptions } from './start/host.ts';
export { type Service, startService } from './start/start.ts';
export { StartError } from './store/base/service-error.ts';
export { SETTINGS } from './store/settings/setting-definitions.ts';
export {
  environmentName,
  givenSettings,
  resolveSettings,
  type SettingOrigins,
  type SettingSources,
} from './store/settings/settings.ts';
export type { Settings } from './store/settings/settings-type.ts';
export { isStorageFull } from './store/sqlite-errors.ts';
