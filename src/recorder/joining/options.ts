import type { OperationName } from '../../actions/tools/index.ts';
import type { FeedId } from '../base/programs.ts';
import type { Prepared } from '../content/prepared.ts';
import type { RecorderKeys } from '../redact/recorder-keys.ts';

export interface JoinerOptions {
  readonly feed: FeedId;
  /** Keeps the ids that follow from an event apart for each agent. */
  readonly agentId: string;
  /** The user whose program it is: whose account the recorder runs under, or whom it alone hears; null where the system does not say. */
  readonly user: string | null;
  /** Of which calls there is a record from before they run. */
  readonly before: 'all' | 'changes' | 'none';
  readonly keys: RecorderKeys;
  readonly operationOf: (prepared: Prepared) => OperationName;
}
