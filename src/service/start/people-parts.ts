import { join } from 'node:path';
import { LIMITS } from '../../api/index.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { AddressCodes } from '../people/identity/address-codes.ts';
import { Callers } from '../people/identity/callers.ts';
import { Ceremonies } from '../people/identity/passkeys/ceremonies.ts';
import { Passwords } from '../people/identity/passwords.ts';
import { SignInLimits } from '../people/identity/sign-in-limits.ts';
import { MailAllowance } from '../people/mail/allowance.ts';
import { mailInvitations } from '../people/mail/mail-invitations.ts';
import type { SendInvitations } from '../people/members/invitations.ts';
import { SetUp } from '../people/organizations/set-up.ts';
import { WorkstationSessions } from '../people/workstation/workstation-sessions.ts';
import { isLoopback } from '../store/settings/settings.ts';
import type { HostOptions, StartContext } from './host.ts';
import type { OpenData } from './open-data.ts';
import type { OperatorParts } from './operator-parts.ts';

/** Who may come in, and by what. */
export function openPeopleParts(
  start: StartContext,
  { store, writer }: OpenData,
  { mailer }: OperatorParts,
  origin: () => string,
  { passwordCost }: HostOptions,
) {
  const { settings, log, now, onError } = start;
  const allowance = new MailAllowance();
  const onUnsent = (reason: string): void => log.warn({ reason }, 'an invitation was not mailed');
  const sendInvitations: SendInvitations = (inviter, issued) =>
    mailInvitations({ store, mailer: mailer(), allowance, origin, onUnsent }, inviter, issued);
  return {
    callers: new Callers(store, writer, onError),
    workstations: new WorkstationSessions(now),
    setUp: new SetUp({ store, path: join(settings.dataDir, 'set-up-code.json'), onError }),
    passwords: new Passwords(passwordCost),
    ceremonies: new Ceremonies({ store, writer, now, origin }),
    signInLimits: new SignInLimits(() => performance.now()),
    // Where requests are not limited, sign-ups are not either.
    signUpLimit: new RateLimit(() => (settings.rateLimit === null ? null : LIMITS.signUpsPerHour), {
      what: 'sign-ups',
      seconds: 3600,
    }),
    signUpIsOpen: settings.signUp === null ? isLoopback(settings.host) : settings.signUp === 'open',
    addressCodes: new AddressCodes({ store, writer, now, origin, mailer }),
    mailInvitations: sendInvitations,
  };
}
