// The keys of the desktop: in the key store of the system, under a passphrase where there is none, and moved to another machine.
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { seriousIssues } from '../support/browser.ts';
import { HostedDesktop } from '../support/desktop.ts';
import { temporaryFolder } from '../support/folders.ts';
import { until } from '../support/until.ts';

const PASSPHRASE = 'kelp amber ladder sonata';
const NO_KEY_STORE = { ELECTRON_HOST_KEY_STORE: 'basic_text' };

function start(userData: string, environment: Record<string, string> = {}): HostedDesktop {
  return new HostedDesktop({ userData, args: ['--port=0'], environment });
}

function wrapsIn(userData: string): string[] {
  const text = readFileSync(join(userData, 'service', 'key-protection.json'), 'utf8');
  return (JSON.parse(text) as { wraps: { kind: string }[] }).wraps.map(({ kind }) => kind);
}

/** The kid of a desktop's service, once its workspace is open. */
async function kidOf(desktop: HostedDesktop): Promise<string> {
  const page = await pageWith(desktop, '#root');
  return page.evaluate(async () => {
    const { keys } = (await (await fetch('/.well-known/countersign/jwks.json')).json()) as { keys: { kid: string }[] };
    return keys[0]?.kid ?? '';
  });
}

/** The window of a desktop that has an element. */
async function pageWith(desktop: HostedDesktop, selector: string): Promise<Page> {
  await desktop.page();
  return until(`a window with ${selector}`, async () => {
    for (const page of desktop.pages()) {
      // A window may close while it is looked at.
      if (
        (await page
          .locator(selector)
          .count()
          .catch(() => 0)) > 0
      )
        return page;
    }
    return undefined;
  });
}

async function enter(page: Page, button: string, ...texts: string[]): Promise<void> {
  const fields = page.locator('input:visible');
  for (const [n, text] of texts.entries()) await fields.nth(n).fill(text);
  await page.getByRole('button', { name: button }).click();
}

describe.skipIf(chromiumPath() === undefined)('the keys of the desktop', () => {
  const userData = temporaryFolder();
  const exported = join(temporaryFolder(), 'exported.json');
  let kid: string;

  it('are sealed, and opened by the key store of the system without a question', async () => {
    const first = start(userData);
    kid = await kidOf(first);
    expect((await first.quit()).code).toBe(0);
    expect(wrapsIn(userData)).toEqual(['os']);
    for (const name of ['service-key.json', 'sealing-key.json']) {
      expect(readFileSync(join(userData, 'service', name), 'utf8')).toContain('countersign.sealed-secret.v1');
    }
    const second = start(userData);
    expect(await kidOf(second)).toBe(kid);
    await second.evaluate(({ host, Menu }, filePath) => {
      host.dialogs.answers.push({ canceled: false, filePath });
      Menu.getApplicationMenu()?.getMenuItemById('export-keys')?.click?.(null, null, null);
    }, exported);
    const page = await pageWith(second, '#passphrase');
    await page.getByRole('heading', { name: 'Export the keys under a passphrase' }).waitFor();
    await enter(page, 'Export', PASSPHRASE, PASSPHRASE);
    await until('the export', () => existsSync(exported));
    expect(readFileSync(exported, 'utf8')).toContain('"passphrase"');
    expect((await second.quit()).code).toBe(0);
  });

  it('open on another machine with the exported file and its passphrase, and stay there', async () => {
    const other = temporaryFolder();
    cpSync(join(userData, 'service'), join(other, 'service'), { recursive: true });
    const refused = start(other);
    const asked = await refused.page();
    await enter(asked, 'Open', PASSPHRASE);
    await asked.getByRole('alert').filter({ hasText: 'Export them there' }).waitFor();
    await asked.close();
    expect((await refused.ended).code).toBe(0);

    rmSync(join(other, 'service', 'key-protection.json'));
    cpSync(exported, join(other, 'service', 'key-protection.json'));
    const moved = start(other);
    const page = await moved.page();
    await enter(page, 'Open', 'another passphrase');
    await page.getByRole('alert').filter({ hasText: 'Wrong passphrase' }).waitFor();
    await enter(page, 'Open', PASSPHRASE);
    expect(await kidOf(moved)).toBe(kid);
    expect((await moved.quit()).code).toBe(0);
    expect(wrapsIn(other)).toEqual(['os', 'passphrase']);
  });

  it('need a passphrase where the system keeps nothing safely, chosen once and asked at each start', async () => {
    const own = temporaryFolder();
    const first = start(own, NO_KEY_STORE);
    const page = await first.page();
    await page.getByText('offers no key store that protects anything').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await enter(page, 'Seal the keys', 'short', 'short');
    await page.getByRole('alert').filter({ hasText: 'at least 12' }).waitFor();
    await enter(page, 'Seal the keys', PASSPHRASE, 'not the same');
    await page.getByRole('alert').filter({ hasText: 'not the same' }).waitFor();
    await enter(page, 'Seal the keys', PASSPHRASE, PASSPHRASE);
    const own1 = await kidOf(first);
    // The page may still be loading then: that is no failure.
    expect((await first.quit()).code).toBe(0);
    expect(wrapsIn(own)).toEqual(['passphrase']);
    const second = start(own, NO_KEY_STORE);
    await enter(await second.page(), 'Open', PASSPHRASE);
    expect(await kidOf(second)).toBe(own1);
    await second.quit();
  });
});
