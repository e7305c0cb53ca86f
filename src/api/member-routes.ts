import * as accounts from './accounts.ts';
import * as agents from './agents.ts';
import { success } from './fields.ts';
import { rowsOf } from './route.ts';

const reader = rowsOf({ tag: 'Members', access: 'readonly_investigator' });
const admin = rowsOf({ tag: 'Members', access: 'security_admin' });
const anyone = rowsOf({ tag: 'Members', access: 'public' });
const signedIn = rowsOf({ tag: 'Members', access: 'authenticated' });

/** The members of an organization and their invitations: rows of the one table (routes.ts). */
export const MEMBER_ROUTES = {
  organization: {
    ...reader.get,
    path: '/v1/organization',
    answer: accounts.organizationAnswer,
    summary: 'The own organization',
  },
  changeOrganization: {
    ...admin.patch,
    path: '/v1/organization',
    body: accounts.changeOrganizationBody,
    answer: accounts.organizationAnswer,
    summary: 'Turn the separation of duties on or off',
  },
  listMembers: {
    ...reader.get,
    path: '/v1/members',
    answer: accounts.membersAnswer,
    summary: 'List the members',
  },
  listInvitations: {
    ...admin.get,
    path: '/v1/members/invitations',
    answer: accounts.invitationsAnswer,
    summary: 'List the pending invitations',
  },
  invite: {
    ...admin.post,
    path: '/v1/members/invitations',
    status: 201,
    body: accounts.inviteBody,
    answer: accounts.invitationAnswer,
    summary: 'Invite somebody; the code is shown this once',
  },
  revokeInvitation: {
    ...admin.remove,
    path: '/v1/members/invitations/:invitation_id',
    answer: success,
    summary: 'Take an invitation back',
  },
  acceptInvitation: {
    ...anyone.post,
    path: '/v1/invitations/accept',
    isWayIn: true,
    status: 200,
    otherStatus: 201,
    body: accounts.acceptInvitationBody,
    answer: accounts.acceptInvitationAnswer,
    summary: 'Join an organization, with a new account where there is none',
  },
  changeRole: {
    ...admin.patch,
    path: '/v1/members/:user_id',
    body: accounts.changeRoleBody,
    answer: accounts.memberAnswer,
    summary: "Change a member's role",
  },
  removeMember: {
    ...signedIn.remove,
    path: '/v1/members/:user_id',
    answer: success,
    summary: 'Remove a member (security_admin), or leave',
  },
  memberAgents: {
    ...reader.get,
    path: '/v1/members/:user_id/agents',
    answer: agents.agentsAnswer,
    summary: "A member's agents (security_admin, or the member)",
  },
} as const;
