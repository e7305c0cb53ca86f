import { isExperimental, OTHER_FEEDS, PROGRAM_IDS, PROGRAMS, type ProgramId } from '../../api/light.ts';

export { OTHER_FEEDS, PROGRAM_IDS, type ProgramId };

/** Whose actions are recorded: the `integration_type` of the agent (docs/interface.md, Agents). */
export type FeedId = ProgramId | (typeof OTHER_FEEDS)[number];

export function isProgramId(value: string): value is ProgramId {
  return Object.hasOwn(PROGRAMS, value);
}

export function isFeedId(value: string): value is FeedId {
  return isProgramId(value) || OTHER_FEEDS.some((feed) => feed === value);
}

/** Everything that can be recorded, programs with hooks first. */
export const FEED_IDS: readonly FeedId[] = [...PROGRAM_IDS, ...OTHER_FEEDS];

/** What people call a program; of any other feed its own name. */
export function programName(feed: string): string {
  return isProgramId(feed) ? PROGRAMS[feed].name : feed;
}

/** What stands behind a name in a list where a program is known from its documentation alone. */
export function standingOf(feed: string): string {
  return isExperimental(feed) ? ' (experimental)' : '';
}
