import { killAfter } from '../node/index.ts';
import type { Terminal } from './terminal.ts';

/** How long a service may take to stop, in milliseconds: whoever sent the signal waits for ten seconds before it kills. */
const STOP_MS = 9000;

/** Ends the process once a stop has taken its time, whatever is still being closed then. */
export function endInTime(terminal: Terminal): void {
  killAfter(STOP_MS, () => terminal.note('stopping took too long: ended as after a crash, which loses nothing'));
}
