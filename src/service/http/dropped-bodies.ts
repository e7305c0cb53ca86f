import type { IncomingMessage } from 'node:http';

/**
 * Pieces of bodies that nobody wants any more, of up to 64 KiB each, which are read in one turn of the event loop. Left to
 * itself, Node reads up to 2 MiB of every connection in each turn, and whoever sends much on many of them keeps all others
 * waiting.
 */
const PIECES_A_TURN = 1;

/** Bodies of which a piece was read in this turn or an earlier one, in the order in which they go on. */
const waiting: IncomingMessage[] = [];
let isScheduled = false;

function goOn(): void {
  for (const request of waiting.splice(0, PIECES_A_TURN)) request.resume();
  isScheduled = waiting.length > 0;
  if (isScheduled) setImmediate(goOn);
}

/**
 * Reads what a refused request still sends and drops it, a piece at a time: its sender would not see the answer else. An
 * attacker chooses how much that is, and on how many connections at once. One that stops sending is the affair of the
 * limits on connections.
 */
export function dropBody(request: IncomingMessage): void {
  if (request.complete && request.readableLength === 0) return;
  request.removeAllListeners('data');
  request.on('data', () => {
    request.pause();
    waiting.push(request);
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(goOn);
  });
  request.resume();
}
