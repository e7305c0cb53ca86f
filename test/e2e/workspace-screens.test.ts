// Every screen of the workspace in light and dark: what axe finds, what it asks for, and how it looks.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import {
  openBrowser,
  openPage,
  RENDERER_DIR,
  seriousIssues,
  seriousIssuesInThemes,
  type WatchedPage,
} from '../support/browser.ts';
import { temporaryFolder } from '../support/folders.ts';
import { ARE_TAKEN, picture } from '../support/pictures.ts';
import { EVERY_SCREEN, unvisited } from '../support/screen-paths.ts';
import { TestService } from '../support/service.ts';
import { setTextSize } from '../support/text-size.ts';
import { setUp } from '../support/workspace.ts';
import { type Visit, workspaceVisits } from '../support/workspace-visits.ts';

/** Pictures of every screen at three widths take their time. */
const SCREENS_LIMIT_MS = ARE_TAKEN ? 900_000 : 240_000;

/** More JavaScript than this must not be needed before the first screen, compressed. */
const MAX_INITIAL_BYTES = 300_000;

/** The screens that need no account; `/` leads strangers to the first. */
function openVisits(bundle: Buffer, kid: string): readonly Visit[] {
  const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).waitFor();
  return [
    { name: 'doors', path: '/', ready: (page) => page.getByRole('link', { name: 'Choose a file' }).waitFor() },
    { name: 'set-up', path: '/set-up', ready: (page) => page.getByLabel('Password').waitFor() },
    { name: 'join', path: '/join', ready: (page) => page.getByLabel('Invitation code').waitFor() },
    { name: 'enter', path: '/enter?code=spent', ready: button('Open the workstation') },
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

/**
 * What a list shows unless somebody chooses otherwise has room in one line of the smallest usual window; but for findings and
 * tags of a case next to its values, below which what happened has a whole line.
 */
const IN_TWO_LINES = ['case-search'];

describe.skipIf(chromiumPath() === undefined)('the screens of the workspace', () => {
  let service: TestService;
  let context: BrowserContext;
  let watched: WatchedPage;
  let visits: readonly Visit[];
  let bundle: Buffer;

  beforeAll(async () => {
    service = await TestService.start({
      rendererDir: RENDERER_DIR,
      epochIntervalSeconds: 3600,
      webhookAllowPrivate: true,
      trustStore: join(temporaryFolder(), 'trust.json'),
    });
    const browser = await openBrowser();
    context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    watched = await openPage(context);
    const account = await setUp(watched.page, service);
    ({ visits, bundle } = await workspaceVisits(account));
  });

  it('are all visited, over the ledger and over a case', () => {
    const paths = [...visits, ...openVisits(bundle, service.kid)].map(({ path }) => path);
    expect(unvisited(EVERY_SCREEN, paths)).toEqual([]);
  });

  /** Goes to a screen, and looks at it in both themes. */
  async function show(page: Page, { name, path, ready }: Visit): Promise<string[]> {
    await page.goto(`${service.url}/#${path}`);
    await ready(page);
    const issues = await seriousIssuesInThemes(page, (theme) => picture(page, `${name}-${theme}`));
    const isFolded = (await page.locator('.is-folded .grid-row').count()) > 0;
    if (isFolded && !IN_TWO_LINES.includes(name)) issues.push('its rows have several lines');
    return issues.map((issue) => `${name}, ${issue}`);
  }

  /** @returns what is chosen on a screen without a shape that tells so where the system has its own colours */
  async function shapeless(page: Page): Promise<string[]> {
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' });
    const found = await page.evaluate(() => [
      ...[...document.querySelectorAll('.nav a[aria-current="page"], .grid-row.is-selected, .button-primary')]
        .filter((element) => getComputedStyle(element).outlineStyle !== 'solid')
        .map((element) => element.outerHTML),
      // Lines that are drawn, not filled, follow the system's colours too.
      ...[getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()]
        .filter((accent) => accent !== 'LinkText')
        .map((accent) => `lines in ${accent}`),
    ]);
    await page.emulateMedia({ forcedColors: 'none' });
    return found;
  }

  it('has no serious issue for people with disabilities, light and dark, and tells what is chosen in the colours of a system too', {
    timeout: SCREENS_LIMIT_MS,
  }, async () => {
    const issues: string[] = [];
    for (const visit of visits) {
      issues.push(...(await show(watched.page, visit)));
      const untold = await shapeless(watched.page);
      issues.push(...untold.map((what) => `${visit.name}, in forced colors: ${what}`));
    }
    expect(issues).toEqual([]);
  });

  it('has none before signing in either', { timeout: SCREENS_LIMIT_MS }, async () => {
    const stranger = await context.browser()?.newContext({ viewport: { width: 1280, height: 800 } });
    if (stranger === undefined) throw new Error('the browser is gone');
    const { page, complaints } = await openPage(stranger);
    const issues: string[] = [];
    for (const visit of openVisits(bundle, service.kid)) issues.push(...(await show(page, visit)));
    expect(issues).toEqual([]);
    expect(complaints).toEqual([]);
    await stranger.close();
  });

  it('has none in high contrast, nor in its palette, list of keys and menu', async () => {
    const { page } = watched;
    await page.goto(`${service.url}/#/dashboard`);
    await page.getByRole('button', { name: /ada.lovelace/ }).click();
    await page.getByRole('menuitemcheckbox', { name: 'High contrast' }).click();
    const issues = await seriousIssues(page);
    await page.keyboard.press('Escape');
    for (const open of ['Control+k', '?']) {
      await page.keyboard.press(open);
      await page.getByRole('dialog').waitFor();
      if (open === 'Control+k') await picture(page, 'palette-dark');
      issues.push(...(await seriousIssues(page)));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(issues).toEqual([]);
  });

  // The screens at this size: layout-with-any-font.test.ts.
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
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
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
    const stranger = await context.browser()?.newContext();
    if (stranger === undefined) throw new Error('the browser is gone');
    const { page } = await openPage(stranger);
    const scripts: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response.body());
    });
    await page.goto(service.url);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const bytes = (await Promise.all(scripts)).reduce((sum, script) => sum + gzipSync(script).length, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(MAX_INITIAL_BYTES);
    await stranger.close();
  });
});
