import { CodedError } from '../../protocol/records.ts';

/** Why something of the recorder could not be done. */
export type RecordErrorCode =
  /** What came in is not of the form it has to have; nothing of it was recorded. */
  | 'EVENT_INVALID'
  /** What came in is larger than the recorder takes. */
  | 'EVENT_TOO_LARGE'
  /** No agent is installed for the program. */
  | 'NOT_INSTALLED'
  /** Another recorder holds the folder. */
  | 'RECORDER_RUNNING'
  /** No recorder runs for this user. */
  | 'RECORDER_AWAY'
  /** The recorder's folder or a file in it cannot be used, or others than its user can read it. */
  | 'FOLDER_UNUSABLE'
  /** The spool has reached its bound. */
  | 'SPOOL_FULL'
  /** A program's configuration cannot be read or edited as it has to be. */
  | 'CONFIG_UNUSABLE'
  /** The service refused, or answered something else than the interface says. */
  | 'SERVICE_REFUSED';

/** Thrown by the recorder; the message is meant for the person at the terminal. */
export class RecordError extends CodedError<RecordErrorCode> {
  override readonly name = 'RecordError';
}
