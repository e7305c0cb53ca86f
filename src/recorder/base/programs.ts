import { isExperimental, OTHER_FEEDS, PROGRAM_IDS, PROGRAMS, type ProgramId } from '../../api/light.ts';

export { OTHER_FEEDS, PROGRAM_IDS, type ProgramId };

/** A feed of one service (the `service.name` of OpenTelemetry) that has an agent for itself: its name as `serviceFeed` writes it. */
type ServiceFeed = `enterprise@${string}`;

/** Whose actions are recorded, such as `claudecode` or `enterprise@checkout`: the `integration_type` of the agent (docs/interface.md, Agents) and, of a service, its name. */
export type FeedId = ProgramId | (typeof OTHER_FEEDS)[number] | ServiceFeed;

/** What names of files and paths of URLs take, without a dot: what is put aside has one after the feed. */
const SERVICE_FEED = /^enterprise@[\w~%-]{1,100}$/;

function isServiceFeed(value: string): value is ServiceFeed {
  return SERVICE_FEED.test(value);
}

/**
 * The feed of a service: its name with everything but letters, digits, `_`, `-` and `~` as RFC 3986 escapes it.
 * @returns null where it is longer than a feed can be, or empty
 */
export function serviceFeed(name: string): ServiceFeed | null {
  const escaped = encodeURIComponent(name.toWellFormed()).replace(
    /[.!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const feed = `enterprise@${escaped}` as const;
  return isServiceFeed(feed) ? feed : null;
}

/** A feed without the service that it is of. */
export function kindOfFeed(feed: FeedId): Exclude<FeedId, ServiceFeed> {
  return isServiceFeed(feed) ? 'enterprise' : feed;
}

export function isProgramId(value: string): value is ProgramId {
  return Object.hasOwn(PROGRAMS, value);
}

export function isFeedId(value: string): value is FeedId {
  return isProgramId(value) || OTHER_FEEDS.some((feed) => feed === value) || isServiceFeed(value);
}

/** Everything that can be recorded but for single services, programs with hooks first. */
export const FEED_IDS: readonly FeedId[] = [...PROGRAM_IDS, ...OTHER_FEEDS];

/** What people call a program; of a service its name, of any other feed the feed's own. */
export function programName(feed: string): string {
  if (isServiceFeed(feed)) return serviceOf(feed);
  return isProgramId(feed) ? PROGRAMS[feed].name : feed;
}

function serviceOf(feed: ServiceFeed): string {
  const escaped = feed.slice(feed.indexOf('@') + 1);
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

/** What stands behind a name in a list where a program is known from its documentation alone. */
export function standingOf(feed: string): string {
  return isExperimental(feed) ? ' (experimental)' : '';
}
