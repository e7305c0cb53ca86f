// The workspace as people use it: the first run, search to proof by keyboard alone, a session that ends, links.
import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { formatDigest, sha256 } from '../../src/protocol/index.ts';
import { REGISTER_SCREEN } from '../../src/renderer/screens/agents/texts.ts';
import { EPOCHS_SCREEN } from '../../src/renderer/screens/epochs/texts.ts';
import { openPage, runFromPalette, type WatchedPage } from '../support/browser.ts';
import { goByLetter, tabTo } from '../support/by-hand.ts';
import type { Account, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { fill, OWNER, setUp } from '../support/workspace.ts';
import { type OpenWorkspace, WORKSPACE_OPENERS } from '../support/workspace-openers.ts';

describe.skipIf(chromiumPath() === undefined).each(WORKSPACE_OPENERS)('the workspace in %s', (_, open, isWhole) => {
  let service: TestService;
  let workspace: OpenWorkspace;
  let watched: WatchedPage;
  let page: Page;
  let account: Account;

  beforeAll(async () => {
    workspace = await open();
    ({ service, watched } = workspace);
    page = watched.page;
  });

  const go = (path: string) => page.goto(`${service.url}/#${path}`);
  it('offers two doors, and is set up behind the first', async () => {
    await page.goto(service.url);
    await page.getByRole('link', { name: 'Choose a file' }).waitFor();
    account = await setUp(page, service);
    await page.getByText(OWNER.org_name).first().waitFor();
  });

  if (isWhole) {
    it('says on every empty screen what comes next', async () => {
      await page.getByRole('heading', { name: 'Begin with an agent' }).waitFor();
      for (const [path, title] of [
        ['/agents', 'No agent yet'],
        ['/search', 'No operation yet'],
        ['/epochs', EPOCHS_SCREEN.nothingSealed],
      ] as const) {
        await go(path);
        await page.getByRole('heading', { name: title }).waitFor();
      }
    });

    it('registers an agent', async () => {
      await go('/agents');
      await page
        .getByRole('button', { name: /^Register (an )?agent$/ })
        .first()
        .click();
      await page.getByLabel('Agent', { exact: true }).fill('from-the-page');
      await page.getByLabel('Paste a public key').check();
      const key = page.getByLabel('Public key', { exact: true });
      await key.fill('not a key');
      await page.getByText('Not an Ed25519 public key').first().waitFor();
      await key.fill('ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c');
      await page.getByRole('button', { name: REGISTER_SCREEN.registerAgent, exact: true }).click();
      await page.getByRole('heading', { name: /from-the-page/ }).waitFor();
      await page.getByText(REGISTER_SCREEN.registered('from-the-page')).waitFor();
      const { agents } = await account.client.ok('listAgents');
      expect(agents.map(({ agent_id }) => agent_id)).toEqual(['from-the-page']);
    });
  }

  it('leads from a search to the proof by keyboard alone', async () => {
    await fill(account);
    await go('/dashboard');
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await goByLetter(page, 's');
    await page.getByRole('heading', { name: 'Search' }).waitFor();
    await page.getByRole('cell', { name: '400', exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.locator('[data-filter]:focus').waitFor();
    await page.keyboard.type('agent=billing-bot');
    await page.keyboard.press('Enter');
    await page.getByText('of 266 actions').waitFor();
    expect(decodeURIComponent(page.url())).toContain('query=agent=billing-bot');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: /^Action \d+$/ }).waitFor();
    await expect.poll(() => page.locator('.grid-row.is-selected').count()).toBe(1);
    await tabTo(page, /Show proof/);
    await page.keyboard.press('Enter');
    // The newest ten records wait to be sealed.
    await page.getByRole('heading', { name: 'Received and countersigned' }).waitFor();
    await runFromPalette(page, 'seal pending');
    await page.getByText('The open epoch is closed.').waitFor();
    await page.getByRole('heading', { name: /^All \d+ checks passed$/ }).waitFor();
    for (let n = 0; n < 2; n++) await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText('Key of prime order').waitFor();
  });

  if (isWhole) {
    it('shows the same by its address alone', async () => {
      const address = page.url();
      const other = await workspace.another(address);
      await other.getByRole('heading', { name: /^All \d+ checks passed$/ }).waitFor();
      await other.close();
    });

    it('finds what the stored ledger no longer proves', async () => {
      const { data } = await account.client.ok('auditQuery', {
        body: { agentId: 'billing-bot', beforeSeq: 100, limit: 1 },
      });
      const [row] = data;
      service.sql.exec('DROP TRIGGER operations_keep_values');
      const change = service.sql.prepare('UPDATE operations SET subject = ? WHERE seq_no = ?');
      change.run('invoice/forged', row?.seq_no);
      await go(`/operations/${row?.operation_id}`);
      await page.getByRole('heading', { name: /^\d+ of \d+ checks failed$/ }).waitFor();
      const failed = page.locator('.steps > li').filter({ hasText: 'Fail' });
      expect(await failed.locator('strong').allInnerTexts()).toEqual([
        'Agent’s signature',
        'Chain hash',
        'Link from the next record',
      ]);
      change.run(row?.subject, row?.seq_no);
    });

    it('draws a broken chain', async () => {
      const { data } = await account.client.ok('auditQuery', {
        body: { agentId: 'billing-bot', beforeSeq: 60, limit: 1 },
      });
      const seqNo = data[0]?.seq_no ?? 0;
      const read = service.sql.prepare('SELECT prev_chain_hash FROM operations WHERE seq_no = ?').pluck();
      const write = service.sql.prepare('UPDATE operations SET prev_chain_hash = ? WHERE seq_no = ?');
      const before = read.get(seqNo);
      write.run(Buffer.alloc(32, 1), seqNo);
      await go(`/agents/billing-bot/chain?seq=${seqNo}`);
      await page.getByText(`Chain broken: record ${seqNo}`).waitFor();
      await page.getByText('1 broken link').waitFor();
      write.run(before, seqNo);
    });
  }

  it('narrows a search by a value, leaves one out, and saves what is left with its manifest', async () => {
    await go('/search');
    await page.locator('[data-row]').first().click();
    await page.getByRole('button', { name: /^Not operation_type/ }).click();
    await page.getByText('of 320 actions').waitFor();
    await page.getByRole('button', { name: /^Only agent_id/ }).click();
    await page.getByText(/107 actions/).waitFor();
    await page.getByRole('button', { name: 'Save result', exact: true }).click();
    const downloads: Promise<string>[] = [];
    page.on('download', (download) => downloads.push(download.path()));
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    await page.getByText(/rows saved, with a manifest/).waitFor();
    const [content = '', manifest = ''] = (await Promise.all(downloads)).map((path) => readFileSync(path, 'utf8'));
    const said = JSON.parse(manifest) as { sha256: string; row_count: number; complete: boolean };
    expect(said.sha256).toBe(formatDigest(sha256(Buffer.from(content))));
    expect(said.row_count).toBe(content.trimEnd().split('\r\n').length - 1);
    expect(said.complete).toBe(true);
    await page.keyboard.press('Escape');
  });

  if (isWhole) {
    it('narrows a search to a stretch drawn in its chart', async () => {
      await go('/search');
      const chart = page.locator('.chart .u-over');
      await chart.waitFor();
      const box = await chart.boundingBox();
      if (box === null) throw new Error('the chart has no place');
      await page.mouse.move(box.x + box.width * 0.25, box.y + 10);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.75, box.y + 12, { steps: 4 });
      await page.mouse.up();
      await page.waitForURL(/startTime=.*endTime=/);
      await page.getByRole('button', { name: /^\d{4}-.* – .*\d/ }).waitFor();
      await page.getByRole('button', { name: 'Clear the time range' }).waitFor();
    });

    it('tells who may not do something so, and shows the rest', async () => {
      const reader = service.addMember(account, 'readonly_investigator');
      const other = await page.context().browser()?.newContext();
      if (other === undefined) throw new Error('the browser is gone');
      await signInPage(other, service, reader);
      const { page: theirs, complaints } = await openPage(other);
      await theirs.goto(`${service.url}/#/dashboard`);
      // More than one part of the dashboard may say so.
      await theirs.getByText('Your role does not include this.').first().waitFor();
      await theirs.locator('.chart canvas').waitFor();
      // Loaded again: the dashboard says the same, and is there until the search has come.
      await theirs.goto('about:blank');
      await theirs.goto(`${service.url}/#/search`);
      await theirs.getByRole('alert').filter({ hasText: 'Your role does not include this.' }).waitFor();
      expect(await theirs.getByRole('table').count()).toBe(0);
      await theirs.goto(`${service.url}/#/agents/billing-bot/chain`);
      await theirs.getByText(/records loaded, all linked/).waitFor();
      expect(complaints).toEqual([]);
      await other.close();
    });

    it('sorts the agents by a column, as its address says', async () => {
      await go('/agents');
      await page.getByText('4 agents').waitFor();
      const first = page.locator('tbody tr').first();
      const head = page.getByRole('columnheader', { name: 'Agent' });
      await head.getByRole('button').click();
      await page.waitForURL(/sort=agent_id/);
      await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
      await expect.poll(() => first.innerText()).toMatch(/^archive-reader/);
      await head.getByRole('button').click();
      await page.waitForURL(/sort=-agent_id/);
      await expect.poll(() => first.innerText()).toMatch(/^procurement/);
      await page.reload();
      await page.getByText('4 agents').waitFor();
      await expect.poll(() => first.innerText()).toMatch(/^procurement/);
    });

    it('keeps widths and places of columns, given by mouse and by keys', async () => {
      await go('/search?unit=records');
      const heads = () => page.getByRole('columnheader').allInnerTexts();
      const width = async (name: string) => (await page.getByRole('columnheader', { name }).boundingBox())?.width ?? 0;
      const line = (name: string) => page.getByRole('separator', { name: `Width of ${name}` });
      await line('Tool').waitFor();
      const before = await width('Tool');
      await line('Tool').focus();
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => width('Tool')).toBeCloseTo(before + 16, 0);
      const box = await line('Tool').boundingBox();
      if (box === null) throw new Error('the line has no place');
      await page.mouse.move(box.x + 4, box.y + 10);
      await page.mouse.down();
      await page.mouse.move(box.x + 44, box.y + 10, { steps: 4 });
      await page.mouse.up();
      await expect.poll(() => width('Tool')).toBeCloseTo(before + 56, 0);
      expect(await heads()).toEqual(['Selected', 'No.', 'Issued (UTC)', 'Agent', 'Tool', 'Outcome', 'What happened']);
      await line('Tool').focus();
      await page.keyboard.press('Shift+ArrowLeft');
      await expect
        .poll(heads)
        .toEqual(['Selected', 'No.', 'Issued (UTC)', 'Tool', 'Agent', 'Outcome', 'What happened']);
      await page.reload();
      await line('Tool').waitFor();
      expect(await heads()).toEqual(['Selected', 'No.', 'Issued (UTC)', 'Tool', 'Agent', 'Outcome', 'What happened']);
      expect(await width('Tool')).toBeCloseTo(before + 56, 0);
      await line('Tool').focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => width('Tool')).toBeCloseTo(before, 0);
    });

    it('keeps a search under a name', async () => {
      await go('/search?agentId=archive-reader');
      await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
      await page.getByRole('button', { name: 'Saved searches', exact: true }).click();
      await page.getByLabel('Name of this search').fill('What the archive did');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await go('/search');
      await page.reload();
      await page.getByRole('button', { name: 'Saved searches', exact: true }).click();
      await page.getByRole('button', { name: 'What the archive did', exact: true }).click();
      await page.waitForURL(/agentId=archive-reader/);
      await page.keyboard.press('Escape');
    });
  }

  it('asks for the password where the session has ended, and keeps what was entered', async () => {
    await go('/agents');
    await page
      .getByRole('button', { name: /^Register (an )?agent$/ })
      .first()
      .click();
    await page.getByLabel('Agent', { exact: true }).fill('half-entered');
    await page.getByLabel('Paste a public key').check();
    await page
      .getByLabel('Public key', { exact: true })
      .fill('ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c');
    // As the form is sent, not before: the page asks by itself too, and its dialog would cover the button.
    const endSession = async (route: Route): Promise<void> => {
      service.sql.prepare('DELETE FROM sessions').run();
      await route.continue();
    };
    await page.route('**/v1/agents/register', endSession, { times: 1 });
    await page.getByRole('button', { name: REGISTER_SCREEN.registerAgent, exact: true }).click();
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Password').fill(OWNER.password);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Agent', { exact: true }).inputValue()).toBe('half-entered');
    await page.getByRole('button', { name: REGISTER_SCREEN.registerAgent, exact: true }).click();
    await page.getByRole('heading', { name: /half-entered/ }).waitFor();
  });

  it('signs out, and in again', async () => {
    await page.getByRole('button', { name: /ada.lovelace/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.locator('.porch-claim').filter({ hasText: OWNER.org_name }).waitFor();
    await page.getByLabel('E-mail address').fill(OWNER.email);
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: /half-entered/ }).waitFor();
  });

  it('asks no other host, and breaks no rule of its policy', () => {
    expect(watched.complaints).toEqual([]);
    expect(watched.origins).toEqual(new Set([service.url]));
  });
});
