/** The audit service. */
export { BackupError, type BackupErrorCode } from './backup/errors.ts';
export type { BackupManifest } from './backup/manifest.ts';
export { type RestoredFolder, type RestoreRequest, restoreBackup } from './backup/restore.ts';
export { type VerifiedBackup, verifyBackup } from './backup/verify-backup.ts';
export { type BackupRequest, isSingleFile, writeBackup } from './backup/write-backup.ts';
export { StartError, type StartErrorCode } from './errors.ts';
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
} from './keys/key-protection.ts';
export { verifyDataDir } from './ledger-verification/verify-data-dir.ts';
export { SETTINGS } from './setting-definitions.ts';
export type { SettingDefinition } from './setting-values.ts';
export {
  environmentName,
  givenSettings,
  resolveSettings,
  type SettingOrigins,
  type SettingSources,
} from './settings.ts';
export type { Settings } from './settings-type.ts';
export { type Service, type Surroundings, startService } from './start.ts';
