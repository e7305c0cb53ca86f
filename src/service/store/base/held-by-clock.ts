import { ServiceError } from './service-error.ts';

/**
 * Whether nothing is signed because the machine's clock is in doubt. A job that meets this has not failed: it stays as it is and is tried again.
 * The log gets no error of it, for the health check and the dashboard show the doubt.
 */
export function isHeldByClock(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'CLOCK_IN_DOUBT';
}
