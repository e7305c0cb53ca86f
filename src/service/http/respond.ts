import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Context } from 'koa';
import { SESSION_LIFETIME_MS } from '../identity/tokens.ts';
import type { Answer, FileAnswer, RedirectAnswer } from './handler.ts';

/** The cookie that carries a browser's session (decisions, Accounts). */
export const SESSION_COOKIE = 'countersign_session';

/** Sends what a handler answered. */
export async function respond(
  ctx: Context,
  status: number,
  answer: Answer | FileAnswer | RedirectAnswer,
): Promise<void> {
  ctx.set('Cache-Control', 'no-store');
  if ('file' in answer) {
    const { size } = await stat(answer.file);
    ctx.status = status;
    ctx.set('Content-Disposition', `attachment; filename="${answer.fileName}"`);
    ctx.type = answer.contentType;
    ctx.length = size;
    ctx.body = createReadStream(answer.file);
    return;
  }
  if (answer.sessionToken !== undefined) setSessionCookie(ctx, answer.sessionToken);
  if ('location' in answer) {
    ctx.status = status;
    ctx.set('Location', answer.location);
    ctx.body = '';
    return;
  }
  ctx.status = answer.status ?? status;
  ctx.body = answer.body;
}

/** Browsers take Secure cookies from http://127.0.0.1 too, as a trustworthy origin. */
function setSessionCookie(ctx: Context, token: string | null): void {
  const age = token === null ? 0 : SESSION_LIFETIME_MS / 1000;
  ctx.append(
    'Set-Cookie',
    `${SESSION_COOKIE}=${token ?? ''}; Max-Age=${age}; Path=/; HttpOnly; Secure; SameSite=Strict`,
  );
}
