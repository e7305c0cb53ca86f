import type { Context } from 'koa';

/** The cookie that carries a browser's session (docs/interface.md, Authentication). */
export const SESSION_COOKIE = 'countersign_session';

/** How long a session lasts unless it is refreshed: seven days, in milliseconds. */
export const SESSION_LIFETIME_MS = 7 * 86_400_000;

/** The cookie of a workstation session (docs/interface.md, Authentication). */
export const WORKSTATION_COOKIE = 'countersign_workstation';

/** Thirty days, in milliseconds: a service that runs for long does not leave a forgotten browser let in for good. */
export const WORKSTATION_LIFETIME_MS = 30 * 86_400_000;

/** The cookie that ties a sign-in at a provider to the browser that began it. */
export const FLOW_COOKIE = 'countersign_sign_in';

/** As long as such a sign-in may take, in seconds. */
const FLOW_COOKIE_AGE = 600;

/** Browsers take Secure cookies from http://127.0.0.1 too, as a trustworthy origin. */
export function setSessionCookie(ctx: Context, token: string | null): void {
  const age = token === null ? 0 : SESSION_LIFETIME_MS / 1000;
  ctx.append(
    'Set-Cookie',
    `${SESSION_COOKIE}=${token ?? ''}; Max-Age=${age}; Path=/; HttpOnly; Secure; SameSite=Strict`,
  );
}

/** As the session's: everything that can be done with it is done from pages of the service. */
export function setWorkstationCookie(ctx: Context, token: string): void {
  const age = WORKSTATION_LIFETIME_MS / 1000;
  ctx.append('Set-Cookie', `${WORKSTATION_COOKIE}=${token}; Max-Age=${age}; Path=/; HttpOnly; Secure; SameSite=Strict`);
}

/** Lax, unlike the session's: it must come along when a page of the provider sends the browser back. */
export function setFlowCookie(ctx: Context, state: string | null): void {
  const age = state === null ? 0 : FLOW_COOKIE_AGE;
  ctx.append('Set-Cookie', `${FLOW_COOKIE}=${state ?? ''}; Max-Age=${age}; Path=/; HttpOnly; Secure; SameSite=Lax`);
}
