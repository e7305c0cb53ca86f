import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Middleware } from 'koa';
import { ServiceError } from '../store/base/service-error.ts';
import type { Settings } from '../store/settings/settings-type.ts';

/** Whether there is more than one Host header, of which Node gives the first. Every request comes here. */
function hasSecondHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/**
 * Answers only under names of this machine. A foreign page whose name an attacker points at 127.0.0.1 (DNS rebinding)
 * sends that name as Host; an address in figures can't be such a name.
 */
export function hostGuard({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): Middleware {
  const names = new Set(['localhost', host.toLowerCase(), hostname().toLowerCase()]);
  if (publicUrl !== null) names.add(new URL(publicUrl).hostname);
  return (ctx, next) => {
    const asked = ctx.req.headers.host ?? '';
    // RFC 9112 §3.2: whatever is in between may have gone by the other one.
    if (hasSecondHost(ctx.req.rawHeaders))
      throw new ServiceError('VALIDATION_ERROR', 'there is more than one Host header');
    // RFC 9112 §3.2.2: of a request as proxies get them, the target names the host, and Host the same one.
    const target = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(ctx.req.url ?? '')?.[1];
    if (target !== undefined && target.toLowerCase() !== asked.toLowerCase()) {
      throw new ServiceError('VALIDATION_ERROR', 'the target of the request and its Host header name two hosts');
    }
    const name = asked
      .toLowerCase()
      .replace(/:\d*$/, '')
      .replace(/^\[(.*)\]$/, '$1');
    if (isIP(name) === 0 && !names.has(name)) {
      throw new ServiceError('FORBIDDEN', 'the Host header names another machine than this one');
    }
    return next();
  };
}
