import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Context } from 'koa';
import { LOG_SIZE_HEADER } from '../../protocol/index.ts';
import { escapeHtml } from '../../protocol/text/index.ts';
import { setFlowCookie, setSessionCookie, setWorkstationCookie } from './cookies.ts';
import { contentDisposition } from './file-names.ts';
import type { Answer, ContentAnswer, FileAnswer, PlainTextAnswer, RedirectAnswer, TextAnswer } from './handler.ts';
import { sendJson } from './headers.ts';

/**
 * Sends a browser elsewhere: by a status, or by a page of the service where that matters.
 *
 * A browser that another site led here (a provider, after sign-in) keeps the session cookie it now gets, but does not send
 * it along a redirect: to SameSite=Strict that whole navigation is the other site's. So it gets a page, and the page leads
 * on: this next navigation is begun by the service itself, and brings the cookie.
 */
function redirect(ctx: Context, status: number, { location, question }: RedirectAnswer): void {
  if (question === undefined && !['cross-site', 'same-site'].includes(ctx.get('Sec-Fetch-Site'))) {
    ctx.status = status;
    ctx.set('Location', location);
    ctx.body = '';
    return;
  }
  ctx.status = 200;
  ctx.type = 'html';
  ctx.body = page(escapeHtml(location), question);
}

/** The policy of headers.ts lets a page run no code: a link, and a refresh where nothing is asked. */
function page(href: string, question: string | undefined): string {
  const refresh = question === undefined ? `<meta http-equiv="refresh" content="0;url=${href}">` : '';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Countersign</title>${refresh}
<p>${escapeHtml(question ?? 'You are signed in.')}</p><p><a href="${href}">Continue</a></p></html>
`;
}

/** Sends what a handler answered: a file once it is known how large it is, all else at once. */
export function respond(
  ctx: Context,
  status: number,
  answer: Answer | TextAnswer | PlainTextAnswer | FileAnswer | ContentAnswer | RedirectAnswer,
): Promise<void> | void {
  if ('body' in answer && !setsCookie(answer)) {
    const { logSize } = answer;
    const further = logSize == null ? [] : [LOG_SIZE_HEADER, String(logSize)];
    return sendJson(ctx, answer.status ?? status, answer.body, { further });
  }
  ctx.set('Cache-Control', 'no-store');
  if ('file' in answer) {
    return sendFile(ctx, status, answer);
  }
  if ('content' in answer) {
    ctx.status = status;
    ctx.set('Content-Disposition', contentDisposition(answer.fileName));
    ctx.type = answer.contentType;
    ctx.body = Buffer.from(answer.content);
    return;
  }
  if ('jsonText' in answer) {
    ctx.status = status;
    ctx.type = 'json';
    ctx.body = answer.jsonText;
    return;
  }
  if ('plainText' in answer) {
    ctx.status = status;
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = answer.plainText;
    return;
  }
  if (answer.sessionToken !== undefined) setSessionCookie(ctx, answer.sessionToken);
  if (answer.flowState !== undefined) setFlowCookie(ctx, answer.flowState);
  if ('workstationToken' in answer && answer.workstationToken !== undefined) {
    setWorkstationCookie(ctx, answer.workstationToken);
  }
  if ('location' in answer) return redirect(ctx, status, answer);
  ctx.status = answer.status ?? status;
  ctx.type = 'json';
  // As text: of an object Koa asks whether it is one of fetch's answers, and so loads fetch (src/node/node-http.ts).
  ctx.body = JSON.stringify(answer.body);
}

function setsCookie({ sessionToken, flowState, workstationToken }: Answer): boolean {
  return sessionToken !== undefined || flowState !== undefined || workstationToken !== undefined;
}

async function sendFile(ctx: Context, status: number, answer: FileAnswer): Promise<void> {
  const { file, fileName, contentType, compress } = answer;
  const { size } = await stat(file);
  ctx.status = status;
  ctx.set('Content-Disposition', contentDisposition(fileName));
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
