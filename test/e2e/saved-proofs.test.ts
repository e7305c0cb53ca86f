// A proof of one record, saved from the workspace, from a case and by the command: accepted by all three verifiers.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import {
  fingerprintDigits,
  fromBase64Url,
  type Receipt,
  type RecordProof,
  receiptSignedBytes,
  TIMES_NOTE,
  type VerificationReport,
} from '../../src/protocol/index.ts';
import { HAND_OVER } from '../../src/renderer/components/hand-over/texts.ts';
import { SAVE_LOG_PROOFS } from '../../src/renderer/screens/epochs/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssues, type WatchedPage } from '../support/browser.ts';
import { at } from '../support/bytes.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { hasPython } from '../support/fuzz/verifier-process.ts';
import { type Account, bundleOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { readTlogProof } from '../support/tlog-proof-reader.ts';

const PICTURES = process.env['COUNTERSIGN_SCREENSHOTS'] ?? temporaryFolder();
const inRepository = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const SINGLE_FILE = inRepository('resources/verifier/verify-bundle.mjs');
const PYTHON = inRepository('test/interop/verify_bundle.py');

/** Each verifier's exit status: 0 is verified. */
async function judgedBy(path: string, trust: string): Promise<Record<string, number | null>> {
  const given = [path, '--trust', trust];
  return {
    command: (await run('verify', ...given)).code,
    'single file': spawnSync(process.execPath, [SINGLE_FILE, ...given]).status,
    ...(hasPython() ? { python: spawnSync('python3', [PYTHON, ...given]).status } : {}),
  };
}

describe.skipIf(chromiumPath() === undefined)('a proof of one record', () => {
  const folder = temporaryFolder();
  const receipts: Receipt[] = [];
  let service: TestService;
  let owner: Account;
  let watched: WatchedPage;
  let page: Page;
  let bundle: string;

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR });
    owner = await service.signUp();
    const signer = await registerAgent(owner, 'billing-bot');
    for (let n = 0; n < 5; n++) receipts.push(await submitNext(owner, signer, { payload: { amount: 100 + n } }));
    bundle = join(folder, 'all.csbundle');
    writeFileSync(bundle, await bundleOf(owner));
    receipts.push(await submitNext(owner, signer, { payload: { amount: 200 } }));
    const context = await (await openBrowser()).newContext({
      acceptDownloads: true,
      viewport: { width: 1280, height: 800 },
    });
    await signInPage(context, service, owner);
    watched = await openPage(context);
    page = watched.page;
  });

  const trust = (): string => `${service.kid}@${owner.orgId}`;
  const accepted = { command: 0, 'single file': 0, ...(hasPython() ? { python: 0 } : {}) };

  async function openSave(address: string): Promise<void> {
    // The screen before has a button of the same name, which is there until the next one is drawn.
    await page.goto('about:blank');
    await page.goto(`${service.url}/#${address}`);
    await page.getByRole('button', { name: 'Hand over…', exact: true }).click();
  }

  /** Saves by the keyboard. @returns the path of the file, under the name that it was given */
  async function save(button: string): Promise<string> {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: button, exact: true }).press('Enter');
    const file = await download;
    const path = join(folder, file.suggestedFilename());
    await file.saveAs(path);
    return path;
  }

  it('saved from the workspace is accepted by all three verifiers', async () => {
    await openSave(`/operations/${at(receipts, 2).operation_id}`);
    await page.getByRole('dialog', { name: 'Hand over 1 record' }).getByText(TIMES_NOTE).waitFor();
    const [digits = ''] = fingerprintDigits(service.kid);
    await page.locator('.fingerprint-digits').getByText(digits).first().waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.screenshot({ path: join(PICTURES, 'hand-over.png') });
    const path = await save('Save proof');
    expect(path).toMatch(/_record_3\.csproof$/);
    expect(await judgedBy(path, trust())).toEqual(accepted);
  });

  it('saved as a tlog-proof is accepted by a reader that follows C2SP alone', async () => {
    await openSave(`/operations/${at(receipts, 2).operation_id}`);
    await page.getByRole('radio', { name: /^tlog-proof/ }).check();
    const file = readFileSync(await save('Save tlog-proof'), 'utf8');
    const [{ x = '' } = {}] = (await owner.client.ok('jwks')).keys;
    const read = readTlogProof(file, fromBase64Url(x, 32), () => receiptSignedBytes(at(receipts, 2)));
    expect([read.index, read.size]).toEqual([2n, 5n]);
  });

  it('is not made before the record is sealed, and the page says why', async () => {
    await openSave(`/operations/${at(receipts, 5).operation_id}`);
    await page.getByRole('button', { name: 'Save proof', exact: true }).click();
    await page.getByText(/no epoch seals the operation yet/i).waitFor();
    await page.keyboard.press('Escape');
  });

  it('of several records is one file, which all three verifiers accept, and no report', async () => {
    await page.goto(`${service.url}/#/search?unit=records&query=${encodeURIComponent('seq = 2 or seq = 4')}`);
    await page.getByRole('button', { name: 'Select all', exact: true }).click();
    await page.getByRole('button', { name: 'Hand over…', exact: true }).click();
    await page.getByRole('dialog', { name: 'Hand over 2 records' }).waitFor();
    const path = await save('Save proof');
    const { type, records } = JSON.parse(readFileSync(path, 'utf8')) as RecordProof;
    expect([type, records.map(({ ear }) => ear.seq_no)]).toEqual(['countersign.record-proof.v1', [2, 4]]);
    expect(await judgedBy(path, trust())).toEqual(accepted);
  });

  it('is in a sealed case, which the dialog makes and says beforehand what else it holds', async () => {
    await page.goto(`${service.url}/#/search?unit=records&query=${encodeURIComponent('seq = 2 or seq = 4')}`);
    await page.getByRole('button', { name: 'Select all', exact: true }).click();
    await page.getByRole('button', { name: 'Hand over…', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Hand over 2 records' });
    await dialog.getByRole('radio', { name: /^Sealed case/ }).press('Space');
    await dialog.getByText(HAND_OVER.sealedLive('2', '3')).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    const path = await save(HAND_OVER.save.sealed);
    await page.getByText(HAND_OVER.sealedSaved(false)).waitFor();
    const judged = await run('case', path, '--trust', trust());
    expect(judged.stdout).toContain('selection.csproof');
    // Whole and sound, but for that nobody signed: this browser has no key.
    expect(judged.code, judged.stdout).toBe(3);
    expect(judged.stdout.match(/✓ item \d {2}verified/g)).toHaveLength(2);
    expect((await owner.client.ok('listCases', {})).data.map(({ state }) => state)).toEqual(['ready']);
  });

  it('leaves no case and no export where it is cancelled while they are made', async () => {
    const before = (await owner.client.ok('listExports', {})).data.length;
    await page.goto(`${service.url}/#/search?unit=records&query=${encodeURIComponent('seq = 2 or seq = 4')}`);
    await page.getByRole('button', { name: 'Select all', exact: true }).click();
    await page.getByRole('button', { name: 'Hand over…', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Hand over 2 records' });
    await dialog.getByRole('radio', { name: /^Sealed case/ }).press('Space');
    // The export is made, and nobody hears of it: as if it took long.
    let asked = 0;
    await page.route(/\/v1\/exports\/[0-9a-f-]+$/, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      asked++;
      const answer = await route.fetch();
      return route.fulfill({
        response: answer,
        json: { ...(await answer.json()), status: 'processing', progress: 0.5 },
      });
    });
    await dialog.getByRole('button', { name: HAND_OVER.save.sealed, exact: true }).press('Enter');
    await dialog.getByRole('progressbar', { name: HAND_OVER.steps.exporting }).waitFor();
    await expect.poll(() => asked).toBeGreaterThan(1);
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
    await dialog.getByRole('progressbar').waitFor({ state: 'detached' });
    await page.unroute(/\/v1\/exports\/[0-9a-f-]+$/);
    await dialog.getByRole('button', { name: HAND_OVER.save.sealed, exact: true }).waitFor();
    expect((await owner.client.ok('listExports', {})).data.length).toBe(before);
    await page.keyboard.press('Escape');
  });

  it('saved from a case is accepted by all three verifiers', async () => {
    const { upload_id } = await owner.client
      .inspect({ name: 'all.csbundle', bytes: readFileSync(bundle) })
      .then(({ body }) => body);
    const { case_id } = await owner.client.ok('createCase', { body: { upload_id } });
    await expect.poll(async () => (await owner.client.ok('getCase', { params: { case_id } })).state).toBe('ready');
    await openSave(`/cases/${case_id}/operations/${at(receipts, 3).operation_id}`);
    await page.getByRole('radio', { name: /^Proof/ }).waitFor();
    expect(await page.getByRole('radio', { name: /^tlog-proof/ }).count()).toBe(0);
    const path = await save('Save proof');
    expect(path).toMatch(/_record_4\.csproof$/);
    expect(await judgedBy(path, trust())).toEqual(accepted);
  });

  it('made by the command is accepted by all three, and refused where one figure of it is altered', async () => {
    const path = join(folder, 'by-command.csproof');
    expect(await run('proof', bundle, '--records', '5,1-2', '-o', path)).toMatchObject({ code: 0 });
    expect(await judgedBy(path, trust())).toEqual(accepted);
    const altered = join(folder, 'altered.csproof');
    writeFileSync(altered, readFileSync(path, 'utf8').replace('"amount":101', '"amount":901'));
    const refused = await judgedBy(altered, trust());
    expect(Object.values(refused)).toEqual(Object.values(refused).map(() => 1));
  });

  it('is verified in the window too, which says what it does not show', async () => {
    const file = join(folder, 'window.csproof');
    execFileSync(process.execPath, [inRepository('bin/countersign.js'), 'proof', bundle, '--records', '2', '-o', file]);
    await page.goto(`${service.url}/#/verify`);
    await page.getByLabel('Bundle, report or proof').setInputFiles(file);
    await page.getByLabel(/Trusted fingerprints/).fill(trust());
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByRole('heading', { name: 'Verdict: verified' }).waitFor();
    await page.getByText('The proof shows nothing about records before').waitFor();
    await page.getByRole('heading', { name: 'Proof of records' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save report', exact: true }).click();
    const report = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as VerificationReport;
    expect(report.bundle).toMatchObject({ records: 1, first_seq_no: 2 });
    expect(watched.complaints).toEqual([]);
  });

  it('of the log is saved where its tree is shown: a checkpoint and a consistency proof, which a bundle is verified with', async () => {
    const { data } = await owner.client.ok('listEpochs', {});
    const epoch = at(data.toReversed(), 0);
    await page.goto(`${service.url}/#/epochs/${epoch.epoch_id}`);
    await page.getByRole('button', { name: SAVE_LOG_PROOFS.save, exact: true }).click();
    expect(await seriousIssues(page)).toEqual([]);
    const [checkpoint, consistency] = [
      await save(SAVE_LOG_PROOFS.saveCheckpoint),
      await save(SAVE_LOG_PROOFS.saveConsistency),
    ];
    expect(checkpoint).toMatch(new RegExp(`checkpoint-${epoch.last_seq_no}\\.txt$`));
    const given = ['--trust', trust(), '--checkpoint', checkpoint, '--checkpoint', consistency];
    expect((await run('verify', bundle, ...given)).code).toBe(0);
  });
});
