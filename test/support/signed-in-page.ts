import { createHash, randomBytes } from 'node:crypto';
import type { BrowserContext } from 'playwright';
import type { Account, TestService } from './service.ts';

/** Where the page keeps the secret of its origin (src/renderer/service/page-secret.ts). */
const SECRET_NAME = 'countersign.page';

/**
 * Gives a browser a session of somebody, as if they had signed in on the page: bound to the secret of its origin. Made in the
 * database, for users without a password.
 */
export async function signInPage(context: BrowserContext, service: TestService, { userId }: Account): Promise<void> {
  const token = `csn_sess_${randomBytes(32).toString('base64url')}`;
  const secret = randomBytes(32).toString('base64url');
  const [tokenHash, pageHash] = [token, secret].map((text) => createHash('sha256').update(text).digest());
  const now = Date.now();
  service.sql
    .prepare('INSERT INTO sessions (token_hash, user_id, created_at, expires_at, page_hash) VALUES (?, ?, ?, ?, ?)')
    .run(tokenHash, userId, now, now + 3_600_000, pageHash);
  await context.addCookies([
    { name: 'countersign_session', value: token, url: service.url, httpOnly: true, secure: true, sameSite: 'Strict' },
  ]);
  const { origin } = new URL(service.url);
  await context.addInitScript(
    (kept) => {
      if (location.origin === kept.origin) localStorage.setItem(kept.name, kept.secret);
    },
    { origin, name: SECRET_NAME, secret },
  );
}
