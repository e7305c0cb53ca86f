// A person decides in the window what an agent asks, with a key that the browser made: docs/agent-actions.md, Decisions.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import type { CoherenceReport } from '../../src/actions/profile/index.ts';
import type { Agent, Question, Session } from '../../src/agent/index.ts';
import { newAgentOf } from '../support/agent-sessions.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssuesInThemes, type WatchedPage } from '../support/browser.ts';
import { tabTo } from '../support/by-hand.ts';
import { importCase } from '../support/cases.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type Account, bundleOf, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';

/** Where pictures of the screens go, if anywhere. */
const PICTURES = process.env['COUNTERSIGN_PICTURES'];
const INPUT = { to: 'ACME GmbH', amount: { value: '1250.00', currency: 'EUR' }, lines: ['hinges', 'handles'] };

describe.skipIf(chromiumPath() === undefined)('a decision in the window', () => {
  let service: TestService;
  let owner: Account;
  let watched: WatchedPage;
  let page: Page;
  let agent: Agent;
  let agentId: string;
  let session: Session;

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, trustStore: join(temporaryFolder(), 'trust.json') });
    owner = await service.signUp();
    ({ agent, agentId } = await newAgentOf(owner));
    session = agent.session({ id: 'invoices of May' });
    const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 900 } });
    await signInPage(context, service, owner);
    watched = await openPage(context);
    page = watched.page;
  });

  const panel = () => page.getByRole('region', { name: 'Waiting for a decision', exact: true });
  const ask = () => session.ask({ tool: 'pay_invoice', input: INPUT, presented: 'Pay ACME GmbH 1,250.00 EUR?' });
  const picture = async (name: string): Promise<void> => {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`), fullPage: true });
    }
  };

  async function open({ operationId }: Question): Promise<void> {
    await page.goto(`${service.url}/#/operations/${operationId}`);
    await panel().waitFor();
  }

  /** To a button by Tab alone. */
  async function press(name: string): Promise<void> {
    await panel().getByLabel('Reason').focus();
    await tabTo(page, new RegExp(`^${name}$`));
    await page.keyboard.press('Enter');
  }

  const received = (heading: string) => page.getByRole('heading', { name: heading }).waitFor();

  /** Coherence of the whole ledger, as `countersign verify` says it of an export. */
  async function coherence(): Promise<{ report: CoherenceReport; bundle: Buffer }> {
    const bundle = await bundleOf(owner);
    const path = join(temporaryFolder(), 'ledger.csbundle');
    writeFileSync(path, bundle);
    const { code, stdout } = await run('verify', path, '--trust', service.kid, '--json');
    expect(code).toBe(0);
    return { report: (JSON.parse(stdout) as { coherence: CoherenceReport }).coherence, bundle };
  }

  it('is led to from the dashboard, shows all that is signed, and passes axe', async () => {
    await ask();
    await page.goto(`${service.url}/#/dashboard`);
    const waiting = page.getByRole('region', { name: 'Waiting for a decision (1)' });
    await waiting.waitFor();
    await picture('dashboard-waiting');
    await waiting.getByRole('link', { name: /pay_invoice/ }).focus();
    await page.keyboard.press('Enter');
    await panel().getByText(agentId).waitFor();
    await panel().getByRole('region', { name: 'Presented by the agent' }).getByText('Pay ACME GmbH').waitFor();
    await panel().getByRole('region', { name: 'Input' }).getByText('1250.00').waitFor();
    expect(await seriousIssuesInThemes(page)).toEqual([]);
    await picture('operation-waiting');
  });

  it('is made by keyboard after a fresh sign-in, and what was approved is carried out coherently', async () => {
    const question = await ask();
    await open(question);
    await panel().getByLabel('Reason').fill('Ordered on 3 May.');
    service.sql.prepare('UPDATE sessions SET proved_at = 1').run();
    await press('Approve');
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Password').fill(owner.password);
    await page.keyboard.press('Enter');
    await received('You approved this, and the receipt verifies');
    await picture('operation-decided');
    expect(await session.call({ tool: 'pay_invoice', question }, () => 'paid')).toBe('paid');
    const { report } = await coherence();
    expect(report).toMatchObject({ status: 'coherent', counts: { decisions: 1, contradictions: 0 } });
  });

  it('to deny needs no further key, and the question waits no more', async () => {
    const question = await ask();
    await open(question);
    await press('Deny');
    await received('You denied this, and the receipt verifies');
    const { decider } = await owner.client.ok('decisionAgent');
    expect(decider?.keys).toHaveLength(1);
    await session.refused(question);
    expect((await owner.client.ok('waitingDecisions')).total).toBe(1);
    await page.goto(`${service.url}/#/account`);
    await page.getByRole('region', { name: 'Decision keys' }).getByText('active').waitFor();
    await picture('account-keys');
  });

  it('shows on the screen of coherence which argument is not the approved one', async () => {
    const question = await ask();
    await open(question);
    await press('Approve');
    await received('You approved this, and the receipt verifies');
    const input = { ...INPUT, amount: { ...INPUT.amount, value: '12500.00' } };
    const other = { ...question, action: { ...question.action, input } };
    await session.call({ tool: 'pay_invoice', question: other }, () => 'paid');
    const { report, bundle } = await coherence();
    expect(report).toMatchObject({
      status: 'incoherent',
      codes: { EXECUTED_OTHER_THAN_APPROVED: 1 },
    });
    expect(report.findings.map(({ where }) => where.pointer)).toContain('/input/value/amount/value');
    const file = { name: 'may.csbundle', bytes: bundle };
    const { case_id } = await importCase(owner.client, file, { trusted_kids: [service.kid] });
    await page.goto(`${service.url}/#/cases/${case_id}`);
    const findings = page.getByRole('list', { name: 'Findings of coherence' });
    await findings.getByText('EXECUTED_OTHER_THAN_APPROVED').waitFor();
    await findings.getByText('/input/value/amount/value').waitFor();
    // The dashboard says the same of the live ledger.
    await page.goto(`${service.url}/#/dashboard`);
    const live = page.getByRole('region', { name: 'Coherence of agent actions' });
    await live.getByText('Incoherent', { exact: true }).waitFor();
    await live.getByText('EXECUTED_OTHER_THAN_APPROVED').waitFor();
    await live.getByText('/input/value/amount/value').waitFor();
    await picture('coherence');
  });

  it('is locked for anyone who may only read, with the reason', async () => {
    const question = await ask();
    const reader = service.addMember(owner, 'readonly_investigator');
    const context = await page.context().browser()?.newContext();
    if (context === undefined) throw new Error('there is no browser');
    await signInPage(context, service, reader);
    const { page: theirs } = await openPage(context);
    await theirs.goto(`${service.url}/#/operations/${question.operationId}`);
    for (const name of ['Approve', 'Deny']) {
      const button = theirs.getByRole('button', { name });
      await button.waitFor();
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    }
  });

  it('left nothing on the console and asked nobody else', async () => {
    await agent.close();
    expect(watched.complaints).toEqual([]);
    expect([...watched.origins]).toEqual([service.url]);
  });
});
