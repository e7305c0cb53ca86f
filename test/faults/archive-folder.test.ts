// docs/archive.md, "What stops a shipping": the folder of an archive is full, read-only or away, each by its code; what was shipped stays, and what is
// missing follows once it can.
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FolderStore } from '../../src/service/archive/folder-store.ts';
import { archiveHost, shipped } from '../support/archive.ts';
import { temporaryFolder } from '../support/folders.ts';
import { canMount, SmallDisk } from '../support/small-disk.ts';

/** A host with one run in an archive, and records that are not there. */
async function hostWithTwo(folder: string) {
  const host = await archiveHost();
  const store = new FolderStore(folder);
  await host.seal(2);
  expect(await shipped(host.service.dataDir, store)).toMatchObject([{ outcome: 'shipped' }]);
  await host.seal(200);
  return { dataDir: host.service.dataDir, store };
}

const parts = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.part'));

describe.skipIf(!canMount())('the disk of an archive (needs a separate tmpfs, so root)', () => {
  it('that is full is named, keeps no part of a run, and takes the run once there is room', async () => {
    const disk = new SmallDisk(4);
    const { dataDir, store } = await hostWithTwo(disk.folder);
    disk.fill(4096);
    await expect(shipped(dataDir, store)).rejects.toMatchObject({ code: 'ARCHIVE_FULL' });
    expect(parts(disk.folder)).toEqual([]);
    disk.clear();
    expect(await shipped(dataDir, store)).toMatchObject([{ outcome: 'shipped', records: 200 }]);
  });

  it('that is read-only is named', async () => {
    const disk = new SmallDisk(4);
    const { dataDir, store } = await hostWithTwo(disk.folder);
    disk.setReadOnly();
    await expect(shipped(dataDir, store)).rejects.toMatchObject({ code: 'ARCHIVE_REFUSED' });
    expect(await store.list()).toHaveLength(1);
  });
});

it('the folder of an archive that is away is named, and nothing is made in its place', async () => {
  const parent = temporaryFolder();
  const folder = join(parent, 'archive');
  mkdirSync(folder);
  const { dataDir, store } = await hostWithTwo(folder);
  renameSync(folder, join(parent, 'elsewhere'));
  await expect(shipped(dataDir, store)).rejects.toMatchObject({ code: 'ARCHIVE_UNAVAILABLE' });
  expect(readdirSync(parent)).toEqual(['elsewhere']);
  renameSync(join(parent, 'elsewhere'), folder);
  expect(await shipped(dataDir, store)).toMatchObject([{ outcome: 'shipped', records: 200 }]);
});
