// docs/archive.md: what a central node accepted is searched as one ledger, by whoever may see it.
import { expect, it } from 'vitest';
import { FolderStore } from '../../../src/service/archive/folder-store.ts';
import { archiveHost, shipped } from '../../support/archive.ts';
import { at as nth } from '../../support/bytes.ts';
import { archiveOf, TestCentral } from '../../support/central.ts';
import { temporaryFolder } from '../../support/folders.ts';

async function twoHosts() {
  const folder = temporaryFolder();
  const hosts = [await archiveHost(), await archiveHost()];
  for (let epoch = 0; epoch < 2; epoch++) {
    for (const host of hosts) {
      await host.seal(3);
      await shipped(host.service.dataDir, new FolderStore(folder));
    }
  }
  const orgs = hosts.map(({ account }) => account.orgId);
  return { folder, hosts, orgs, trusted: hosts.map(({ service }) => service.kid) };
}

it('answers over all ledgers that may be seen, each row with its ledger', async () => {
  const { folder, hosts, orgs, trusted } = await twoHosts();
  const readers = orgs.map((organization) => ({ organization, reader: null }));
  const central = await TestCentral.start({ folder, trusted, readers });
  expect(await central.follow()).toEqual([]);
  const owner = await central.owner();
  const archive = await archiveOf(owner);
  expect(archive).toMatchObject({
    verdict: 'verified',
    archive: { ledgers: 2, runs: 4, waiting: 0, records: 12, indexed_to: 12, refused: [] },
  });
  const params = { case_id: archive?.case_id ?? '' };
  const { ledgers } = await owner.ok('archivedLedgers', { params });
  expect(ledgers.map(({ organization, runs, records }) => [organization, runs, records])).toEqual(
    [...orgs].sort().length === 2 ? expect.arrayContaining(orgs.map((org) => [org, 2, 6])) : [],
  );
  const found = await owner.ok('caseAuditQuery', { params, body: { details: true, query: `organization:${orgs[0]}` } });
  expect(found.data).toHaveLength(6);
  expect(new Set(found.data.map(({ details }) => details?.issuer))).toEqual(new Set([nth(hosts, 0).service.kid]));
  const facets = await owner.ok('caseFacets', { params, body: { fields: ['organization', 'issuer'] } });
  expect(facets.facets.map(({ values }) => values.map(({ count }) => count))).toEqual([
    [6, 6],
    [6, 6],
  ]);
  // Evidence comes from the run, and proves itself.
  for (const { operation_id } of found.data) {
    const { epoch, ear } = await owner.ok('caseOperation', { params: { ...params, operation_id } });
    expect(ear.org_id).toBe(orgs[0]);
    expect(epoch?.inclusion).not.toBeNull();
  }
});
