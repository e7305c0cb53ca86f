import Koa, { type Context } from 'koa';
import type { Logger } from 'pino';
import { isRefusedOnStandby, noBody, ROUTES, type Route, type RouteName } from '../../api/index.ts';
import { addressGroup } from '../http/address-group.ts';
import { Admission } from '../http/admission.ts';
import { bytesToCome, readBytes, refuseEncoded } from '../http/body.ts';
import type { Authenticated } from '../http/caller.ts';
import { allowUploadTime } from '../http/connections.ts';
import { FLOW_COOKIE } from '../http/cookies.ts';
import { type Credentials, cookiesOf, credentialsOf } from '../http/credentials.ts';
import { dispatch } from '../http/dispatch.ts';
import type { DownloadTickets } from '../http/download-tickets.ts';
import { errorEnvelope } from '../http/error-envelope.ts';
import { hostGuard } from '../http/guards.ts';
import type { Call, Handler, Handlers } from '../http/handler.ts';
import { requestIdOf } from '../http/headers.ts';
import { recordBounds, SMALL_BOUNDS } from '../http/json-bounds.ts';
import { Pace } from '../http/pace.ts';
import { parseBody, parseWith } from '../http/parse-body.ts';
import { ACTIVE_ONLY, passOn } from '../http/pass-on.ts';
import { readQuery } from '../http/query.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { reachedAt } from '../http/reached-at.ts';
import type { RefusalLog } from '../http/refusal-log.ts';
import type { RequestFigures } from '../http/request-figures.ts';
import { requestSignal } from '../http/request-signal.ts';
import { respond } from '../http/respond.ts';
import { refusedFor, slowRefusals } from '../http/slow-refusals.ts';
import { serveRenderer } from '../http/static.ts';
import { takeTurns } from '../http/turns.ts';
import {
  type AccessDeps,
  authenticate,
  authorize,
  checkOrigin,
  checkScope,
  isWorkstation,
  presentsCredentials,
} from '../people/identity/authenticate.ts';
import { isKnownPage } from '../people/identity/known-pages.ts';
import type { ServiceNode } from '../shared/node.ts';
import { ServiceError } from '../store/base/service-error.ts';
import type { Store } from '../store/open.ts';
import type { Settings } from '../store/settings/settings-type.ts';
import type { Writer } from '../store/writer.ts';

/** Takes one request through access, limits and parsing to its handler. */
async function handle(ctx: Context, name: RouteName, handler: Handler<RouteName>, parts: AppParts): Promise<void> {
  const route: Route = ROUTES[name];
  const { context, rateLimit } = parts;
  const standby = context.node?.isStandby ? context.node : null;
  if (standby !== null && (isRefusedOnStandby(route) || ctx.get(ACTIVE_ONLY) !== '')) throw standby.refusal();
  const address = addressGroup(ctx.req.socket.remoteAddress ?? '');
  const ticket = takeTicket(ctx, route, context);
  const credentials = ticket?.credentials ?? credentialsOf(ctx);
  const workstation = isWorkstation(credentials, context);
  const bucket = bucketOf(credentials, route, workstation, { address, context });
  refusedFor(ctx, workstation ? null : bucket);
  const { caller, token } = await identify(credentials, route, bucket, parts);
  // No page elsewhere has a ticket.
  if (ticket === null) checkOrigin(ctx, credentials, route, context.settings.publicUrl);
  if (caller !== null) refusedFor(ctx, null);
  // An organization's limit counts its requests whatever becomes of them.
  await rateLimit.count(caller?.orgId ?? bucket);
  if (caller !== null) checkScope(caller, route, paramsOf(ctx));
  if (caller !== null && !(workstation && route.access === 'workstation')) authorize(caller, name, context.now());
  const asked = ticket?.query ?? ctx.querystring;
  const query: unknown = parseWith(route.query, readQuery(asked), 'query');
  const answer = async (body: unknown, bytes: Uint8Array | null = null): Promise<void> => {
    if (standby !== null && route.byActive && token !== null) {
      const active = (): string | null => standby.look().active;
      const { pageSecret } = credentials;
      if (await passOn(ctx, { active, token, pageSecret, query: asked, bytes, stopping: context.stopping })) return;
      // What is only read it answers by itself; what would leave a trace, the commit refuses.
      if (route.method !== 'GET') throw standby.refusal();
    }
    const call = callOf(ctx, route, context, { body, query, caller, address, token, workstation, credentials });
    // The table that names the schemas also types the handlers: what was parsed here is what they take.
    const given = await handler(call as Call<RouteName>);
    // It may tell of records that were committed and are not on disk yet. Of one that is answered with its receipt they are.
    await context.writer.flushed;
    return respond(ctx, route.status, given);
  };
  if (route.method === 'GET') return answer(undefined);
  if (route.upload) {
    allowUploadTime(ctx.req);
    return answer(undefined);
  }
  refuseEncoded(ctx.req);
  const maxBytes = largestBody(route, context.settings);
  // Those who have not signed in have a room of their own: by sending slowly they could keep everybody else out.
  const isNobody = caller === null && !workstation;
  const inside = (isNobody ? parts.anonymous : parts.admission).enter({
    bytes: bytesToCome(ctx.req, maxBytes),
    owner: caller?.orgId ?? '',
    giveUp: () => ctx.req.socket.destroy(),
  });
  try {
    const bounds = route.raw ? recordBounds(context.settings.maxPayloadBytes, route.large ?? false) : SMALL_BOUNDS;
    const bytes = await readBytes(ctx.req, maxBytes, bounds);
    inside.arrived();
    const parsed = (): unknown => parseBody(route.body ?? noBody, bytes);
    // Records are committed many at a time; everything else that an account changes takes a separate commit.
    const takesCommit = !route.raw && !route.onlyReads;
    if (takesCommit && caller?.orgId != null && context.settings.rateLimit !== null) {
      await parts.pace.turn(caller.orgId);
    }
    await answer(route.raw ? { bytes, parsed } : parsed(), bytes);
  } finally {
    inside.leave();
  }
}

/**
 * What a request counts for where nobody has signed in: a browser that is known by itself, so that nothing which other
 * programs at its address send can lock it out; the ways in, for programs, apart from all else.
 */
function bucketOf(
  { page }: Credentials,
  { isWayIn = false }: Route,
  workstation: boolean,
  { address, context }: { readonly address: string; readonly context: AppDeps },
): string {
  if (page !== null && (workstation || isKnownPage(context.store, page))) return `page ${page.toString('base64url')}`;
  return `${isWayIn ? 'sign-in' : 'address'} ${address}`;
}

/** The most that anybody may send who has not signed in, in bytes: an address, a password, a name or a code. */
const PUBLIC_BODY_BYTES = 16 * 1024;

function largestBody({ access, large }: Route, { maxBatchBytes, maxBodyBytes }: Settings): number {
  if (access === 'public') return Math.min(PUBLIC_BODY_BYTES, maxBodyBytes);
  return large ? maxBatchBytes : maxBodyBytes;
}

/** All bodies of those who have not signed in, in bytes. */
const ANONYMOUS_BYTES = 4 * 1024 * 1024;

/** The parameters of the path, by name, decoded. */
function paramsOf(ctx: Context): (name: string) => string {
  return (name) => (ctx as unknown as { params?: Record<string, string> }).params?.[name] ?? '';
}

/**
 * The credentials that the ticket of an address stands for, and the query without the ticket; null where there is none.
 * @throws ServiceError UNAUTHORIZED
 */
function takeTicket(ctx: Context, { answer }: Route, { tickets }: AppDeps) {
  if (answer !== 'file' || ctx.method !== 'GET') return null;
  const found = /^(?:(.*)&)?ticket=([A-Za-z0-9_-]{43})$/.exec(ctx.querystring);
  if (found === null) return null;
  const query = found[1] ?? '';
  return { query, credentials: tickets.redeem(found[2] ?? '', query === '' ? ctx.path : `${ctx.path}?${query}`) };
}

type Asked = Pick<Call<RouteName>, 'address' | 'token' | 'workstation' | 'credentials'> &
  Record<'body' | 'query' | 'caller', unknown>;

/** A request as its handler gets it. All are own members, since handlers take some out and pass the rest on. */
function callOf(ctx: Context, route: Route, context: AppDeps, asked: Asked) {
  const param = paramsOf(ctx);
  let signal: AbortSignal | null = null;
  return {
    ...asked,
    param,
    authenticate: (): Authenticated | null => {
      if (!presentsCredentials(asked.credentials, context)) return null;
      const found = authenticate(asked.credentials, context);
      checkScope(found.caller, route, param);
      return found;
    },
    upload: () => ctx.req,
    requestId: requestIdOf(ctx),
    signal: (): AbortSignal => {
      signal ??= requestSignal(ctx.res, context.stopping);
      return signal;
    },
    waits: (): AbortSignal => requestSignal(ctx.res, context.stopping, null),
    reachedAt: () => reachedAt(ctx),
    flowState: cookiesOf(ctx, FLOW_COOKIE)[0] ?? null,
    fromOwnPage: ctx.get('Sec-Fetch-Site') === 'same-origin',
  };
}

const NOBODY = { caller: null, token: null } as const;

/** Who the caller is; credentials that are no good count against the address that tries them. */
async function identify(credentials: Credentials, { access }: Route, bucket: string, { context, rateLimit }: AppParts) {
  if (access === 'public') return NOBODY;
  const needsNobody = access === 'workstation' && isWorkstation(credentials, context);
  if (needsNobody && !presentsCredentials(credentials, context)) return NOBODY;
  try {
    const found = authenticate(credentials, context);
    // At the workstation, somebody who has not joined an organization yet has no rights.
    return needsNobody && (found.caller.orgId === null || found.caller.role === null) ? NOBODY : found;
  } catch (error) {
    // An account's session that has ended takes nothing from the workstation's.
    if (needsNobody) return NOBODY;
    if (error instanceof ServiceError && error.code === 'UNAUTHORIZED') await rateLimit.count(bucket);
    throw error;
  }
}

/** What the application takes of a running service, beside its handlers. */
interface AppDeps extends AccessDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly writer: Pick<Writer, 'flushed'>;
  readonly tickets: DownloadTickets;
  readonly log: Logger;
  readonly node: ServiceNode | null;
  readonly figures: RequestFigures;
  /** Aborted when a stop waits for no answer any more. */
  readonly stopping: AbortSignal;
}

interface AppParts {
  readonly context: AppDeps;
  readonly rateLimit: RateLimit;
  readonly pace: Pace;
  readonly admission: Admission;
  /** For those who have not signed in. */
  readonly anonymous: Admission;
}

/** The HTTP application: every route of the interface's table, and the renderer's files. */
export function createApp(context: AppDeps, handlers: Handlers, refusals: RefusalLog): Koa {
  const app = new Koa();
  // Koa would print what it catches; everything is caught and logged before.
  app.silent = true;
  const rateLimit = new RateLimit(() => context.settings.rateLimit);
  const anonymous = new Admission({ maxBytes: ANONYMOUS_BYTES, givesUpOldest: true });
  const parts: AppParts = { context, rateLimit, pace: new Pace(), admission: new Admission(), anonymous };
  const routes = (Object.entries(ROUTES) as [RouteName, Route][]).map(([name, route]) => ({
    ...route,
    handle: (ctx: Context) => {
      ctx.state['route'] = name;
      return handle(ctx, name, handlers[name] as Handler<RouteName>, parts);
    },
  }));
  app.use(errorEnvelope(context.log, refusals, context.figures));
  app.use(slowRefusals(() => context.settings.rateLimit !== null));
  app.use(takeTurns());
  app.use(hostGuard(context.settings));
  app.use(dispatch(routes));
  if (context.settings.rendererDir !== null) app.use(serveRenderer(context.settings.rendererDir));
  // Whatever nobody took: as costly as an answer, and as free to ask for.
  app.use(async (ctx) => {
    await rateLimit.count(`address ${addressGroup(ctx.req.socket.remoteAddress ?? '')}`);
    throw new ServiceError('NOT_FOUND', 'there is nothing at this address');
  });
  return app;
}
