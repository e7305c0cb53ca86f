import type { Context } from 'koa';
import { escapeHtml } from '../../protocol/index.ts';
import type { RedirectAnswer } from './handler.ts';

/**
 * Sends a browser elsewhere: by a status, or by a page of the service where that matters.
 *
 * A browser that another site led here (a provider, after sign-in) keeps the session cookie it now gets, but does not send
 * it along a redirect: to SameSite=Strict that whole navigation is the other site's. So it gets a page, and the page leads
 * on: this next navigation is begun by the service itself, and brings the cookie.
 */
export function redirect(ctx: Context, status: number, { location, question }: RedirectAnswer): void {
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
