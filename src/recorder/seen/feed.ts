import type { FeedId } from '../base/programs.ts';
import type { Seen } from './seen.ts';

/** What the recorder says of events once they are signed and on its disk. */
export interface Verdict {
  /** Whether the agent may go on. */
  readonly allowed: boolean;
  /** Why not, in one sentence for the agent; null where it may. */
  readonly reason: string | null;
  /** The operations that were made of them, in order. */
  readonly operation_ids: readonly string[];
}

/**
 * Where a witness hands in what it saw. The promise is settled once everything is signed and durable (or, where the agent's policy asks
 * for it, countersigned); under a policy that lets the agent go on it is also settled where something could not be recorded, and the
 * loss is recorded.
 * @throws RecordError EVENT_INVALID, EVENT_TOO_LARGE, NOT_INSTALLED
 */
export type Take = (feed: FeedId, seen: readonly Seen[]) => Promise<Verdict>;
