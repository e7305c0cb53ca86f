import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import type { Logger } from 'pino';
import { noBody, ROUTES, type Route, type RouteName } from '../../contract/index.ts';
import type { ServiceContext } from '../context.ts';
import { ServiceError } from '../errors.ts';
import type { Caller } from '../identity/tokens.ts';
import { authenticate, authorize, checkOrigin, presentsCredentials } from './authenticate.ts';
import { parseWith, readBody } from './body.ts';
import { errorEnvelope } from './errors.ts';
import { hostGuard, securityHeaders } from './guards.ts';
import type { Call, Handler, Handlers } from './handler.ts';
import { readQuery } from './query.ts';
import { RateLimit } from './rate-limit.ts';
import { FLOW_COOKIE, respond } from './respond.ts';
import { serveRenderer } from './static.ts';

/** Takes one request through access, limits and parsing to its handler. */
async function handle(ctx: Context, route: Route, handler: Handler<RouteName>, rooms: Rooms): Promise<void> {
  const { context, rateLimit } = rooms;
  const address = ctx.req.socket.remoteAddress ?? '';
  const { caller, token } = route.access === 'public' ? NOBODY : await identify(ctx, address, rooms);
  checkOrigin(ctx, context.settings.publicUrl);
  // An organization's limit counts its requests whatever becomes of them.
  await rateLimit.count(caller?.orgId ?? `address ${address}`);
  if (caller !== null) authorize(caller, route.access);
  const query: unknown = parseWith(route.query, readQuery(ctx.querystring), 'query');
  const maxBytes = route.large ? context.settings.maxBatchBytes : context.settings.maxBodyBytes;
  const body: unknown =
    route.method === 'GET' ? undefined : parseWith(route.body ?? noBody, await readBody(ctx.req, maxBytes), 'body');
  const param = (name: string): string => (ctx as unknown as { params: Record<string, string> }).params[name] ?? '';
  const optionalCaller = (): Caller | null => (presentsCredentials(ctx) ? authenticate(ctx, context).caller : null);
  const requestId = ctx.response.get('X-Request-Id');
  const flowState = ctx.cookies.get(FLOW_COOKIE) ?? null;
  const fromOwnPage = ctx.get('Sec-Fetch-Site') === 'same-origin';
  const asked = { param, body, query, caller, address, token };
  const call = { ...asked, flowState, fromOwnPage, requestId, authenticate: optionalCaller };
  // The table that names the schemas also types the handlers: what was parsed here is what they take.
  await respond(ctx, route.status, await handler(call as Call<RouteName>));
}

const NOBODY = { caller: null, token: null } as const;

/** Who the caller is; credentials that are no good count against the address that tries them. */
async function identify(ctx: Context, address: string, { context, rateLimit }: Rooms) {
  try {
    return authenticate(ctx, context);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'UNAUTHORIZED') await rateLimit.count(`address ${address}`);
    throw error;
  }
}

interface Rooms {
  readonly context: ServiceContext;
  readonly rateLimit: RateLimit;
}

/** The HTTP application: every route of the interface's table, and the renderer's files. */
export function createApp(context: ServiceContext, handlers: Handlers, log: Logger): Koa {
  const app = new Koa();
  // Koa would print what it catches; everything is caught and logged before.
  app.silent = true;
  const router = new Router({ sensitive: true, strict: true });
  const rooms: Rooms = { context, rateLimit: new RateLimit(context.settings.rateLimit) };
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, Route][]) {
    router.register(route.path, [route.method], (ctx) =>
      handle(ctx as unknown as Context, route, handlers[name] as Handler<RouteName>, rooms),
    );
  }
  app.use(errorEnvelope(log));
  app.use(securityHeaders);
  app.use(hostGuard(context.settings));
  app.use(router.routes() as unknown as Koa.Middleware);
  if (context.settings.rendererDir !== null) app.use(serveRenderer(context.settings.rendererDir));
  return app;
}
