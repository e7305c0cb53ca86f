// docs/investigating.md, Twenty questions: each answered in at most three actions, and the answer computed from the data besides.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import type { RecordProof } from '../../src/protocol/index.ts';
import { type AirlineAction, airlineActions, SPACING_MS, submitAirlineActions } from '../support/airline-actions.ts';
import { openBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { codingSessions, recordCodingSessions } from '../support/coding-sessions.ts';
import { addGeneratedActions, GENERATED } from '../support/generated-actions.ts';
import { Investigator, MAX_ACTIONS } from '../support/investigator.ts';
import { type Account, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { until } from '../support/until.ts';

const ACTIONS = airlineActions();
const texts = ACTIONS.map((action) => JSON.stringify(action));
const isFailed = ({ result }: AirlineAction): boolean => result.startsWith('Error');
const of = (test: (action: AirlineAction, index: number) => boolean): AirlineAction[] => ACTIONS.filter(test);

/** How often each value comes, the most frequent first. */
function tally(values: readonly string[]): [string, number][] {
  const counts = Map.groupBy(values, (value) => value);
  return [...counts].map(([value, all]): [string, number] => [value, all.length]).toSorted((a, b) => b[1] - a[1]);
}

/** A service with an owner, and a page that is signed in. */
async function workspace(): Promise<{ service: TestService; owner: Account; page: Page }> {
  const service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
  const owner = await service.signUp();
  const context = await (await openBrowser()).newContext({ viewport: { width: 1600, height: 1000 } });
  await signInPage(context, service, owner);
  return { service, owner, page: (await openPage(context)).page };
}

/** Waits until the index has everything: investigators come later than agents. */
async function indexed({ client }: Account): Promise<void> {
  await until('the index', async () => {
    const { coverage } = await client.ok('facets', { body: { fields: ['agent'] } });
    return coverage.pending === 0;
  });
}

const [, twenty = ''] = readFileSync(`${ROOT}/docs/investigating.md`, 'utf8').split(/^## (?:Twenty|Forty) questions$/m);
const asked = [...twenty.matchAll(/^\| (\d+) \| (.+?) \|/gm)];

/** A question as docs/investigating.md has it. */
function question(number: number): string {
  const [, , text] = asked.find(([, n]) => Number(n) === number) ?? [];
  if (text === undefined) throw new Error(`docs/investigating.md has no question ${number}`);
  return `${number}. ${text}`;
}

describe.skipIf(chromiumPath() === undefined)('twenty questions', () => {
  let seen: Investigator;
  let first: number;

  afterEach(() => {
    const actions = seen?.actions ?? [];
    expect(actions.length, actions.join('; ')).toBeLessThanOrEqual(MAX_ACTIONS);
  });

  it('are twenty', () => {
    expect(asked.map(([, number]) => Number(number))).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  describe('about customer service', () => {
    beforeAll(async () => {
      const { service, owner, page } = await workspace();
      const rules = { version: 1, approvals: [{ tool: 'book_reservation' }] };
      await owner.client.ok('setInvestigationRules', { body: { rules } });
      first = await submitAirlineActions(owner);
      await indexed(owner);
      seen = new Investigator(page, service.url);
    });

    it(question(1), async () => {
      const session = of((action) => action.session === 'airline-000-2');
      await seen.begin('sessions');
      await seen.ask('session = airline-000-2');
      await seen.click(seen.page.getByRole('link', { name: 'airline-000-2' }).first());
      const steps = seen.page.getByRole('list', { name: 'Steps of airline-000-2' });
      await expect.poll(() => steps.getByRole('listitem').count()).toBe(session.length);
      const titles = await steps.locator('.step-title').allInnerTexts();
      expect(titles.map((title) => title.split('(')[0])).toEqual(session.map(({ tool }) => tool));
      await seen.click(seen.page.getByRole('button', { name: 'Open all', exact: true }));
      await steps.getByText('mia_li_3668').first().waitFor();
      await steps.getByText('mia.li3818@example.com').first().waitFor();
      await seen.page.getByText('airline-agent-2').first().waitFor();
    });

    it(question(2), async () => {
      const sessions = new Set(of((_, n) => texts[n]?.includes('mia_li_3668') === true).map(({ session }) => session));
      const cancelled = of(({ session, tool }) => sessions.has(session) && tool === 'cancel_reservation');
      expect(cancelled.map(({ agent, arguments: given }) => [agent, given['reservation_id']])).toEqual([
        ['airline-agent-3', 'HATHAU'],
      ]);
      await seen.begin('search');
      await seen.ask('insession(mia_li_3668) tool = cancel_reservation');
      await seen.hasResults(1);
      expect(await seen.column('agent')).toEqual(['airline-agent-3']);
      expect((await seen.column('summary'))[0]).toContain('HATHAU');
    });

    it(question(3), async () => {
      const mentions = of((_, n) => texts[n]?.includes('credit_card') === true);
      expect(mentions).toHaveLength(437);
      await seen.begin('search');
      await seen.ask('credit_card');
      await seen.hasResults(437);
      expect(new Map(await seen.facet('Agent'))).toEqual(new Map(tally(mentions.map(({ agent }) => agent))));
    });

    it(question(4), async () => {
      const [from, to] = [first + 200 * SPACING_MS, first + 300 * SPACING_MS];
      await seen.begin('search');
      await seen.ask(`issued >= ${new Date(from).toISOString()} issued < ${new Date(to).toISOString()}`);
      await seen.hasResults(100);
      const tools = new Map(tally(ACTIONS.slice(200, 300).map(({ tool }) => tool)));
      for (const [tool, count] of await seen.facet('Tool')) expect(tools.get(tool)).toBe(count);
    });

    it(question(5), async () => {
      const bookings = of(({ tool }) => tool === 'book_reservation');
      await seen.begin('search');
      await seen.ask('tool = book_reservation mark:approval_rule_broken');
      // Nothing in these sessions is a question or a decision: none of the bookings was confirmed.
      await seen.hasResults(bookings.length);
    });

    it(question(6), async () => {
      await seen.begin('search');
      await seen.ask('session = airline-000-2 tool = book_reservation');
      await seen.hasResults(2);
      await seen.click(seen.page.getByRole('button', { name: 'Select all', exact: true }));
      await seen.click(seen.page.getByRole('link', { name: 'Compare the two' }));
      const main = seen.page.getByRole('main');
      // The first paid 5 by credit card, and was refused; the second 55.
      await main.getByText('55', { exact: true }).first().waitFor();
      await main
        .getByText(/payment amount does not add up/)
        .first()
        .waitFor();
    });

    it(question(7), async () => {
      await seen.begin('search');
      await seen.ask('outcome = failed');
      await seen.hasResults(of(isFailed).length);
      expect(of(isFailed)).toHaveLength(73);
    });

    it(question(8), async () => {
      const numbers = [3, 17, 20, 400, 1164];
      await seen.begin('search');
      await seen.ask(numbers.map((n) => `seq = ${n}`).join(' or '));
      await seen.hasResults(numbers.length);
      const download = seen.page.waitForEvent('download');
      await seen.click(seen.page.getByRole('button', { name: 'Hand over all…', exact: true }));
      await seen.click(seen.page.getByRole('button', { name: 'Save proof', exact: true }));
      const { records } = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as RecordProof;
      expect(records.map(({ ear }) => ear.seq_no)).toEqual(numbers);
    });

    it(question(9), async () => {
      await seen.begin('search');
      await seen.ask('outcome = failed');
      expect((await seen.facet('Agent'))[0]).toEqual(tally(of(isFailed).map(({ agent }) => agent))[0]);
    });

    it(question(10), async () => {
      const large = of(({ arguments: given }) => {
        const methods = given['payment_methods'];
        const amounts = Array.isArray(methods)
          ? methods.map((method) => (method as { amount?: number }).amount ?? 0)
          : [];
        return amounts.some((amount) => amount > 1000);
      });
      expect(large).toHaveLength(1);
      await seen.begin('search');
      await seen.ask('arguments.payment_methods.amount > 1000');
      await seen.hasResults(large.length);
      expect(await seen.column('agent')).toEqual(large.map(({ agent }) => agent));
    });

    it(question(11), async () => {
      const touching = of((_, n) => /\bHATHAU\b/.test(texts[n] ?? ''));
      await seen.begin('entities');
      await seen.typed(seen.page.getByLabel('Name contains'), 'HATHAU');
      await seen.click(seen.page.getByRole('link', { name: 'HATHAU' }).first());
      const main = seen.page.getByRole('main');
      for (const { tool, agent } of touching) {
        await main.getByText(tool).first().waitFor();
        await main.getByText(agent).first().waitFor();
      }
    });

    it(question(12), async () => {
      await seen.begin('search');
      await seen.ask('session = airline-000-2 mark:retried');
      await seen.hasResults(1);
      await seen.click(seen.page.locator('[data-row]').first());
      await seen.click(seen.page.getByRole('link', { name: 'Compare with previous try' }));
      await seen.page.getByRole('main').getByText('55', { exact: true }).first().waitFor();
    });
  });

  describe('about a coding agent', () => {
    const sessions = codingSessions();

    beforeAll(async () => {
      const { service, owner, page } = await workspace();
      await recordCodingSessions(service, owner, sessions);
      await indexed(owner);
      seen = new Investigator(page, service.url);
    });

    it(question(13), async () => {
      const session = sessions.find(({ calls }) =>
        calls.some(({ input }) => input['file_path']?.endsWith('.env.production')),
      );
      await seen.begin('sessions');
      await seen.ask('".env.production"');
      await seen.click(seen.page.getByRole('link', { name: session?.id ?? '' }).first());
      await seen.page
        .getByRole('list', { name: `Steps of ${session?.id}` })
        .getByText(session?.prompt ?? '')
        .first()
        .waitFor();
    });

    it(question(14), async () => {
      await seen.begin('search');
      await seen.ask('mark:first_host');
      // Those of its first calls are nothing new: an agent has to begin somewhere.
      await seen.hasResults(1);
      expect((await seen.column('summary'))[0]).toContain('paste.example.net');
    });

    it(question(15), async () => {
      const refused = sessions.filter(({ calls }) => calls.some(({ ending }) => ending.is === 'denied'));
      await seen.begin('search');
      await seen.ask('phase = refused');
      await seen.hasResults(refused.length);
      expect((await seen.facet('Session')).map(([id]) => id).toSorted()).toEqual(
        refused.map(({ id }) => id).toSorted(),
      );
      for (const summary of await seen.column('summary')) expect(summary).toContain('pushing needs a person');
    });

    it(question(16), async () => {
      const open = sessions.flatMap(({ calls }) => calls.filter(({ ending }) => ending.is === 'open'));
      await seen.begin('search');
      await seen.ask('mark:unfinished');
      await seen.hasResults(open.length);
      await seen.page
        .getByRole('main')
        .getByText(open[0]?.input['command'] ?? '')
        .first()
        .waitFor();
    });

    it(question(17), async () => {
      const changing = sessions.filter(({ calls }) =>
        calls.some(({ tool, input }) => tool === 'Edit' && input['file_path']?.endsWith('src/invoice.ts')),
      );
      await seen.begin('search');
      await seen.ask('entity:"src/invoice.ts" tool = Edit');
      expect((await seen.facet('Session')).map(([id]) => id).toSorted()).toEqual(
        changing.map(({ id }) => id).toSorted(),
      );
    });

    it(question(18), async () => {
      const inside = sessions.filter(({ calls }) => calls.some(({ subAgent }) => subAgent !== undefined));
      await seen.begin('search');
      await seen.ask('actor.sub_agent.id:*');
      expect((await seen.facet('Session')).map(([id]) => id).toSorted()).toEqual(inside.map(({ id }) => id).toSorted());
    });
  });

  describe(`about ${GENERATED.records} generated actions`, () => {
    beforeAll(async () => {
      const { service, owner, page } = await workspace();
      await page.goto('about:blank');
      await addGeneratedActions(owner);
      await indexed(owner);
      await signInPage(page.context(), service, owner);
      seen = new Investigator(page, service.url);
    }, 3_600_000);

    it(question(19), async () => {
      await seen.begin('search');
      await seen.ask(GENERATED.rare.text);
      await seen.hasResults(GENERATED.rare.records.length);
      expect(new Map(await seen.facet('Agent'))).toEqual(
        new Map(tally(GENERATED.rare.records.map(({ agent }) => agent))),
      );
    });

    it(question(20), async () => {
      await seen.begin('search');
      await seen.brush(GENERATED.burst.from, GENERATED.burst.to);
      expect((await seen.facet('Agent'))[0]?.[0]).toBe(GENERATED.burst.agent);
    });
  });
});
