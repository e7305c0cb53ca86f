// Invitations go to whoever the inviter names, from the service's own address: nobody may use that to write to strangers.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { orgFingerprint } from '../../src/protocol/index.ts';
import { atEnd } from '../support/cleanup.ts';
import { type Client, expectError } from '../support/client.ts';
import { type Account, TestService } from '../support/service.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { until } from '../support/until.ts';

const smtp = await startSmtpServer();
atEnd(() => smtp.close());
const service = await TestService.start({ smtpUrl: `smtp://127.0.0.1:${smtp.port}`, smtpFrom: 'audit@example.org' });
const owner = await service.signUp();

const stranger = (): string => `stranger-${randomUUID()}@example.org`;

async function inviteAll({ client }: { readonly client: Client }, count: number): Promise<string[]> {
  const addresses = Array.from({ length: count }, stranger);
  for (const email of addresses) await client.ok('invite', { body: { email, role: 'readonly_investigator' } });
  return addresses;
}

const mailed = (addresses: readonly string[]): number =>
  smtp.mails.filter(({ to }) => to.some((address) => addresses.includes(address))).length;

/** Everything that was to be mailed before is: mails go out one by one, and this one is the last. */
async function mailsAreOut(): Promise<void> {
  const [last = ''] = await inviteAll({ client: (await home()).client }, 1);
  await until('the last mail', () => mailed([last]) === 1);
}

/** An organization that has mails left, as the home organization of another day. */
async function home(): Promise<Account> {
  const known = service.addUser(null);
  service.sql.prepare('UPDATE users SET email_verified_at = 1 WHERE user_id = ?').run(known.userId);
  await known.client.ok('onboardPersonal');
  return known;
}

it('mails nothing for a guest whose own address nobody has verified', async () => {
  const name = 'Your parcel is held: https://evil.example/pay NOW';
  const body = { email: stranger(), password: 'correct horse battery', name, org_name: name };
  const { token } = await service.client().ok('signUp', { body });
  const addresses = await inviteAll({ client: service.client(token) }, 30);
  // Nor at onboarding, where many can be invited at once.
  const founder = service.addUser(null);
  const invitations = Array.from({ length: 30 }, () => ({ email: stranger(), role: 'org_owner' }));
  await founder.client.ok('onboardOrganization', { body: { org_name: name, invitations } });
  await mailsAreOut();
  expect(mailed([...addresses, ...invitations.map(({ email }) => email)])).toBe(0);
});

it('mails twenty invitations of an organization in a day; the others have their codes all the same', async () => {
  const addresses = await inviteAll(owner, 35);
  await until('the mails', () => mailed(addresses) >= 20);
  await mailsAreOut();
  expect(mailed(addresses)).toBe(20);
  const { invitations } = await owner.client.ok('listInvitations');
  expect(invitations.filter(({ email }) => addresses.includes(email))).toHaveLength(35);
});

it('has nothing in the subject that an inviter wrote, and no link but the service’s own', async () => {
  const org_name = 'Your parcel is held: https://evil.example/pay www.evil.example NOW';
  const known = service.addUser(null);
  service.sql.prepare('UPDATE users SET email_verified_at = 1, name = ? WHERE user_id = ?').run(org_name, known.userId);
  const { org_id } = await known.client.ok('onboardOrganization', { body: { org_name } });
  const [address = ''] = await inviteAll(known, 1);
  await until('the mail', () => mailed([address]) === 1);
  const data = smtp.mails.find(({ to }) => to.includes(address))?.data ?? '';
  const [headers = '', ...body] = data.split('\r\n\r\n');
  expect(headers).toMatch(/^Subject: Invitation to an organization in Countersign$/m);
  expect(headers).not.toContain('parcel');
  const text = body.join('\n').replace(/=\r?\n/g, '');
  expect(text).toContain('Your parcel is held: https: / / evil. example/ pay www. evil. example NOW');
  expect(text).toContain(orgFingerprint(org_id));
  expect(text.match(/https?:\/\/\S+|www\.\S+/g)).toEqual([service.url]);
});

describe('smtp-from', async () => {
  const administrator = await (await TestService.start()).signUp();

  it.each(['a@b.example\r\nBcc: evil@x.example', 'a@b.example, evil@x.example', 'a@b.example\nX: y', 'nobody'])(
    'is one address: %j is refused',
    async (value) => {
      const body = { settings: { 'smtp-from': value } };
      expectError(await administrator.client.call('changeSettings', { body }), 'VALIDATION_ERROR', 'smtp-from');
    },
  );
});
