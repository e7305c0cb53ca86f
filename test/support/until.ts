import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** How long to pause before asking again, in milliseconds: longer each time, since what asks takes time from what it waits for. */
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 32;
/** In milliseconds of a machine that has its cores for what waits here (shareOfTime). Longer for runs that are asked to be large. */
const PATIENCE_MS = Number(process.env['COUNTERSIGN_PATIENCE_MS'] ?? '60000');

/**
 * Which part of the time that passes one of those has who want a core now: all of it, unless they are more than there are cores. So
 * a limit of time that is multiplied by it says the same on a machine that does other things. Windows does not tell: all.
 */
export function shareOfTime(): number {
  const [wanting = 0] = loadavg();
  return Math.min(1, availableParallelism() / Math.max(1, wanting));
}

/**
 * Waits for something that happens by itself: asks again and again, and gives up after a while, which is longer on a busy machine.
 * @param what names it in the error
 * @param ask answers undefined or false as long as it has not happened
 */
export async function until<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const begun = performance.now();
  let [leftMs, last] = [patienceMs, begun];
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    const now = performance.now();
    leftMs -= (now - last) * shareOfTime();
    last = now;
    if (leftMs < 0) throw new Error(`waited ${Math.round(now - begun)} ms in vain for ${what}`);
    await pause(pauseMs);
  }
}

/** Lets the clock move on, so that what comes next has a later time than what was before. */
export async function nextMillisecond(): Promise<number> {
  const before = Date.now();
  return until('the clock', () => Date.now() > before && Date.now());
}
