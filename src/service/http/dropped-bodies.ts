import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Pieces of bodies that nobody wants any more, of up to 64 KiB each, which are read in one turn of the event loop. Left to
 * itself, Node reads up to 2 MiB of every connection in each turn, and whoever sends much on many of them keeps all others
 * waiting.
 */
const PIECES_A_TURN = 1;

/**
 * Bodies that are read to their end at once. Whoever sends more than these at a time gets its answer and is closed: what is read
 * of each becomes garbage, and enough of it holds up everybody.
 */
const MOST_AT_ONCE = 32;

/** Bodies that are being read to their end. */
const reading = new Set<IncomingMessage>();

/** Bodies of which a piece was read in this turn or an earlier one, in the order in which they go on. */
const waiting: IncomingMessage[] = [];
let isScheduled = false;

function goOn(): void {
  for (const request of waiting.splice(0, PIECES_A_TURN)) request.resume();
  isScheduled = waiting.length > 0;
  if (isScheduled) setImmediate(goOn);
}

/**
 * Reads what a refused request still sends and drops it, a piece at a time: some senders would not see the answer else. An
 * attacker chooses how much that is, and on how many connections at once: beyond MOST_AT_ONCE the connection ends with the
 * answer. One that stops sending is the affair of the limits on connections.
 * @param response the answer, not begun yet
 */
export function dropBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.destroyed || (request.complete && request.readableLength === 0)) return;
  request.removeAllListeners('data');
  if (reading.size >= MOST_AT_ONCE) {
    request.pause();
    response.shouldKeepAlive = false;
    response.once('finish', () => request.destroy());
    return;
  }
  reading.add(request);
  request.once('close', () => reading.delete(request));
  request.on('data', () => {
    request.pause();
    waiting.push(request);
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(goOn);
  });
  request.resume();
}
