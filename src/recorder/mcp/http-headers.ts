import type { IncomingHttpHeaders } from 'node:http';
import { isShown } from '../base/kept-token.ts';

/** Headers as they came, with their spelling, order and repetitions: name, value, name, value. */
export type RawHeaders = readonly string[];

/** Fields of one connection only (RFC 9110, section 7.6.1); besides them those that `Connection` names. */
const HOP_BY_HOP = ['connection', 'proxy-connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'];

/** What goes to the server: everything but what is of the connection to us, and its own name. */
export function requestHeaders(raw: RawHeaders, host: string): string[] {
  // Who waited for "100 Continue" has it from us.
  return ['Host', host, ...without(raw, [...HOP_BY_HOP, 'host', 'expect'])];
}

/** What goes to the client. */
export function responseHeaders(raw: RawHeaders): string[] {
  return without(raw, HOP_BY_HOP);
}

function without(raw: RawHeaders, left: readonly string[]): string[] {
  const all = pairsOf(raw);
  const named = all.flatMap(([name, value]) => (name.toLowerCase() === 'connection' ? namesIn(value) : []));
  const gone = new Set([...left, ...named]);
  return all.filter(([name]) => !gone.has(name.toLowerCase())).flat();
}

function namesIn(value: string): string[] {
  return value.split(',').map((name) => name.trim().toLowerCase());
}

function pairsOf(raw: RawHeaders): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i] ?? '', raw[i + 1] ?? '']);
  return pairs;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether a request comes from a program on this machine, and no page in a browser: one that was led here by DNS, or sends here, names
 * itself. Pages of other servers on this machine are refused as well, as anybody may have made them.
 * @param port where we listen
 */
export function isOurs(
  headers: Pick<IncomingHttpHeaders, 'host' | 'origin'> & { readonly 'sec-fetch-site'?: string | string[] | undefined },
  port: number,
): boolean {
  const hosts = LOOPBACK.map((name) => `${name}:${port}`);
  const isOwn = headers.origin === undefined || hosts.some((host) => headers.origin === `http://${host}`);
  const site = headers['sec-fetch-site'] ?? 'none';
  return hosts.includes(headers.host ?? '') && isOwn && (site === 'none' || site === 'same-origin');
}

/**
 * What is asked for, without the token that a client shows as the first part of the path: each client takes an address, and not each one
 * further headers.
 * @param address with its query
 * @returns null where the token is not shown
 */
export function withoutToken(address: string, token: string): string | null {
  const [, shown = '', path = ''] = /^\/([^/?]*)(.*)$/s.exec(address) ?? [];
  if (!isShown(shown, token)) return null;
  return path.startsWith('/') ? path : `/${path}`;
}

/** Whether a request has a body (RFC 9112, section 6.3). */
export function hasBody({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** The media type, without its parameters. */
export function mediaType(contentType: string | undefined): string {
  return contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
}
