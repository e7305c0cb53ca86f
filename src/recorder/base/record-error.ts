import { CodedError } from '../../protocol/light.ts';

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
  /** A recorder of this user answers, and is of another version or cannot use the agent that it has to record for. */
  | 'RECORDER_UNUSABLE'
  /** The recorder's folder or a file in it cannot be used, or others than its user can read it. */
  | 'FOLDER_UNUSABLE'
  /** Another installation works in the recorder's folder, or has since this one looked. */
  | 'INSTALL_RUNNING'
  /** The spool has reached its bound. */
  | 'SPOOL_FULL'
  /** A program's configuration cannot be read or edited as it has to be. */
  | 'CONFIG_UNUSABLE'
  /** A recorder under a separate account is not offered on this system, or not from where the program lies. */
  | 'SYSTEM_UNSUPPORTED'
  /** Only root may do this, or root may not. */
  | 'WRONG_USER'
  /** The person, or the account of the recorder, does not exist or cannot be used. */
  | 'ACCOUNT_UNUSABLE'
  /** Another recorder is there for this person: of the other kind (their own, the system's), or one whose hooks the program has. */
  | 'OTHER_RECORDER'
  /** The service refused, or answered something else than the interface says. */
  | 'SERVICE_REFUSED';

/** Thrown by the recorder; the message is meant for the person at the terminal. */
export class RecordError extends CodedError<RecordErrorCode> {
  override readonly name = 'RecordError';
}
