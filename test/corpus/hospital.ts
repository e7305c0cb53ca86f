/** The hospital's ledger with somebody at its workspace, for the tests that ask the forty questions. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { FolderStore } from '../../src/service/archive/folder-store.ts';
import { shipped } from '../support/archive.ts';
import { openBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { importCase } from '../support/cases.ts';
import { archiveOf, TestCentral } from '../support/central.ts';
import { atEnd } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type Account, bundleOf, registerAgent, submitNext } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { until } from '../support/until.ts';
import { receiptsOf } from './kept-receipts.ts';
import { makeCorpus } from './make.ts';
import { Person } from './person.ts';

/** What the hospital says of itself: which calls need an approval, and what is its own. */
const RULES = {
  version: 1,
  approvals: [{ tool: 'payments.pay' }, { type: 'payment.create' }],
  own: { domains: ['klinik-nord.example'], hosts: ['apo-db-1', 'web-1', 'mail-1', 'lab-gw-1'] },
} as const;

export interface Hospital {
  readonly owner: Account;
  /** Everything of the three weeks. */
  readonly bundle: Buffer;
  /** At the live ledger. */
  readonly live: Person;
  /** Imports the bundle. @returns the same person at the case */
  readonly openCase: () => Promise<Person>;
}

export async function openHospital(): Promise<Hospital> {
  const { service, owner } = await makeCorpus({ rendererDir: RENDERER_DIR });
  await owner.client.ok('setInvestigationRules', { body: { rules: RULES } });
  await until('the index', async () => {
    const { coverage } = await owner.client.ok('facets', { body: { fields: ['agent'] } });
    return coverage.pending === 0;
  });
  await until('what is unusual', async () => (await owner.client.ok('coherence')).pending === 0);
  const context = await (await openBrowser()).newContext({
    viewport: { width: 1600, height: 1000 },
    timezoneId: 'Europe/Berlin',
    acceptDownloads: true,
  });
  await signInPage(context, service, owner);
  const { page } = await openPage(context);
  const bundle = await bundleOf(owner);
  const receipts = await receiptsOf(bundle);
  const files = [{ name: 'hospital.csbundle', bytes: bundle }, ...receipts];
  return {
    owner,
    bundle,
    live: new Person(page, service.url, { files }),
    openCase: async () => {
      const { case_id } = await importCase(
        owner.client,
        { name: 'hospital.csbundle', bytes: bundle },
        { name: 'Hospital', receipts },
      );
      await owner.client.ok('caseSetInvestigationRules', { params: { case_id }, body: { rules: RULES } });
      await until('the case is read again', async () => {
        const { coverage } = await owner.client.ok('caseFacets', { params: { case_id }, body: { fields: ['agent'] } });
        return coverage.pending === 0;
      });
      return new Person(page, service.url, { path: `/cases/${case_id}`, files });
    },
  };
}

/** The same three weeks on five hosts, archived, and somebody at the central node. */
export async function openArchivedHospital(): Promise<Person> {
  const { services } = await makeCorpus({}, 5);
  const folder = temporaryFolder();
  for (const { dataDir } of services) await shipped(dataDir, new FolderStore(folder));
  const central = await TestCentral.start({
    folder,
    trusted: services.map(({ kid }) => kid),
    rendererDir: RENDERER_DIR,
  });
  const examiner = await central.service.signUp();
  const organizations = (await new FolderStore(folder).list()).flatMap(({ name }) => name?.orgId ?? []);
  await central.letRead([...new Set(organizations)].map((organization) => ({ organization, reader: examiner.orgId })));
  expect(await central.follow()).toEqual([]);
  const archive = await archiveOf(examiner.client);
  const params = { case_id: archive?.case_id ?? '' };
  await examiner.client.ok('caseSetInvestigationRules', { params, body: { rules: RULES } });
  await until('the archive is read again', async () => {
    const { status, body } = await examiner.client.call('caseFacets', { params, body: { fields: ['agent'] } });
    return status === 200 && body.coverage.pending === 0 && body.coverage.indexed_to > 0;
  });
  const context = await (await openBrowser()).newContext({
    viewport: { width: 1600, height: 1000 },
    timezoneId: 'Europe/Berlin',
    acceptDownloads: true,
  });
  await signInPage(context, central.service, examiner);
  const { page } = await openPage(context);
  return new Person(page, central.service.url, { path: `/cases/${params.case_id}`, files: [] });
}

/** Between a record that comes in and the next, in milliseconds. */
const BEAT_MS = 150;

/** Has an agent more say that it is there, again and again, until the test file ends or the result is called. */
export async function keepRecording(owner: Account): Promise<() => Promise<void>> {
  const watcher = await registerAgent(owner, 'waechter');
  const stopping = new AbortController();
  const beat = async (): Promise<void> => {
    for (let n = 1; !stopping.signal.aborted; n++) {
      await submitNext(owner, watcher, {
        operation_type: 'watch.beat',
        subject: 'waechter',
        action: 'beat',
        payload: { n },
      });
      await pause(BEAT_MS);
    }
  };
  const beating = beat();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await beating;
  };
  atEnd(stop);
  return stop;
}
