import { adminEventHash, sha256 } from '../../../protocol/index.ts';
import type { AdminEvent } from '../../api/answers.ts';

/** What this window finds of an event: whether its hash is that of its content. */
export function isIntact({ event_hash: hash, ...event }: AdminEvent): boolean {
  return adminEventHash(event, sha256) === hash;
}

/**
 * Identifiers of the events that do not hold: whose hash is not that of their content, or that do not follow on the one
 * before them.
 * @param events newest first
 * @param isWhole whether the list has every event between the first and the last, so that links can be followed
 */
export function brokenEvents(events: readonly AdminEvent[], isWhole: boolean): ReadonlySet<string> {
  const broken = events.filter((event, n) => {
    const before = events[n + 1];
    const isLinked = !isWhole || before === undefined || event.prev_event_hash === before.event_hash;
    return !isLinked || !isIntact(event);
  });
  return new Set(broken.map(({ event_id: id }) => id));
}
