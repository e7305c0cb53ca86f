import type { MailText } from './mailer.ts';
import { minuteOf } from './unlinked.ts';

/** A code on its way to the address of an account. */
export interface AddressCode {
  readonly code: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  /** Where the service is. */
  readonly url: string;
}

/** Subject and plain text of a mail that shows whose an address is. Nothing in it was written by whoever asked for it. */
export function addressText({ code, expiresAt, url }: AddressCode): MailText {
  const lines = [
    'Somebody signed in to Countersign has this e-mail address in their account, and asked to verify it.',
    '',
    `Address of the service: ${url}`,
    `Code: ${code}`,
    '',
    `The code works once, until ${minuteOf(expiresAt)}, in the account that asked for it.`,
    'If you did not ask for it, ignore this mail and give the code to nobody.',
    '',
  ];
  return { subject: 'Verify your e-mail address in Countersign', text: lines.join('\n') };
}
