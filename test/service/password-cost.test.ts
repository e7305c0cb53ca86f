// The one file whose service keeps passwords at the cost that every other has: tests start theirs with less (test/support/service.ts).
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { startService } from '../../src/service/index.ts';
import { atEnd } from '../support/cleanup.ts';
import { Client, expectError } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { firstOwner, signInAt } from '../support/service.ts';

const dataDir = join(temporaryFolder(), 'data');
const settings = { port: 0, rateLimit: null, logLevel: 'silent', trustStore: '', dataDir } as const;
/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. */
const USUAL = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

it('keeps passwords at the cost that OWASP names, unless its host says otherwise', async () => {
  const service = await startService(settings);
  atEnd(() => service.close());
  const owner = await firstOwner(service.url, dataDir);
  const invited = await owner.client.ok('invite', {
    body: { email: 'invited@example.org', role: 'compliance_auditor' },
  });
  const given = { code: invited.code, name: 'Invited', password: 'correct horse battery' };
  expect((await new Client(service.url).call('acceptInvitation', { body: given })).status).toBe(201);
  const body = { current_password: owner.password, new_password: 'battery horse correct' };
  const { token } = await owner.client.ok('changePassword', { body });
  expect(token).toBeDefined();
  expect(hashes()).toEqual([expect.stringMatching(USUAL), expect.stringMatching(USUAL)]);
  await signInAt(service.url, { ...owner, password: body.new_password });
  // Without an account the work is the same, and so is the answer.
  for (const email of [owner.email, 'nobody@example.org']) {
    const attempt = await new Client(service.url).call('signIn', { body: { email, password: owner.password } });
    expectError(attempt, 'UNAUTHORIZED');
  }
});

function hashes(): readonly unknown[] {
  const ledger = new Database(join(dataDir, 'ledger.sqlite'), { readonly: true });
  try {
    return ledger.prepare('SELECT password_hash FROM users').pluck().all();
  } finally {
    ledger.close();
  }
}
