import type { Context } from 'koa';

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

/**
 * Headers that every answer carries, names and values in turn.
 * @param path what was asked for; null where the address is not valid
 * @param isTls whether the service itself has the certificate: browsers then come by TLS alone (RFC 6797)
 */
export function commonHeaders(path: string | null, requestId: string, isTls: boolean): string[] {
  return [
    ...(isTls ? ['Strict-Transport-Security', 'max-age=31536000'] : []),
    'X-Request-Id',
    requestId,
    'Content-Security-Policy',
    path !== null && /^\/docs(\/|$)/.test(path) ? DOCS_POLICY : CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'no-referrer',
    'Cross-Origin-Opener-Policy',
    'same-origin',
    'Cross-Origin-Resource-Policy',
    'same-origin',
  ];
}

/** Sets them on an answer that is still to be sent. */
export function setCommonHeaders(ctx: Context, path: string | null, requestId: string): void {
  const headers = commonHeaders(path, requestId, ctx.secure);
  for (let at = 0; at < headers.length; at += 2) ctx.set(headers[at] ?? '', headers[at + 1] ?? '');
}

/**
 * Sends JSON as the answer, past Koa: header by header takes it longer than all else of a short answer does.
 * @param path what was asked for; null where the address is not valid
 * @param further headers, names and values in turn
 */
export function sendJson(
  ctx: Context,
  status: number,
  body: unknown,
  { path = ctx.path, further = [] }: { readonly path?: string | null; readonly further?: readonly string[] } = {},
): void {
  const text = JSON.stringify(body);
  const headers = commonHeaders(path, requestIdOf(ctx), ctx.secure);
  const length = String(Buffer.byteLength(text));
  headers.push(
    'Cache-Control',
    'no-store',
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    length,
    ...further,
  );
  ctx.respond = false;
  ctx.res.writeHead(status, headers).end(text);
}

/** Gives a request its id. */
export function setRequestId(ctx: Context, requestId: string): void {
  ctx.state['requestId'] = requestId;
}

/** The id of a request, which its answer and the log carry. */
export function requestIdOf(ctx: Context): string {
  return String(ctx.state['requestId']);
}
