// docs/witnesses.md, Demand witnesses: the trust store on the settings screen, with witnesses and roots for time.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { TIME_ROOTS, TRUST_FIELDS, TRUST_SECTION, TRUST_WITNESSES } from '../../src/renderer/screens/settings/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssues } from '../support/browser.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type Account, TestService } from '../support/service.ts';
import { StampingAuthority } from '../support/stamping.ts';
import { ALPHA, ALPHA_PQ, BETA, GAMMA } from '../support/witnessed.ts';
import { setUp } from '../support/workspace.ts';

describe.skipIf(chromiumPath() === undefined)('the trust store on the settings screen', () => {
  let page: Page;
  let account: Account;
  const folder = temporaryFolder();
  const authority = new StampingAuthority('Example');
  const other = new StampingAuthority('Other');

  beforeAll(async () => {
    const service = await TestService.start({ rendererDir: RENDERER_DIR, trustStore: join(folder, 'trust.json') });
    const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 900 } });
    page = (await openPage(context)).page;
    account = await setUp(page, service);
    await page.goto(`${service.url}/#/settings?section=trust`);
    await page.getByText(TRUST_SECTION.noneTrusted).waitFor();
  });

  const dialog = () => page.getByRole('dialog');
  const button = (name: string, of: Pick<Page, 'getByRole'> = page) => of.getByRole('button', { name, exact: true });
  const witnesses = async () => (await account.client.ok('listTrust')).witnesses;
  async function shots(name: string): Promise<void> {
    const shown = process.env['COUNTERSIGN_SHOTS'];
    if (shown === undefined) return;
    mkdirSync(shown, { recursive: true });
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const width of [640, 1600]) {
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: join(shown, `${name}-${scheme}-${width}.png`), fullPage: true });
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 900 });
  }
  async function demand(name: string, keys: string, orgId = ''): Promise<void> {
    await button(TRUST_WITNESSES.add).click();
    await dialog().getByLabel(TRUST_WITNESSES.name).fill(name);
    await dialog().getByLabel(TRUST_WITNESSES.keys).fill(keys);
    await dialog().getByLabel(TRUST_FIELDS.organizationIdOptional).fill(orgId);
    await button(TRUST_WITNESSES.addVerb, dialog()).click();
  }

  it('says what it is for where no witness is demanded', async () => {
    await page.getByText(TRUST_WITNESSES.none).waitFor();
    await page.getByText(TIME_ROOTS.none).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('names the line that is no key, and keeps what was entered', async () => {
    await demand('Alpha Ltd', `${ALPHA.vkey}\nnonsense`);
    await dialog().getByRole('alert').filter({ hasText: 'line 2' }).waitFor();
    await shots('problem');
    await dialog().getByLabel(TRUST_WITNESSES.keys).fill(`${ALPHA.vkey}\n${ALPHA_PQ.vkey}`);
    await button(TRUST_WITNESSES.addVerb, dialog()).click();
    await page.getByText(TRUST_WITNESSES.demanded(1, 1)).waitFor();
  });

  it('demands witnesses of every ledger and of one, and as many as are wanted', async () => {
    await demand('Beta', BETA.vkey);
    await page.getByText(TRUST_WITNESSES.demanded(2, 2)).waitFor();
    await demand('Gamma', GAMMA.vkey, 'org_other');
    const other = page.getByRole('region', { name: TRUST_WITNESSES.ofLedger('org_other') });
    await other.getByText(TRUST_WITNESSES.demanded(1, 1)).waitFor();
    const every = page.getByRole('region', { name: TRUST_WITNESSES.everyLedger });
    await button(TRUST_WITNESSES.changeNumber, every).click();
    await dialog().getByLabel(TRUST_WITNESSES.number).fill('3');
    await button(TRUST_WITNESSES.saveNumber, dialog()).click();
    await dialog().getByText(TRUST_WITNESSES.numberProblem(2)).waitFor();
    await dialog().getByLabel(TRUST_WITNESSES.number).fill('1');
    await button(TRUST_WITNESSES.saveNumber, dialog()).click();
    await every.getByText(TRUST_WITNESSES.demanded(1, 2)).waitFor();
    expect((await witnesses()).map(({ org_id, threshold }) => [org_id, threshold])).toEqual([
      [null, 1],
      ['org_other', 1],
    ]);
  });

  it('trusts a root for time until the end of a day, and shows its fingerprint', async () => {
    await button(TIME_ROOTS.add).click();
    await button(TIME_ROOTS.addVerb, dialog()).click();
    await dialog().getByText(TIME_ROOTS.noFile).waitFor();
    await dialog()
      .getByLabel(TIME_ROOTS.file)
      .setInputFiles({ name: 'root.pem', mimeType: '', buffer: Buffer.from(authority.rootPem) });
    await dialog().getByLabel(TIME_ROOTS.untilOptional).fill('2035-12-31');
    await button(TIME_ROOTS.addVerb, dialog()).click();
    await page.getByText('CN=Example root').first().waitFor();
    const [root] = (await account.client.ok('listTrust')).time_roots;
    expect(root?.until).toBe('2035-12-31T23:59:59.999Z');
    await page.getByText(root?.sha256 ?? 'none').waitFor();
    await shots('trust');
    expect(await seriousIssues(page)).toEqual([]);
  });

  it('takes a root as DER too', async () => {
    await button(TIME_ROOTS.add).click();
    await dialog()
      .getByLabel(TIME_ROOTS.file)
      .setInputFiles({
        name: 'root.der',
        mimeType: '',
        buffer: Buffer.from(other.root),
      });
    await button(TIME_ROOTS.addVerb, dialog()).click();
    await button(TIME_ROOTS.removeNamed('CN=Other root')).click();
    await button(TIME_ROOTS.removeRoot, dialog()).click();
    await button(TIME_ROOTS.removeNamed('CN=Other root')).waitFor({ state: 'detached' });
  });

  it('takes each of them out again', async () => {
    for (const name of ['Beta', 'Gamma', 'Alpha Ltd']) {
      await button(TRUST_WITNESSES.removeNamed(name)).click();
      await button(TRUST_WITNESSES.removeWitness, dialog()).click();
      await button(TRUST_WITNESSES.removeNamed(name)).waitFor({ state: 'detached' });
    }
    await button(TIME_ROOTS.removeNamed('CN=Example root')).click();
    await button(TIME_ROOTS.removeRoot, dialog()).click();
    await page.getByText(TIME_ROOTS.none).waitFor();
    expect(await witnesses()).toEqual([]);
  });
});
