import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import sirv from 'sirv';
import { requestIdOf, setCommonHeaders } from './headers.ts';

/**
 * What the build names after its content never changes under its name: a browser keeps it, and what it compiled of it,
 * without asking again. All else it asks for each time.
 */
function keep(response: ServerResponse, path: string): void {
  const isNamedAfterContent = path.startsWith('/assets/');
  response.setHeader('Cache-Control', isNamedAfterContent ? 'public, max-age=31536000, immutable' : 'no-cache');
}

/** Longer than the path of any file of the page: an attacker has 16 KiB for one, and a search for it takes its time. */
const MAX_PATH = 200;

/** Serves the built renderer. The files are listed once at the start: no path leads outside of them. */
export function serveRenderer(folder: string): Middleware {
  if (!existsSync(folder)) return (_, next) => next();
  const serve = sirv(folder, { etag: true, dev: false, setHeaders: keep });
  return async (ctx, next) => {
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || ctx.path.length > MAX_PATH) return next();
    let passed = false;
    await new Promise<void>((resolve) => {
      ctx.res.once('finish', resolve);
      ctx.res.once('close', resolve);
      // sirv writes to the response itself, before errorEnvelope could set its headers; and Koa sets its default status only
      // where it answers.
      setCommonHeaders(ctx, ctx.path, requestIdOf(ctx));
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
