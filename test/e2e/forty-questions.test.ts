// The forty questions of docs/investigating.md, over the hospital's ledger as it is alive, and as a case.
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ask } from '../corpus/ask.ts';
import { corpusLines, keepLines, keptLines } from '../corpus/lines.ts';
import { makeCorpus } from '../corpus/make.ts';
import { Person } from '../corpus/person.ts';
import { openBrowser, openPage, RENDERER_DIR } from '../support/browser.ts';
import { type Account, bundleOf } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { until } from '../support/until.ts';

/** Set where the story has changed, or what agents make of it: the lines that are kept are written again. */
const KEEPS = process.env['COUNTERSIGN_KEEP_CORPUS'] === '1';

describe.skipIf(chromiumPath() === undefined)('forty questions', () => {
  let owner: Account;
  let live: Person;

  beforeAll(async () => {
    const made = await makeCorpus({ rendererDir: RENDERER_DIR });
    const { service } = made;
    ({ owner } = made);
    await until('the index', async () => {
      const { coverage } = await owner.client.ok('facets', { body: { fields: ['agent'] } });
      return coverage.pending === 0;
    });
    const context = await (await openBrowser()).newContext({
      viewport: { width: 1600, height: 1000 },
      timezoneId: 'Europe/Berlin',
    });
    await signInPage(context, service, owner);
    const { page } = await openPage(context);
    live = new Person(page, service.url, { name: 'the live ledger', path: '' });
  });

  it('are about the ledger whose lines are kept', async () => {
    const lines = await corpusLines(await bundleOf(owner));
    if (KEEPS) keepLines(lines);
    expect(lines).toEqual(keptLines());
  });

  describe('over the live ledger', () => {
    ask(() => live);
  });
});
