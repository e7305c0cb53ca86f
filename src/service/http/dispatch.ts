import type { Context, Middleware } from 'koa';
import { Router, type RouterMiddleware } from './router.ts';

/** A route by what leads to it. */
export interface Routed {
  readonly method: string;
  readonly path: string;
  readonly handle: (ctx: Context) => Promise<void>;
}

/** What a path is about, its first two segments: `/v1/agents`. No route has a parameter in these. */
function subjectOf(path: string): string {
  const end = path.indexOf('/', path.indexOf('/', 1) + 1);
  return end === -1 ? path : path.slice(0, end);
}

/**
 * Leads requests to their routes: by one look where the path has no parameter, as that of a record has none, else by the router of
 * its subject. A router tries all the routes it has, one by one, with every request.
 */
export function dispatch(routes: readonly Routed[]): Middleware {
  const routers = new Map<string, Router>();
  const exact = new Map<string, Routed['handle']>();
  for (const { method, path, handle } of routes) {
    if (!path.includes(':')) exact.set(`${method} ${path}`, handle);
    const subject = subjectOf(path);
    const router = routers.get(subject) ?? new Router({ sensitive: true, strict: true });
    routers.set(subject, router);
    router.register(path, [method], (ctx) => handle(ctx as unknown as Context));
  }
  const dispatchers = new Map([...routers].map(([subject, router]) => [subject, router.routes() as RouterMiddleware]));
  const longest = Math.max(...[...dispatchers.keys()].map(({ length }) => length));
  const longestExact = Math.max(...[...exact.keys()].map(({ length }) => length));
  return (ctx, next) => {
    const { path } = ctx;
    // To look a text of 16 KiB up takes longer than all else that it costs.
    const handle = path.length > longestExact ? undefined : exact.get(`${ctx.method} ${path}`);
    if (handle !== undefined) return handle(ctx);
    const subject = subjectOf(path);
    const to = subject.length > longest ? undefined : dispatchers.get(subject);
    return to === undefined ? next() : (to as unknown as Middleware)(ctx, next);
  };
}
