// The screens of a filled workspace, each with what is on it once it is complete.
import type { Page } from 'playwright';
import { NEEDS_LOOK } from '../../src/renderer/components/needs-look/texts.ts';
import { ENTITY_LIST } from '../../src/renderer/screens/entities/texts.ts';
import { SESSION_LIST } from '../../src/renderer/screens/sessions/texts.ts';
import { WHAT_LEFT } from '../../src/renderer/screens/what-left/texts.ts';
import { administrationVisits } from './administration-visits.ts';
import { airlineActions, submitAirlineActions } from './airline-actions.ts';
import { importCase } from './cases.ts';
import { sweep } from './retention.ts';
import { type Account, ALWAYS, bundleOf, exportOf } from './service.ts';
import type { Signer } from './signer.ts';
import { until } from './until.ts';
import { fill } from './workspace.ts';

export interface Visit {
  readonly name: string;
  readonly path: string;
  /** What is on the screen once it is complete. */
  readonly ready: (page: Page) => Promise<unknown>;
}

/** A search is complete with its rows, one of them chosen, and what was read from the chosen one. */
async function searched(page: Page): Promise<void> {
  await page.locator('.grid-row.is-selected').waitFor();
  await page.getByText('Read from the payload').first().waitFor();
}

/** The screens of a case: the bundle of the same ledger, with one figure changed and an unknown issuer. */
async function caseVisits({ client }: Account, bundle: Buffer, operationId: string, otherId: string): Promise<Visit[]> {
  const text = bundle.toString('utf8');
  const { eor, ear } = await client.ok('getOperation', { params: { operation_id: operationId } });
  const figure = `"total":${String(eor.payload?.['total'])}`;
  const name = 'Damaged export of the third quarter';
  const bytes = Buffer.from(text.replace(figure, '"total":9999.5'));
  const found = await importCase(client, { name: 'q3.csbundle', bytes }, { name });
  await importCase(client, { name: 'q3-again.csbundle', bytes: bundle }, { name: 'Sound export of the third quarter' });
  const params = { case_id: found.case_id, operation_id: eor.operation_id };
  const note = 'The figure does not fit the invoice. Ask Ms Ōta for the paper.';
  await client.ok('annotate', { params, body: { tags: ['look into', 'invoice'], note } });
  const { data: epochs } = await client.ok('caseEpochs', { params: { case_id: found.case_id } });
  const path = `/cases/${found.case_id}`;
  const said = (wanted: string | RegExp) => (page: Page) => page.getByText(wanted).first().waitFor();
  return [
    { name: 'cases', path: '/cases', ready: said('2 cases') },
    {
      name: 'case-import',
      path: '/cases/new',
      ready: async (page) => {
        await page
          .getByLabel('Bundle or report')
          .setInputFiles({ name: 'q3.csbundle', mimeType: 'application/json', buffer: bundle });
        await page.getByText('Nothing is verified yet').waitFor();
      },
    },
    { name: 'case', path, ready: said('Damage map') },
    { name: 'case-search', path: `${path}/search?selected=${eor.operation_id}`, ready: searched },
    { name: 'case-operation', path: `${path}/operations/${eor.operation_id}`, ready: said('1 of 10 checks failed') },
    { name: 'case-agents', path: `${path}/agents`, ready: said('3 agents') },
    { name: 'case-agent', path: `${path}/agents/${eor.agent_id}`, ready: said('Head of chain') },
    {
      name: 'case-chain',
      path: `${path}/agents/${eor.agent_id}/chain?seq=${ear.seq_no}`,
      ready: said('records loaded'),
    },
    { name: 'case-sessions', path: `${path}/sessions`, ready: said(SESSION_LIST.noSessions) },
    {
      name: 'case-difference',
      path: `${path}/difference?left=${eor.operation_id}&right=${otherId}`,
      ready: (page) => page.locator('.difference-changed').first().waitFor(),
    },
    { name: 'case-reading-rules', path: `${path}/reading-rules`, ready: said('Default rules') },
    { name: 'case-what-left', path: `${path}/what-left`, ready: said(WHAT_LEFT.own) },
    { name: 'case-needs-look', path: `${path}/needs-look`, ready: said(NEEDS_LOOK.rule) },
    { name: 'case-entities', path: `${path}/entities`, ready: said(ENTITY_LIST.mostActionsFirst) },
    { name: 'case-epochs', path: `${path}/epochs`, ready: said('epochs, all') },
    {
      name: 'case-epoch',
      path: `${path}/epochs/${epochs.at(-1)?.epoch_id}`,
      ready: (page) => page.locator('.merkle').waitFor(),
    },
    {
      name: 'case-compare',
      path: `${path}/compare?with=live`,
      ready: async (page) => {
        await page.getByRole('button', { name: 'Compare', exact: true }).click();
        await page.getByRole('heading', { name: 'The other', exact: true }).waitFor();
      },
    },
  ];
}

/** Has the service refuse a record of a frozen agent, one that is not well formed, and a sign-in. */
async function refuseSome({ client, email }: Account, frozen: Signer): Promise<void> {
  await client.call('submitOperation', { body: frozen.next() });
  await client.call('submitOperation', { body: { agent_id: `stranger-${'of-a-long-name-'.repeat(6)}` } as never });
  await client.call('signIn', { body: { email, password: 'not the right password' } });
}

/** Has rules of retention, holds of several kinds, and a preview of what a sweep would erase. */
async function retain(account: Account, { agentId }: Signer): Promise<void> {
  const { client } = account;
  const rules = [
    { name: 'Payments', operation_type: 'payment.*', ceiling_days: 3653 },
    { name: 'Drafts', agent_id: agentId, floor_days: 0, ceiling_days: 0 },
    { name: 'Everything else', ceiling_days: 400 },
  ];
  await client.ok('setRetentionRules', { body: { rules } });
  const reason = 'Dispute about the invoice of March';
  for (const selection of [
    { kind: 'person', person: 'ms.ota@example.org' },
    { kind: 'range', agent_id: agentId, from_seq_no: 20, from_time: '2026-01-01T00:00:00Z' },
  ]) {
    await client.ok('placeHold', { body: { selection, reason } });
  }
  await sweep(account, { dry_run: true });
}

/** A session in which a booking fails and is tried again, and an entity that it and others touch. */
const SESSION = 'airline-046-3';
const SESSIONS = [SESSION, 'airline-000-2', 'airline-000-3'];
const TOUCHED = { kind: 'user', id: 'mia_li_3668' };

/** Fills a ledger; @returns its screens, those of a case of it with a figure changed, and its bundle. */
export async function workspaceVisits(account: Account): Promise<{ visits: readonly Visit[]; bundle: Buffer }> {
  const { billing, longName, idle } = await fill(account);
  const bundle = await bundleOf(account);
  const { client } = account;
  await refuseSome(account, idle);
  const redact = { operation_types: ['payment.release'] };
  const exportId = await exportOf(account, { ...ALWAYS, agentId: longName.agentId, redact });
  const { data } = await client.ok('auditQuery', { body: { agentId: longName.agentId, limit: 100 } });
  const [shown, other] = data.slice(6);
  if (shown === undefined || other === undefined) throw new Error('nothing was found');
  await retain(account, longName);
  await submitAirlineActions(
    account,
    airlineActions().filter(({ session }) => SESSIONS.includes(session)),
  );
  await client.ok('closeEpoch');
  await until('the sessions', async () => (await client.ok('sessions', { body: {} })).data.length === SESSIONS.length);
  const { data: epochs } = await client.ok('listEpochs');
  const epoch = epochs.find(({ first_seq_no }) => first_seq_no === 1);
  const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).waitFor();
  const text = (wanted: string | RegExp) => (page: Page) => page.getByText(wanted).first().waitFor();
  const visits: Visit[] = [
    { name: 'dashboard', path: '/dashboard', ready: (page) => page.locator('.chart canvas').waitFor() },
    { name: 'agents', path: '/agents', ready: text(/^\d agents$/) },
    { name: 'agent', path: `/agents/${billing.agentId}`, ready: (page) => page.locator('.chart canvas').waitFor() },
    { name: 'chain', path: `/agents/${billing.agentId}/chain?seq=245`, ready: text('Frozen: Unusual') },
    { name: 'sessions', path: '/sessions', ready: text('3 sessions, all') },
    { name: 'session', path: `/sessions?session=${SESSION}`, ready: (page) => page.locator('.step').first().waitFor() },
    { name: 'entities', path: '/entities', ready: text(TOUCHED.id) },
    {
      name: 'entity',
      path: `/entities?kind=${TOUCHED.kind}&id=${TOUCHED.id}`,
      ready: (page) => page.locator('.touches [data-row]').first().waitFor(),
    },
    { name: 'what-left', path: '/what-left', ready: text(WHAT_LEFT.own) },
    { name: 'needs-look', path: '/needs-look', ready: text(NEEDS_LOOK.rule) },
    { name: 'reading-rules', path: '/reading-rules', ready: text('Default rules') },
    {
      name: 'difference',
      path: `/difference?left=${shown.operation_id}&right=${other.operation_id}`,
      ready: (page) => page.locator('.difference-changed').first().waitFor(),
    },
    { name: 'search', path: `/search?selected=${shown.operation_id}`, ready: searched },
    { name: 'operation', path: `/operations/${shown.operation_id}`, ready: heading(/^All \d+ checks passed$/) },
    { name: 'exports', path: '/exports', ready: text('2 exports, all') },
    { name: 'export', path: `/exports/${exportId}`, ready: (page) => page.getByText('Check file').waitFor() },
    {
      name: 'make-export',
      path: '/exports?new=true',
      ready: async (page) => {
        await page.getByRole('dialog').getByText('Withhold payloads').click();
        await page.getByLabel('Of operation types').waitFor();
      },
    },
    { name: 'register', path: '/register-agent', ready: (page) => page.getByLabel('Key name').waitFor() },
    { name: 'record', path: '/record-program?program=gemini', ready: heading('3 · First call') },
    {
      name: 'connect',
      path: `/agents/${billing.agentId}/connect`,
      ready: text(/^All \d+ checks passed$|^Received and countersigned$/),
    },
    { name: 'people', path: '/people', ready: text('Members (1)') },
    { name: 'retention', path: '/retention', ready: text('Preview completed') },
    { name: 'account', path: '/account', ready: heading('Sessions') },
    { name: 'refused', path: '/refused', ready: (page) => page.locator('.is-alarm').waitFor() },
    { name: 'epochs', path: '/epochs', ready: text('epochs, all') },
    { name: 'epoch', path: `/epochs/${epoch?.epoch_id}?seq=77`, ready: (page) => page.locator('.merkle').waitFor() },
  ];
  const administration = await administrationVisits(account);
  const ofCase = await caseVisits(account, bundle, shown.operation_id, other.operation_id);
  return { visits: [...visits, ...administration, ...ofCase], bundle };
}
