import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Middleware } from 'koa';
import { ServiceError } from '../errors.ts';
import type { Settings } from '../settings-type.ts';

/** What a page of the service may do: load from the service and nothing else, run no inline code, be framed by nobody. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page of the interface styles itself with inline styles; it runs no inline code either. */
const DOCS_POLICY = CONTENT_SECURITY_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

/** Headers that every answer carries. */
export const securityHeaders: Middleware = async (ctx, next) => {
  ctx.set('Content-Security-Policy', /^\/docs(\/|$)/.test(ctx.path) ? DOCS_POLICY : CONTENT_SECURITY_POLICY);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  await next();
};

/**
 * Answers only under names of this machine. A foreign page whose name an attacker points at 127.0.0.1 (DNS rebinding)
 * sends that name as Host; an address in figures can't be such a name.
 */
export function hostGuard({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): Middleware {
  const names = new Set(['localhost', host.toLowerCase(), hostname().toLowerCase()]);
  if (publicUrl !== null) names.add(new URL(publicUrl).hostname);
  return async (ctx, next) => {
    const asked = ctx.get('Host').toLowerCase();
    const name = asked.startsWith('[') ? asked.slice(1, asked.indexOf(']')) : asked.replace(/:\d*$/, '');
    if (isIP(name) === 0 && !names.has(name)) {
      throw new ServiceError('FORBIDDEN', 'the Host header names another machine than this one');
    }
    await next();
  };
}
