import { ServiceError } from './service-error.ts';

/** How soon a job is tried again that the machine's clock holds back, in milliseconds. */
export const HELD_RETRY_MS = 5000;

/**
 * Whether nothing is signed because the machine's clock is in doubt. A job that meets this has not failed: it stays as it is and is tried again.
 * The log gets no error of it, for the health check and the dashboard show the doubt.
 */
export function isHeldByClock(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'CLOCK_IN_DOUBT';
}
