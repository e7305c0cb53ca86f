import { orgFingerprint } from '../../../protocol/index.ts';
import type { MailText } from './mailer.ts';
import { minuteOf, unlinked } from './unlinked.ts';

/** An invitation as it is sent. */
export interface Invitation {
  readonly orgId: string;
  readonly orgName: string;
  readonly inviterName: string;
  /** The one-time code that lets its holder join. */
  readonly code: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  /** Where the service is. */
  readonly url: string;
}

/** Subject and plain text of an invitation. The subject has nothing that the inviter wrote. */
export function invitationText({ orgId, orgName, inviterName, code, expiresAt, url }: Invitation): MailText {
  const until = minuteOf(expiresAt);
  const lines = [
    `"${unlinked(inviterName)}" invites you to the organization "${unlinked(orgName)}" in Countersign.`,
    'Both names are what the inviter wrote; the service has checked neither.',
    `Organization: ${orgFingerprint(orgId)}`,
    '',
    `Address: ${url}`,
    `Code:    ${code}`,
    '',
    `The code works once, until ${until}. Whoever has it can join: do not pass it on.`,
    'If you do not expect this invitation, ignore it.',
    '',
  ];
  return { subject: 'Invitation to an organization in Countersign', text: lines.join('\n') };
}
