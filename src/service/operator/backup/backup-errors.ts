import { CodedError } from '../../../protocol/index.ts';

/** Why there is no backup, or none that could be used: for the person at the terminal. */
export type BackupErrorCode =
  /** What was named as the source is no data folder with a ledger. */
  | 'LEDGER_MISSING'
  /** The ledger has the schema of an older version. */
  | 'LEDGER_OLDER'
  /** Where the backup or the restored folder is to be made, something is already. */
  | 'TARGET_EXISTS'
  | 'TARGET_UNUSABLE'
  /** The service key was rotated while the database was copied: the key that is there is not the copy's. */
  | 'KEY_CHANGED'
  /** What was named is no backup, or not a whole one. */
  | 'NOT_A_BACKUP'
  /** A file of the backup is not the one that was written, or SQLite finds it damaged. */
  | 'BACKUP_DAMAGED'
  /** The manifest was altered, or signed by somebody else. */
  | 'BACKUP_FORGED'
  | 'BACKUP_NEWER';

export class BackupError extends CodedError<BackupErrorCode> {
  override readonly name = 'BackupError';
}
