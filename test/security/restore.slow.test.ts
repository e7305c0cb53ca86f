// A backup holds what let people in when it was made. What was revoked since must not come back with it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreBackup, writeBackup } from '../../src/service/index.ts';
import { expectError } from '../support/client.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import {
  type Account,
  bundleOf,
  eventsOf,
  registerAgent,
  signInAt,
  submitNext,
  TestService,
  verifyWith,
} from '../support/service.ts';

const folder = temporaryFolder();
const backup = join(folder, 'backup');
const dataDir = join(folder, 'restored');

let owner: Account;
let guest: Account;
let adminToken: string;
let code: string;
let restored: TestService;

beforeAll(async () => {
  const service = await TestService.start();
  owner = await service.signUp();
  guest = await service.signUpGuest();
  await submitNext(owner, await registerAgent(owner, 'agent'));
  const admin = service.addMember(owner, 'security_admin');
  adminToken = (await admin.client.ok('createToken', { body: {} })).token;
  ({ code } = await owner.client.ok('invite', { body: { email: 'late@example.org', role: 'security_admin' } }));
  await writeBackup({ dataDir: service.dataDir, to: backup, withoutKeys: false, now: Date.now });
  await owner.client.ok('removeMember', { params: { user_id: admin.userId } });
  await service.stop();
  const { forgotten } = await restoreBackup({ from: backup, dataDir });
  expect(forgotten).toEqual({ sessions: 3, tokens: 1, invitations: 1 });
  restored = await TestService.start({ dataDir });
});
afterAll(() => restored.stop());

describe('a restored ledger', () => {
  it('takes no session, no API token and no invitation of the time of the backup', async () => {
    for (const token of [adminToken, owner.client.token, guest.client.token]) {
      expectError(await restored.client(token).call('session'), 'UNAUTHORIZED');
    }
    const body = { code, name: 'Back', password: 'a new password' };
    expectError(await restored.client().call('acceptInvitation', { body }), 'CONFLICT', 'revoked');
  });

  it('says in the log of each organization that it was restored, and verifies', async () => {
    const { sha256 } = JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8')).files.find(
      ({ name }: { name: string }) => name === 'ledger.sqlite',
    );
    for (const one of [owner, guest]) {
      const account = await signInAt(restored.url, one);
      expect(await eventsOf(account, 'ledger.restored')).toMatchObject([
        {
          actor: 'operator',
          target_type: 'ledger',
          target_id: sha256,
          details: { backup_created_at: expect.any(String) },
        },
      ]);
    }
    expect((await verifyWith(restored.kid, await bundleOf(await signInAt(restored.url, owner)))).verdict).toBe(
      'verified',
    );
  });

  it('starts again, with what it has recorded since', async () => {
    await restored.restart();
    expect(await eventsOf(await signInAt(restored.url, owner), 'ledger.restored')).toHaveLength(1);
  });
});

it('is told to whoever restores on the terminal', async () => {
  const { code: exit, stdout } = await run('restore', backup, '--data-dir', join(folder, 'again'));
  expect(exit).toBe(0);
  expect(stdout).toContain('Ended: 3 sessions, 1 API tokens, 1 pending invitations.');
  expect(stdout).toContain('whoever was removed since then is a member again');
});
