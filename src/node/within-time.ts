import { Script } from 'node:vm';
import { hasCode } from '../protocol/text/light.ts';

/** Where the script below finds its task: V8 stops scripts, and no functions. */
const TASK = 'countersignTask';
const script = new Script(`globalThis.${TASK}()`);
const place = globalThis as { [TASK]?: (() => void) | undefined };

/**
 * Runs JavaScript for so long at most, such as a regular expression that somebody else wrote over a text of anybody's. It is stopped
 * wherever it is: it may neither call native code that calls back, nor change anything that is not put away when it was stopped.
 * @param ms at least 1
 * @returns false where it was stopped
 */
export function withinTime(ms: number, task: () => void): boolean {
  place[TASK] = task;
  try {
    script.runInThisContext({ timeout: Math.max(1, Math.ceil(ms)) });
    return true;
  } catch (error) {
    if (hasCode(error, 'ERR_SCRIPT_EXECUTION_TIMEOUT')) return false;
    throw error;
  } finally {
    place[TASK] = undefined;
  }
}
