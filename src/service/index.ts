/** The audit service. */
export { BackupError } from './backup/errors.ts';
export type { BackupManifest } from './backup/manifest.ts';
export { restoreBackup } from './backup/restore.ts';
export { type VerifiedBackup, verifyBackup } from './backup/verify-backup.ts';
export { isSingleFile, writeBackup } from './backup/write-backup.ts';
export { StartError } from './errors.ts';
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

export {
  environmentName,
  givenSettings,
  resolveSettings,
  type SettingSources,
} from './settings.ts';
export type { Settings } from './settings-type.ts';
export { type Service, type Surroundings, startService } from './start.ts';
