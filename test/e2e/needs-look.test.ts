// What needs a look, on the dashboard, on its own screen and above the verdict of a case: docs/page.md.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { LIMITS } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/protocol/index.ts';
import { NEEDS_LOOK } from '../../src/renderer/components/needs-look/texts.ts';
import { WHAT_LEFT } from '../../src/renderer/screens/what-left/texts.ts';
import { action, actionId, asked, completed, decided, started } from '../support/agent-actions.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssuesInThemes } from '../support/browser.ts';
import { importCase } from '../support/cases.ts';
import { type Account, bundleOf, registerAgent, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import type { Signer } from '../support/signer.ts';
import { until } from '../support/until.ts';

describe.skipIf(chromiumPath() === undefined)('what needs a look', () => {
  let service: TestService;
  let owner: Account;
  let looker: Account;
  let payer: Signer;
  let mailer: Signer;
  let page: Page;

  const add = async (payload: object, signer: Signer): Promise<void> => {
    await owner.client.ok('submitOperation', { body: signer.next({ payload: payload as JsonObject }) });
  };
  const fail = async (tool: string): Promise<void> => {
    await add(started(tool, {}, { tool: { name: tool } }), payer);
    await add(action('failed', { action_id: actionId(tool), outcome: { status: 'error' } }), payer);
  };
  const items = () => page.locator('.look-item');

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    owner = await service.signUp();
    payer = await registerAgent(owner, 'payer');
    mailer = await registerAgent(owner, 'mailer');
    const ada = await registerAgent(owner, 'ada');
    await add(asked('pay', { amount: 5 }), payer);
    await add(decided('pay', { amount: 5 }, { outcome: 'denied' }), ada);
    await add(started('pay', { amount: 5 }), payer);
    await add(completed('pay'), payer);
    await fail('fetch');
    await until('all records to be judged', async () => {
      const { coverage, total } = await owner.client.ok('needsLook', { body: {} });
      return coverage.pending === 0 && coverage.complete && total >= 2;
    });
    const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 900 } });
    looker = service.addMember(owner, 'org_owner');
    service.sql.prepare("UPDATE users SET name = 'Ada Lovelace' WHERE user_id = ?").run(looker.userId);
    await signInPage(context, service, looker);
    ({ page } = await openPage(context));
  });

  it('is the first panel of the dashboard, the worst first, with a way to its records', async () => {
    await page.goto(`${service.url}/#/dashboard`);
    await items().first().waitFor();
    const heading = page.getByRole('main').getByRole('heading', { level: 2 }).first();
    expect(await heading.innerText()).toBe(NEEDS_LOOK.title);
    expect(await items().first().innerText()).toContain('Executed though denied');
    expect(await seriousIssuesInThemes(page)).toEqual([]);
    await items().first().getByRole('link').first().click();
    await page.waitForURL(/#\/operations\//);
  });

  it('keeps the place of what was looked at, and offers what is new', async () => {
    // The screen before may still be drawn, with such items too.
    await page.goto('about:blank');
    await page.goto(`${service.url}/#/needs-look`);
    await items().first().waitFor();
    await expect.poll(() => items().locator('.look-sentence').count()).toBeGreaterThan(0);
    const before = await items().locator('.look-sentence').allInnerTexts();
    const button = items().first().getByRole('button');
    await button.focus();
    await page.keyboard.press('Enter');
    await page.locator('.look-item.is-seen').waitFor();
    // By name, with the address in the tip.
    await page.getByText(/^Seen by Ada Lovelace /).waitFor();
    expect(await page.getByText('Ada Lovelace', { exact: true }).getAttribute('title')).toBe(looker.email);
    await fail('scan');
    await page.getByRole('button', { name: NEEDS_LOOK.newOnes(1) }).waitFor();
    expect(await items().locator('.look-sentence').allInnerTexts()).toEqual(before);
    await page.getByRole('button', { name: NEEDS_LOOK.newOnes(1) }).click();
    await expect.poll(() => items().count()).toBe(before.length + 1);
    expect(await items().last().getAttribute('class')).toContain('is-seen');
  });

  it('of one kind is counted by that kind, and listed to its end', async () => {
    const tools = Array.from({ length: LIMITS.page.max }, (_, at) => `tool-${at}`);
    for (const tool of tools) await fail(tool);
    const { kinds } = await until('all to be judged', async () => {
      const answer = await owner.client.ok('needsLook', { body: {} });
      const failed = answer.kinds.find(({ kind }) => kind === 'failed');
      return answer.coverage.complete && (failed?.count ?? 0) > tools.length && answer;
    });
    const { count, unseen } = kinds.find(({ kind }) => kind === 'failed') ?? { count: 0, unseen: 0 };
    await page.goto('about:blank');
    await page.goto(`${service.url}/#/needs-look?kind=failed`);
    await page.getByRole('heading', { name: NEEDS_LOOK.unseen(unseen, String(count)) }).waitFor();
    expect(await items().count()).toBe(LIMITS.page.max);
    await page.getByRole('button', { name: NEEDS_LOOK.more }).click();
    await expect.poll(() => items().count()).toBe(count);
    expect(await page.getByRole('button', { name: NEEDS_LOOK.more }).count()).toBe(0);
    const shots = process.env['LOOK_SHOTS'];
    if (shots !== undefined) await page.screenshot({ path: `${shots}/all-below.png` });
    await page.getByRole('button', { name: NEEDS_LOOK.allBelow(unseen) }).click();
    await page.getByRole('heading', { name: NEEDS_LOOK.unseen(0, String(count)) }).waitFor();
    // They stay where they are, each with a name and a way to take it back.
    expect(await page.locator('.look-item.is-seen').count()).toBe(count);
    expect((await owner.client.ok('needsLook', { body: { kinds: ['failed'], seen: false } })).data).toEqual([]);
  });

  it('is above the verdict of a case, which knows what was looked at there', async () => {
    const bytes = Buffer.from(await bundleOf(owner));
    const { case_id } = await importCase(owner.client, { name: 'looked', bytes }, { trusted_kids: [service.kid] });
    await page.goto('about:blank');
    await page.goto(`${service.url}/#/cases/${case_id}`);
    await items().first().waitFor();
    await items().first().getByRole('button').click();
    await page.locator('.look-item.is-seen').waitFor();
    expect(await seriousIssuesInThemes(page)).toEqual([]);
  });

  it('leads to what left, where the organization says what is its own', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    const mail = (to: string) => ({ tool: 'send_email', arguments: { to, body: 'a' }, result: 'sent' });
    await add(mail('bob@out.example'), payer);
    await add(mail('eve@out.example'), mailer);
    await page.goto(`${service.url}/#/dashboard`);
    await page.getByRole('link', { name: NEEDS_LOOK.whatLeft }).click();
    const link = page.getByRole('link', { name: 'bob@out.example' });
    await link.waitFor();
    expect(await seriousIssuesInThemes(page)).toEqual([]);
    const shots = process.env['LOOK_SHOTS'];
    if (shots !== undefined) await page.screenshot({ path: `${shots}/left.png` });
    const other = page.getByRole('link', { name: 'eve@out.example' });
    await other.waitFor();
    await page.getByRole('link', { name: 'payer', exact: true }).click();
    await other.waitFor({ state: 'detached' });
    await link.waitFor();
    if (shots !== undefined) await page.screenshot({ path: `${shots}/left-of-agent.png` });
    await page.getByRole('button', { name: WHAT_LEFT.allAgents('payer') }).click();
    await other.waitFor();
    // Whoever typed a part of a destination goes on typing.
    const part = page.getByRole('searchbox', { name: WHAT_LEFT.contains });
    await part.fill('bob');
    await part.press('Enter');
    await other.waitFor({ state: 'detached' });
    expect(await part.evaluate((field) => field === document.activeElement)).toBe(true);
    await part.fill('');
    await part.press('Enter');
    await page.getByRole('textbox', { name: WHAT_LEFT.domains }).fill('out.example');
    await page.getByRole('button', { name: WHAT_LEFT.save, exact: true }).click();
    await page.getByText(WHAT_LEFT.none).waitFor();
  });

  it('fits into a narrow window', async () => {
    for (const width of [640, 900, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${service.url}/#/needs-look`);
      await items().first().waitFor();
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(over, String(width)).toBeLessThanOrEqual(0);
      const shots = process.env['LOOK_SHOTS'];
      if (shots !== undefined) await page.screenshot({ path: `${shots}/look-${width}.png` });
    }
  });
});
