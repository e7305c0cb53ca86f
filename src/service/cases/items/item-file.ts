import type { ReaderTrust } from '../../../node/reader/index.ts';
import type { CancelSignal, ExaminerKey, HostCrypto, VerifyOptions } from '../../../protocol/index.ts';
import type { StoredFile } from '../stored-file.ts';

/** An item on the disk. */
export interface ItemFile {
  /** How people call it: named in what is said about it. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface JudgeMeans extends Pick<VerifyOptions, 'witnesses'>, Partial<Pick<ReaderTrust, 'timeRoots'>> {
  readonly crypto: HostCrypto;
  readonly signal: CancelSignal;
  readonly trustedKids: readonly string[];
  /** Of an upload, in bytes: what a compressed item may hold goes by it. */
  readonly maxBytes: number;
  /** The bundle that the case was made of: receipts and checkpoints are held against it. */
  readonly first: StoredFile;
  /** All items of the case but the first: a checkpoint is held against the bundle together with the others (protocol V121). */
  readonly others: readonly ItemFile[];
  /** Examiners' keys that the reader compared with the persons. */
  readonly examiners?: readonly ExaminerKey[];
  /** Is told how many bytes of a collection were read since the last time. */
  readonly onBytes?: (bytes: number) => void;
}

/** Who signed a report of chosen records that is an item, by what the report says. */
export interface ReportSigner {
  readonly examiner: string | null;
  readonly kid: string;
  readonly public_key: string;
}
