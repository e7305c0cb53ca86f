import { CodedError } from '../../protocol/index.ts';
import { codeOf, hasCode } from '../../protocol/light.ts';

/** Why nothing can be shipped or accepted: for the person at the terminal, and for health. */
export type ArchiveErrorCode =
  /** The folder or bucket is away at present. */
  | 'ARCHIVE_UNAVAILABLE'
  /** It takes no more: its disk is full, or a quota is used up. */
  | 'ARCHIVE_FULL'
  /** It refuses this user or this key: it is read-only, a permission is missing, or the credentials are wrong. */
  | 'ARCHIVE_REFUSED'
  /** It cannot hold runs at all: no hard links, no conditional writes, no bucket of this name. */
  | 'ARCHIVE_UNUSABLE'
  /** The folder on this machine in which a run is made before it is sent, or in which a central node notes what it accepted, cannot be written, or its disk is full. */
  | 'SPOOL_UNUSABLE'
  /** No credentials for the bucket were given. */
  | 'CREDENTIALS_MISSING'
  /** What was named as the source has no ledger, or one of an older version. */
  | 'LEDGER_MISSING'
  | 'LEDGER_OLDER'
  /** The active service key is not in the data folder. */
  | 'KEY_MISSING'
  /** Another process ships from the same data folder. */
  | 'SHIPPING_ALREADY';

export class ArchiveError extends CodedError<ArchiveErrorCode> {
  override readonly name = 'ArchiveError';
}

/** What a file system said, by what somebody has to do about it; null for any other. */
function codeOfFolder(error: unknown): ArchiveErrorCode | null {
  if (hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG')) return 'ARCHIVE_FULL';
  if (hasCode(error, 'EROFS', 'EACCES', 'EPERM')) return 'ARCHIVE_REFUSED';
  if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EIO', 'ESTALE', 'ENOTCONN', 'EHOSTDOWN', 'EHOSTUNREACH', 'ETIMEDOUT'))
    return 'ARCHIVE_UNAVAILABLE';
  return null;
}

const FOLDER_SENTENCES: Readonly<Partial<Record<ArchiveErrorCode, string>>> = {
  ARCHIVE_FULL: 'takes no more: make room on its disk, or raise the quota',
  ARCHIVE_REFUSED: 'may not be read or written by this user, or is read-only',
  ARCHIVE_UNAVAILABLE: 'is not there: is it mounted?',
};

/** The error of a folder for people; anything else as it is. @param as the code to use, where the folder is not the archive */
export function folderProblem(root: string, error: unknown, as?: ArchiveErrorCode): unknown {
  const code = codeOfFolder(error);
  if (code === null) return error;
  return new ArchiveError(as ?? code, `${root} ${FOLDER_SENTENCES[code]} (${codeOf(error)})`, { cause: error });
}
