// docs/witnesses.md, Compare what people hold: files are held against each other in the window, without an account.
import { mkdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { SCREENS } from '../../src/api/index.ts';
import { parseEquivocationProof, type ReceiptStatement, verifyEquivocationProof } from '../../src/protocol/index.ts';
import { FORKS_SCREEN } from '../../src/renderer/screens/forks/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssues } from '../support/browser.ts';
import { later, makeBundle, only, type Plan, serviceKid } from '../support/bundle-maker.ts';
import { saveCase } from '../support/case-items.ts';
import { importCase } from '../support/cases.ts';
import { WHOLE } from '../support/dishonest.ts';
import { type Account, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';

const PLAN: Plan = { ...WHOLE, rotation: false };
const honest = makeBundle(PLAN);
const forked = makeBundle({
  ...PLAN,
  receipt: only<ReceiptStatement>(3, (draft) => ({ ...draft, server_received_at: later(draft.server_received_at, 1) })),
});
const receipts = honest.receipts.map((receipt) => JSON.stringify(receipt)).join('\n');

describe.skipIf(chromiumPath() === undefined)('comparing files for forks', () => {
  let page: Page;
  let url: string;
  let service: TestService;
  let owner: Account;
  let caseId: string;

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR });
    owner = await service.signUp();
    ({ url } = service);
    const context = await (await openBrowser()).newContext({ viewport: { width: 1600, height: 900 } });
    page = (await openPage(context)).page;
    await page.goto(`${url}/#/forks`);
  });

  /** A case of a bundle and of the receipts that were given with it, as it is moved. */
  async function savedCase(bundle: string): Promise<Buffer> {
    const files = {
      first: { name: 'first.csbundle', bytes: Buffer.from(bundle) },
      kept: { name: 'kept.jsonl', bytes: Buffer.from(receipts) },
    };
    ({ case_id: caseId } = await importCase(owner.client, files.first, { name: 'The branch', receipts: [files.kept] }));
    return saveCase(owner.client, caseId, null);
  }
  const file = (name: string, content: string | Buffer): { name: string; mimeType: string; buffer: Buffer } => ({
    name,
    mimeType: '',
    buffer: Buffer.from(content),
  });
  async function compare(...files: readonly ReturnType<typeof file>[]): Promise<void> {
    await page.getByLabel(FORKS_SCREEN.files).setInputFiles([...files]);
    await page.getByLabel(FORKS_SCREEN.trusted).fill(serviceKid(0));
    await page.getByRole('button', { name: FORKS_SCREEN.compare }).click();
  }
  async function shots(name: string): Promise<void> {
    const folder = process.env['COUNTERSIGN_SHOTS'];
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    for (const [width, colorScheme] of [
      [1600, 'light'],
      [640, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
    }
  }

  it('finds none in honest files', async () => {
    await compare(file('whole.csbundle', honest.text), file('kept.jsonl', receipts));
    await page.getByRole('region', { name: FORKS_SCREEN.verdicts.verified }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await shots('forks-none');
  });

  it('says which lines there are, who has them and where they part, and saves the proof', async () => {
    await compare(file('ada.csbundle', honest.text), file('ben.csbundle', forked.text), file('kept.jsonl', receipts));
    const region = page.getByRole('region', { name: FORKS_SCREEN.verdicts.failed });
    await region.waitFor();
    await region.getByText('the same up to No. 3, different from No. 4').waitFor();
    expect(await region.getByRole('row').allInnerTexts()).toEqual([
      expect.stringContaining(FORKS_SCREEN.line) as string,
      expect.stringMatching(/ada\.csbundle, kept\.jsonl/) as string,
      expect.stringMatching(/ben\.csbundle/) as string,
    ]);
    expect(await seriousIssues(page)).toEqual([]);
    await shots('forks');
    const begun = page.waitForEvent('download');
    await page.getByRole('button', { name: FORKS_SCREEN.saveProofOf(1, 2) }).click();
    const proof = parseEquivocationProof(readFileSync(await (await begun).path()));
    expect((await verifyEquivocationProof(proof, { trustedKids: [serviceKid(0)] })).verdict).toBe('verified');
  });

  it('says who is called how where names differ that follow from one log', async () => {
    const name = 'Another <b>Ltd</b>';
    const named = makeBundle({ ...PLAN, contents: (all) => ({ ...all, org: { ...all.org, name } }) });
    await compare(file('ada.csbundle', honest.text), file('ben.csbundle', named.text));
    const region = page.getByRole('region', { name: FORKS_SCREEN.verdicts.failed });
    await region.getByText(FORKS_SCREEN.namesDiffer).waitFor();
    const names = [honest.bundle.org.name, name].map((one) => `“${one}”`).join(' and ');
    await region
      .getByText(FORKS_SCREEN.namedTwice('ada.csbundle and ben.csbundle', FORKS_SCREEN.organization, names))
      .waitFor();
    await shots('forks-names');
  });

  it('compares the evidence in a case file with other files, and refuses a damaged one', async () => {
    const saved = await savedCase(honest.text);
    await compare(file('branch.cscase', saved), file('ben.csbundle', forked.text));
    const region = page.getByRole('region', { name: FORKS_SCREEN.verdicts.failed });
    await region.waitFor();
    await region.getByRole('row', { name: /branch\.cscase: first\.csbundle, branch\.cscase: kept\.jsonl/ }).waitFor();
    await compare(file('branch.cscase', saved.subarray(0, saved.length - 600)));
    await page.getByRole('alert').filter({ hasText: 'branch.cscase' }).waitFor();
  });

  it('is opened from a case with the evidence in it', async () => {
    await signInPage(page.context(), service, owner);
    await page.goto('about:blank');
    await page.goto(`${url}/#/cases/${caseId}`);
    await page.getByRole('button', { name: SCREENS.forks.label }).click();
    await page.getByText(FORKS_SCREEN.handed('The branch')).waitFor();
    await compare(file('ben.csbundle', forked.text));
    const region = page.getByRole('region', { name: FORKS_SCREEN.verdicts.failed });
    await region.getByRole('row', { name: /The branch: first\.csbundle, The branch: kept\.jsonl/ }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await shots('forks-case');
    await page.getByRole('button', { name: FORKS_SCREEN.leaveOut }).click();
    await page.getByText(FORKS_SCREEN.handed('The branch')).waitFor({ state: 'hidden' });
  });

  it('names what it did not compare, and a key that nobody trusts', async () => {
    await compare(
      file('whole.csbundle', honest.text),
      file('<b>note</b>.txt', 'nothing of this kind'),
      file('empty', ''),
    );
    const region = page.getByRole('region', { name: FORKS_SCREEN.verdicts.incomplete });
    await region.getByText('<b>note</b>.txt: cannot be read').waitFor();
    await region.getByText('empty: cannot be read').waitFor();
    await page.getByLabel(FORKS_SCREEN.trusted).fill('');
    await page.getByRole('button', { name: FORKS_SCREEN.compare }).click();
    await region.getByText('You do not trust every key that signed').waitFor();
  });
});
