import type { AgentFile, AgentPolicy } from '../base/agent-file.ts';
import type { Joined, StateChange } from '../joining/draft.ts';
import type { Seen } from '../seen/seen.ts';

/**
 * The joining of one agent's events to calls and sessions. Keeps what is open in memory; the same is on disk, as its entries. Times are
 * milliseconds since the Unix epoch.
 */
export interface Joining<Prepared> {
  /** What was open when the recorder ended, or before a change that could not be kept. Called once, first. */
  load(entries: readonly StateChange[]): void;
  take(seen: Prepared, now: number): Joined;
  /** Ends what nobody will end any more. */
  tick(now: number): Joined;
  /** The recorder did not let an action begin. */
  block(actionId: string, reason: string, now: number): Joined;
}

/** What becomes of an event before it is signed. */
export interface Pipeline<Prepared> {
  /**
   * Takes secrets out and holds it to its limits: of all events that came together, in their order.
   * @throws RecordError EVENT_INVALID, EVENT_TOO_LARGE
   */
  prepare(seen: readonly Seen[], policy: AgentPolicy): Promise<readonly Prepared[]>;
  joining(agent: AgentFile): Joining<Prepared>;
}
