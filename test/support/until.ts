import { setTimeout as pause } from 'node:timers/promises';

/** How long to pause before asking again, in milliseconds: longer each time, since what asks takes time from what it waits for. */
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 32;
/** Longer for runs that are asked to be large. */
const PATIENCE_MS = Number(process.env['COUNTERSIGN_PATIENCE_MS'] ?? '60000');

/**
 * Waits for something that happens by itself: asks again and again, and gives up after a while.
 * @param what names it in the error
 * @param ask answers undefined or false as long as it has not happened
 */
export async function until<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const end = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`waited ${patienceMs} ms in vain for ${what}`);
    await pause(pauseMs);
  }
}

/** Lets the clock move on, so that what comes next has a later time than what was before. */
export async function nextMillisecond(): Promise<number> {
  const before = Date.now();
  return until('the clock', () => Date.now() > before && Date.now());
}
