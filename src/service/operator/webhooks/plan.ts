/** How long to wait after each failed attempt, in milliseconds (docs/interface.md, Webhooks): eight attempts within some 32 hours. */
export const RETRY_PLAN: readonly number[] = [5, 30, 2 * 60, 10 * 60, 3600, 6 * 3600, 24 * 3600].map(
  (seconds) => seconds * 1000,
);

/** How far a wait may be off, so that what failed together does not come back together. */
const JITTER = 0.2;

/**
 * When to try again.
 * @param attempts made so far
 * @param random from 0 to 1
 * @returns milliseconds since the Unix epoch, or null where the plan is at its end
 */
export function nextAttempt(plan: readonly number[], attempts: number, now: number, random: number): number | null {
  const wait = plan[attempts - 1];
  return wait === undefined ? null : now + Math.round(wait * (1 - JITTER + 2 * JITTER * random));
}
