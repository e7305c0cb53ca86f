// A payload erased from its record's screen: the whole of it, single members, and none of it while a legal hold covers the record.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import type { Disclosures, Receipt } from '../../src/protocol/index.ts';
import { TEXTS } from '../../src/renderer/screens/operation/erasing/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssues } from '../support/browser.ts';
import { type Account, registerAgent, submitNext, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';

const PAYLOAD = { customer: 'Mia Li 2525', amount: 120, note: 'paid by card' };

describe.skipIf(chromiumPath() === undefined)('erasing a payload in the workspace', () => {
  let service: TestService;
  let owner: Account;
  let page: Page;
  let plain: Receipt;
  let salted: Receipt;
  let held: Receipt;

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR });
    owner = await service.signUp();
    const signer = await registerAgent(owner, 'billing-bot');
    plain = await submitNext(owner, signer, { payload: PAYLOAD });
    salted = await owner.client.ok('submitOperation', { body: signer.nextSalted(PAYLOAD) });
    held = await submitNext(owner, signer, { payload: PAYLOAD });
    const selection = { kind: 'range', from_seq_no: held.seq_no, to_seq_no: held.seq_no } as const;
    await owner.client.ok('placeHold', { body: { selection, reason: 'case 7' } });
    const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 900 } });
    await signInPage(context, service, owner);
    ({ page } = await openPage(context));
  });

  const open = ({ operation_id: id }: Receipt): Promise<unknown> => page.goto(`${service.url}/#/operations/${id}`);
  const stored = async ({ operation_id }: Receipt) =>
    (await owner.client.ok('getOperation', { params: { operation_id } })) as {
      eor: { payload?: unknown };
      disclosures?: Disclosures;
    };

  it('takes the whole payload after a reason was given, by the keyboard alone', async () => {
    await open(plain);
    await page.getByRole('button', { name: TEXTS.open, exact: true }).press('Enter');
    const dialog = page.getByRole('dialog', { name: TEXTS.title(plain.seq_no) });
    await dialog.getByLabel('Reason').fill('asked for by the customer');
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText(TEXTS.erased(plain.seq_no, null)).waitFor();
    await page.getByText('Payload: erased.').waitFor();
    expect(await page.getByRole('button', { name: TEXTS.open, exact: true }).count()).toBe(0);
    expect((await stored(plain)).eor.payload).toBeUndefined();
  });

  it('takes single members of a salted payload, and keeps the others', async () => {
    await open(salted);
    await page.getByRole('button', { name: TEXTS.open, exact: true }).press('Enter');
    const dialog = page.getByRole('dialog', { name: TEXTS.title(salted.seq_no) });
    await dialog.getByLabel('Reason').fill('asked for by the customer');
    await dialog.getByLabel(TEXTS.some).check();
    await page.getByRole('button', { name: TEXTS.erase, exact: true }).press('Enter');
    await dialog.getByText(TEXTS.noMember).waitFor();
    await dialog.getByLabel('customer').check();
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByRole('button', { name: TEXTS.erase, exact: true }).press('Enter');
    await page.getByText(TEXTS.erased(salted.seq_no, 1)).waitFor();
    await page.getByText('1 member is withheld or erased.').waitFor();
    const { disclosures = {} } = await stored(salted);
    expect(Object.keys(disclosures)).toEqual(['amount', 'note']);
  });

  it('is locked while a legal hold covers the record, and says so', async () => {
    await open(held);
    const button = page.getByRole('button', { name: TEXTS.open, exact: true });
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => page.getByText(TEXTS.held).count()).toBeGreaterThan(0);
  });
});
