// docs/archive.md, "When something happens": the disk of a central node is full at different moments. What it could not write down it did not accept; what it
// could not index is searched once there is room; nothing is accepted twice.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FolderStore } from '../../src/service/archive/folder-store.ts';
import { archiveHost, shipped } from '../support/archive.ts';
import { archiveOf, TestCentral } from '../support/central.ts';
import { temporaryFolder } from '../support/folders.ts';
import { canMount, SmallDisk } from '../support/small-disk.ts';

const RECORDS = 300;

describe.skipIf(!canMount())('the disk of a central node that is full (needs a separate tmpfs, so root)', () => {
  it.each([
    ['wholly', 0],
    ['but for what it writes down of a run', 100_000],
    ['but for a part of the index', 300_000],
    ['but for most of it', 600_000],
  ])('%s, ends nothing, and what could not be written is made up for', async (_, left) => {
    const host = await archiveHost();
    const folder = temporaryFolder();
    await host.seal(RECORDS);
    expect(await shipped(host.service.dataDir, new FolderStore(folder))).toMatchObject([{ outcome: 'shipped' }]);
    const disk = new SmallDisk(24);
    const central = await TestCentral.start({
      folder,
      trusted: [host.service.kid],
      readers: [{ organization: host.account.orgId, reader: null }],
      dataDir: join(disk.folder, 'central'),
    });
    const owner = await central.owner();
    disk.fill(left);
    const failure = await central.follow().then(
      () => null,
      (error: unknown) => error,
    );
    // Where the look failed, indexing may be under way: what fails is tried again with the next look, and not before.
    await central.running.archive.settled();
    // With room for the look, the index had none.
    if (failure !== null) expect(failure).toMatchObject({ name: 'ArchiveError', code: 'SPOOL_UNUSABLE' });
    expect(central.running.archive.health).toMatchObject({ refused: 0, searchable: 0, hasFailed: true });
    expect((await archiveOf(owner))?.archive).toMatchObject({ refused: [] });

    disk.clear();
    expect(await central.follow()).toEqual([]);
    expect(central.accepted()).toHaveLength(1);
    expect(central.running.archive.health).toMatchObject({ accepted: 1, searchable: 1, hasFailed: false });
    const archive = await archiveOf(owner);
    expect(archive?.archive).toMatchObject({ runs: 1, records: RECORDS, indexed_to: RECORDS, waiting: 0 });
    const params = { case_id: archive?.case_id ?? '' };
    const { total } = await owner.ok('caseFacets', { params, body: { fields: ['issuer'] } });
    expect(total).toBe(RECORDS);
    const acceptances = await owner.ok('auditQuery', { body: { operationType: 'archive.accept' } });
    expect(acceptances.data).toHaveLength(1);
  });
});
