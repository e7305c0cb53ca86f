// docs/evidence-from-before.md in a real browser: what was found on a disk, and what no screen may say of it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import type { Json } from '../../src/protocol/index.ts';
import { NOT_SIGNED } from '../../src/renderer/screens/audit/preview/texts.ts';
import {
  FOUND_ACTION,
  FOUND_PANEL,
  FOUND_STATES,
  NOT_SIGNED_CASE,
  SIGN_NAMES,
} from '../../src/renderer/screens/cases/found/texts.ts';
import { IMPORT_SCREEN, TEXTS } from '../../src/renderer/screens/cases/texts.ts';
import { action, actionId, bundleOfPayloads, input } from '../support/agent-actions.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssuesInThemes } from '../support/browser.ts';
import { addItem, itemsOf } from '../support/case-items.ts';
import { importCase } from '../support/cases.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { claudeHome, SESSION, sessionLines } from '../support/found-home.ts';
import { type Account, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';

/** Where pictures of the screens go, if anywhere. */
const PICTURES = process.env['COUNTERSIGN_PICTURES'];

describe.skipIf(chromiumPath() === undefined)('evidence from before', () => {
  let service: TestService;
  let owner: Account;
  let page: Page;
  const folder = temporaryFolder();

  /** Makes a case file of what lies on a disk, with the command. */
  async function collected(name: string, home: string): Promise<string> {
    const out = join(folder, `${name}.cscase`);
    const { code, stderr } = await run('import-transcripts', home, '-o', out, '--by', 'eve@example.com');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return out;
  }

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, trustStore: join(folder, 'trust.json') });
    owner = await service.signUp();
    const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 900 } });
    await signInPage(context, service, owner);
    ({ page } = await openPage(context));
  });

  const panel = (name: string) => page.getByRole('region', { name, exact: true });

  /** Looks at the screen in both appearances. */
  async function look(name: string): Promise<void> {
    const issues = await seriousIssuesInThemes(page, async (theme) => {
      if (PICTURES === undefined) return;
      mkdirSync(PICTURES, { recursive: true });
      await page.screenshot({ path: join(PICTURES, `${name}-${theme}.png`), fullPage: true });
    });
    expect(issues).toEqual([]);
  }

  it('becomes a case that says at the top that nobody signed it', async () => {
    await page.goto(`${service.url}/#/cases/new`);
    const file = await collected('home', claudeHome(join(folder, 'a')));
    await page.getByLabel(IMPORT_SCREEN.fileLabel).setInputFiles(file);
    await page.getByRole('button', { name: TEXTS.open, exact: true }).click();
    await page.getByText(NOT_SIGNED_CASE.title).first().waitFor();
    await panel(FOUND_PANEL.title).getByText(FOUND_PANEL.noSigns).waitFor();
    await panel(FOUND_PANEL.title).getByRole('row').nth(2).waitFor();
    await look('found-case');
  });

  it('has its actions in the lists of the case, each marked, and where each was found', async () => {
    const caseUrl = page.url();
    await page.goto(`${caseUrl}/search`);
    const rows = page.getByRole('row').filter({ hasText: 'Bash' });
    await rows.first().waitFor();
    expect(await rows.filter({ hasText: 'Not signed' }).count()).toBe(await rows.count());
    await look('found-actions');
    await rows.first().getByRole('link').first().click();
    await page.getByRole('link', { name: NOT_SIGNED.whereFound, exact: true }).first().click();
    await page.getByText(FOUND_ACTION.title).first().waitFor();
    await page
      .getByText(/eve@example\.com/)
      .first()
      .waitFor();
    await look('found-action');
  });

  it('is held against a ledger that has the same session', async () => {
    const lost: Json = action('completed', {
      action_id: actionId('gone'),
      session: { id: SESSION },
      tool: { name: 'Bash', call_id: 'call_nobody_has' },
      input: input({ command: 'rm -r /srv/shop' }),
      outcome: { status: 'ok' },
      whole_call: true,
    });
    const { case_id } = await importCase(owner.client, {
      name: 'ledger.csbundle',
      bytes: Buffer.from(bundleOfPayloads([lost])),
    });
    const altered = sessionLines().toSpliced(4, 1).join('\n');
    await addItem(owner.client, case_id, { name: 'altered.jsonl', bytes: Buffer.from(altered) });
    await itemsOf(owner.client, case_id);
    await page.goto(`${service.url}/#/cases/${case_id}`);
    const calls = panel(FOUND_PANEL.ledger);
    await calls.getByText(FOUND_STATES.only_ledger).first().waitFor();
    await calls.getByText(FOUND_STATES.only_found).first().waitFor();
    await panel(FOUND_PANEL.notes).getByText(SIGN_NAMES.LINK_MISSING).first().waitFor();
    await look('found-beside-ledger');
  });
});
