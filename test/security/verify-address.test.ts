// An address is unverified until a mail shows that its holder has the account: the mail goes to that address alone, seldom, and
// says nothing that the account's holder wrote.
import { expect, it } from 'vitest';
import { LIMITS } from '../../src/api/index.ts';
import { atEnd } from '../support/cleanup.ts';
import { expectError } from '../support/client.ts';
import { type Account, eventsOf, TestService } from '../support/service.ts';
import { startSmtpServer } from '../support/smtp-server.ts';

const smtp = await startSmtpServer();
atEnd(() => smtp.close());
const service = await TestService.start({ smtpUrl: `smtp://127.0.0.1:${smtp.port}`, smtpFrom: 'audit@example.org' });
await service.signUp();

const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address));

/** The code of the newest mail to an address. */
function codeFor(address: string): string {
  const data =
    mailsTo(address)
      .at(-1)
      ?.data.replace(/=\r?\n/g, '') ?? '';
  return /^Code: (\S+)$/m.exec(data.replaceAll('\r', ''))?.[1] ?? '';
}

const isVerified = async ({ client }: Account) => (await client.ok('account')).email_verified;

it('verifies with a code that was mailed to the address, once, and records it', async () => {
  const guest = await service.signUpGuest();
  expect(await guest.client.ok('account')).toMatchObject({ email: guest.email, email_verified: false, can_mail: true });
  await guest.client.ok('mailAddressCode');
  await guest.client.ok('verifyAddress', { body: { code: codeFor(guest.email) } });
  expect(await isVerified(guest)).toBe(true);
  expect((await eventsOf(guest, 'account.verify_address'))[0]).toMatchObject({
    actor: guest.userId,
    target_id: guest.userId,
    details: { proof: 'mail' },
  });
  expectError(await guest.client.call('mailAddressCode'), 'CONFLICT', 'verified already');
  expectError(await guest.client.call('verifyAddress', { body: { code: codeFor(guest.email) } }), 'CONFLICT');
});

it('takes no code of another account, none twice, and none that was made up', async () => {
  const one = await service.signUpGuest();
  const other = await service.signUpGuest();
  await one.client.ok('mailAddressCode');
  const code = codeFor(one.email);
  expectError(await other.client.call('verifyAddress', { body: { code } }), 'VALIDATION_ERROR', 'code');
  // Whoever tried it with another account has used it up.
  expectError(await one.client.call('verifyAddress', { body: { code } }), 'VALIDATION_ERROR', 'code');
  expectError(await one.client.call('verifyAddress', { body: { code: 'A'.repeat(43) } }), 'VALIDATION_ERROR', 'code');
  expect(await isVerified(one)).toBe(false);
});

it('writes to a stranger three times a day at most, whoever asks, and nothing that they chose', async () => {
  const name = 'Your parcel is held: https://evil.example/pay';
  const email = 'stranger@example.org';
  const { token } = await service
    .client()
    .ok('signUp', { body: { email, password: 'correct horse battery', name, org_name: name } });
  const client = service.client(token);
  for (let mails = 0; mails < LIMITS.addressMailsPerDay.account; mails++) await client.ok('mailAddressCode');
  expectError(await client.call('mailAddressCode'), 'RATE_LIMITED');
  const mails = mailsTo(email);
  expect(mails).toHaveLength(LIMITS.addressMailsPerDay.account);
  for (const { data } of mails) expect(data).not.toMatch(/parcel|evil/);
});

it('is not offered without a mail server', async () => {
  const bare = await TestService.start();
  const { client } = await bare.signUp();
  expect(await client.ok('account')).toMatchObject({ can_mail: false });
  expectError(await client.call('mailAddressCode'), 'NOT_CONFIGURED', 'smtp-url');
});

it('says so where the mail server does not take the mail', async () => {
  const deaf = await startSmtpServer({ answers: { RCPT: '550 no such user' } });
  atEnd(() => deaf.close());
  const other = await TestService.start({ smtpUrl: `smtp://127.0.0.1:${deaf.port}`, smtpFrom: 'audit@example.org' });
  const { client } = await other.signUp();
  expectError(await client.call('mailAddressCode'), 'NOT_CONFIGURED', 'does not accept the sender or the recipient');
});
