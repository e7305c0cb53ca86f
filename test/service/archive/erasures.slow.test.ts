// docs/decisions/0098-archive-buckets-and-erasure.md over an archive in a folder, and at a central node.
import { expect, it } from 'vitest';
import { FolderStore } from '../../../src/service/archive/folder-store.ts';
import { archiveHost, shipped } from '../../support/archive.ts';
import { erasureCases } from '../../support/archive-erasures.ts';
import { folderPlace } from '../../support/archive-places.ts';
import { archiveOf, TestCentral } from '../../support/central.ts';
import { contentsBelow, temporaryFolder } from '../../support/folders.ts';
import { submitNext } from '../../support/service.ts';

erasureCases(folderPlace);

it('leaves no byte at a central node either, whose index is made again', async () => {
  const folder = temporaryFolder();
  const store = new FolderStore(folder);
  const host = await archiveHost();
  const secret = 'unmistakable-word-of-one-record';
  const { operation_id } = await submitNext(host.account, host.signer, { payload: { text: secret } });
  await host.seal(3);
  await shipped(host.service.dataDir, store);
  const readers = [{ organization: host.account.orgId, reader: null }];
  const central = await TestCentral.start({ folder, trusted: [host.service.kid], readers });
  expect(await central.follow()).toEqual([]);
  const owner = await central.owner();
  const found = async (): Promise<number> => {
    const params = { case_id: (await archiveOf(owner))?.case_id ?? '' };
    return (await owner.ok('caseAuditQuery', { params, body: { query: secret } })).data.length;
  };
  expect(await found()).toBe(1);
  await host.account.client.ok('eraseOperation', { params: { operation_id }, body: { reason: 'asked for' } });
  expect(await shipped(host.service.dataDir, store)).toMatchObject([{ outcome: 'replaced' }]);
  expect(await central.follow()).toEqual([]);
  expect(await found()).toBe(0);
  const params = { case_id: (await archiveOf(owner))?.case_id ?? '', operation_id };
  const { eor } = await owner.ok('caseOperation', { params });
  expect(eor).not.toHaveProperty('payload');
  const tombstones = await owner.ok('auditQuery', { body: { query: 'type:archive.replace', details: true } });
  expect(tombstones.data).toHaveLength(1);
  const showing = [...contentsBelow(central.running.dataDir), ...contentsBelow(folder)]
    .filter(({ bytes }) => bytes.includes(secret))
    .map(({ path }) => path);
  expect(showing).toEqual([]);
});
