// docs/content-index.md: for whoever opens the page, the thread reads what the first page of a list is made of before they ask for it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contentPaths } from '../../../src/service/search/content-index/catalog.ts';
import { ContentIndex } from '../../../src/service/search/content-index/content-index.ts';
import { LedgerReads } from '../../../src/service/search/queries/ledger-reads.ts';
import { atEnd } from '../../support/cleanup.ts';
import { registerAgent, submitNext, TestService } from '../../support/service.ts';

it('answers the first question without reading the index, once it is prepared', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  for (let n = 0; n < 3; n++) await submitNext(owner, signer, { payload: { tool: 'pay', call_id: `call ${n}` } });
  await owner.client.ok('facets', { body: { fields: ['agent'] } });
  await service.stop();
  const files = { ledgerPath: join(service.dataDir, 'ledger.sqlite'), folder: service.dataDir };
  const index = new ContentIndex({ ...files, onError: (error) => expect.fail(String(error)) });
  const reads = new LedgerReads(index, files, () => true);
  atEnd(() => reads.close());
  atEnd(() => index.close());
  await reads.prepare(owner.orgId);
  rmSync(contentPaths(service.dataDir).segments, { recursive: true });
  const page = { order: 'newest', contents: false, limit: 50 } as const;
  const { total, data } = await reads.askNow({ orgId: owner.orgId }, 'actions', page, null, { now: 0 });
  expect([total, data.length]).toEqual([3, 3]);
});
