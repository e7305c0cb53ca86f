import type { FeedId } from '../base/programs.ts';
import type { Prepared } from '../content/prepared.ts';
import type { RecorderKeys } from '../redact/recorder-keys.ts';

/** What the service gets about an event in addition to its payload. */
export interface OperationName {
  readonly operationType: string;
  readonly subject: string;
  /** Whether it is about something that changes, and not only reads. */
  readonly changes: boolean;
}

export interface JoinerOptions {
  readonly feed: FeedId;
  /** Keeps the ids that follow from an event apart for each agent. */
  readonly agentId: string;
  /** The user whose account the recorder runs under, as the system says; null where it does not. */
  readonly user: string | null;
  /** Of which calls there is a record from before they run. */
  readonly before: 'all' | 'changes' | 'none';
  readonly keys: RecorderKeys;
  readonly operationOf: (prepared: Prepared) => OperationName;
}
