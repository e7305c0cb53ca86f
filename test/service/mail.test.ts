import { afterEach, describe, expect, test } from 'vitest';
import { type Invitation, invitationText } from '../../src/service/people/mail/invitation-text.ts';
import { createMailer, type Mailer } from '../../src/service/people/mail/mailer.ts';
import { StartError } from '../../src/service/store/base/service-error.ts';
import { type SmtpOptions, type SmtpServer, startSmtpServer } from '../support/smtp-server.ts';

const INVITATION: Invitation = {
  orgId: 'org-1',
  orgName: 'Analytical Engines',
  inviterName: 'Ada',
  code: 'c0de-1234',
  expiresAt: Date.UTC(2030, 0, 2, 3, 4, 5),
  url: 'http://127.0.0.1:8787',
};

const ADDRESS = 'grace@example.org';

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function server(options: SmtpOptions = {}): Promise<SmtpServer> {
  const started = await startSmtpServer(options);
  cleanups.push(() => started.close());
  return started;
}

function mailer(port: number, account = '', timeoutMs = 5000): Mailer {
  const made = createMailer(
    { smtpUrl: `smtp://${account}127.0.0.1:${port}`, smtpFrom: 'audit@example.org' },
    timeoutMs,
  );
  if (made === null) throw new Error('no mailer');
  return made;
}

/** The text of a mail, its quoted-printable lines put together again. */
function textOf({ data }: { data: string }): string {
  const [headers = '', ...body] = data.split('\r\n\r\n');
  const text = body.join('\r\n\r\n');
  if (/base64/i.test(headers)) return Buffer.from(text, 'base64').toString('utf8');
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, /quoted-printable/i.test(headers) ? 'latin1' : 'utf8').toString('utf8');
}

describe('an invitation', () => {
  test('arrives as plain text with all that is needed to join', async () => {
    const smtp = await server();
    expect(await mailer(smtp.port).send(ADDRESS, invitationText(INVITATION))).toEqual({ sent: true });
    const [mail] = smtp.mails;
    expect(mail).toMatchObject({ from: 'audit@example.org', to: ['grace@example.org'] });
    expect(mail?.data).toMatch(/^Subject: Invitation to an organization in Countersign$/m);
    expect(mail?.data).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m);
    const text = mail ? textOf(mail) : '';
    for (const part of [
      '"Ada" invites you to the organization "Analytical Engines"',
      'http://127.0.0.1:8787',
      'c0de-1234',
      '2030-01-02 03:04 UTC',
    ]) {
      expect(text).toContain(part);
    }
    expect(smtp.accounts).toEqual([]);
  });

  test('is handed over with the account of the settings', async () => {
    const smtp = await server();
    expect(await mailer(smtp.port, 'us%40er:p%3Aw@').send(ADDRESS, invitationText(INVITATION))).toEqual({ sent: true });
    expect(smtp.accounts).toEqual(['\0us@er\0p:w']);
  });

  test('cannot be made to say other things by the names in it', async () => {
    const smtp = await server();
    const orgName = 'O\r\nBcc: evil@example.org\r\n\r\nYour password has expired: http://evil.example/';
    const inviterName = `${'x'.repeat(300)}\u202e`;
    await mailer(smtp.port).send(ADDRESS, invitationText({ ...INVITATION, orgName, inviterName }));
    const [mail] = smtp.mails;
    expect(mail?.to).toEqual(['grace@example.org']);
    expect(mail?.data).not.toMatch(/^Bcc:/im);
    const text = mail ? textOf(mail) : '';
    expect(text).toContain(`"${'x'.repeat(79)}…" invites`);
    expect(text).toContain('"O Bcc: evil@ example. org Your password');
  });

  test.each(['a,evil@example.org', 'a;evil@example.org', '"a"<evil@example.org'])(
    'goes to one recipient or to nobody: %s',
    async (to) => {
      const smtp = await server();
      await mailer(smtp.port).send(to, invitationText(INVITATION));
      for (const mail of smtp.mails) {
        expect(mail.to).toHaveLength(1);
        expect(mail.to).not.toContain('evil@example.org');
      }
    },
  );
});

describe('a failure is returned', () => {
  const UNREACHABLE = 'the mail server cannot be reached, or does not answer as one';

  test('where nobody listens', async () => {
    const smtp = await server();
    await smtp.close();
    expect(await mailer(smtp.port).send(ADDRESS, invitationText(INVITATION))).toEqual({
      sent: false,
      reason: UNREACHABLE,
    });
  });

  test.each<[string, Record<string, string | null>, string]>([
    ['says nothing', { greeting: null }, UNREACHABLE],
    ['stops in the middle', { DATA: null }, UNREACHABLE],
    ['is no mail server', { greeting: 'HTTP/1.1 400 Bad Request' }, UNREACHABLE],
    ['refuses the sender', { MAIL: '550 no s3cr3t' }, 'the mail server does not accept the sender or the recipient'],
    ['refuses the recipient', { RCPT: '550 no s3cr3t' }, 'the mail server does not accept the sender or the recipient'],
    ['refuses the mail', { '.': '554 no s3cr3t' }, 'the mail server does not accept the message'],
    ['refuses the account', { AUTH: '535 no s3cr3t' }, 'the mail server does not accept the account of the settings'],
  ])('where the server %s', async (_, answers, reason) => {
    const smtp = await server({ answers });
    const result = await mailer(smtp.port, 'user:password@', 200).send(ADDRESS, invitationText(INVITATION));
    expect(result).toEqual({ sent: false, reason });
  });
});

describe('the settings', () => {
  test('without a mail server make no mailer', () => {
    expect(createMailer({ smtpUrl: null, smtpFrom: 'a@example.org' })).toBeNull();
  });

  test.each(['http://mail.example', 'smtp://', 'file:///etc/passwd', 'smtp://user:100%@mail.example'])(
    'refuse %s',
    (smtpUrl) => {
      expect(() => createMailer({ smtpUrl, smtpFrom: 'a@example.org' })).toThrow(StartError);
    },
  );

  test('with a server elsewhere need encryption: no account and no code go out in the clear', async () => {
    const smtp = await server();
    // Another name of this machine, to which the rule for loopback addresses does not apply.
    const smtpUrl = `smtp://user:password@0.0.0.0:${smtp.port}`;
    const result = await createMailer({ smtpUrl, smtpFrom: 'a@example.org' })?.send(
      ADDRESS,
      invitationText(INVITATION),
    );
    expect(result).toEqual({ sent: false, reason: 'the mail server offers no encryption that can be trusted' });
    expect(smtp.lines.join('\n')).not.toMatch(/AUTH|MAIL/);
  });
});
