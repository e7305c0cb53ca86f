import { codeOf } from '../../../protocol/light.ts';
import { StartError } from '../../store/base/service-error.ts';
import { isLoopback } from '../../store/settings/settings.ts';
import type { Settings } from '../../store/settings/settings-type.ts';

/** How long the mail server may take for each step, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** What became of a mail. A reason holds neither the account of the mail server nor what the mail says. */
export type MailResult = { readonly sent: true } | { readonly sent: false; readonly reason: string };

/** What a mail says, as plain text. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Sends a mail to one address. Never throws. */
  send(address: string, mail: MailText): Promise<MailResult>;
}

const REASONS: Readonly<Record<string, string>> = {
  EAUTH: 'the mail server does not accept the account of the settings',
  EENVELOPE: 'the mail server does not accept the sender or the recipient',
  EMESSAGE: 'the mail server does not accept the message',
  ETLS: 'the mail server offers no encryption that can be trusted',
};

function reasonOf(error: unknown): string {
  const code = codeOf(error) ?? '';
  return REASONS[code] ?? 'the mail server cannot be reached, or does not answer as one';
}

/** @throws StartError SETTING_INVALID, which does not repeat the account */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new StartError('SETTING_INVALID', '--smtp-url: a percent sign in the account must be written as %25');
  }
}

/**
 * Sends mail over the server of the settings; null where there is none.
 * @throws StartError SETTING_INVALID
 */
export function createMailer(
  { smtpUrl, smtpFrom }: Pick<Settings, 'smtpUrl' | 'smtpFrom'>,
  timeoutMs: number = TIMEOUT_MS,
): Mailer | null {
  if (smtpUrl === null) return null;
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  if (!['smtp:', 'smtps:'].includes(protocol) || hostname === '') {
    throw new StartError('SETTING_INVALID', '--smtp-url must begin with smtp:// or smtps:// and name a server');
  }
  const account = { user: decode(username), pass: decode(password) };
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const options = {
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // Somebody on the way can hide that the server offers TLS: password and codes must not go out in the clear then.
    requireTLS: !secure && !isLoopback(host),
    ...(username === '' ? {} : { auth: account }),
    connectionTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    send: async (address, mail) => {
      // As an object, so that the address is not taken apart: "a,b@c" must not become two recipients.
      const to = { name: '', address };
      try {
        // Loaded with the first mail: a start must not wait for it.
        const { createTransport } = await import('nodemailer');
        await createTransport(options).sendMail({ from: smtpFrom, to, ...mail });
        return { sent: true };
      } catch (error) {
        return { sent: false, reason: reasonOf(error) };
      }
    },
  };
}
