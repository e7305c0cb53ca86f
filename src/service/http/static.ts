import { existsSync } from 'node:fs';
import type { Middleware } from 'koa';
import sirv from 'sirv';

/** Serves the built renderer. The files are listed once at the start: no path leads outside of them. */
export function serveRenderer(folder: string): Middleware {
  if (!existsSync(folder)) return (_, next) => next();
  const serve = sirv(folder, { etag: true, dev: false });
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    let passed = false;
    await new Promise<void>((resolve) => {
      ctx.res.once('finish', resolve);
      ctx.res.once('close', resolve);
      // sirv writes to the response itself: Koa sets its default status only where it answers.
      ctx.res.statusCode = 200;
      serve(ctx.req, ctx.res, () => {
        passed = true;
        ctx.res.statusCode = 404;
        resolve();
      });
    });
    if (passed) return next();
    ctx.respond = false;
  };
}
