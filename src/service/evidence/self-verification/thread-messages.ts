import type { VerificationReport } from '../../../protocol/index.ts';
import type { StartErrorCode } from '../../base/errors.ts';
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
  /** One number, not zero once the thread is to end: read between two pages, while no message would be. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/** How far the verification of one organization's ledger is. */
export interface LedgerProgress {
  readonly orgId: string;
  readonly checked: number;
  readonly total: number;
}

/** What it tells: progress and reports as they come, and how it ended. */
export type ThreadMessage =
  | { readonly kind: 'progress'; readonly progress: LedgerProgress }
  | { readonly kind: 'report'; readonly report: VerificationReport }
  | { readonly kind: 'done' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'refused'; readonly code: StartErrorCode; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };
