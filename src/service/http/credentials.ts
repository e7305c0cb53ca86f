import type { Context } from 'koa';
import { z } from 'zod';
import { PAGE_HEADER, PAGE_SECRET } from '../../api/index.ts';
import { SESSION_COOKIE, WORKSTATION_COOKIE } from './cookies.ts';
import { hashPage, type PageHash } from './page-binding.ts';
import { parseWith } from './parse-body.ts';

/**
 * Which program a session is used by, as far as its User-Agent header says: a family and no version. Whoever makes the
 * request writes the header, so this helps people to tell their own sessions apart and proves nothing.
 */
function browserFamily(userAgent: string): string {
  if (userAgent === '') return 'Unknown program';
  const known: readonly (readonly [RegExp, string])[] = [
    [/\bElectron\//, 'Countersign window'],
    [/\bEdg(e|A|iOS)?\//, 'Edge'],
    [/\b(OPR|Opera)\//, 'Opera'],
    [/\b(Firefox|FxiOS)\//, 'Firefox'],
    [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
    [/\bSafari\//, 'Safari'],
    [/^curl\//, 'curl'],
    [/^python/i, 'Python'],
    [/^node/i, 'Node'],
  ];
  return known.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'another program';
}

const pageSecret = z.string().regex(PAGE_SECRET, 'must be 43 characters of base64url');

/** Cookies of one name that are looked at: a browser has one, and whatever other ports of the host have set. */
const MAX_COOKIES = 200;

/** What a request says of who makes it. Everything in it is the caller's word, or another port's: cookies know none. */
export interface Credentials {
  /** The peer's address. */
  readonly from: string;
  /** The family of the program that asks, as its User-Agent header says. */
  readonly browser: string;
  /** The Authorization header: null for none. */
  readonly authorization: string | null;
  /** Values of the cookies of these names, in the order in which they came. */
  readonly sessions: readonly string[];
  readonly workstations: readonly string[];
  /** The page that asks, by the hash of its secret; null for a client that is not a page. */
  readonly page: PageHash | null;
  /** That secret itself, for a node that passes the request on. */
  readonly pageSecret: string | null;
}

/** All values of a cookie. Programs send none at all. */
export function cookiesOf(ctx: Context, name: string): readonly string[] {
  const header = ctx.req.headers.cookie;
  if (header === undefined) return [];
  const start = `${name}=`;
  const values: string[] = [];
  for (const part of header.split(';')) {
    const pair = part.trim();
    if (!pair.startsWith(start)) continue;
    // RFC 6265 §4.1.1: a value may stand in quotes.
    values.push(pair.slice(start.length).replace(/^"(.*)"$/, '$1'));
    if (values.length === MAX_COOKIES) break;
  }
  return values;
}

/** @throws ServiceError VALIDATION_ERROR where the header of a page has another form */
export function credentialsOf(ctx: Context): Credentials {
  const secret = ctx.get(PAGE_HEADER);
  const authorization = ctx.get('Authorization');
  return {
    from: ctx.req.socket.remoteAddress ?? '',
    browser: browserFamily(ctx.get('User-Agent')),
    authorization: authorization === '' ? null : authorization,
    sessions: cookiesOf(ctx, SESSION_COOKIE),
    workstations: cookiesOf(ctx, WORKSTATION_COOKIE),
    page: secret === '' ? null : hashPage(parseWith(pageSecret, secret, PAGE_HEADER)),
    pageSecret: secret === '' ? null : secret,
  };
}
