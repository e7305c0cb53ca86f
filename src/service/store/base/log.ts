import { type DestinationStream, pino } from 'pino';

/** What may wait for a standard error that nobody reads, in bytes; further lines are dropped. */
const MAX_WAITING = 1024 * 1024;

/**
 * The log's way to standard error: in the background, so that nobody who reads it slowly keeps the service waiting. What is
 * still to be written when the process ends is written then.
 */
export function standardError(): DestinationStream {
  return pino.destination({ fd: 2, sync: false, minLength: 0, maxLength: MAX_WAITING });
}
