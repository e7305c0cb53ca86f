// How long the page takes from a warm service, and how a long list keeps up with who scrolls it:
// node bench/window.ts [--rounds 9] [--rows 20000]. Prints JSON. Needs Chromium, and builds the pages.
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium, type Response } from 'playwright';
import { buildDesktop } from '../scripts/support/build.ts';
import { chromiumPath } from '../scripts/support/capabilities.ts';
import { durations } from './support/figures.ts';
import { type ScrolledList, scrolledList } from './support/scrolled-list.ts';
import { ServiceProcess } from './support/service-process.ts';
import { makeWorkspace, operationMembers } from './support/workspace.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, rows: { type: 'string', default: '20000' } },
});
const rounds = Number(values.rounds);
const rows = Number(values.rows);

/** The first paint with content, and when the screen could be worked with, in milliseconds since the page was asked for. */
interface Opened {
  readonly paint: number;
  readonly interactive: number;
  /** JavaScript that came before that, in bytes as gzip makes them. */
  readonly scriptBytes: number;
}

const VIEWPORT = { width: 1280, height: 800 };

/** What a browser keeps of a sign-in: a cookie, and the secret of the page that the session is bound to. */
type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Signs in on the page, as people do. */
async function signIn(
  browser: Browser,
  url: string,
  owner: { readonly email: string; readonly password: string },
): Promise<SignedIn> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    await page.keyboard.press('Enter');
    await page.locator('.tile .figure').first().waitFor();
    return await context.storageState();
  } finally {
    await context.close();
  }
}

/**
 * Opens an address with an empty cache.
 * @param ready what is on the screen once it can be worked with; null for a page without script
 */
async function open(browser: Browser, url: string, state: SignedIn, ready: string | null): Promise<Opened> {
  const context = await browser.newContext({ viewport: VIEWPORT, storageState: state });
  try {
    const page = await context.newPage();
    const scripts: Response[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response);
    });
    await page.goto(url, { waitUntil: 'commit' });
    if (ready !== null) await page.locator(ready).first().waitFor();
    // In the page: the answer of waitFor takes its time to get here.
    const { paint, interactive } = await page.evaluate(
      () =>
        new Promise<{ paint: number; interactive: number }>((done) => {
          requestIdleCallback(() => {
            const now = performance.now();
            new PerformanceObserver((list, observer) => {
              const [entry] = list.getEntriesByName('first-contentful-paint');
              if (entry === undefined) return;
              observer.disconnect();
              done({ paint: entry.startTime, interactive: now });
            }).observe({ type: 'paint', buffered: true });
          });
        }),
    );
    const bodies = await Promise.all(scripts.map((script) => script.body()));
    return { paint, interactive, scriptBytes: bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) };
  } finally {
    await context.close();
  }
}

/** Opens the search, and scrolls through its rows. */
async function scroll(browser: Browser, url: string, state: SignedIn): Promise<ScrolledList> {
  const context = await browser.newContext({ viewport: VIEWPORT, storageState: state });
  try {
    const page = await context.newPage();
    await page.goto(url);
    await page.locator('.grid-row [data-row]').first().waitFor();
    return await scrolledList(page);
  } finally {
    await context.close();
  }
}

const executablePath = chromiumPath();
if (executablePath === undefined) throw new Error('there is no Chromium on this machine');
const build = await buildDesktop();
if (!build.ok) throw new Error(build.output);
const service = await ServiceProcess.start();
const browser = await chromium.launch({
  executablePath,
  // With scroll bars, as people have them, and playwright has not.
  ignoreDefaultArgs: ['--hide-scrollbars'],
  // Chromium refuses to sandbox as root; nothing but our own pages is loaded here.
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const { token, agents } = await makeWorkspace(service, 4);
  for (const agent of agents) {
    const records = Array.from({ length: 250 }, (_, n) => agent.next({ ...operationMembers(n), ttl_ms: 86_400_000 }));
    await service.call('POST', '/v1/operations/batch', token, { records });
  }
  const owner = { email: 'bench@example.org', password: 'bench bench bench' };
  const at = (path: string): string => `http://127.0.0.1:${service.port}${path}`;
  const signedIn = await signIn(browser, at('/'), owner);
  const subjects = {
    // A page of the same service with nothing on it but a line of text: what browser and machine take by themselves.
    bare: { url: at('/v1/health'), ready: null },
    dashboard: { url: at('/#/dashboard'), ready: '.tile .figure' },
    search: { url: at('/#/search'), ready: '.grid-row [data-row]' },
  };
  const opened: Record<keyof typeof subjects, Opened[]> = { bare: [], dashboard: [], search: [] };
  // The first round warms the service and the browser, and does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const name of Object.keys(subjects) as (keyof typeof subjects)[]) {
      const found = await open(browser, subjects[name].url, signedIn, subjects[name].ready);
      if (round > 0) opened[name].push(found);
    }
  }
  const figures = (name: keyof typeof subjects) => ({
    paint: durations(opened[name].map(({ paint }) => paint)),
    interactive: durations(opened[name].map(({ interactive }) => interactive)),
    scriptKb: Math.round((opened[name][0]?.scriptBytes ?? 0) / 1000),
  });
  const bare = figures('bare');
  const withRatio = (name: 'dashboard' | 'search') => {
    const own = figures(name);
    const ratio = (mine: number, bares: number): number => Number((mine / Math.max(1, bares)).toFixed(1));
    return {
      ...own,
      paintToBare: ratio(own.paint.p50Ms, bare.paint.p50Ms),
      interactiveToBare: ratio(own.interactive.p50Ms, bare.interactive.p50Ms),
    };
  };
  const [agent] = agents;
  for (let n = 4 * 250; n < rows && agent !== undefined; n += 1000) {
    const records = Array.from({ length: 1000 }, (_, m) =>
      agent.next({ ...operationMembers(n + m), ttl_ms: 86_400_000 }),
    );
    await service.call('POST', '/v1/operations/batch', token, { records });
  }
  const list = { rows, ...(await scroll(browser, subjects.search.url, signedIn)) };
  const output = {
    bench: 'window',
    rounds,
    bare,
    dashboard: withRatio('dashboard'),
    search: withRatio('search'),
    list,
  };
  process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
} finally {
  await browser.close();
  await service.stop();
}
