import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Context } from 'koa';
import { SESSION_LIFETIME_MS } from '../identity/tokens.ts';
import type { Answer, FileAnswer } from './handler.ts';

/** The cookie that carries a browser's session (docs/interface.md, Authentication). */
export const SESSION_COOKIE = 'countersign_session';

/** Sends what a handler answered. */
export async function respond(ctx: Context, status: number, answer: Answer | FileAnswer): Promise<void> {
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
  ctx.status = answer.status ?? status;
  ctx.body = answer.body;
  if (answer.sessionToken !== undefined) {
    // Browsers take Secure cookies from http://127.0.0.1 too, as a trustworthy origin.
    const age = SESSION_LIFETIME_MS / 1000;
    ctx.append(
      'Set-Cookie',
      `${SESSION_COOKIE}=${answer.sessionToken}; Max-Age=${age}; Path=/; HttpOnly; Secure; SameSite=Strict`,
    );
  }
}
