import { PROGRAMS } from '../../api/light.ts';
import { type FeedId, isFeedId, PROGRAM_IDS, serviceFeed } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import type { Attributes } from './model.ts';

/**
 * The feed that the x-countersign-feed header names; null without one.
 * @throws RecordError EVENT_INVALID
 */
export function feedOfHeader(header: string | null): FeedId | null {
  if (header === null) return null;
  if (isFeedId(header)) return header;
  throw new RecordError('EVENT_INVALID', 'The x-countersign-feed header does not name a program that has recordings.');
}

/** Whose calls the spans and log records of a resource are: a program's that is known, else the service's where it has an agent, else `enterprise`. */
export function feedOfResource(resource: Attributes, installed: ReadonlySet<FeedId>): FeedId {
  const service = resource.get('service.name');
  if (typeof service !== 'string') return 'enterprise';
  const name = service.toLowerCase();
  const program = PROGRAM_IDS.find((id) => PROGRAMS[id].service?.test(name));
  if (program !== undefined) return program;
  const own = serviceFeed(service);
  return own !== null && installed.has(own) ? own : 'enterprise';
}
