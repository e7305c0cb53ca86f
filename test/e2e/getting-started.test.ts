// docs/getting-started.md as somebody does it who follows the screen alone: from an empty folder to the proof of the first
// operation of a real agent, in less than three minutes.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import {
  AGENT_TOKEN,
  FIRST_OPERATION,
  KEY_FIELDS,
  REGISTER_SCREEN,
  SNIPPET_TABS,
} from '../../src/renderer/screens/agents/texts.ts';
import { openBrowser, openPage, runFromPalette } from '../support/browser.ts';
import { temporaryFolder } from '../support/folders.ts';
import { PATIENCE_MS, serve } from '../support/processes.ts';
import { likeProjectFolder, pasteIntoShell } from '../support/terminal.ts';

/** Where the page's pictures go: docs/screenshots with COUNTERSIGN_SCREENSHOTS=1, otherwise none are taken. */
const PICTURES = process.env['COUNTERSIGN_SCREENSHOTS'] === '1' ? join(ROOT, 'docs', 'screenshots') : null;

const LIMIT_MS = 180_000;
/** From the link that the service prints to the first countersigned operation. */
const MAX_CLICKS = 8;

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === null) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(PICTURES, `getting-started-${name}.png`) });
}

describe.skipIf(chromiumPath() === undefined)('getting started', () => {
  it('leads from an empty folder to a proved operation in under three minutes', {
    timeout: 2 * PATIENCE_MS,
  }, async () => {
    const began = performance.now();
    const clicks: string[] = [];
    const folder = temporaryFolder();
    likeProjectFolder(folder);
    const service = serve(join(folder, 'my-ledger'));
    const url = await service.listening();
    const [, link = ''] = /^Open (\S+) in a browser to begin$/m.exec(service.stdout) ?? [];

    const context = await (await openBrowser()).newContext({
      viewport: { width: 1280, height: 800 },
      acceptDownloads: true,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(url).origin });
    const { page, complaints, origins } = await openPage(context);
    // Clicks of the person, as the page sees them.
    await page.exposeFunction('noteClick', (label: string) => void clicks.push(label));
    await page.addInitScript(
      "document.addEventListener('click', ({ isTrusted, detail, target }) => { if (isTrusted && detail > 0) noteClick(target.textContent); })",
    );
    await page.goto(link);
    await page.getByRole('button', { name: 'Open the workstation' }).click();
    await page.getByRole('heading', { name: 'Set up this workstation' }).waitFor();
    await page.getByLabel('Organization').fill('Example Ltd');
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByLabel('Password').fill('correct horse battery');
    await picture(page, 'set-up');
    await page.getByRole('button', { name: 'Set up' }).click();

    await page.getByRole('heading', { name: 'Begin with an agent' }).waitFor();
    await page.getByRole('button', { name: 'Register an agent' }).click();
    await page.getByLabel('Agent', { exact: true }).fill('billing-bot');
    await page.getByRole('button', { name: KEY_FIELDS.generateKey }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save billing-bot.pem' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('billing-bot.pem');
    await saved.saveAs(join(folder, saved.suggestedFilename()));
    await picture(page, 'register');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await page.getByRole('button', { name: REGISTER_SCREEN.registerAgent, exact: true }).click();

    await page.getByText('Waiting for the first operation').waitFor();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText(AGENT_TOKEN.shownOnce).waitFor();
    await picture(page, 'connect');
    await page.getByRole('button', { name: SNIPPET_TABS.copy, exact: true }).click();
    await page.getByText('Program copied.').waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    const { code, output } = await pasteIntoShell(text, folder);
    expect(code, output).toBe(0);
    expect(output).toMatch(/^accepted: seq_no 1, sha256:/m);

    expect(clicks.slice(0, 2)).toEqual(['Open the workstation', 'Set up']);
    expect(clicks.length, clicks.join(', ')).toBeLessThanOrEqual(MAX_CLICKS);
    await page.getByRole('heading', { name: /^Received and countersigned$|^All \d+ checks passed$/ }).waitFor();
    await page.getByRole('link', { name: FIRST_OPERATION.showProof }).scrollIntoViewIfNeeded();
    await picture(page, 'first-operation');
    await page.getByRole('link', { name: FIRST_OPERATION.showProof }).click();
    await page.getByRole('heading', { name: 'Operation 1' }).waitFor();
    await runFromPalette(page, 'seal pending');
    await page.getByRole('heading', { name: /^All \d+ checks passed$/ }).waitFor();
    await page.getByText('The open epoch is closed.').waitFor({ state: 'detached' });
    await picture(page, 'proof');
    expect(performance.now() - began).toBeLessThan(LIMIT_MS);

    // The private key never left the window but for the file.
    expect(sent.length).toBeGreaterThan(0);
    for (const body of sent) expect(body).not.toMatch(/PRIVATE|private/);
    expect(complaints).toEqual([]);
    expect(origins).toEqual(new Set([new URL(url).origin]));
  });
});
