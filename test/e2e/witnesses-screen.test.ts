// Witnesses in the workspace: added by their keys, asked by file, and what they cosigned saved.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { parseCheckpoint, TIMES_NOTE } from '../../src/protocol/index.ts';
import { HAND_LINES } from '../../src/renderer/components/texts.ts';
import { WITNESS_PANEL } from '../../src/renderer/screens/dashboard/texts.ts';
import { MEMBERS, STANDING } from '../../src/renderer/screens/operation/texts.ts';
import { ADD_WITNESS, ASK_BY_FILE, TIME_STAMPS, WITNESSES_SCREEN } from '../../src/renderer/screens/witnesses/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssues } from '../support/browser.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type Account, registerAgent, submitNext, TestService } from '../support/service.ts';
import type { Signer } from '../support/signer.ts';
import { StampingAuthority } from '../support/stamping.ts';
import { TestWitness } from '../support/witness.ts';
import { setUp } from '../support/workspace.ts';

describe.skipIf(chromiumPath() === undefined)('witnesses in the workspace', () => {
  let service: TestService;
  let page: Page;
  let account: Account;
  let signer: Signer;
  let operationId: string;
  const authority = new StampingAuthority('Time of Example');
  const witness = new TestWitness('witness.example.org/w1');

  beforeAll(async () => {
    service = await TestService.start({
      rendererDir: RENDERER_DIR,
      epochIntervalSeconds: 3600,
      trustStore: join(temporaryFolder(), 'trust.json'),
    });
    const context = await (await openBrowser()).newContext({
      viewport: { width: 1280, height: 800 },
      acceptDownloads: true,
    });
    page = (await openPage(context)).page;
    account = await setUp(page, service);
    signer = await registerAgent(account, 'billing');
    for (let n = 0; n < 3; n++) operationId = (await submitNext(account, signer)).operation_id;
    await account.client.ok('closeEpoch');
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const main = () => page.locator('main');
  const shot = async (name: string): Promise<void> => {
    const folder = process.env['COUNTERSIGN_SHOTS'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  async function savedBytes(name: string): Promise<Buffer> {
    const begun = page.waitForEvent('download');
    await button(name).click();
    return readFileSync(await (await begun).path());
  }
  const saved = async (name: string): Promise<string> => (await savedBytes(name)).toString('utf8');

  it('say that there is none, and what one is for', async () => {
    await page.goto(`${service.url}/#/dashboard`);
    await main().getByText(WITNESS_PANEL.noneExplained).waitFor();
    await page.getByRole('link', { name: WITNESS_PANEL.view }).click();
    await page.getByRole('heading', { name: WITNESSES_SCREEN.none }).waitFor();
    await shot('none');
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('are added by their keys, asked by file, and cosign', async () => {
    await button(WITNESSES_SCREEN.addWitness).first().click();
    await page.getByLabel(ADD_WITNESS.keys).fill(witness.keys);
    await shot('add');
    await page.getByRole('dialog').getByRole('button', { name: ADD_WITNESS.add }).click();
    await main().getByText(WITNESSES_SCREEN.notAsked).waitFor();
    await button(WITNESSES_SCREEN.askByFile).click();
    const request = await saved(ASK_BY_FILE.save);
    expect(await saved(ASK_BY_FILE.saveKeys)).toContain('countersign.service-keys.v1');
    await page.getByText(HAND_LINES.showQr).click();
    await page.getByRole('img', { name: ASK_BY_FILE.qr('3') }).waitFor();
    await shot('ask');
    expect(await seriousIssues(page)).toEqual([]);
    const answer = await witness.answer(service, account, request);
    await page.getByLabel(ASK_BY_FILE.answerLines).fill(answer);
    await button(ASK_BY_FILE.importAnswer).click();
    await main().getByText(WITNESSES_SCREEN.upToDate).waitFor();
    await main().getByText(WITNESSES_SCREEN.sizeOf('3', '3')).waitFor();
    await shot('cosigned');
    expect(await seriousIssues(page)).toEqual([]);
    const checkpoint = parseCheckpoint(Buffer.from(await saved(WITNESSES_SCREEN.saveOf('3'))));
    expect([checkpoint.size, checkpoint.signatures.length]).toEqual([3, 3]);
    await page.goto(`${service.url}/#/dashboard`);
    await main().getByText(WITNESS_PANEL.upTo('3', '3')).waitFor();
    await shot('dashboard');
  });

  it('have time stamps next to them, which are asked for and imported by file', async () => {
    await page.goto(`${service.url}/#/witnesses`);
    await main().getByText(TIME_STAMPS.none).waitFor();
    const request = await savedBytes(TIME_STAMPS.request);
    await button(TIME_STAMPS.import).click();
    await shot('stamp');
    expect(await seriousIssues(page)).toEqual([]);
    const answer = authority.answer(request, Date.now());
    const file = (name: string, buffer: Uint8Array) => ({ name, mimeType: '', buffer: Buffer.from(buffer) });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(TIME_STAMPS.requestFile).setInputFiles(file('a.tsq', request));
    await dialog.getByLabel(TIME_STAMPS.answerFile).setInputFiles(file('a.tsr', request));
    await dialog.getByRole('button', { name: TIME_STAMPS.importVerb }).click();
    await page.getByRole('alert').waitFor();
    await shot('stamp-refused');
    await dialog.getByLabel(TIME_STAMPS.answerFile).setInputFiles(file('a.tsr', answer));
    await dialog.getByRole('button', { name: TIME_STAMPS.importVerb }).click();
    await main().getByText('CN=Time of Example').waitFor();
    await button(TIME_STAMPS.note).click();
    await dialog.getByLabel(TIME_STAMPS.line).fill('drand 4711 8990e7a9aaed');
    await dialog.getByLabel(TIME_STAMPS.source).fill('drand.love');
    await shot('line');
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: TIME_STAMPS.noteVerb }).click();
    await dialog.waitFor({ state: 'hidden' });
    await shot('stamped');
    expect(await seriousIssues(page)).toEqual([]);
    expect(await saved(TIME_STAMPS.saveOf('3'))).toContain('countersign.time-stamps.v1');
    await page.goto(`${service.url}/#/dashboard`);
    await main()
      .getByText(WITNESS_PANEL.stamped('3', '').split(',')[0] ?? '')
      .waitFor();
    await shot('dashboard-stamped');
  });

  it('stand behind each record that they cosigned, with the time stamps', async () => {
    const panel = page.getByRole('region', { name: STANDING.title });
    const open = async (id: string): Promise<void> => page.goto(`${service.url}/#/operations/${id}`).then(() => {});
    await open(operationId);
    await panel.getByText('witnessed by 1 of 1 witness (witness.example.org/w1)').waitFor();
    await panel.getByText(STANDING.ofService).waitFor();
    await panel.getByText('no authority was named whose word on time counts').waitFor();
    await page.getByText(TIMES_NOTE).waitFor();
    await account.client.ok('trustTimeRoots', { body: { certificates: authority.rootPem } });
    await open((await submitNext(account, signer)).operation_id);
    await page.getByRole('heading', { name: MEMBERS.title }).waitFor();
    expect(await panel.count()).toBe(0);
    await page.reload();
    await open(operationId);
    await panel.getByText('said by CN=Time of Example').waitFor();
    expect(await page.getByText(TIMES_NOTE).count()).toBe(1);
    expect(await seriousIssues(page)).toEqual([]);
    await panel.scrollIntoViewIfNeeded();
    await shot('record');
  });

  it('refuse an answer of somebody else, and keep what was pasted', async () => {
    await page.goto(`${service.url}/#/witnesses`);
    await button(WITNESSES_SCREEN.askByFile).click();
    await page.getByLabel(ASK_BY_FILE.answerLines).fill('— somebody.else AAAAAAAA\n');
    await button(ASK_BY_FILE.importAnswer).click();
    await page.getByRole('alert').waitFor();
    await shot('refused');
    expect(await page.getByLabel(ASK_BY_FILE.answerLines).inputValue()).toContain('somebody.else');
    await page.keyboard.press('Escape');
    await button(WITNESSES_SCREEN.remove).click();
    await page.getByRole('dialog').getByRole('button', { name: WITNESSES_SCREEN.removeConfirm }).click();
    await page.getByRole('heading', { name: WITNESSES_SCREEN.none }).waitFor();
    await main()
      .getByRole('row', { name: /witness\.example\.org/ })
      .waitFor();
  });
});
