import { eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { organizations, users } from '../../store/schema.ts';
import type { IssuedInvitation } from '../members/invitations.ts';
import { MAILS_A_DAY, type MailAllowance, type MailSender } from './allowance.ts';
import { invitationText } from './invitation-text.ts';
import type { Mailer } from './mailer.ts';

export interface InvitationMail {
  readonly store: Store;
  readonly mailer: Mailer | null;
  readonly allowance: MailAllowance;
  /** Where the service is. */
  readonly origin: () => string;
  /** Told why a mail was not sent, in a sentence without address or code. */
  readonly onUnsent: (reason: string) => void;
}

/**
 * Sends invitations where there is a mail server, without waiting for it: the code is shown to the inviter as well, so
 * nothing hangs on it.
 */
export function mailInvitations(
  { store, mailer, allowance, origin, onUnsent }: InvitationMail,
  inviter: MailSender,
  issued: readonly IssuedInvitation[],
): void {
  if (mailer === null || issued.length === 0) return;
  const refusal = allowance.refusal(store, inviter);
  if (refusal !== null) {
    onUnsent(refusal);
    return;
  }
  const org = store.db.select().from(organizations).where(eq(organizations.orgId, inviter.orgId)).get();
  const user = store.db.select().from(users).where(eq(users.userId, inviter.userId)).get();
  for (const { invitation, code } of issued) {
    const mail = {
      orgId: inviter.orgId,
      orgName: org?.name ?? '',
      inviterName: user?.name ?? '',
      code,
      expiresAt: Date.parse(invitation.expires_at),
      url: origin(),
    };
    // Neither rejects: what became of it comes as a result.
    void allowance.take(inviter.orgId).then(async (isTaken) => {
      const result = isTaken
        ? await mailer.send(invitation.email, invitationText(mail))
        : { sent: false as const, reason: `the organization has had ${MAILS_A_DAY} invitations mailed within a day` };
      if (!result.sent) onUnsent(result.reason);
    });
  }
}
