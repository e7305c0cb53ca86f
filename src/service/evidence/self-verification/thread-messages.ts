import type { StartErrorCode } from '../../store/base/service-error.ts';
import type { KnownHead } from './stored-ledger.ts';

/** What a verification thread is asked to do. */
export interface VerificationTask {
  /** Path of the database. */
  readonly path: string;
  /** A folder that the thread may make and that whoever started it removes, whichever way the thread ends. */
  readonly scratch: string;
  /** One organization; null for all that the database names. */
  readonly orgId: string | null;
  readonly knownHead: KnownHead;
  readonly trustedKids: readonly string[];
}

/** How far the verification of one organization's ledger is. */
export interface LedgerProgress {
  readonly orgId: string;
  readonly checked: number;
  readonly total: number;
}

/** Why nothing was verified: the file cannot be verified. */
export interface VerificationRefusal {
  readonly code: StartErrorCode;
  readonly message: string;
}
