/** An invitation as it is sent. */
export interface Invitation {
  readonly to: string;
  readonly orgName: string;
  readonly inviterName: string;
  /** The one-time code that lets its holder join. */
  readonly code: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  /** Where the service is. */
  readonly url: string;
}

/** Names are chosen by whoever invites: in one line and short, they can't pose as the text of the service. */
function inLine(name: string): string {
  const line = name.replace(/[\p{C}\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : line;
}

/** Subject and plain text of an invitation. */
export function invitationText({ orgName, inviterName, code, expiresAt, url }: Invitation): {
  subject: string;
  text: string;
} {
  const organization = inLine(orgName);
  const until = `${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const lines = [
    `"${inLine(inviterName)}" invites you to the organization "${organization}" in Countersign.`,
    '',
    `Address: ${url}`,
    `Code:    ${code}`,
    '',
    `The code works once, until ${until}. Whoever has it can join: do not pass it on.`,
    'If you do not expect this invitation, ignore it.',
    '',
  ];
  return { subject: `Invitation to ${organization}`, text: lines.join('\n') };
}
