import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { planInstall } from '../../src/recorder/index.ts';
import { RecordedHome } from '../support/recorded-home.ts';
import { TestService } from '../support/service.ts';
import { canMount, SmallDisk } from '../support/small-disk.ts';

// What a disk that is full or read-only must not use up: a token that registers one agent, once.
it.skipIf(!canMount())('an installation that cannot keep its key registers none, and succeeds with room', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const { token } = await owner.client.ok('createToken', { body: { scope: 'enrol', ttl_seconds: 900 } });
  const disk = new SmallDisk(1);
  const folder = join(disk.folder, 'Zoë’s données');
  mkdirSync(folder, { mode: 0o700 });
  const { around } = new RecordedHome({ COUNTERSIGN_RECORDER: folder });
  const options = {
    feed: 'other',
    service: service.url,
    token,
    serviceKid: null,
    policy: {},
    inProject: false,
  } as const;
  const plan = await planInstall(around, options);
  const unusable = { code: 'FOLDER_UNUSABLE', message: expect.stringContaining('données cannot be ') };

  disk.fill();
  await expect(plan.carryOut()).rejects.toMatchObject({ code: 'FOLDER_UNUSABLE' });
  disk.clear();
  disk.fill(32 * 1024);
  await expect(plan.carryOut()).rejects.toMatchObject(unusable);
  disk.clear();
  expect(readdirSync(folder).filter((name) => name.startsWith('install.room'))).toEqual([]);
  expect((await owner.client.ok('listAgents')).agents).toEqual([]);
  const { agent } = await plan.carryOut();
  expect(agent.org_id).toBe(owner.orgId);

  const changed = await planInstall(around, { ...options, token: null, policy: { on_failure: 'block' } });
  disk.setReadOnly();
  await expect(changed.carryOut()).rejects.toMatchObject(unusable);
});
