import type { Context } from 'koa';
import { mayCall, minimumRole, neededRoles, ROUTES, type Route, type RouteName } from '../../../api/index.ts';
import type { Authenticated, Caller } from '../../http/caller.ts';
import type { Credentials } from '../../http/credentials.ts';
import { ServiceError, Unidentified } from '../../store/base/service-error.ts';
import type { WorkstationSessions } from '../workstation/workstation-sessions.ts';
import type { Callers } from './callers.ts';

export interface AccessDeps {
  readonly callers: Callers;
  readonly workstations: WorkstationSessions;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/**
 * Whether a request that a browser sends with its cookie comes from a page of the service itself, under the address it
 * was asked by or its public one (docs/interface.md, Authentication).
 */
function isFromOwnPage(ctx: Context, publicUrl: string | null): boolean {
  const origin = ctx.get('Origin');
  if (origin === '') return ctx.get('Sec-Fetch-Site') === 'same-origin';
  // Not ctx.origin: since Koa 3 that is the header itself.
  return origin === `${ctx.protocol}://${ctx.host}` || (publicUrl !== null && origin === new URL(publicUrl).origin);
}

/**
 * Refuses what a page elsewhere makes a browser do: with a session's cookie everything but reading, and without any
 * credential too, for signing somebody in is an act. Programs send no Origin, or a bearer token that no page has.
 *
 * A download by cookie counts as an act: it is noted in the administrative log, and a page elsewhere can lead a browser to it.
 * @throws ServiceError FORBIDDEN
 */
export function checkOrigin(
  ctx: Context,
  { authorization, sessions, workstations }: Credentials,
  { answer }: Route,
  publicUrl: string | null,
): void {
  if (authorization !== null) return;
  const hasCookie = sessions.length > 0 || workstations.length > 0;
  if (['GET', 'HEAD'].includes(ctx.method)) {
    const isLedElsewhere = ['cross-site', 'same-site'].includes(ctx.get('Sec-Fetch-Site'));
    if (answer === 'file' && hasCookie && isLedElsewhere) throw notFromOwnPage();
    return;
  }
  const isBrowser = hasCookie || ctx.get('Origin') !== '';
  if (isBrowser && !isFromOwnPage(ctx, publicUrl)) throw notFromOwnPage();
}

function notFromOwnPage(): ServiceError {
  return new ServiceError('FORBIDDEN', 'a request of a browser must come from a page of this service');
}

/**
 * Who makes a request, by bearer token or by the browser's cookie; null where there is nobody. Of several cookies the one
 * counts that is bound to the page which asks: another port of the host can set more of that name, and one for a longer path
 * comes first. Without a page, two of them say nothing.
 */
export function findAuthenticated(credentials: Credentials, { callers, now }: AccessDeps): Authenticated | null {
  const { authorization, sessions, page, from, browser } = credentials;
  const bearer = authorization === null ? undefined : /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization)?.[1];
  if (bearer !== undefined) {
    const caller = callers.find(bearer, { by: 'bearer', page, from, browser }, now());
    return caller === null ? null : { caller, token: bearer };
  }
  if (authorization !== null || (page === null && sessions.length > 1)) return null;
  for (const token of sessions) {
    const caller = callers.find(token, { by: 'cookie', page, from, browser }, now());
    if (caller !== null) return { caller, token };
  }
  return null;
}

/**
 * Whether a request comes with credentials at all. A cookie that is not the page's own is no credential of the page: it may
 * be anybody's.
 */
export function presentsCredentials(credentials: Credentials, context: AccessDeps): boolean {
  const { authorization, sessions, page } = credentials;
  if (authorization !== null) return true;
  return page === null ? sessions.length > 0 : findAuthenticated(credentials, context) !== null;
}

/**
 * As findAuthenticated, where there must be somebody.
 * @throws ServiceError UNAUTHORIZED
 */
export function authenticate(credentials: Credentials, context: AccessDeps): Authenticated {
  const found = findAuthenticated(credentials, context);
  if (found !== null) return found;
  const isGiven = credentials.authorization !== null || credentials.sessions.length > 0;
  throw isGiven ? new ServiceError('UNAUTHORIZED', 'the token is unknown or has expired') : new Unidentified();
}

/** Whether a request comes from a browser with a workstation session. */
export function isWorkstation({ workstations: cookies, page }: Credentials, { workstations }: AccessDeps): boolean {
  return cookies.some((cookie) => workstations.isActive(cookie, page));
}

/**
 * Of a request's credentials those that count: what a ticket keeps.
 * @param token of the caller who was found, or null
 */
export function narrowed(credentials: Credentials, token: string | null, context: AccessDeps): Credentials {
  const { authorization, workstations } = credentials;
  const workstation = workstations.find((cookie) => context.workstations.isActive(cookie, credentials.page));
  return {
    ...credentials,
    sessions: authorization === null && token !== null ? [token] : [],
    workstations: workstation === undefined ? [] : [workstation],
  };
}

/**
 * Holds a token to what it was issued for. Asked for every route, open ones that look at credentials included: whoever
 * steals a token that only submits, or only registers an agent, can read nothing with it, nor act as its user.
 * @param param the value of a parameter of the path
 * @throws ServiceError FORBIDDEN
 */
export function checkScope({ submitsFor, enrolsOnly }: Caller, route: Route, param: (name: string) => string): void {
  if (enrolsOnly && route.forEnrolTokens !== true) {
    throw new ServiceError('FORBIDDEN', 'this token can only register one agent, by POST /v1/agents/enrol');
  }
  if (submitsFor === null) return;
  const isOfOther = route.path.includes(':agent_id') && param('agent_id') !== submitsFor;
  if (route.forSubmitTokens === true && !isOfOther) return;
  throw new ServiceError('FORBIDDEN', `this token can only submit operations of the agent "${submitsFor}"`);
}

/** Ten minutes, in milliseconds: how long ago somebody may have proved who they are, for what asks for that. */
const FRESH_MS = 10 * 60_000;

/** Whether somebody proved who they are just now. A time that lies ahead was taken from a clock that was wrong: it proves nothing. */
export function isFresh({ provedAt }: Pick<Caller, 'provedAt'>, now: number): boolean {
  const age = now - (provedAt ?? 0);
  return age >= 0 && age <= FRESH_MS;
}

/**
 * Some acts want more than a session that somebody may have left open or that was stolen: the person behind it, now.
 * @throws ServiceError FRESH_SIGN_IN_REQUIRED
 */
function checkFresh(caller: Caller, now: number): void {
  if (!isFresh(caller, now)) {
    throw new ServiceError(
      'FRESH_SIGN_IN_REQUIRED',
      'confirm who you are: your last sign-in was more than 10 minutes ago',
    );
  }
}

/**
 * @param now milliseconds since the Unix epoch
 * @throws ServiceError FORBIDDEN where the caller's role does not suffice, FRESH_SIGN_IN_REQUIRED
 */
export function authorize(caller: Caller, name: RouteName, now: number): void {
  needRole(caller, name);
  const { needsSession, fresh }: Route = ROUTES[name];
  if ((needsSession === true || fresh === true) && caller.by !== 'session') {
    throw new ServiceError('FORBIDDEN', 'this needs a session, not an API token');
  }
  if (fresh === true) checkFresh(caller, now);
}

function needRole({ orgId, role, separated }: Caller, name: RouteName): void {
  if (minimumRole(name) === null) return;
  if (orgId === null || role === null || !mayCall(name, role, separated)) {
    throw new ServiceError('FORBIDDEN', `this needs ${neededRoles(name, separated)}`);
  }
}
