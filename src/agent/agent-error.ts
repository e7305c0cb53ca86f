import type { ErrorCode } from '../api/errors/index.ts';
import { CodedError, messageOf } from '../protocol/light.ts';

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
  /** The service's ledger ends before a receipt or a checkpoint that it signed: it has lost or dropped records. */
  | 'HISTORY_LOST'
  /** The service's log does not begin with what a checkpoint that it signed has: it shows another past. */
  | 'HISTORY_FORKED'
  /** The private key is not valid. */
  | 'KEY_INVALID'
  /** The receipts file cannot be used. */
  | 'RECEIPTS_UNUSABLE'
  /** The recorder's policy does not let the action be carried out. */
  | 'ACTION_BLOCKED'
  /** The action was carried out, and how it ended could not be recorded. */
  | 'END_NOT_RECORDED'
  /** Something was to be recorded in a session that has ended. */
  | 'SESSION_ENDED'
  /** Nobody decided in the time that there was. */
  | 'DECISION_TIMED_OUT'
  /** A person denied it, or the time to decide had run out. */
  | 'DECISION_REFUSED'
  /** What was decided is not what was asked: another question, another input, something else that was shown. */
  | 'DECIDED_ON_OTHER_THAN_ASKED'
  /** The receipt or the signature of the decision does not verify, or the key is not one that may decide. */
  | 'DECISION_UNPROVEN'
  /** The agent asked again, carried the action out or gave it up before anybody decided. */
  | 'QUESTION_CLOSED'
  /** No recorder of this user answers. */
  | 'RECORDER_UNAVAILABLE'
  /** The recorder did not take what it was given. */
  | 'RECORDER_REFUSED';

/** Thrown by this library; `code` is the service's own where it refused (docs/limits.md, Errors). */
export class AgentError extends CodedError<AgentErrorCode | ErrorCode> {
  override readonly name = 'AgentError';
}

/** The action was carried out, and how it ended could not be recorded; `cause` says why. */
export class EndNotRecorded extends AgentError {
  /** What the action returned or threw. */
  readonly settled: PromiseSettledResult<unknown>;

  constructor(settled: PromiseSettledResult<unknown>, cause: unknown) {
    const why = messageOf(cause);
    super('END_NOT_RECORDED', `the action was carried out, but its end was not recorded: ${why}`, { cause });
    this.settled = settled;
  }
}
