import { ServiceError } from '../../../store/base/service-error.ts';

/** Where providers send browsers back to, with the provider's name after it. */
export const CALLBACK_PATH = '/api/auth/callback/';

/**
 * Where a sign-in is to end, as an address of this service. The text is anybody's: it must not send people who have just
 * signed in to another site (open redirect), nor into the callback of a sign-in that somebody else began.
 * @param base the service's own address
 * @throws ServiceError VALIDATION_ERROR
 */
export function readCallbackUrl(text: string, base: string): string {
  const refused = new ServiceError('VALIDATION_ERROR', 'callbackURL: must be a path or an address of this service');
  // A parser takes line ends and tabs out, wherever they stand: what others on the way make of them nobody knows.
  if (/[\0-\x20\x7f]/.test(text)) throw refused;
  if (!/^(\/(?!\/)|https?:\/\/)/i.test(text) || !URL.canParse(text, base)) throw refused;
  // Parsed as browsers parse it: they take "/\evil.example" for an address of another machine.
  const url = new URL(text, base);
  const own = new URL(base);
  if (url.origin !== own.origin || url.username !== '' || url.password !== '') throw refused;
  const callback = plainPath(own.pathname.replace(/\/$/, '') + CALLBACK_PATH);
  const path = plainPath(url.pathname);
  if (path === null || callback === null || `${path}/`.startsWith(callback)) throw refused;
  // With the origin, always: a path alone may begin with two slashes after "/.//evil.example" was resolved.
  return url.href;
}

/** How often a path may be escaped within itself: more often nobody does in good faith. */
const MAX_ESCAPES = 3;

/**
 * A path as the most generous reader takes it, such as a proxy on the way: without escapes, doubled slashes or capitals.
 * @returns null where it has too many escapes within one another, or bad ones
 */
function plainPath(path: string): string | null {
  let plain = path;
  for (let times = 0; plain.includes('%'); times++) {
    if (times === MAX_ESCAPES) return null;
    try {
      plain = decodeURIComponent(plain);
    } catch {
      return null;
    }
  }
  const { pathname } = new URL(`http://local/${plain.replace(/[\\/]+/g, '/').replace(/^\//, '')}`);
  return pathname.replace(/\/+/g, '/').toLowerCase();
}
