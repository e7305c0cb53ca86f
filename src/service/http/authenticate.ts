import type { Context } from 'koa';
import type { Route } from '../../contract/index.ts';
import type { ServiceContext } from '../context.ts';
import { ServiceError } from '../errors.ts';
import { type Caller, callerHasRole } from '../identity/tokens.ts';
import { WORKSTATION_COOKIE } from '../workstation/sessions.ts';
import { SESSION_COOKIE } from './respond.ts';

/** A cookie of a request. Programs send none at all, and for them Koa need not look for it. */
export function cookieOf(ctx: Context, name: string): string | undefined {
  return ctx.req.headers.cookie === undefined ? undefined : ctx.cookies.get(name);
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
 * @throws ServiceError FORBIDDEN
 */
export function checkOrigin(ctx: Context, publicUrl: string | null): void {
  if (['GET', 'HEAD'].includes(ctx.method) || ctx.get('Authorization') !== '') return;
  const cookies = [SESSION_COOKIE, WORKSTATION_COOKIE];
  const isBrowser = cookies.some((name) => cookieOf(ctx, name) !== undefined) || ctx.get('Origin') !== '';
  if (isBrowser && !isFromOwnPage(ctx, publicUrl)) {
    throw new ServiceError('FORBIDDEN', 'a request of a browser must come from a page of this service');
  }
}

/** Whether a request comes with credentials at all. */
export function presentsCredentials(ctx: Context): boolean {
  return ctx.get('Authorization') !== '' || cookieOf(ctx, SESSION_COOKIE) !== undefined;
}

/**
 * Who makes a request: by bearer token, or by the browser's cookie. A page elsewhere can make a browser send the cookie,
 * but not name this service as its origin.
 * @throws ServiceError UNAUTHORIZED, FORBIDDEN
 */
export function authenticate(ctx: Context, { callers, now }: ServiceContext): { caller: Caller; token: string } {
  const authorization = ctx.get('Authorization');
  const bearer = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization)?.[1];
  const cookie = authorization === '' ? cookieOf(ctx, SESSION_COOKIE) : undefined;
  const token = bearer ?? cookie;
  const caller = token === undefined ? null : callers.find(token, ctx.req.socket.remoteAddress ?? '', now());
  if (token === undefined || caller === null) {
    throw new ServiceError(
      'UNAUTHORIZED',
      token === undefined ? 'a bearer token or a session is needed' : 'the token is unknown or has expired',
    );
  }
  return { caller, token };
}

/** Whether a request comes from a browser with a workstation session. */
export function isWorkstation(ctx: Context, { workstations }: ServiceContext): boolean {
  return workstations.isActive(cookieOf(ctx, WORKSTATION_COOKIE));
}

/**
 * Holds a token to what it was issued for. Asked for every route, open ones that look at credentials included: whoever
 * steals a token that only submits can read nothing with it, nor act as its user.
 * @param param the value of a parameter of the path
 * @throws ServiceError FORBIDDEN
 */
export function checkScope({ submitsFor }: Caller, route: Route, param: (name: string) => string): void {
  if (submitsFor === null) return;
  const isOfOther = route.path.includes(':agent_id') && param('agent_id') !== submitsFor;
  if (route.forSubmitTokens === true && !isOfOther) return;
  throw new ServiceError('FORBIDDEN', `this token can only submit operations of the agent "${submitsFor}"`);
}

/** @throws ServiceError FORBIDDEN where the caller's role does not suffice */
export function authorize(caller: Caller, { access, memberRole = 'readonly_investigator' }: Route): void {
  if (access === 'public' || access === 'authenticated') return;
  const role = access === 'workstation' ? memberRole : access;
  if (caller.orgId === null || !callerHasRole(caller, role)) {
    throw new ServiceError('FORBIDDEN', `this needs the role ${role} or a higher one`);
  }
}
