import { randomUUID } from 'node:crypto';
import { type AnswerOf, type OrganizationAnswer, type Role, satisfiesRole } from '../../../api/index.ts';
import type { Authenticated } from '../../http/caller.ts';
import type { Handlers, Member } from '../../http/handler.ts';
import type { PageHash } from '../../http/page-binding.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { needRoom } from '../../store/base/quotas.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { organizations, users } from '../../store/schema.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { agentsOf } from '../agents/assignments.ts';
import type { IdentityContext } from '../identity/accounts.ts';
import { checkNewPassword } from '../identity/password-policy.ts';
import type { Passwords } from '../identity/passwords.ts';
import { createSession } from '../identity/tokens.ts';
import { proveAddress } from '../identity/verified-address.ts';
import {
  countInvitations,
  findByCode,
  invite,
  join,
  listInvitations,
  revokeInvitation,
  type SendInvitations,
} from './invitations.ts';
import { changeRole, findMember, hasOrganization, listMembers, removeMember } from './membership.ts';

interface Acceptance {
  readonly code: string;
  readonly name?: string | undefined;
  readonly password?: string | undefined;
}

/**
 * Whether an account may go to whoever has an invitation for its address: nobody has shown that the address is theirs, and
 * nothing belongs to the account. Otherwise whoever signs up first with an address keeps its owner out for good.
 */
function isForTheTaking(store: Store, { userId, emailVerifiedAt }: typeof users.$inferSelect): boolean {
  return emailVerifiedAt === null && !hasOrganization(store, userId);
}

/**
 * Accepts an invitation: as the user who is signed in, or with a new account where the invited address has none. The code
 * was sent to the address, so it shows that the address belongs to whoever brings it.
 * @param page what the session of a new account is bound to, or null
 * @throws ServiceError NOT_FOUND, CONFLICT, FORBIDDEN, UNAUTHORIZED, VALIDATION_ERROR
 */
async function acceptInvitation(
  { store, writer, now, passwords, settings }: IdentityContext,
  presented: Authenticated | null,
  { code, name, password }: Acceptance,
  page: PageHash | null,
): Promise<AnswerOf<'acceptInvitation'>> {
  const caller = presented?.caller ?? null;
  // Looked at before the costly hash, so that guessing codes costs the service nothing.
  findByCode(store, code, now());
  let passwordHash: string | null = null;
  if (caller === null && password !== undefined) {
    await checkNewPassword(settings, password, 'password');
    passwordHash = await passwords.hash(password);
  }
  // A crash after it leaves the person a member and the invitation used up: signing in works.
  return writer.transact((store) => {
    const { db } = store;
    const time = now();
    const invitation = findByCode(store, code, time);
    const { orgId, email } = invitation;
    const role = invitation.role as Role;
    const account = db.select().from(users).where(eq(users.email, email)).get();
    if (caller !== null) {
      // The code alone is not enough for another account: it was meant for this address.
      if (account?.userId !== caller.userId)
        throw new ServiceError('FORBIDDEN', 'the invitation is for another e-mail address');
      proveAddress(store, { userId: caller.userId, proof: 'invitation', keep: presented?.token ?? null }, time);
      join(store, invitation, caller.userId, time);
      return { user: { id: caller.userId, email: account.email, orgId, role } };
    }
    if (account !== undefined && !isForTheTaking(store, account)) {
      throw new ServiceError('UNAUTHORIZED', 'the invited address has an account: sign in, then accept');
    }
    if (name === undefined || passwordHash === null) {
      throw new ServiceError(
        'VALIDATION_ERROR',
        `${name === undefined ? 'name' : 'password'}: is missing, for a new account`,
      );
    }
    const userId = account?.userId ?? randomUUID();
    if (account === undefined) {
      db.insert(users).values({ userId, email, name, passwordHash, createdAt: time, emailVerifiedAt: time }).run();
    } else {
      proveAddress(store, { userId, proof: 'invitation', keep: null }, time);
      db.update(users).set({ name, passwordHash }).where(eq(users.userId, userId)).run();
    }
    join(store, invitation, userId, time);
    return { token: createSession(store, userId, page, time), user: { id: userId, email, orgId, role } };
  });
}

interface MemberDeps extends WriteAccess {
  readonly settings: Settings;
  readonly signUpIsOpen: boolean;
  readonly passwords: Passwords;
  readonly mailInvitations: SendInvitations;
}

export function memberRoutes(context: MemberDeps) {
  const { store, writer, now } = context;
  return {
    organization: ({ caller }) => ({ body: describeOrganization(store, caller.orgId) }),

    // A crash after it leaves the change, with its admin event.
    changeOrganization: async ({ body, caller }) => ({
      body: await changeOrganization(context, caller, body.separate_duties),
    }),

    listMembers: ({ caller }) => ({ body: { members: listMembers(store, caller.orgId) } }),

    listInvitations: ({ caller }) => ({ body: { invitations: listInvitations(store, caller.orgId, now()) } }),

    invite: async ({ body, caller }) => {
      // A crash after it leaves an invitation whose code nobody has seen, and no mail: it is listed.
      const issued = await writer.transact((store) => {
        const used = countInvitations(store, caller.orgId, now());
        const most = context.settings.quotaInvitations;
        needRoom({ what: 'pending invitations', used, most, remedy: 'revoke those that are no longer needed' });
        return invite(store, caller, body.email, body.role, now());
      });
      context.mailInvitations(caller, [issued]);
      return { body: issued };
    },

    revokeInvitation: async ({ caller, param }) => {
      // A crash after it leaves the invitation revoked, and listed so.
      await writer.transact((store) => revokeInvitation(store, caller, param('invitation_id'), now()));
      return { body: { success: true } };
    },

    acceptInvitation: async ({ body, authenticate, credentials: { page } }) => {
      const answer = await acceptInvitation(context, authenticate(), body, page);
      return answer.token === undefined ? { body: answer } : { body: answer, status: 201, sessionToken: answer.token };
    },

    // A crash after it leaves the role changed, with its admin event.
    changeRole: async ({ body, caller, param }) => ({
      body: { member: await writer.transact((store) => changeRole(store, caller, param('user_id'), body.role, now())) },
    }),

    removeMember: async ({ caller, param }) => {
      const { orgId, role, userId } = caller;
      if (orgId === null || role === null) throw new ServiceError('FORBIDDEN', 'you belong to no organization');
      // A crash after it leaves the person no member any more, with its admin event.
      await writer.transact((store) => removeMember(store, { orgId, role, userId }, param('user_id'), now()));
      return { body: { success: true } };
    },

    memberAgents: ({ caller, param }) => {
      const userId = param('user_id');
      if (userId !== caller.userId && !satisfiesRole(caller.role, 'security_admin')) {
        throw new ServiceError('FORBIDDEN', "another member's agents need the role security_admin or a higher one");
      }
      const { user_id } = findMember(store, caller.orgId, userId);
      return { body: { agents: agentsOf(store, caller.orgId, user_id) } };
    },
  } satisfies Partial<Handlers>;
}

/** An organization as its members see it. @throws ServiceError NOT_FOUND */
function describeOrganization({ db }: Store, orgId: string): OrganizationAnswer {
  const row = db.select().from(organizations).where(eq(organizations.orgId, orgId)).get();
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'there is no such organization');
  return { org_id: row.orgId, name: row.name, separate_duties: row.separateDuties === 1 };
}

/** Turns the separation of duties on or off, with its admin event in one commit. Nothing is recorded where nothing changes. */
function changeOrganization(
  { writer, now }: Pick<WriteAccess, 'writer' | 'now'>,
  { orgId, userId }: Member,
  separate: boolean,
): Promise<OrganizationAnswer> {
  return writer.transact((store) => {
    const before = describeOrganization(store, orgId);
    if (before.separate_duties === separate) return before;
    store.db
      .update(organizations)
      .set({ separateDuties: separate ? 1 : 0 })
      .where(eq(organizations.orgId, orgId))
      .run();
    const act = { orgId, actor: userId, action: 'org.change', targetType: 'organization', targetId: orgId } as const;
    recordAdminEvent(store, { ...act, details: { separate_duties: separate } }, now());
    return describeOrganization(store, orgId);
  });
}
