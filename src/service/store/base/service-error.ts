import type { CaseFileCode } from '../../../api/index.ts';
import { ERROR_STATUS, type ErrorCode } from '../../../api/light.ts';
import { CodedError } from '../../../protocol/light.ts';

/** Further members of the envelope. */
interface ErrorDetails {
  readonly expected_prev_chain_hash?: string | null;
  readonly step?: string;
  readonly finding?: CaseFileCode;
  readonly active?: string | null;
}

/** An error that the caller caused or must know of; becomes the interface's envelope. */
export class ServiceError extends CodedError<ErrorCode> {
  override readonly name = 'ServiceError';
  readonly details: ErrorDetails;
  /** Seconds after which to try again, for the Retry-After header. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, retryAfter?: number) {
    // Anybody can have as many as they like of these: none costs a stack trace, which nobody would see. V8 has the limit.
    const traces = Error as { stackTraceLimit?: number | undefined };
    const limit = traces.stackTraceLimit;
    traces.stackTraceLimit = 0;
    super(code, message);
    traces.stackTraceLimit = limit;
    this.details = details;
    this.retryAfter = retryAfter;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Nobody says who they are. */
export class Unidentified extends ServiceError {
  constructor() {
    super('UNAUTHORIZED', 'a bearer token or a session is needed');
  }
}

/** What a node answers that is not the active one. @param active address of the node to ask; null while there is none */
export function notActive(message: string, active: string | null): ServiceError {
  return new ServiceError('NOT_ACTIVE', message, { active }, 1);
}

/** A ServiceError as another thread tells of it. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** What a thread tells of an error; undefined for one that the caller did not cause. */
export function refusalOf(error: unknown): Refusal | undefined {
  return error instanceof ServiceError ? { code: error.code, message: error.message } : undefined;
}

/** Why the service refused to start: for the person at the terminal. */
export type StartErrorCode =
  | 'SETTING_INVALID'
  | 'DATA_DIR_UNUSABLE'
  | 'DATA_DIR_IN_USE'
  | 'NOT_OUR_DATABASE'
  | 'DATABASE_NEWER'
  | 'LEDGER_DAMAGED'
  | 'LEDGER_ROLLED_BACK'
  | 'LEDGER_SHARED'
  | 'HEADS_UNREADABLE'
  | 'CLOCK_IN_DOUBT'
  | 'DATABASE_OLDER'
  | 'KEY_MISSING'
  | 'KEY_UNREADABLE'
  | 'KEY_LOCKED'
  | 'KEY_WRONG'
  | 'ADDRESS_UNAVAILABLE';

export class StartError extends CodedError<StartErrorCode> {
  override readonly name = 'StartError';
}
