// The page in a language that nobody speaks, longer by a third and from right to left in part: what is not in that language
// is wired into the code, and what no longer fits is a layout made for English.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { SCREENS, WEBHOOK_EVENTS } from '../../src/api/index.ts';
import { OWN_KEY_NOTE } from '../../src/protocol/index.ts';
import { openBrowser, openPage, seriousIssuesInThemes, type WatchedPage } from '../support/browser.ts';
import { buildPseudoPage, pseudoText } from '../support/pseudo-locale.ts';
import { EVERY_SCREEN, unvisited } from '../support/screen-paths.ts';
import { TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { lostOf } from '../support/text-size.ts';
import { workspaceVisits } from '../support/workspace-visits.ts';

/** The screens that show few texts of the service's or of the protocol's, which have no catalogue, by their names in the workspace's visits. */
const VISITED =
  /^(agents|agent|chain|entities|reading-rules|difference|exports|export|make-export|register|record|connect|people|retention|account|refused|epochs|epoch)$/;

/** Names begin with what a button shows in English; the filler comes between the two. */
const FILLED_RULE = 'label-content-name-mismatch';

/** Words of other layers than the page, and names that are the same in every language. */
const NAMES = [
  ...Object.values(SCREENS).flatMap((screen) => [
    ...('label' in screen ? [screen.label] : []),
    ...('group' in screen ? [screen.group] : []),
  ]),
  OWN_KEY_NOTE,
  // What the service calls its own machine, and what the browser calls itself.
  ...['loopback', 'Chrome', 'HeadlessChrome', 'Countersign'],
  // What the fixtures chose, besides names in the marks of foreign text.
  ...['owner', 'Halden', 'billing-bot', 'archive-reader', 'release', 'create', 'write', 'send', 'sign', 'confirm'],
  ...['Unusual amounts; checked by Ada', 'curl', 'JCS', 'seq_no', 'protocol', 'UTC'],
  ...['airline-agent', 'Nightly report', 'Cleared'],
  // Kinds of entities that the sessions of the fixtures name.
  ...['flight', 'payment method', 'reservation', 'email', 'user'],
  // What the service says of events and of programs that do not name themselves.
  ...['Unknown program', 'retention rules', 'token', 'webhook', 'export'],
];

/** States of agents, keys and epochs, kinds of targets, and fields of records, as the service and the fixtures write them. */
const WORDS_OF_DATA = new Set([
  ...['active', 'frozen', 'organization', 'agent', 'case', 'legal hold'],
  ...['subject', 'action', 'key-1', 'csbundle'],
]);

/** Hashes, ids, addresses, codes, names of members and of operation types: data, in whatever language. */
const DATA =
  /[0-9a-f]{8}-[0-9a-f-]{27}|\S+@\S+|\w+:\/\/\S+|[\w-]{40,}|\b[0-9a-f]{7,}\b|\b[A-Z]+(?:_[A-Z]+)+\b|\b[A-Z]{6,}\b|\b\w+(?:[_.]\w+)+\b|\/[\w/.-]+|\([A-Z]+\)|of-a-long-name-|very-long-cluster-name-?|stranger-\S+|\b(?:[Gg]oogle|[Gg]it[Hh]ub)\b/g;

/** What a screen shows and reads out outside of what somebody else wrote, of times and of what is typed as it stands. */
function wordsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isForeign = (element: Element | null): boolean =>
      element?.closest('bdi, time, code, pre, kbd, .code, .unseen, script, style, noscript, canvas') != null;
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (!isForeign(node.parentElement)) found.push(node.textContent ?? '');
    }
    for (const element of document.querySelectorAll('[title], [aria-label], [placeholder], [alt]')) {
      if (isForeign(element)) continue;
      // A title that is the whole of a foreign text within.
      const within = [...element.querySelectorAll('bdi, .code, time')].map((one) => one.textContent ?? '');
      for (const name of ['title', 'aria-label', 'placeholder', 'alt']) {
        const text = element.getAttribute(name) ?? '';
        if (!within.includes(text)) found.push(text);
      }
    }
    return found.filter((text) => /[A-Za-z]{3,}/.test(text));
  });
}

/** What React's own checks say of lazy routes, which the router draws without `use` once their code is there. */
const OF_THE_ROUTER = 'This library called use() to suspend';

/** The screens that are there before signing in. */
const OPEN_SCREENS = ['/', '/set-up', '/join', '/enter?code=spent', '/verify', '/sample'].map(
  (path) => [path, path] as const,
);

/** Every screen is looked at, in both themes. */
const SCREENS_LIMIT_MS = 480_000;

describe.skipIf(chromiumPath() === undefined)('in the pseudo-locale', () => {
  let service: TestService;
  let watched: WatchedPage;
  /** Somebody who is not signed in. */
  let stranger: WatchedPage;
  /** Every screen behind the sign-in. */
  let screens: readonly (readonly [name: string, path: string])[];
  let paths: readonly (readonly [name: string, path: string])[];
  /** What is the same in every language: words of other layers, and data. */
  let known: RegExp;

  beforeAll(async () => {
    const rendererDir = await buildPseudoPage();
    service = await TestService.start({ rendererDir, epochIntervalSeconds: 3600, webhookAllowPrivate: true });
    const account = await service.signUp('owner');
    const { visits } = await workspaceVisits(account);
    screens = visits.map(({ name, path }) => [name, path] as const);
    const { webhook } = await account.client.ok('registerWebhook', {
      body: { endpoint_url: 'https://receiver.example.org/audit', events: [...WEBHOOK_EVENTS], secret: 's'.repeat(40) },
    });
    await account.client.ok('createToken', { body: { ttl_seconds: 3600, name: 'Halden' } });
    // Without the list of licences, which is of names alone.
    const sections = ['mail', 'keys', 'trust', 'backups'];
    paths = [
      ...visits.filter(({ name }) => VISITED.test(name)).map(({ name, path }) => [name, path] as const),
      ['person', `/people/${account.userId}`],
      ['tokens', '/tokens'],
      ['webhooks', `/webhooks?webhook=${webhook.webhook_id}`],
      ['admin-events', '/admin-events'],
      ['settings', '/settings'],
      ...sections.map((section) => [`settings-${section}`, `/settings?section=${section}`] as const),
    ];
    const longestFirst = [...new Set(NAMES)].sort((a, b) => b.length - a.length);
    known = new RegExp(longestFirst.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'gi');
    const browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    await signInPage(context, service, account);
    watched = await openPage(context);
    stranger = await openPage(await browser.newContext({ reducedMotion: 'reduce' }));
  });

  async function show(path: string, { page } = watched): Promise<void> {
    await page.goto(`${service.url}/#${path}`);
    await page.locator('main h1').first().waitFor({ state: 'attached' });
    if (path.includes('new=true')) await page.getByRole('dialog').waitFor();
    await page.waitForFunction(() => document.querySelector('.loading[role="status"]') === null);
    await framesPass(page);
  }

  /** What is observed of sizes is told after a frame. */
  const framesPass = (page: Page) =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

  async function setWidth(page: Page, width: number): Promise<void> {
    if (page.viewportSize()?.width === width) return;
    await page.setViewportSize({ width, height: 800 });
    await framesPass(page);
  }

  it('writes nothing on a screen that is not in its catalogue', async () => {
    const wired: string[] = [];
    for (const [name, path] of paths) {
      await show(path);
      expect(await watched.page.locator('h1').first().textContent(), name).not.toBe('');
      for (const text of await wordsOn(watched.page)) {
        const words =
          text
            .replace(DATA, '')
            .replace(known, '')
            .match(/[A-Za-z][\w-]*(?: [a-z]+)*/g) ?? [];
        if (words.some((word) => /[A-Za-z]{3,}/.test(word) && !WORDS_OF_DATA.has(word))) wired.push(`${name}: ${text}`);
      }
    }
    expect(wired).toEqual([]);
  });

  it('has every screen there is', () => {
    const paths = [...screens, ...OPEN_SCREENS].map(([, path]) => path);
    expect(unvisited(EVERY_SCREEN, paths)).toEqual([]);
  });

  it('fits windows of 1280 and of 900 pixels on every screen, light and dark, and has no serious issue for people with disabilities', {
    timeout: SCREENS_LIMIT_MS,
  }, async () => {
    const trouble: string[] = [];
    let widths: readonly [number, number] = [1280, 900];
    for (const [watching, seen] of [
      [watched, [...screens, ...paths.filter(([name]) => screens.every(([one]) => one !== name))]],
      [stranger, OPEN_SCREENS],
    ] as const) {
      const { page } = watching;
      for (const [name, path] of seen) {
        await setWidth(page, widths[0]);
        await show(path, watching);
        for (const width of widths) {
          await setWidth(page, width);
          const lost = await lostOf(page);
          const issues = (await seriousIssuesInThemes(page)).filter((issue) => !issue.includes(FILLED_RULE));
          trouble.push(...[...lost, ...issues].map((what) => `${name}, ${width}: ${what}`));
        }
        // The next screen appears in the window as it is: half of them in the wide one, half in the narrow one.
        widths = [widths[1], widths[0]];
      }
    }
    expect(trouble).toEqual([]);
  });

  it('breaks nothing', () => {
    const own = [watched, stranger].flatMap(({ complaints }) =>
      complaints.filter((one) => !one.includes(OF_THE_ROUTER)),
    );
    expect(own).toEqual([]);
  });
});

describe('the pseudo-locale', () => {
  it('is longer by a third, accented, and in part from right to left', () => {
    const text = 'Create an export of the last 30 days';
    const other = pseudoText(text);
    expect(other.length).toBeGreaterThan(text.length * 1.3);
    expect(other).not.toMatch(/[A-Za-z]/);
    expect(other).toMatch(/\p{Script=Hebrew}/u);
  });

  it('leaves places and the names of zones as they are', () => {
    expect(pseudoText('{agent} since (UTC)')).toMatch(/^\{agent\} .*\(UTC\)/);
  });
});
