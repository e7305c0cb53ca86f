import { z } from 'zod';
import type { DeliveryAttempt } from '../../../api/index.ts';
import type { DeliveryRow } from './enqueue.ts';
import type { Outcome } from './post.ts';

const log = z.array(
  z.strictObject({ at: z.int(), took_ms: z.int(), status: z.int().nullable(), error: z.string().nullable() }),
);

/** How the attempts at a delivery went, oldest first. */
export function attemptsOf({ attemptLog }: Pick<DeliveryRow, 'attemptLog'>): DeliveryAttempt[] {
  return log.parse(JSON.parse(attemptLog));
}

/** The log with one more attempt. @param begun, ended - milliseconds since the Unix epoch */
export function withAttempt(row: DeliveryRow, { status, error }: Outcome, begun: number, ended: number): string {
  // A clock that stepped back must not make it look as if an attempt had ended before it began.
  return JSON.stringify([...attemptsOf(row), { at: begun, took_ms: Math.max(0, ended - begun), status, error }]);
}
