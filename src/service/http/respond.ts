import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Context } from 'koa';
import { SESSION_LIFETIME_MS } from '../identity/tokens.ts';
import { WORKSTATION_COOKIE, WORKSTATION_LIFETIME_MS } from '../workstation/sessions.ts';
import type { Answer, FileAnswer, RedirectAnswer, TextAnswer } from './handler.ts';
import { sendJson } from './headers.ts';
import { redirect } from './redirect.ts';

/** The cookie that carries a browser's session (docs/interface.md, Authentication). */
export const SESSION_COOKIE = 'countersign_session';

/** The cookie that ties a sign-in at a provider to the browser that began it. */
export const FLOW_COOKIE = 'countersign_sign_in';

/** As long as such a sign-in may take, in seconds. */
const FLOW_COOKIE_AGE = 600;

/** Sends what a handler answered. */
export async function respond(
  ctx: Context,
  status: number,
  answer: Answer | TextAnswer | FileAnswer | RedirectAnswer,
): Promise<void> {
  if ('body' in answer && !setsCookie(answer)) {
    return sendJson(ctx, answer.status ?? status, answer.body);
  }
  ctx.set('Cache-Control', 'no-store');
  if ('file' in answer) {
    return sendFile(ctx, status, answer);
  }
  if ('jsonText' in answer) {
    ctx.status = status;
    ctx.type = 'json';
    ctx.body = answer.jsonText;
    return;
  }
  if (answer.sessionToken !== undefined) setSessionCookie(ctx, answer.sessionToken);
  if (answer.flowState !== undefined) setFlowCookie(ctx, answer.flowState);
  if ('workstationToken' in answer && answer.workstationToken !== undefined) {
    setWorkstationCookie(ctx, answer.workstationToken);
  }
  if ('location' in answer) return redirect(ctx, status, answer);
  ctx.status = answer.status ?? status;
  ctx.body = answer.body;
}

function setsCookie({ sessionToken, flowState, workstationToken }: Answer): boolean {
  return sessionToken !== undefined || flowState !== undefined || workstationToken !== undefined;
}

async function sendFile(ctx: Context, status: number, answer: FileAnswer): Promise<void> {
  const { file, fileName, contentType, compress } = answer;
  const { size } = await stat(file);
  ctx.status = status;
  ctx.set('Content-Disposition', `attachment; filename="${fileName}"`);
  ctx.type = contentType;
  const onTheWay = compress === 'transfer' && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (compress === 'transfer') ctx.vary('Accept-Encoding');
  if (onTheWay) ctx.set('Content-Encoding', 'gzip');
  const content = createReadStream(file);
  if (answer.temporary) content.once('close', () => void rm(file, { force: true }));
  if (compress === 'file' || onTheWay) {
    // A reader that goes away ends the reading of the file too.
    ctx.body = pipeline(content, createGzip(), () => undefined);
  } else {
    ctx.length = size;
    ctx.body = content;
  }
}

/** Browsers take Secure cookies from http://127.0.0.1 too, as a trustworthy origin. */
function setSessionCookie(ctx: Context, token: string | null): void {
  const age = token === null ? 0 : SESSION_LIFETIME_MS / 1000;
  ctx.append(
    'Set-Cookie',
    `${SESSION_COOKIE}=${token ?? ''}; Max-Age=${age}; Path=/; HttpOnly; Secure; SameSite=Strict`,
  );
}

/** As the session's: everything that can be done with it is done from pages of the service. */
function setWorkstationCookie(ctx: Context, token: string): void {
  const age = WORKSTATION_LIFETIME_MS / 1000;
  ctx.append('Set-Cookie', `${WORKSTATION_COOKIE}=${token}; Max-Age=${age}; Path=/; HttpOnly; Secure; SameSite=Strict`);
}

/** Lax, unlike the session's: it must come along when a page of the provider sends the browser back. */
function setFlowCookie(ctx: Context, state: string | null): void {
  const age = state === null ? 0 : FLOW_COOKIE_AGE;
  ctx.append('Set-Cookie', `${FLOW_COOKIE}=${state ?? ''}; Max-Age=${age}; Path=/; HttpOnly; Secure; SameSite=Lax`);
}
