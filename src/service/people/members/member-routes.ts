import { satisfiesRole } from '../../../api/index.ts';
import type { Handlers } from '../../http/handler.ts';
import { needRoom } from '../../store/base/quotas.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { agentsOf } from '../agents/assignments.ts';
import type { Passwords } from '../identity/passwords.ts';
import { changeOrganization, describeOrganization } from '../organizations/organization.ts';
import { acceptInvitation } from './accept.ts';
import { countInvitations, invite, listInvitations, revokeInvitation, type SendInvitations } from './invitations.ts';
import { changeRole, findMember, listMembers, removeMember } from './membership.ts';

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
