// docs/getting-started.md as somebody does it who follows the screen alone: from an empty folder to the proof of the first
// operation of a real agent, in less than three minutes.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import {
  AGENT_TOKEN,
  FIRST_OPERATION,
  KEY_FIELDS,
  REGISTER_SCREEN,
  SNIPPET_TABS,
} from '../../src/renderer/screens/agents/texts.ts';
import { openBrowser, openPage, runFromPalette } from '../support/browser.ts';
import { temporaryFolder } from '../support/folders.ts';
import { picture } from '../support/pictures.ts';
import { PATIENCE_MS, serve } from '../support/processes.ts';
import { likeProjectFolder, pasteIntoShell } from '../support/terminal.ts';
import { shareOfTime } from '../support/until.ts';

/** From the link that the service prints to the forged record of the sample. */
const LIMIT_TO_FORGERY_MS = 60_000;
const MAX_CLICKS_TO_FORGERY = 4;
const LIMIT_MS = 180_000;
/** From the link that the service prints to the first countersigned operation. */
const MAX_CLICKS = 8;

/** The service on an empty folder, and a browser that has followed its link. */
async function firstVisit(folder: string) {
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
  const watched = await openPage(context);
  const { page } = watched;
  // Clicks of the person, as the page sees them.
  const clicks: string[] = [];
  await page.exposeFunction('noteClick', (label: string) => void clicks.push(label));
  await page.addInitScript(
    "document.addEventListener('click', ({ isTrusted, detail, target }) => { if (isTrusted && detail > 0) noteClick(target.textContent); })",
  );
  await page.goto(link);
  await page.getByRole('button', { name: 'Open the workstation', exact: true }).click();
  return { ...watched, url, clicks };
}

describe.skipIf(chromiumPath() === undefined)('getting started', () => {
  it('shows a forgery found in the sample case within a minute, without an account or an agent', {
    timeout: 2 * PATIENCE_MS,
  }, async () => {
    const folder = temporaryFolder();
    const began = performance.now();
    const { page, complaints, origins, url, clicks } = await firstVisit(folder);
    await page.getByRole('link', { name: 'Open the sample case' }).waitFor();
    await picture(page, 'getting-started-doors');
    const posted: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') posted.push(request.url());
    });
    await page.getByRole('link', { name: 'Open the sample case' }).click();
    await page.getByRole('heading', { name: 'Verdict: failed' }).waitFor();
    await page
      .getByText(/^Record 997 is not as it was signed: /)
      .first()
      .waitFor();
    await page.getByRole('heading', { name: 'Record 997 was forged' }).waitFor();
    const altered = page.getByRole('row').filter({ hasText: 'Does not match any signed digest' });
    await expect.poll(() => altered.getByRole('rowheader').allInnerTexts()).toEqual(['arguments', 'result']);
    await expect.poll(() => altered.first().innerText()).toContain('{"amount":20,"user_id":"mei_brown_7075"}');
    await expect.poll(() => altered.first().innerText()).toContain('{"amount":200,"user_id":"mei_brown_7075"}');
    await picture(page, 'getting-started-sample');
    expect(clicks).toEqual(['Open the workstation', 'Open the sample case']);
    expect(clicks.length).toBeLessThanOrEqual(MAX_CLICKS_TO_FORGERY);
    expect((performance.now() - began) * shareOfTime()).toBeLessThan(LIMIT_TO_FORGERY_MS);
    // It says what it is, and nothing of it has gone to the service.
    await page.getByRole('note').filter({ hasText: 'Not your data.' }).waitFor();
    expect(posted).toEqual([]);

    // The same file as a case: the service keeps it apart from its ledger.
    await page.getByRole('button', { name: 'Investigate the sample as a case', exact: true }).click();
    await page.getByRole('button', { name: 'Verify and open as a case', exact: true }).click();
    await page.getByRole('heading', { name: 'Verdict: failed' }).waitFor();
    await page.getByText('Sample: airline customer service').first().waitFor();
    expect(complaints).toEqual([]);
    expect(origins).toEqual(new Set([new URL(url).origin]));
  });

  it('leads from an empty folder to a proved operation in under three minutes', {
    timeout: 2 * PATIENCE_MS,
  }, async () => {
    const began = performance.now();
    const folder = temporaryFolder();
    likeProjectFolder(folder);
    const { page, complaints, origins, url, clicks } = await firstVisit(folder);
    await page.getByRole('link', { name: 'Connect your own agent' }).click();
    await page.getByRole('heading', { name: 'Set up this workstation' }).waitFor();
    await page.getByLabel('Organization').fill('Example Ltd');
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByLabel('Password').fill('correct horse battery');
    await picture(page, 'getting-started-set-up');
    await page.getByRole('button', { name: 'Set up', exact: true }).click();

    await page.getByLabel('Agent', { exact: true }).fill('billing-bot');
    await page.getByRole('button', { name: KEY_FIELDS.generateKey, exact: true }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save billing-bot.pem', exact: true }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('billing-bot.pem');
    await saved.saveAs(join(folder, saved.suggestedFilename()));
    await picture(page, 'getting-started-register');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await page.getByRole('button', { name: REGISTER_SCREEN.registerAgent, exact: true }).click();

    await page.getByText('Waiting for the first operation').waitFor();
    await page.getByRole('button', { name: 'Create token', exact: true }).click();
    await page.getByText(AGENT_TOKEN.shownOnce).waitFor();
    await picture(page, 'getting-started-connect');
    await page.getByRole('button', { name: SNIPPET_TABS.copy, exact: true }).click();
    await page.getByText('Program copied.').waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    const { code, output } = await pasteIntoShell(text, folder);
    expect(code, output).toBe(0);
    expect(output).toMatch(/^accepted: seq_no 1, sha256:/m);

    expect(clicks.slice(0, 2)).toEqual(['Open the workstation', 'Connect your own agent']);
    expect(clicks.length, clicks.join(', ')).toBeLessThanOrEqual(MAX_CLICKS);
    await page.getByRole('heading', { name: /^Received and countersigned$|^All \d+ checks passed$/ }).waitFor();
    await page.getByRole('link', { name: FIRST_OPERATION.showProof }).scrollIntoViewIfNeeded();
    await picture(page, 'getting-started-first-operation');
    await page.getByRole('link', { name: FIRST_OPERATION.showProof }).click();
    await page.getByRole('heading', { name: 'Operation 1' }).waitFor();
    await runFromPalette(page, 'seal pending');
    await page.getByRole('heading', { name: /^All \d+ checks passed$/ }).waitFor();
    await page.getByText('The open epoch is closed.').waitFor({ state: 'detached' });
    await picture(page, 'getting-started-proof');
    expect((performance.now() - began) * shareOfTime()).toBeLessThan(LIMIT_MS);

    // The private key never left the window but for the file.
    expect(sent.length).toBeGreaterThan(0);
    for (const body of sent) expect(body).not.toMatch(/PRIVATE|private/);
    expect(complaints).toEqual([]);
    expect(origins).toEqual(new Set([new URL(url).origin]));
  });
});
