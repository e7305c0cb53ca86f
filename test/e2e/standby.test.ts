// docs/shared-log.md: the page on a standby says what it is and leads to the active node; the dashboard shows the nodes.
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { PAGE_HEADER } from '../../src/api/index.ts';
import { PERMISSION } from '../../src/renderer/api/texts.ts';
import { CONNECTION_BAR } from '../../src/renderer/app/texts.ts';
import { NODES_PANEL } from '../../src/renderer/screens/dashboard/texts.ts';
import { EXPORTS_SCREEN } from '../../src/renderer/screens/exports/texts.ts';
import { PEOPLE_SCREEN } from '../../src/renderer/screens/people/texts.ts';
import { WEBHOOKS_SCREEN } from '../../src/renderer/screens/webhooks/texts.ts';
import { openBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { picture } from '../support/pictures.ts';
import { TestPair } from '../support/shared-nodes.ts';
import { until } from '../support/until.ts';

describe.skipIf(chromiumPath() === undefined)('the workspace on two nodes', () => {
  it('says on a standby that it is one, shows both nodes, and leads to the active one', async () => {
    const pair = await TestPair.start({ rendererDir: RENDERER_DIR });
    const { active, standby } = pair;
    const owner = pair.ownerAt(standby);
    await until('both nodes to be known', async () => {
      const { body } = await owner.client.call('deepHealth');
      // Before it took over, the active one was a standby, and said so; as a standby it listened elsewhere.
      return (
        body.node?.nodes.length === 2 &&
        body.node.nodes.some(({ role, url }) => role === 'active' && url === active.url)
      );
    });
    const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
    // The session of a page, begun at the active node, and known here since the log has it.
    const secret = randomBytes(32).toString('base64url');
    const { email, password } = owner;
    const signedIn = await active
      .client()
      .call('signIn', { body: { email, password }, headers: { [PAGE_HEADER]: secret } });
    const [, token = ''] = /countersign_session=([^;]+)/.exec(String(signedIn.headers['set-cookie'])) ?? [];
    await pair.areEqual();
    await context.addCookies([
      { name: 'countersign_session', value: token, url: standby.url, httpOnly: true, secure: true, sameSite: 'Strict' },
    ]);
    await context.addInitScript((kept) => localStorage.setItem('countersign.page', kept), secret);
    const { page } = await openPage(context);
    await page.goto(`${standby.url}/#/dashboard`);
    await page.getByText(CONNECTION_BAR.standby).waitFor();
    const panel = page.locator('.panel', { hasText: NODES_PANEL.own });
    await picture(page, 'standby');
    await panel.waitFor();
    const { active: isActive, standby: isStandby } = NODES_PANEL.roles;
    const text = await panel.textContent();
    for (const shown of [active.url, standby.url, isActive, isStandby]) expect(text).toContain(shown);
    await panel.scrollIntoViewIfNeeded();
    await picture(page, 'nodes');
    // What changes the ledger says why it cannot be done here; what the active node makes for this one can be asked for.
    await page.goto(`${standby.url}/#/webhooks`);
    const register = page.getByRole('button', { name: WEBHOOKS_SCREEN.registerWebhook }).first();
    await register.waitFor();
    expect(await register.getAttribute('aria-disabled')).toBe('true');
    const described = await register.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe(PERMISSION.standby);
    await register.focus();
    await page.locator('.tip').waitFor();
    await picture(page, 'standby-button');
    await page.goto(`${standby.url}/#/people`);
    // One above the members, and one where nobody is invited.
    const invite = page.getByRole('button', { name: PEOPLE_SCREEN.invitePerson });
    await expect.poll(() => invite.count()).toBe(2);
    for (const button of await invite.all()) expect(await button.getAttribute('aria-disabled')).toBe('true');
    await page.goto(`${standby.url}/#/exports`);
    const create = page.getByRole('button', { name: EXPORTS_SCREEN.createExport }).first();
    await create.waitFor();
    expect(await create.getAttribute('aria-disabled')).toBeNull();
    // What cannot be sent takes no text, and says why above.
    for (const path of [
      'account',
      'settings',
      'register-agent',
      'retention',
      'reading-rules',
      'what-left',
      'witnesses',
    ]) {
      // Nothing of the screen before is taken for this one.
      await page.goto('about:blank');
      await page.goto(`${standby.url}/#/${path}`);
      await page.getByRole('main').getByText(PERMISSION.standby).and(page.locator('.refusal *')).first().waitFor();
      expect([path, await takingText(page)]).toEqual([path, []]);
    }
    await picture(page, 'standby-form');
    const link = page.getByRole('link', { name: CONNECTION_BAR.openActive });
    expect(await link.getAttribute('href')).toBe(active.url);
    await link.click();
    await page.waitForURL(`${active.url}/**`);
    expect(await page.getByText(CONNECTION_BAR.standby).count()).toBe(0);
  }, 120_000);
});

/** The fields of a screen that can be written in, but those that filter a list. */
function takingText(page: Page): Promise<string[]> {
  return page
    .getByRole('main')
    .locator('input, textarea, select')
    .evaluateAll((fields) =>
      fields
        .filter(
          (field) =>
            !field.matches(':disabled, [readonly], [data-filter], .filters *, [role="search"] *, [type="search"]'),
        )
        .map((field) => (field as HTMLInputElement).labels?.[0]?.textContent ?? field.outerHTML),
    );
}
