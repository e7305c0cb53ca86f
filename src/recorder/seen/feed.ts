import type { Verdict } from '../../agent/light.ts';
import type { FeedId } from '../base/programs.ts';
import type { Seen } from './seen.ts';

export type { Verdict } from '../../agent/light.ts';

/**
 * Where a witness hands in what it saw. The promise is settled once everything is signed and durable (or, where the agent's policy asks
 * for it, countersigned); under a policy that lets the agent go on it is also settled where something could not be recorded, and the
 * loss is recorded.
 * @throws RecordError EVENT_INVALID, EVENT_TOO_LARGE, NOT_INSTALLED
 */
export type Take = (feed: FeedId, seen: readonly Seen[]) => Promise<Verdict>;
