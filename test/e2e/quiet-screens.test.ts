// What screens that stay open ask for once they are refused, or nobody answers.
import type { BrowserContext, Page, Request } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ROUTES, type Route, SCREENS, type ScreenEntry } from '../../src/api/index.ts';
import { leaveUnpainted, openOwnBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { importCase } from '../support/cases.ts';
import { unvisited } from '../support/screen-paths.ts';
import { type Account, bundleOf, exportOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { until } from '../support/until.ts';

/** No screen may ask more than once within it, in ms. */
const WINDOW_MS = 5_000;
/** All screens are opened before each count: where other programs keep the machine busy that takes its time. */
const TIMES = { timeout: 300_000 };
/** A screen that asked for nothing within this has all that it shows, in ms. */
const SETTLED_MS = 1_000;
/** Longer than an answer counts as fresh (src/renderer/api/query-client.ts), in ms. */
const FRESH_MS = 5_500;

interface OpenScreen {
  readonly name: string;
  readonly path: string;
  readonly page: Page;
  readonly sent: Sent[];
}

/** What everybody is told, so that it is no refusal either. */
const FOR_EVERYBODY = new Set(
  Object.values<Route>(ROUTES)
    .filter(({ access }) => access === 'public')
    .map(({ method, path }) => `${method} ${path}`),
);

/** A request of a screen: its method and path, and when it was sent, in ms. */
interface Sent {
  readonly what: string;
  readonly at: number;
  readonly request: Request;
}

/** Whether nobody answered, and it was not the page itself that gave up. */
function isUnanswered({ request }: Sent): boolean {
  const failure = request.failure();
  return failure !== null && failure.errorText !== 'net::ERR_ABORTED';
}

/**
 * Without the one repetition of a read: a page that learns by it that the service is lost asks once more
 * (src/renderer/api/call.ts), and knows it from then on.
 */
function withoutRepetition(sent: readonly Sent[]): readonly Sent[] {
  const lost = sent.findIndex(isUnanswered);
  const isRepetition = lost >= 0 && sent[lost]?.what === sent[lost + 1]?.what;
  return isRepetition ? sent.toSpliced(lost + 1, 1) : sent;
}

/** @returns the requests of the first window that has more than one, with the time after the screen had settled */
function tooMany(sent: readonly Sent[], settledAt: number): string[] {
  const after = withoutRepetition(sent).filter(({ at }) => at > settledAt);
  const windows = after.map(({ at: from }) => after.filter(({ at }) => at >= from && at < from + WINDOW_MS));
  const found = windows.find(({ length }) => length > 1) ?? [];
  return found.map(({ what, at }) => `${what} after ${Math.round(at - settledAt)} ms`);
}

describe.skipIf(chromiumPath() === undefined)('screens that are left open', () => {
  let service: TestService;
  let context: BrowserContext;
  let owner: Account;
  let member: Account;
  let screens: OpenScreen[];

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR });
    owner = await service.signUp();
    member = service.addMember(owner, 'org_owner');
    const signer = await registerAgent(owner, 'quiet-agent');
    const receipt = await submitNext(owner, signer);
    await submitNext(owner, signer);
    await owner.client.ok('closeEpoch');
    const { data: epochs } = await owner.client.ok('listEpochs');
    const exportId = await exportOf(owner);
    const found = await importCase(owner.client, { name: 'a.csbundle', bytes: await bundleOf(owner) }, { name: 'A' });
    const inCase = `/cases/${found.case_id}`;
    const operation = `/operations/${receipt.operation_id}`;
    const paths = {
      dashboard: '/dashboard',
      agents: '/agents',
      agent: '/agents/quiet-agent',
      chain: '/agents/quiet-agent/chain',
      connect: '/agents/quiet-agent/connect',
      register: '/register-agent',
      record: '/record-program',
      search: '/search',
      sessions: '/sessions',
      session: '/sessions?session=quiet-session',
      entities: '/entities',
      entity: '/entities?kind=user&id=nobody',
      'needs a look': '/needs-look',
      'what left': '/what-left',
      'reading rules': '/reading-rules',
      difference: `/difference?left=${receipt.operation_id}&right=${receipt.operation_id}`,
      operation,
      epochs: '/epochs',
      epoch: `/epochs/${epochs[0]?.epoch_id}`,
      exports: '/exports',
      export: `/exports/${exportId}`,
      cases: '/cases',
      case: inCase,
      'case search': `${inCase}/search`,
      'case operation': `${inCase}${operation}`,
      'case chain': `${inCase}/agents/quiet-agent/chain`,
      'case sessions': `${inCase}/sessions`,
      'case entities': `${inCase}/entities`,
      'case compare': `${inCase}/compare`,
      import: '/cases/new',
      people: '/people',
      retention: '/retention',
      account: '/account',
      refused: '/refused',
      person: `/people/${owner.userId}`,
      witnesses: '/witnesses',
      webhooks: '/webhooks',
      tokens: '/tokens',
      'admin events': '/admin-events',
      settings: '/settings',
      backups: '/settings?section=backups',
      trust: '/settings?section=trust',
    };
    const browser = await openOwnBrowser({ processes: 10 });
    context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    await leaveUnpainted(context);
    await signInPage(context, service, member);
    screens = [];
    for (const [name, path] of Object.entries(paths)) {
      const { page } = await openPage(context);
      const sent: Sent[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (/^\/(v1|api|\.well-known)\//.test(pathname)) {
          sent.push({ what: `${request.method()} ${pathname}`, at: performance.now(), request });
        }
      });
      screens.push({ name, path, page, sent });
    }
  });

  it('are all that need somebody who is signed in', () => {
    const all = Object.values<ScreenEntry>(SCREENS).filter(({ access }) => access !== 'everybody');
    const paths = screens.map(({ path }) => path);
    expect(
      unvisited(
        all.map(({ path }) => path),
        paths,
      ),
    ).toEqual([]);
  });

  const shell = (page: Page) => page.getByRole('navigation', { name: 'Screens' });

  /** What a page that is open already shows next: going to its own address again would load nothing. */
  const leave = (page: Page) => page.evaluate(() => location.assign('#/verify'));

  async function open({ page, path }: OpenScreen): Promise<void> {
    await page.goto(`${service.url}/#${path}`);
    await shell(page).waitFor();
    await page.waitForLoadState('networkidle');
    await leave(page);
    await page.getByLabel('Bundle, report or proof').waitFor();
  }

  /** Has every screen opened once and left again, so that its code is there and nothing of it is on its way. */
  async function openAll(): Promise<void> {
    const waiting = [...screens];
    const openSome = async (): Promise<void> => {
      for (let screen = waiting.shift(); screen !== undefined; screen = waiting.shift()) await open(screen);
    };
    // Most of the time goes into waiting for each to be idle.
    await Promise.all(Array.from({ length: 4 }, openSome));
  }

  /** Waits until a page has asked for nothing for a while. @returns since when it counts as left open */
  async function settled({ name, sent }: OpenScreen): Promise<number> {
    const from = performance.now();
    const last = () => Math.max(from, sent.at(-1)?.at ?? 0);
    await until(`${name}: all that it shows`, () => performance.now() > last() + SETTLED_MS).catch((error: Error) => {
      const newest = sent.slice(-5).map(({ what, at }) => `${what} after ${Math.round(at - from)} ms`);
      throw new Error(`${error.message}; newest requests: ${newest.join(', ')}`);
    });
    return performance.now();
  }

  /** Has every page leave its screen, with nothing of it on its way any more. */
  async function leaveAll(): Promise<void> {
    await Promise.all(
      screens.map(async (screen) => {
        await leave(screen.page);
        await screen.page.getByLabel('Bundle, report or proof').waitFor();
        await settled(screen);
      }),
    );
  }

  /** Goes to every screen. @returns what those that asked more than once in a window sent after what they asked for as they appeared */
  async function loud(): Promise<Record<string, readonly string[]>> {
    for (const { page, path } of screens) {
      // A search that was not made before: there is nothing to show yet.
      const own = path.endsWith('/search') ? `${path}?subject=${Date.now()}` : path;
      await page.evaluate((hash) => location.assign(`#${hash}`), own);
    }
    const begun = await Promise.all(screens.map(settled));
    const end = performance.now() + 2 * WINDOW_MS;
    await until('two windows of time', () => performance.now() > end);
    const asked = screens.map(({ name, sent }, at) => [name, tooMany(sent, begun[at] ?? 0)] as const);
    return Object.fromEntries(asked.filter(([, requests]) => requests.length > 0));
  }

  it('ask at most once in 5 s while the service does not answer, and go on when it does', TIMES, async () => {
    await openAll();
    const { port } = new URL(service.url);
    await service.stop();
    expect(await loud()).toEqual({});
    const bars = screens.map(({ page }) => page.getByText('Not connected since'));
    // One on each: a wait for one of several fails.
    await Promise.all(bars.map((bar) => bar.waitFor()));
    await service.restart({ port: Number(port) });
    await Promise.all(bars.map((bar) => bar.waitFor({ state: 'detached' })));
  });

  it('ask at most once in 5 s where who is signed in may not', TIMES, async () => {
    await leaveAll();
    // What a screen was answered a moment ago it shows without asking: it would learn of the refusal query by query, later.
    const stale = performance.now() + FRESH_MS;
    await until('answers that are no longer fresh', () => performance.now() > stale);
    const params = { user_id: member.userId };
    await owner.client.ok('removeMember', { params });
    const removed = performance.now();
    expect(await loud()).toEqual({});
    service.sql
      .prepare("INSERT INTO members (member_id, org_id, user_id, role, joined_at) VALUES ('m', ?, ?, 'org_owner', 0)")
      .run(owner.orgId, member.userId);
    // Where it took a minute, pages asked who is signed in, and show nothing of an organization until they are loaded again.
    for (const { page, sent } of screens) {
      if (!sent.some(({ what, at }) => what === 'GET /api/auth/session' && at > removed)) continue;
      await leave(page);
      await page.reload();
    }
  });

  it('ask for the password once they were told that the session has ended, and for nothing else', TIMES, async () => {
    await leaveAll();
    await context.clearCookies();
    const ended = performance.now();
    expect(await loud()).toEqual({});
    const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });
    const unasked = async (): Promise<readonly OpenScreen[]> => {
      const asking = await Promise.all(screens.map(({ page }) => dialog(page).count()));
      return screens.filter((_, at) => asking[at] !== 1);
    };
    // Two that show nothing of the service's ask only who is signed in, once that is a minute old, and what everybody is told;
    // they say so with the next thing they ask for.
    const silent = (name: string) => name === 'record' || name === 'import';
    const isRefused = ({ what, at }: Sent) => at > ended && !FOR_EVERYBODY.has(what);
    const told = (all: readonly OpenScreen[]) =>
      all.filter(({ name, sent }) => !silent(name) || sent.some(isRefused)).map(({ name }) => name);
    // A refusal may be on its way when the time is up, and the dialog is drawn after it has come.
    await expect.poll(async () => told(await unasked())).toEqual([]);
    for (const { page } of await unasked()) {
      await page.evaluate(() => location.assign('#/agents'));
      await dialog(page).waitFor();
    }
  });
});
