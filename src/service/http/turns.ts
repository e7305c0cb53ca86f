import type { Socket } from 'node:net';
import type { Middleware } from 'koa';
import { ROUTES } from '../../api/index.ts';

/** Requests that begin in one turn of the event loop: each takes a fraction of a millisecond until it waits for something. */
const MOST_A_TURN = 16;

/**
 * Spreads requests that arrive together over turns of the event loop. Node hands over all that has arrived on any number of
 * connections before it looks for more: whoever asks on some hundred at once, or sends some hundred on one without waiting, would
 * hold up everybody else until the last of them has begun. Connections take turns too, so that a request of one does not wait
 * for all that were sent on another. Asking whether the service is well never waits.
 */
export function takeTurns(): Middleware {
  /** Of each connection what is pending, in its order; the connection whose turn is next comes first. */
  const waiting = new Map<Socket, (() => void)[]>();
  let begun = 0;

  const beginOne = (): boolean => {
    const [first] = waiting;
    if (first === undefined) return false;
    const [socket, queue] = first;
    waiting.delete(socket);
    const begin = queue.shift();
    if (queue.length > 0) waiting.set(socket, queue);
    begin?.();
    return true;
  };
  const next = (): void => {
    begun = 0;
    while (begun < MOST_A_TURN && beginOne()) begun++;
    if (begun > 0) setImmediate(next);
  };
  return (ctx, rest) => {
    if (ctx.path === ROUTES.health.path) return rest();
    if (begun === 0) setImmediate(next);
    // Nobody overtakes those that wait: there are some only where this turn has had its share.
    if (begun < MOST_A_TURN) {
      begun++;
      return rest();
    }
    const { socket } = ctx.req;
    return new Promise<void>((resolve) => {
      const queue = waiting.get(socket);
      if (queue === undefined) waiting.set(socket, [resolve]);
      else queue.push(resolve);
    }).then(rest);
  };
}
