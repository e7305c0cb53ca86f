/** The hospital's ledger with somebody at its workspace, for the tests that ask the forty questions. */
import { setTimeout as pause } from 'node:timers/promises';
import { openBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { importCase } from '../support/cases.ts';
import { atEnd } from '../support/cleanup.ts';
import { type Account, bundleOf, registerAgent, submitNext } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { until } from '../support/until.ts';
import { makeCorpus } from './make.ts';
import { Person } from './person.ts';

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
  await until('the index', async () => {
    const { coverage } = await owner.client.ok('facets', { body: { fields: ['agent'] } });
    return coverage.pending === 0;
  });
  const context = await (await openBrowser()).newContext({
    viewport: { width: 1600, height: 1000 },
    timezoneId: 'Europe/Berlin',
    acceptDownloads: true,
  });
  await signInPage(context, service, owner);
  const { page } = await openPage(context);
  const bundle = await bundleOf(owner);
  return {
    owner,
    bundle,
    live: new Person(page, service.url, ''),
    openCase: async () => {
      const { case_id } = await importCase(
        owner.client,
        { name: 'hospital.csbundle', bytes: bundle },
        { name: 'Hospital' },
      );
      return new Person(page, service.url, `/cases/${case_id}`);
    },
  };
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
