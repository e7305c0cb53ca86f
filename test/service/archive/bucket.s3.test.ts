// docs/decisions/0095-archive.md over a bucket: what holds for an archive in a folder, and what only a bucket has. Needs a real object store:
// COUNTERSIGN_TEST_S3, or the programs of Ceph.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { S3Store } from '../../../src/service/archive/s3-store.ts';
import { archiveHost, shipped } from '../../support/archive.ts';
import { acceptanceCases } from '../../support/archive-acceptance.ts';
import { creatingCases } from '../../support/archive-creating.ts';
import { erasureCases } from '../../support/archive-erasures.ts';
import { killedCases } from '../../support/archive-killed.ts';
import { bucketPlace, type NewPlace } from '../../support/archive-places.ts';
import { retentionCases } from '../../support/archive-retention.ts';
import { run } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { ObjectStore } from '../../support/object-store.ts';
import { CommandProcess } from '../../support/processes.ts';

let objects: ObjectStore;
const newPlace: NewPlace = () => bucketPlace(objects);

beforeAll(async () => {
  objects = await ObjectStore.start();
});

acceptanceCases(newPlace);
erasureCases(newPlace);
retentionCases(newPlace);
creatingCases(newPlace);
killedCases(newPlace, [
  ['behind the last byte here', 'written', false],
  ['behind the request', 'named', true],
  ['once the file here is gone', 'removed', true],
]);

describe('a bucket', () => {
  it('that is away is named, and takes what is missing once it is back', async () => {
    if (!objects.isOurs) return;
    const host = await archiveHost();
    await host.seal(3);
    const place = newPlace();
    await objects.goAway();
    await expect(shipped(host.service.dataDir, place.store)).rejects.toMatchObject({ code: 'ARCHIVE_UNAVAILABLE' });
    await objects.comeBack();
    expect(await shipped(host.service.dataDir, place.store)).toMatchObject([{ outcome: 'shipped', records: 3 }]);
  });

  it('refuses a wrong key, and a bucket that is not there, by their codes', async () => {
    const target = objects.target('');
    const wrong = { ...target.credentials, secretAccessKey: 'another' };
    const list = (over: Partial<typeof target>) => new S3Store({ ...target, ...over }, temporaryFolder()).list();
    await expect(list({ credentials: wrong })).rejects.toMatchObject({ code: 'ARCHIVE_REFUSED' });
    await expect(list({ bucket: 'no-such-bucket-here' })).rejects.toMatchObject({ code: 'ARCHIVE_UNUSABLE' });
    const none = new S3Store({ ...target, bucket: 'no-such-bucket-here' }, temporaryFolder());
    await expect(none.digest('1-1')).rejects.toMatchObject({ code: 'ARCHIVE_UNUSABLE' });
  });

  it('is taken by every command of the archive', async () => {
    const host = await archiveHost();
    const { dataDir, kid } = host.service;
    await host.seal(3);
    const { at, environment } = newPlace();
    const [stick, central] = [temporaryFolder(), join(temporaryFolder(), 'central')];
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    try {
      const data = ['--data-dir', dataDir];
      expect(await run('archive', 'ship', ...data, '--to', at, '--now')).toMatchObject({ code: 0 });
      await host.seal(2);
      expect(await run('archive', 'export', ...data, '--since', '2', '-o', stick)).toMatchObject({ code: 0 });
      const added = await run('archive', 'add', stick, '--to', at);
      expect(added.stdout).toMatch(/^added {4}\S+\/2-2\.csbundle\.json\.gz\n$/);
      expect((await run('archive', 'add', stick, '--to', at)).stdout).toMatch(/^is there/);
      const check = await run('archive', 'check', at, '--trust', kid);
      expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining('2 verified') });
      const serve = ['archive', 'serve', '--from', at, '--data-dir', central, '--once', '--trust', kid];
      serve.push('--reader', host.account.orgId);
      const { code, stdout } = await new CommandProcess(serve).ended;
      expect({ code, accepted: stdout.match(/^accepted /gm)?.length }).toEqual({ code: 0, accepted: 2 });
      // What is searched is read from copies.
      const copies = readdirSync(join(central, 'runs'), { recursive: true, encoding: 'utf8' });
      expect(copies.filter((path) => path.endsWith('.gz'))).toHaveLength(2);
      for (const name of Object.keys(environment)) vi.stubEnv(name, '');
      vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(stick, 'none'));
      const without = await run('archive', 'check', at, '--no-trust-store');
      expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('AWS_ACCESS_KEY_ID') });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('lists more than one page', async () => {
    const place = newPlace();
    const bytes = Buffer.from('x');
    for (let from = 0; from < 1100; from += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, n) => place.put(`${from + n} a&b+c%`, bytes)));
    }
    const paths = (await place.store.list()).map(({ path }) => path);
    expect(new Set(paths).size).toBe(1100);
    expect(paths).toContain('1099 a&b+c%');
  });
});
