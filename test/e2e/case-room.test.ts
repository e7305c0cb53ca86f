// The case room as an investigator uses it: a file that somebody gave them, with nothing but the workstation's link.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { nodeCrypto } from '../../src/node/index.ts';
import {
  fingerprintDigits,
  orgFingerprint,
  parseEquivocationProof,
  verifyEquivocationProof,
} from '../../src/protocol/index.ts';
import { AGENT_SCREEN } from '../../src/renderer/screens/agents/texts.ts';
import { ENTRY } from '../../src/renderer/screens/entry/texts.ts';
import { EPOCHS_SCREEN } from '../../src/renderer/screens/epochs/texts.ts';
import { OPERATION_SCREEN } from '../../src/renderer/screens/operation/texts.ts';
import {
  openBrowser,
  openPage,
  RENDERER_DIR,
  runFromPalette,
  seriousIssues,
  type WatchedPage,
} from '../support/browser.ts';
import { makeBundle, ORG_ID, type Plan, serviceKid } from '../support/bundle-maker.ts';
import { goByLetter } from '../support/by-hand.ts';
import { endlessBundle } from '../support/endless-bundle.ts';
import { temporaryFolder } from '../support/folders.ts';
import { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { setUp } from '../support/workspace.ts';

const PLAN: Plan = { agents: 2, epochs: [4, 4] };
const KID = serviceKid(0);

describe.skipIf(chromiumPath() === undefined)('the case room', () => {
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let watched: WatchedPage;
  let page: Page;
  let damagedId = '';
  let otherStoryId = '';
  // Made as its last epoch ended: what the longer one has besides was received later.
  const sealed = makeBundle(PLAN).bundle.epochs.at(-1)?.end_time ?? '';
  const good = makeBundle({ ...PLAN, manifest: (manifest) => ({ ...manifest, created_at: sealed }) });
  const damaged = good.text.replace('"n":3', '"n":9');
  const longer = makeBundle({ ...PLAN, epochs: [4, 4, 4] }).text;
  const otherStory = makeBundle({ ...PLAN, payload: { told: 'otherwise' } }).text;
  const otherIssuer = makeBundle({ ...PLAN, serviceOffset: 2 }).text;

  beforeAll(async () => {
    service = await TestService.start({
      rendererDir: RENDERER_DIR,
      trustStore: join(temporaryFolder(), 'trust.json'),
    });
    browser = await openBrowser();
    context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
    watched = await openPage(context);
    page = watched.page;
    await enter();
  });

  const go = (path: string) => page.goto(`${service.url}/#${path}`);
  /** Where the service was and is: it listens elsewhere after a restart. */
  const origins = new Set<string>();
  const enter = async (): Promise<void> => {
    origins.add(service.url);
    await page.goto(service.workstationLink());
    await page.getByRole('button', { name: 'Open the workstation', exact: true }).click();
    await page.waitForURL(/#\/dashboard/);
  };
  const fileOf = (name: string, text: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  const banner = () => page.getByRole('region', { name: 'Case' });
  /** Has the name of the case on its verdict, where the banner leaves it away. */
  const title = () => page.getByRole('heading', { level: 1 });
  const verdict = (word: string) => page.getByRole('heading', { name: `Verdict: ${word}` }).waitFor();
  const checks = () => page.getByRole('list', { name: 'Checks' }).getByRole('listitem').allInnerTexts();
  const caseId = (): string => /cases\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';

  async function beginImport(file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    await go('/cases/new');
    await page.getByLabel('Bundle or report').setInputFiles(file);
    await page.getByRole('button', { name: 'Verify and open as a case', exact: true }).click();
  }

  async function importFile(name: string, text: string, receipts = ''): Promise<string> {
    await go('/cases/new');
    await page.getByLabel('Bundle or report').setInputFiles(fileOf(name, text));
    if (receipts !== '') {
      await page.getByLabel('Receipts that agents kept (optional)').setInputFiles(fileOf('kept.jsonl', receipts));
      await page.getByRole('heading', { name: 'Kept receipts' }).waitFor();
    }
    await page.getByRole('button', { name: 'Verify and open as a case', exact: true }).click();
    await page.getByRole('heading', { name: /^Verdict: / }).waitFor();
    return caseId();
  }

  it('is behind the door of who came by the link, without an account', async () => {
    await page.getByRole('link', { name: /Cases on this workstation/ }).click();
    await page.getByRole('heading', { name: 'No case yet' }).waitFor();
    await page.getByRole('link', { name: 'Import as a case' }).first().click();
    await page.getByLabel('Bundle or report').waitFor();
    expect(await page.getByRole('navigation', { name: 'Screens' }).getByRole('link').allInnerTexts()).toEqual([
      'Cases',
      'Import as a case',
      'Check without storing',
      'Compare for forks',
    ]);
  });

  it('shows what a file says of itself before anything of it is verified', async () => {
    await page.getByLabel('Bundle or report').setInputFiles(fileOf('from-acme.csbundle', good.text));
    await page.getByRole('heading', { name: 'What the file claims' }).waitFor();
    await page.getByText('Nothing is verified yet').waitFor();
    await page.getByText('Never seen before').waitFor();
    await page
      .getByText(fingerprintDigits(KID)[0] ?? '')
      .first()
      .waitFor();
    await page.getByLabel('Name of the case (optional)').fill('Acme, third quarter');
    await page.getByRole('button', { name: 'Verify and open as a case', exact: true }).click();
    await verdict('incomplete');
    await banner().getByText('Imported case – read-only').waitFor();
    await title().getByText('Acme, third quarter').waitFor();
    expect(await banner().getByText('Acme, third quarter').count()).toBe(0);
    expect(await checks()).toHaveLength(10);
    expect((await checks()).filter((check) => !check.startsWith('Pass'))).not.toEqual([]);
    // Nothing is green for who does not trust the issuer.
    expect(await page.locator('.damage-proven').count()).toBe(0);
    await page.getByText('8 consistent').waitFor();
  });

  it('trusts nobody before the fingerprint that came through a separate channel is the same', async () => {
    const trust = page.getByRole('button', { name: 'Trust this issuer', exact: true });
    const field = page.getByLabel('Fingerprint of the key, as the issuer told you');
    await expect.poll(() => trust.isDisabled()).toBe(true);
    await field.fill(serviceKid(1));
    await page.getByText('group 1 differs').waitFor();
    await expect.poll(() => trust.isDisabled()).toBe(true);
    await field.fill(KID.slice(0, -1));
    await page.getByText('1 character is missing').waitFor();
    await expect.poll(() => trust.isDisabled()).toBe(true);
    await field.fill(fingerprintDigits(KID).join(' '));
    await page.getByText('The same, character for character.').waitFor();
    // The key alone is not enough: the service may keep the ledgers of others.
    await expect.poll(() => trust.isDisabled()).toBe(true);
    const organization = page.getByLabel('Fingerprint of the organization, as the issuer told you');
    await organization.fill(orgFingerprint('org_another'));
    await page.getByText('Not the same').waitFor();
    await expect.poll(() => trust.isDisabled()).toBe(true);
    await organization.fill(orgFingerprint(ORG_ID));
    await trust.click();
    await verdict('verified');
    await page.getByText('8 proven').waitFor();
    expect(await field.count()).toBe(0);
    await go('/cases');
    await page.getByRole('button', { name: 'Trusted issuers', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(fingerprintDigits(KID)[0] ?? '')
      .waitFor();
    await page.getByRole('dialog').getByText('in a workstation session').waitFor();
    await page.keyboard.press('Escape');
  });

  it('leads from a finding of a damaged bundle to the record in the case', async () => {
    damagedId = await importFile(
      'damaged.csbundle',
      damaged,
      good.receipts.map((one) => `${JSON.stringify(one)}\n`).join(''),
    );
    await verdict('failed');
    await page.getByRole('img', { name: /Records 1 to 8: .*1 damaged/ }).waitFor();
    await page.getByText('PAYLOAD_HASH_MISMATCH', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Record 3' }).first().click();
    await page.getByRole('heading', { name: /^\d+ of \d+ checks failed$/ }).waitFor();
    await banner().getByText('Failed').waitFor();
    await banner().getByText('damaged.csbundle').waitFor();
    await page.getByRole('heading', { name: 'Findings that name this record (1)' }).waitFor();
    const failed = page.locator('.steps > li').filter({ hasText: 'Fail' });
    await expect.poll(() => failed.locator('strong').allInnerTexts()).toEqual(['Payload hash']);
    await page.getByLabel('Which bytes').selectOption('As in the file');
    // A record in the file begins with a brace and a name.
    await expect.poll(() => page.getByLabel('As in the file').innerText()).toContain('7b 22');
  });

  it('stays in the case on every way, and offers nothing that would change it', async () => {
    const inCase = new RegExp(`/cases/${caseId()}/`);
    await page.getByRole('link', { name: OPERATION_SCREEN.showInChain }).click();
    await page.getByText('4 records loaded, all linked').waitFor();
    expect(page.url()).toMatch(inCase);
    await page.getByRole('link', { name: 'agent-1' }).click();
    await page.getByRole('heading', { name: AGENT_SCREEN.headOfChain }).waitFor();
    expect(await page.getByRole('button', { name: 'Freeze agent…', exact: true }).count()).toBe(0);
    await page.getByRole('navigation', { name: 'In this case' }).getByRole('link', { name: 'Epochs' }).click();
    await page.getByText('2 epochs, all').waitFor();
    expect(await page.getByRole('button', { name: EPOCHS_SCREEN.sealRecordsNow, exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: '2', exact: true }).click();
    await page.locator('.merkle').waitFor();
    expect(page.url()).toMatch(inCase);
    await banner().getByText('Imported case – read-only').waitFor();
  });

  it('keeps tags and notes, and finds by them', async () => {
    await page.getByRole('navigation', { name: 'In this case' }).getByRole('link', { name: 'Search' }).click();
    await page.getByText('8 actions').waitFor();
    const query = page.getByRole('combobox', { name: 'Query' });
    await query.fill('subject = "file 3"');
    await query.press('Enter');
    await page.getByText('1 action').waitFor();
    await page.locator('[data-row]').click();
    await page.getByLabel('Add a tag').fill('look into');
    await page.getByLabel('Add a tag').press('Enter');
    await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'look into' }).click();
    await page.getByText('1 action').waitFor();
    expect(page.url()).toContain('tag=look');
    const tagged = page.getByRole('row').filter({ hasText: 'look into' });
    await tagged.getByRole('link').click();
    await page.getByRole('link', { name: 'Show proof' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('The figure was 3. Ask Ms Ōta.');
    await page.getByRole('button', { name: 'Save note', exact: true }).click();
    await page.getByText(/^Saved /).waitFor();
    await page.reload();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Note' }).inputValue())
      .toBe('The figure was 3. Ask Ms Ōta.');
    const history = page.getByRole('region', { name: 'History of tags, note and bookmark' });
    await history.getByRole('row').filter({ hasText: 'Ask Ms Ōta.' }).waitFor();
    await expect.poll(() => history.getByRole('row').filter({ hasText: 'look into' }).count()).toBe(2);
  });

  it('gives its report to keep, as PDF and as JSON with what the investigator wrote', async () => {
    await page.getByRole('navigation', { name: 'In this case' }).getByRole('link', { name: 'Verdict' }).click();
    const save = async (kind: RegExp): Promise<Buffer> => {
      await page.getByRole('button', { name: 'Save report', exact: true }).click();
      expect(await seriousIssues(page)).toEqual([]);
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: kind }).click();
      return readFileSync(await (await download).path());
    };
    expect((await save(/PDF/)).subarray(0, 5).toString()).toBe('%PDF-');
    const json = (await save(/JSON/)).toString('utf8');
    expect(json).toContain('PAYLOAD_HASH_MISMATCH');
    expect(json).toContain('Ask Ms Ōta.');
    const log = page.getByRole('region', { name: 'Custody log' });
    await log.getByText(/^\d+ entries: linked, and \d+ not signed$/).waitFor();
    await log.getByRole('row').filter({ hasText: 'Report saved' }).filter({ hasText: 'format: json' }).waitFor();
  });

  it('warns loudly where the issuer of an organization has changed', async () => {
    await importFile('other-issuer.csbundle', otherIssuer);
    const alert = page.getByRole('alert').filter({ hasText: 'The issuer of this organization has changed' });
    await alert.getByText(fingerprintDigits(KID)[0] ?? '').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Trust this issuer', exact: true }).isDisabled())
      .toBe(true);
  });

  it('compares two cases: one continues where the other ends, or they contradict each other', async () => {
    await importFile('longer.csbundle', longer);
    const compareWith = async (name: string): Promise<void> => {
      await page.getByRole('navigation', { name: 'In this case' }).getByRole('link', { name: 'Compare' }).click();
      await page.getByLabel('Compare this case with').selectOption(name);
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
    };
    await compareWith('Acme, third quarter');
    await page.getByRole('heading', { name: 'This case continues where the other ends' }).waitFor();
    await page.locator('.hero-pass').waitFor();
    await page.getByText('9 – 12').waitFor();
    otherStoryId = await importFile('other-story.csbundle', otherStory);
    await compareWith('Acme, third quarter');
    await page.getByRole('heading', { name: 'They contradict each other' }).waitFor();
    await page.getByText('EQUIVOCATION', { exact: true }).first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save proof', exact: true }).click();
    const proof = parseEquivocationProof(readFileSync(await (await download).path()));
    expect(await verifyEquivocationProof(proof, { crypto: nodeCrypto, trustedKids: [KID] })).toMatchObject({
      verdict: 'verified',
    });
  });

  it('shows the record of a damaged case that differs next to the other one, and never calls the two the same', async () => {
    await go(`/cases/${damagedId}/compare`);
    await page.getByLabel('Compare this case with').selectOption('Acme, third quarter');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByText('The verdict on damaged.csbundle is: failed.').waitFor();
    expect(await page.locator('.hero-pass').count()).toBe(0);
    await page.getByRole('heading', { name: 'Receipts agree, 1 record differs in its payload' }).waitFor();
    const sentence = 'Record 3 was changed after it was signed: n is 9, 3 was signed, in this case.';
    await page.getByRole('status').getByText(sentence).waitFor();
    await page.getByRole('list', { name: 'Records that differ' }).getByText(sentence).waitFor();
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: 'n (changed)', exact: true }) });
    await expect.poll(() => row.getByRole('cell').allInnerTexts()).toEqual(['9', '3']);
    if (process.env['SHOT']) await page.screenshot({ path: process.env['SHOT'] });
  });

  it('lists its cases, sorted as asked, and renames one', async () => {
    await go(`/cases/${otherStoryId}`);
    await page.getByRole('button', { name: 'Rename…', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('A second story');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename', exact: true }).click();
    await title().getByText('A second story').waitFor();
    await go('/cases');
    await page.getByText('5 cases').waitFor();
    const names = () => page.locator('tbody td:first-child').allInnerTexts();
    await expect.poll(async () => (await names())[0]).toBe('A second story');
    await page.getByRole('button', { name: 'Case', exact: true }).click();
    await expect
      .poll(names)
      .toEqual([
        'A second story',
        'Acme, third quarter',
        'damaged.csbundle',
        'longer.csbundle',
        'other-issuer.csbundle',
      ]);
    await page.getByRole('columnheader', { name: 'Verdict' }).getByRole('button').click();
    await expect.poll(async () => (await names())[0]).toBe('damaged.csbundle');
    expect(page.url()).toContain('sort=verdict');
    await page.getByLabel('Filter').fill('acme');
    await page.getByText('1 of 5 cases').waitFor();
  });

  it('still has them after the service was started again', async () => {
    await service.restart();
    await enter();
    await page.getByRole('link', { name: /Cases on this workstation/ }).click();
    await page.getByRole('link', { name: 'damaged.csbundle' }).click();
    await verdict('failed');
    await page.getByRole('navigation', { name: 'In this case' }).getByRole('link', { name: 'Search' }).click();
    // The verdict has a box for a query as well.
    await page.getByText('8 actions').waitFor();
    await page.getByRole('combobox', { name: 'Query' }).fill('tag = "look into"');
    await page.getByRole('combobox', { name: 'Query' }).press('Enter');
    await page.getByText('1 action').waitFor();
  });

  it('asks before it deletes one, and says what stays', async () => {
    await page.getByRole('navigation', { name: 'In this case' }).getByRole('link', { name: 'Verdict' }).click();
    await page.getByRole('button', { name: 'Delete…', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete damaged.csbundle' });
    await dialog.getByText('What stays:').waitFor();
    await dialog.getByRole('button', { name: 'Delete the case', exact: true }).click();
    await page.getByText('4 cases').waitFor();
    expect(await page.getByText('damaged.csbundle', { exact: true }).count()).toBe(0);
  });

  it('takes a file that is dropped anywhere, and says what it can not read', async () => {
    const drop = async (name: string, text: string): Promise<void> => {
      const data = await page.evaluateHandle(
        ([fileName, content]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([content ?? ''], fileName ?? ''));
          return transfer;
        },
        [name, text],
      );
      await page.dispatchEvent('body', 'dragenter', { dataTransfer: data });
      await page.getByText('Drop a bundle, a PDF report or kept receipts').waitFor();
      await page.dispatchEvent('body', 'drop', { dataTransfer: data });
    };
    await drop('photo.png', 'not a bundle');
    await page.getByRole('alert').filter({ hasText: 'neither a bundle nor a report' }).waitFor();
    expect(await page.getByRole('button', { name: 'Verify and open as a case', exact: true }).count()).toBe(0);
    await drop('again.csbundle', good.text);
    await page.getByText('You trust this key for this organization.').waitFor();
  });

  it('tells how far a large file is, and lets go of it', async () => {
    await go('/cases');
    await go('/cases/new');
    const slow = await context.newCDPSession(page);
    const conditions = { offline: false, latency: 0, downloadThroughput: -1 };
    await slow.send('Network.enable');
    await slow.send('Network.emulateNetworkConditions', { ...conditions, uploadThroughput: 100_000 });
    await page
      .getByLabel('Bundle or report')
      .setInputFiles(fileOf('large.csbundle', good.text + ' '.repeat(3_000_000)));
    const reading = page.getByRole('region', { name: 'Reading large.csbundle' });
    await reading.getByText(/of 2\.9 MiB · .* a second · .* left/).waitFor();
    const ended = page.waitForEvent('requestfailed');
    await reading.getByRole('button', { name: 'Cancel', exact: true }).click();
    expect((await ended).url()).toContain('/v1/cases/inspect');
    await slow.send('Network.emulateNetworkConditions', { ...conditions, uploadThroughput: -1 });
    await reading.waitFor({ state: 'detached' });
    expect(await page.getByText('What the file claims').count()).toBe(0);
    // The same file can be chosen again.
    expect(await page.getByLabel('Bundle or report').evaluate((field: HTMLInputElement) => field.value)).toBe('');
  });

  it('is gone through by keyboard alone, from the file to the proof', async () => {
    // From the beginning: that the browser asks us for the file is told to it another way than keys, and may arrive after one.
    const chooser = page.waitForEvent('filechooser');
    await go('/cases');
    await page.getByText('4 cases').waitFor();
    await goByLetter(page, 'i');
    const field = page.getByLabel('Bundle or report');
    await field.waitFor();
    await page.keyboard.press('/');
    await until('the focus in the field', () => field.evaluate((element) => element === document.activeElement));
    await page.keyboard.press('Space');
    await (await chooser).setFiles(fileOf('by-keyboard.csbundle', damaged));
    await page.getByLabel('Name of the case (optional)').waitFor();
    await expect
      .poll(async () => {
        await page.keyboard.press('Tab');
        return page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.placeholder ?? '');
      })
      .toBe('by-keyboard.csbundle');
    await page.keyboard.press('Enter');
    await verdict('failed');
    await page.locator('[data-row]:visible').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^\d+ of \d+ checks failed$/ }).waitFor();
    await runFromPalette(page, 'this case: search');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('8 actions').waitFor();
    await goByLetter(page, 'a');
    await page.getByText('2 agents').waitFor();
    await goByLetter(page, 'e');
    await page.getByText('2 epochs, all').waitFor();
    await goByLetter(page, 's');
    await page.getByText('8 actions').waitFor();
    await goByLetter(page, 'c');
    await page.getByText('5 cases').waitFor();
  });

  it('says of a compressed file that is not whole what arrived, and what to ask for', async () => {
    const bytes = gzipSync(good.text).subarray(0, -1500);
    await beginImport({ name: 'cut-off.csbundle.gz', mimeType: 'application/gzip', buffer: bytes });
    const end = page.getByRole('alert').filter({ has: page.getByRole('heading', { name: 'The file is not whole' }) });
    await end.getByText(/^The compressed file ends too early\. .* bytes of it arrived, .* whole records/).waitFor();
    await end.getByText('FILE_CUT_OFF').waitFor();
  });

  it('cancels an import that is under way, and leaves nothing of it behind', async () => {
    await beginImport({ name: 'endless.csbundle.gz', mimeType: 'application/gzip', buffer: endlessBundle(good.text) });
    const progress = page.getByRole('region', { name: 'Progress' });
    await progress.getByText('Verifying every record').waitFor();
    await progress.getByText(/[1-9][\d,]* records/).waitFor();
    await progress.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('heading', { name: 'The import was cancelled' }).waitFor();
    await page.getByText('Only this note was kept.').waitFor();
    await banner().getByText('Cancelled').waitFor();
    // Its thread has the files open until it has ended.
    await expect.poll(() => readdirSync(join(service.dataDir, 'cases', caseId()))).toEqual(['case.json']);
    await page.getByRole('button', { name: 'Delete…', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the case', exact: true }).click();
    await page.getByText('6 cases').waitFor();
    // Nothing of it holds up the next one.
    await importFile('after-it.csbundle', good.text);
  });

  it('shows an account the cases of its organization only, and trusts for one case where there is to be no more', async () => {
    const other = await browser.newContext();
    const { page: theirs } = await openPage(other);
    await setUp(theirs, service);
    await theirs.getByRole('link', { name: 'Cases' }).click();
    await theirs.getByRole('heading', { name: 'No case yet' }).waitFor();
    await theirs.getByRole('link', { name: 'Import as a case' }).first().click();
    await theirs.getByLabel('Bundle or report').setInputFiles(fileOf('theirs.csbundle', otherIssuer));
    await theirs.getByRole('button', { name: 'Verify and open as a case', exact: true }).click();
    await theirs.getByLabel('Fingerprint of the key, as the issuer told you').fill(serviceKid(2));
    await theirs.getByRole('button', { name: 'Trust the key for this case only', exact: true }).click();
    await theirs.getByRole('heading', { name: 'Verdict: verified' }).waitFor();
    // With a live ledger too, the letters stay in the case; outside of it they lead to the live one.
    for (const [letter, path] of [
      ['s', 'search'],
      ['a', 'agents'],
      ['e', 'epochs'],
    ] as const) {
      await goByLetter(theirs, letter);
      await expect.poll(() => theirs.url()).toMatch(new RegExp(`/#/cases/[0-9a-f-]{36}/${path}$`));
    }
    await theirs.keyboard.press('?');
    await theirs.getByRole('dialog').getByText('Search; in a case, of the case').waitFor();
    await theirs.keyboard.press('Escape');
    await theirs.getByRole('dialog').waitFor({ state: 'detached' });
    await goByLetter(theirs, 'd');
    await theirs.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await goByLetter(theirs, 'e');
    await expect.poll(() => theirs.url()).toMatch(/\/#\/epochs$/);
    await theirs.goto(`${service.url}/#/cases`);
    await theirs.getByText('1 case').waitFor();
    await other.close();
  });

  it('keeps out who has neither link nor account', async () => {
    const stranger = await browser.newContext();
    const { page: theirs } = await openPage(stranger);
    await theirs.goto(`${service.url}/#/cases`);
    await theirs.getByText(ENTRY.linked).waitFor();
    expect(await theirs.getByRole('navigation', { name: 'Screens' }).count()).toBe(0);
    await theirs.getByRole('link', { name: ENTRY.checkWithout }).click();
    await theirs.getByLabel(/Trusted fingerprints/).waitFor();
    await stranger.close();
  });

  it('asks no other host, and breaks no rule of its policy', () => {
    expect(watched.complaints).toEqual([]);
    expect(watched.origins).toEqual(origins);
  });
});
