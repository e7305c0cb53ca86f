import type { ErrorCode } from '../contract/error-codes.ts';
import { CodedError } from '../protocol/index.ts';

/** Why an operation could not be recorded, where the service itself did not say. */
export type AgentErrorCode =
  /** The service could not be reached, or kept failing, for as long as was to be tried. */
  | 'SERVICE_UNAVAILABLE'
  /** What answers is not the service whose key is pinned: it got no token. */
  | 'SERVICE_UNKNOWN'
  /** The service's answer is not what the interface promises. */
  | 'ANSWER_INVALID'
  /** The receipt does not fit the record, or its signature does not verify: it proves nothing. */
  | 'RECEIPT_INVALID'
  /** The service's ledger ends before a receipt that it gave: it has lost or dropped records. */
  | 'HISTORY_LOST'
  /** The private key is none. */
  | 'KEY_INVALID'
  /** The receipts file cannot be used. */
  | 'RECEIPTS_UNUSABLE';

/** Thrown by this library; `code` is the service's own where it refused (docs/interface.md, Errors). */
export class AgentError extends CodedError<AgentErrorCode | ErrorCode> {
  override readonly name = 'AgentError';
}
