// Every screen of the workspace, walked over with all that is looked at on each: what axe finds in light and dark, how it fits
// its window in any font and size of text, what it asks for, how it looks, and what is wired into the code instead of a catalogue.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { FORKS_SCREEN } from '../../src/renderer/screens/forks/texts.ts';
import {
  openBrowser,
  openOwnBrowser,
  openPage,
  RENDERER_DIR,
  seriousIssues,
  type WatchedPage,
} from '../support/browser.ts';
import { pressFor } from '../support/by-hand.ts';
import { inCatalogue } from '../support/catalogue-words.ts';
import { addFaces } from '../support/faces.ts';
import { temporaryFolder } from '../support/folders.ts';
import { ARE_TAKEN, picture } from '../support/pictures.ts';
import { buildPseudoPage, pseudoText } from '../support/pseudo-locale.ts';
import {
  accessible,
  countedAlike,
  fits,
  inOneLine,
  laidOut,
  toldByShape,
  type WidthsOfFaces,
  whole,
} from '../support/screen-observers.ts';
import { EVERY_SCREEN, unvisited } from '../support/screen-paths.ts';
import { openAnyLanguage, USUAL_SIZE, walk } from '../support/screen-walk.ts';
import { type Account, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { setTextSize } from '../support/text-size.ts';
import { setUp } from '../support/workspace.ts';
import { type Visit, workspaceVisits } from '../support/workspace-visits.ts';

/** A walk over every screen takes its time, and pictures of each at three widths take more. */
const LIMIT = { timeout: ARE_TAKEN ? 1_800_000 : 900_000 };

/** More JavaScript than this must not be needed before the first screen, compressed. */
const MAX_INITIAL_BYTES = 300_000;

/** The screens that need no account; `/` leads strangers to the first. */
function visitsOfStrangers(bundle: Buffer, kid: string): readonly Visit[] {
  const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).waitFor();
  return [
    { name: 'doors', path: '/', ready: (page) => page.getByRole('link', { name: 'Choose a file' }).waitFor() },
    { name: 'set-up', path: '/set-up', ready: (page) => page.getByLabel('Password').waitFor() },
    { name: 'join', path: '/join', ready: (page) => page.getByLabel('Invitation code').waitFor() },
    { name: 'enter', path: '/enter?code=spent', ready: button('Open the workstation') },
    { name: 'forks', path: '/forks', ready: button(FORKS_SCREEN.compare) },
    {
      name: 'verify',
      path: '/verify',
      ready: async (page) => {
        await page
          .getByLabel('Bundle, report or proof')
          .setInputFiles({ name: 'q4.csbundle', mimeType: 'application/json', buffer: bundle });
        await page.getByLabel(/Trusted fingerprints/).fill(kid);
        await page.getByRole('button', { name: 'Verify', exact: true }).click();
        await page.getByRole('heading', { name: 'Verdict: verified' }).waitFor();
      },
    },
    {
      name: 'sample',
      path: '/sample',
      ready: (page) => page.getByRole('heading', { name: /^Record \d+ was forged$/ }).waitFor(),
    },
  ];
}

/** The first call does it; what comes of it is the answer to all. */
function once<T>(task: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= task();
    return made;
  };
}

/** Narrower letters find more room the narrower the window is: they are looked at in the widest alone. */
const USUAL_FACES: WidthsOfFaces = [
  [null, [1280, 900, 640]],
  ['narrow', [1280]],
  ['wide', [1280, 900, 640]],
  ['of one width', [1280, 900]],
];
const LARGE_FACES: WidthsOfFaces = [
  [null, [1280, 900]],
  ['wide', [1280, 900]],
];
const MACHINE_FACE: WidthsOfFaces = [['of the machine', [1280, 900]]];

/** Names begin with what a button shows in English; the filler of the pseudo-locale comes between the two. */
const FILLED_RULE = /label-content-name-mismatch/;
/** What React's own checks say of lazy routes, which the router draws without `use` once their code is there. */
const OF_THE_ROUTER = 'This library called use() to suspend';

describe.skipIf(chromiumPath() === undefined)('the screens of the workspace', () => {
  let service: TestService;
  let context: BrowserContext;
  let watched: WatchedPage;
  let account: Account;
  let visits: readonly Visit[];
  let openVisits: readonly Visit[];

  beforeAll(async () => {
    service = await TestService.start({
      rendererDir: RENDERER_DIR,
      epochIntervalSeconds: 3600,
      webhookAllowPrivate: true,
      trustStore: join(temporaryFolder(), 'trust.json'),
    });
    // A machine with hardly any fonts: where the page hangs on one that it does not bring along, it shows.
    const browser = await openOwnBrowser({ fonts: false });
    context = await browser.newContext({ viewport: USUAL_SIZE, reducedMotion: 'reduce' });
    await addFaces(context);
    watched = await openPage(context);
    account = await setUp(watched.page, service);
    const filled = await workspaceVisits(account);
    visits = filled.visits;
    openVisits = visitsOfStrangers(filled.bundle, service.kid);
  });

  /** The page of somebody who is not signed in. */
  async function openStranger(): Promise<WatchedPage> {
    const stranger = await context.browser()?.newContext({ viewport: USUAL_SIZE, reducedMotion: 'reduce' });
    if (stranger === undefined) throw new Error('the browser is gone');
    return openPage(stranger);
  }

  it('are all visited, over the ledger and over a case', () => {
    const paths = [...visits, ...openVisits].map(({ path }) => path);
    expect(unvisited(EVERY_SCREEN, paths)).toEqual([]);
  });

  describe('each', () => {
    /** One walk for all that is looked at in the usual size of text. */
    const usual = once(() =>
      walk(watched.page, service.url, visits, {
        accessible,
        countedAlike,
        inOneLine,
        toldByShape,
        laidOut: laidOut(USUAL_FACES),
      }),
    );

    it('has no serious issue for people with disabilities, light and dark', LIMIT, async () => {
      expect((await usual()).accessible).toEqual([]);
    });

    it('counts checks alike in its ring, its words and its list', LIMIT, async () => {
      expect((await usual()).countedAlike).toEqual([]);
    });

    it('shows each row of a list in one line', LIMIT, async () => {
      expect((await usual()).inOneLine).toEqual([]);
    });

    it('tells what is chosen in the colours of a system too', LIMIT, async () => {
      expect((await usual()).toldByShape).toEqual([]);
    });

    it('fits its window in its own font or any other, on a machine with hardly any', LIMIT, async () => {
      expect((await usual()).laidOut).toEqual([]);
    });

    it('has no serious issue before signing in either', LIMIT, async () => {
      const { page, complaints } = await openStranger();
      const found = await walk(page, service.url, openVisits, { accessible, countedAlike, inOneLine });
      expect(found).toEqual({ accessible: [], countedAlike: [], inOneLine: [] });
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    it('fits its window in text of twice the size', LIMIT, async () => {
      const { page } = watched;
      await setTextSize(page, 2);
      const found = await walk(page, service.url, visits, { laidOut: laidOut(LARGE_FACES, whole) });
      await setTextSize(page, 1);
      expect(found.laidOut).toEqual([]);
    });

    it("fits its window in the machine's fonts, of the usual and of twice the size", LIMIT, async () => {
      const other = await (await openBrowser()).newContext({ viewport: USUAL_SIZE, reducedMotion: 'reduce' });
      await signInPage(other, service, account);
      await addFaces(other);
      const { page } = await openPage(other);
      const found = await walk(page, service.url, visits, { laidOut: laidOut(MACHINE_FACE) });
      await setTextSize(page, 2);
      const large = await walk(page, service.url, visits, { laidOut: laidOut(MACHINE_FACE, whole) });
      await other.close();
      expect([...found.laidOut, ...large.laidOut]).toEqual([]);
    });
  });

  it('has none in high contrast, nor in its palette, list of keys and menu', async () => {
    const { page } = watched;
    await page.goto(`${service.url}/#/dashboard`);
    await page.getByRole('button', { name: /ada.lovelace/ }).click();
    await page.getByRole('menuitemcheckbox', { name: 'High contrast' }).click();
    const issues = await seriousIssues(page);
    await page.keyboard.press('Escape');
    for (const open of ['Control+k', '?']) {
      await pressFor(page, open, page.getByRole('dialog'));
      if (open === 'Control+k') await picture(page, 'palette-dark');
      issues.push(...(await seriousIssues(page)));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(issues).toEqual([]);
  });

  it('has text of twice the size where the browser asks for it, in the menu too', async () => {
    const { page } = watched;
    await setTextSize(page, 2);
    const height = () =>
      page
        .locator('.nav a')
        .first()
        .evaluate((link) => link.getBoundingClientRect().height);
    expect(await height()).toBe(60);
    await page.getByRole('button', { name: /ada.lovelace/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('Escape');
    await setTextSize(page, 1);
  });

  it('moves nothing for those who do not want motion', async () => {
    const { page } = watched;
    const moving = async (): Promise<number> => {
      await page.goto(`${service.url}/#/dashboard`);
      await pressFor(page, '?', page.getByRole('dialog'));
      const count = await page.evaluate(
        () => document.querySelector('[role="dialog"]')?.getAnimations().concat(document.getAnimations()).length ?? 0,
      );
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      return count;
    };
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await moving()).toBe(0);
    const animation = () =>
      page.evaluate(() => {
        const toast = document.createElement('p');
        toast.className = 'toast';
        document.body.append(toast);
        const { animationName } = getComputedStyle(toast);
        toast.remove();
        return animationName;
      });
    expect(await animation()).toBe('none');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await animation()).toBe('appear');
    await page.emulateMedia({ reducedMotion: 'reduce' });
  });

  it('asks no other host, and breaks no rule of its policy', () => {
    expect(watched.complaints).toEqual([]);
    expect(watched.origins).toEqual(new Set([service.url]));
  });

  it('needs little JavaScript before the first screen', async () => {
    const { page } = await openStranger();
    const scripts: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response.body());
    });
    await page.goto(service.url);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    const bytes = (await Promise.all(scripts)).reduce((sum, script) => sum + gzipSync(script).length, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(MAX_INITIAL_BYTES);
    await page.context().close();
  });

  // The page in a language that nobody speaks, longer by a third and from right to left in part: what is not in that language
  // is wired into the code, and what no longer fits is a layout made for English. Last, since the service then has that page.
  describe('each in the pseudo-locale', () => {
    const observers = { inCatalogue, fits: fits([1280, 900], FILLED_RULE) };
    const complaints: string[] = [];
    const walked = once(async () => {
      await service.restart({ rendererDir: await buildPseudoPage() });
      const own = await context.browser()?.newContext({ viewport: USUAL_SIZE, reducedMotion: 'reduce' });
      if (own === undefined) throw new Error('the browser is gone');
      await signInPage(own, service, account);
      const [page, stranger] = [await openPage(own), await openStranger()];
      const found = await walk(page.page, service.url, visits, observers, openAnyLanguage);
      const before = await walk(stranger.page, service.url, openVisits, observers, openAnyLanguage);
      complaints.push(...page.complaints, ...stranger.complaints);
      return { inCatalogue: [...found.inCatalogue, ...before.inCatalogue], fits: [...found.fits, ...before.fits] };
    });

    it('writes nothing that is not in its catalogue', LIMIT, async () => {
      expect((await walked()).inCatalogue).toEqual([]);
    });

    it('fits windows of 1280 and of 900 pixels, light and dark, and has no serious issue', LIMIT, async () => {
      expect((await walked()).fits).toEqual([]);
    });

    it('breaks nothing', LIMIT, async () => {
      await walked();
      expect(complaints.filter((one) => !one.includes(OF_THE_ROUTER))).toEqual([]);
    });
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
