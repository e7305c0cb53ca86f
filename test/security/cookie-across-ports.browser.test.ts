// docs/interface.md, Authentication: in a real browser, another port of the same host gets the cookie and can plant one.
import type { BrowserContext, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { openBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { atEnd } from '../support/cleanup.ts';
import { expectError, send } from '../support/client.ts';
import { type LocalServer, serveLocally } from '../support/local-server.ts';
import { type Account, eventsOf, exportOf, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { setUp } from '../support/workspace.ts';

describe.skipIf(chromiumPath() === undefined)('a server on another port of this machine', () => {
  let service: TestService;
  let context: BrowserContext;
  let page: Page;
  let owner: Account;
  let attacker: Account;
  let server: LocalServer;
  /** What the browser sent to the other port as cookies. */
  const stolen: string[] = [];
  let planted: Record<string, string> = {};

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR });
    context = await (await openBrowser()).newContext();
    ({ page } = await openPage(context));
    owner = await setUp(page, service);
    attacker = await service.signUpGuest('attacker');
    server = await serveLocally(({ url, headers }) => {
      if (headers.cookie !== undefined) stolen.push(headers.cookie);
      // What a page loads from its own port is a request of the same site: the cookie goes along whatever SameSite says.
      return url.pathname === '/' ? { status: 200, body: '<img src="/px.png">', headers: planted } : { status: 204 };
    });
    atEnd(() => server.close());
  });

  const visit = async (): Promise<void> => {
    const other = await context.newPage();
    await other.goto(`http://127.0.0.1:${server.port}/`);
    await other.close();
  };
  /** Loads the workspace again. */
  const load = async (): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(`${service.url}/#/dashboard`);
  };
  const isOwner = () => page.getByRole('heading', { name: 'Dashboard' }).waitFor();

  it('gets the session of the workspace as a cookie, and can do nothing with it', async () => {
    await visit();
    const cookie = await until('the cookie', () => stolen.find((one) => one.includes('countersign_session=')));
    const token = /countersign_session=([^;]+)/.exec(cookie)?.[1] ?? '';
    for (const headers of [{ cookie }, { authorization: `Bearer ${token}` }]) {
      expectError(await send(service.url, { path: '/api/auth/session', headers }), 'UNAUTHORIZED');
    }
    await load();
    await isOwner();
  });

  it.each(['/', '/v1', '/api', '/api/auth'])(
    'plants its own session for %s: the page is never signed in as somebody else',
    async (path) => {
      planted = { 'set-cookie': `countersign_session=${attacker.client.token}; Path=${path}` };
      await visit();
      planted = {};
      const names = (await context.cookies()).map((cookie) => `${cookie.name} ${cookie.path}`);
      expect(names).toContain(`countersign_session ${path}`);
      await load();
      if (path === '/') {
        // It took the place of the own cookie: whoever was signed in is asked for their password, nothing else happens.
        await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
        await page.getByLabel('E-mail address').fill(owner.email);
        await page.getByLabel('Password').fill(owner.password);
        await page.getByRole('form', { name: 'Sign in' }).getByRole('button', { name: 'Sign in', exact: true }).click();
      }
      await isOwner();
      const { email } = await page.evaluate(async () => {
        const headers = { 'X-Countersign-Page': localStorage.getItem('countersign.page') ?? '' };
        return (await (await fetch('/api/auth/session', { headers })).json()) as { email: string };
      });
      expect(email).toBe(owner.email);
    },
  );

  it('cannot have a download noted in the administrative log', async () => {
    const exportId = await exportOf(owner);
    const before = (await eventsOf(owner, 'export.download')).length;
    const other = await context.newPage();
    await other.goto(`http://127.0.0.1:${server.port}/`);
    const target = `${service.url}/v1/exports/${exportId}/download`;
    await other.evaluate(async (address) => {
      // The page elsewhere does not get to see the answer; that is no proof that nothing was done.
      await fetch(address, { mode: 'no-cors', credentials: 'include' }).catch(() => undefined);
    }, target);
    await other.close();
    expect(await eventsOf(owner, 'export.download')).toHaveLength(before);
  });
});
