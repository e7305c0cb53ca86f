import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { openBrowser, openPage, RENDERER_DIR, type WatchedPage, watchPage } from './browser.ts';
import { HostedDesktop } from './desktop.ts';
import { storedSetUpCode, TestService } from './service.ts';
import { until } from './until.ts';

/** A workspace that is open, wherever: a specification of its screens asks for no more. */
export interface OpenWorkspace {
  readonly service: TestService;
  readonly context: BrowserContext;
  readonly watched: WatchedPage;
  /** Another page of the same session, at an address. */
  another(address: string): Promise<Page>;
}

async function inBrowser(): Promise<OpenWorkspace> {
  const service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
  const context = await (await openBrowser()).newContext({
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
  const another = async (address: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(address);
    return page;
  };
  return { service, context, watched: await openPage(context), another };
}

/** The built desktop with its own service, under the small host; the page is its window's. */
async function inDesktop(): Promise<OpenWorkspace> {
  const desktop = new HostedDesktop({ args: ['--port=0'] });
  const page = await desktop.page();
  const { origin: url } = new URL(page.url());
  const close = async (): Promise<void> => void (await desktop.quit());
  const dataDir = join(desktop.userData, 'service');
  const running = {
    url,
    kid: '',
    dataDir,
    workstationLink: () => url,
    setUpCode: () => storedSetUpCode(dataDir),
    close,
  };
  const service = TestService.over(running, dataDir);
  await page.setViewportSize({ width: 1280, height: 800 });
  const another = async (address: string): Promise<Page> => {
    const before = new Set(desktop.pages());
    await page.evaluate((target) => void window.open(target), address);
    return until('the second window', () => desktop.pages().find((one) => !before.has(one)));
  };
  return { service, context: page.context(), watched: watchPage(page), another };
}

/** Where the specification of the workspace is run, and whether whole: in a browser, what depends on which of the two it is. */
export const WORKSPACE_OPENERS = [
  ['a browser', inBrowser, false],
  ["the desktop's window", inDesktop, true],
] as const;
