// Set-up and an export by keyboard alone; the ways from search to proof and through a case are in the tests beside.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { openBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { tabTo } from '../support/by-hand.ts';
import { registerAgent, submitNext, TestService } from '../support/service.ts';
import { OWNER } from '../support/workspace.ts';

describe.skipIf(chromiumPath() === undefined)('by keyboard alone', () => {
  it('a workstation is set up, and an export made and taken along', async () => {
    const service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    const context = await (await openBrowser()).newContext({
      viewport: { width: 1280, height: 800 },
      acceptDownloads: true,
    });
    const { page, complaints } = await openPage(context);
    const { keyboard } = page;
    await page.goto(service.url);
    await page.getByText('Connect your own agent').first().waitFor();
    await tabTo(page, /^Connect your own agent/);
    await keyboard.press('Enter');
    await page.getByLabel('Set-up code').waitFor();
    // The first field has the focus already.
    const code = service.setUpCode() ?? '';
    for (const text of [OWNER.org_name, OWNER.name, OWNER.email, OWNER.password, code]) {
      await keyboard.insertText(text);
      if (text !== code) await keyboard.press('Tab');
    }
    await keyboard.press('Enter');
    await page.getByLabel('Agent', { exact: true }).waitFor();

    const { email, password } = OWNER;
    const { token } = await service.client().ok('signIn', { body: { email, password } });
    const client = service.client(token);
    const { id: userId, orgId } = await client.ok('session');
    const account = { email, password, userId, orgId: orgId ?? '', client };
    await submitNext(account, await registerAgent(account), { payload: { note: 'Delivered to Gadebusch' } });

    // What the ledger has is found as one types, and opened like any command.
    await keyboard.press('Control+k');
    await page.locator('[role=combobox]:focus').waitFor();
    await keyboard.insertText('gadebu');
    await page.getByRole('option', { name: /^Search for gadebu/ }).waitFor();
    await page.getByRole('option', { name: /^No\. 1: .*record$/ }).waitFor();
    await keyboard.press('Control+a');
    await keyboard.insertText(OWNER.email);
    await page.getByRole('option', { name: /member$/ }).waitFor();
    await keyboard.press('Escape');
    await keyboard.press('Control+k');
    // The palette takes the focus with the frame after it is drawn.
    await page.locator('[role=combobox]:focus').waitFor();
    await keyboard.insertText('exports');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No export yet' }).waitFor();
    await tabTo(page, /^Create export/);
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, /^Create export/);
    await keyboard.press('Enter');
    await page.getByRole('button', { name: /Check file/ }).waitFor();
    await tabTo(page, /^Download \.csbundle/);
    const begun = page.waitForEvent('download');
    await keyboard.press('Enter');
    const file = await (await begun).path();
    expect(JSON.parse(readFileSync(file, 'utf8')).records).toHaveLength(1);
    expect(complaints).toEqual([]);
  });
});
