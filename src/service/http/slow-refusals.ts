import type { Context, Middleware } from 'koa';
import { ROUTES } from '../../api/index.ts';
import { addressGroup } from './address-group.ts';
import { mayBeClosed } from './connections.ts';
import { Pace, type PaceOptions } from './pace.ts';

/** Refusals that those at one address get as fast as they ask, then one in each gap of milliseconds, none later than patience allows. */
const PACE: PaceOptions = { atOnce: 200, gapMs: 5, patienceMs: 250 };

/** Notes whom it counts for if a request is refused, else it is the address; null for somebody who has signed in, whose own limits count. */
export function refusedFor(ctx: Context, owner: string | null): void {
  ctx.state['refusedFor'] = owner;
}

/**
 * Lets those wait a moment for their refusals who have not signed in and get many: a program that asks again as soon as it is
 * refused, with passwords, for paths that there are not, or beyond its limit, does so two hundred times a second then, and leaves
 * the processor to the others. What is answered never waits, nor does asking whether the service is well. Whoever waits may be
 * closed as one who asks nothing, so that nobody holds connections by being refused.
 * @param isOn whether requests are limited at present
 */
export function slowRefusals(isOn: () => boolean, options: PaceOptions = PACE): Middleware {
  const pace = new Pace(options);
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { refusedFor: noted } = ctx.state;
      const owner = noted === undefined ? `address ${addressGroup(ctx.req.socket.remoteAddress ?? '')}` : noted;
      if (owner !== null && isOn() && ctx.path !== ROUTES.health.path) {
        mayBeClosed(ctx.res);
        // Nobody reads what is left of its body meanwhile.
        ctx.req.pause();
        await pace.slowDown(owner);
      }
      throw error;
    }
  };
}
