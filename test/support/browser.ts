import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { expect } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { writeFontsConfiguration } from '../../scripts/support/fonts.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { atEnd } from './cleanup.ts';
import { temporaryFolder } from './folders.ts';
import { PATIENCE_MS } from './processes.ts';

/** Where the built pages are (test/support/build-pages.ts). */
export const RENDERER_DIR = join(ROOT, 'out', 'renderer');

/** The browser of the files that have no other wish, as long as this process runs: its end takes it along, with the pipe between them. */
let shared: Browser | null = null;

/** A real browser for a test file, whose contexts are closed with the file: files that share it have nothing else in common. */
export async function openBrowser(): Promise<Browser> {
  if (shared?.isConnected() !== true) shared = await launch();
  const browser = shared;
  atEnd(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

/**
 * A real browser with something of its own, which ends with the test file.
 * @param scrollBars whether there are any, as people have them, and playwright has not
 * @param fonts whether it may use those of the machine; without, only the few of the repository
 * @param processes how many its pages share, where there are many: each more starts for itself, and reads the page's code
 */
export async function openOwnBrowser(options: BrowserOptions): Promise<Browser> {
  const browser = await launch(options);
  atEnd(() => browser.close());
  return browser;
}

interface BrowserOptions {
  readonly scrollBars?: boolean;
  readonly fonts?: boolean;
  readonly processes?: number;
}

/** Everything that it would ask other hosts for is switched off. */
function launch({ scrollBars = false, fonts = true, processes }: BrowserOptions = {}): Promise<Browser> {
  const executablePath = chromiumPath();
  return chromium.launch({
    // A process that is told to end ends: it must not wait for the browser.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    ...(scrollBars ? { ignoreDefaultArgs: ['--hide-scrollbars'] } : {}),
    ...(executablePath === undefined ? {} : { executablePath }),
    ...(fonts ? {} : { env: { ...process.env, FONTCONFIG_FILE: writeFontsConfiguration(temporaryFolder()) } }),
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-gpu',
      ...(processes === undefined ? [] : [`--renderer-process-limit=${processes}`]),
      // Chromium refuses to sandbox as root; nothing but our own pages is loaded here.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}

/**
 * Has the pages of a context laid out as ever, but not painted, which is most of what a frame costs: for tests that look at
 * sizes and texts alone.
 */
export async function leaveUnpainted(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':root { opacity: 0 !important }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
}

/** How long a page is waited for, in milliseconds: less than a test may take, so that a failure names what never came. */
const PAGE_PATIENCE_MS = PATIENCE_MS / 5;

/** A page with what it complained of: errors on its console, which breaches of its policy are too, and where it asked. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: string[];
  readonly origins: Set<string>;
}

export async function openPage(context: BrowserContext): Promise<WatchedPage> {
  return watchPage(await context.newPage());
}

/** Follows a page that is open already. */
export function watchPage(page: Page): WatchedPage {
  page.setDefaultTimeout(PAGE_PATIENCE_MS);
  const complaints: string[] = [];
  const origins = new Set<string>();
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url())) origins.add(new URL(request.url()).origin);
  });
  page.on('console', (message) => {
    // A refused call is an answer that the page expects; the browser notes it as an error all the same.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints, origins };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe asks for only where it is told to: parts that readers of landmarks never come by, and targets that fingers miss. */
const FURTHER_RULES = ['region', 'target-size'];

/** What depends on colours. All else that axe looks at is the same in both themes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds on a page that is serious or critical, or of the further rules: rule and elements.
 * @param rules which to ask for; all without
 */
export async function seriousIssues(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(AXE);
  const asked = { rules, further: FURTHER_RULES };
  return page.evaluate(async ({ rules: runOnly, further }) => {
    // Colours on their way from one to the other are not what is looked at, nor a dialog that is still appearing.
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
    }
    const { violations } = await (
      window as unknown as {
        axe: {
          run(
            context: { exclude: readonly string[] },
            options: { resultTypes: string[]; runOnly?: readonly string[]; rules?: object },
          ): Promise<{
            violations: { id: string; impact: string | null; nodes: { html: string; failureSummary?: string }[] }[];
          }>;
        };
      }
    ).axe.run(
      // What stands at the edges of an open menu and hands the focus on at once: nobody stays there.
      { exclude: ['[data-base-ui-focus-guard]'] },
      {
        resultTypes: ['violations'],
        ...(runOnly === undefined
          ? { rules: Object.fromEntries(further.map((id) => [id, { enabled: true }])) }
          : { runOnly }),
      },
    );
    return violations
      .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || further.includes(id))
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`));
  }, asked);
}

/**
 * The same of a page as it stands, in the light theme and then in the dark one.
 * @param look what else is to be done in each
 */
export async function seriousIssuesInThemes(
  page: Page,
  look: (theme: 'light' | 'dark') => Promise<void> = async () => undefined,
): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  await look('light');
  const light = await seriousIssues(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await look('dark');
  const dark = await seriousIssues(page, COLOUR_RULES);
  return [...light.map((issue) => `light: ${issue}`), ...dark.map((issue) => `dark: ${issue}`)];
}

/** Runs a command of the palette by keyboard, as soon as it takes letters: those typed before are nobody's. */
export async function runFromPalette(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Go to or run' });
  await field.waitFor();
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type(words);
  await page.getByRole('option', { name: words, selected: true }).waitFor();
  await page.keyboard.press('Enter');
}
