import * as accounts from './accounts.ts';
import * as agents from './agents.ts';
import { success } from './fields.ts';
import { get, patch, post, remove } from './route.ts';

const tag = { tag: 'Members' } as const;

/** The members of an organization and their invitations: rows of the one table (routes.ts). */
export const MEMBER_ROUTES = {
  organization: {
    ...get,
    ...tag,
    path: '/v1/organization',
    access: 'readonly_investigator',
    answer: accounts.organizationAnswer,
    summary: 'The own organization',
  },
  changeOrganization: {
    ...patch,
    ...tag,
    path: '/v1/organization',
    access: 'security_admin',
    body: accounts.changeOrganizationBody,
    answer: accounts.organizationAnswer,
    summary: 'Turn the separation of duties on or off',
  },
  listMembers: {
    ...get,
    ...tag,
    path: '/v1/members',
    access: 'readonly_investigator',
    answer: accounts.membersAnswer,
    summary: 'List the members',
  },
  listInvitations: {
    ...get,
    ...tag,
    path: '/v1/members/invitations',
    access: 'security_admin',
    answer: accounts.invitationsAnswer,
    summary: 'List the pending invitations',
  },
  invite: {
    ...post,
    ...tag,
    path: '/v1/members/invitations',
    access: 'security_admin',
    status: 201,
    body: accounts.inviteBody,
    answer: accounts.invitationAnswer,
    summary: 'Invite somebody; the code is shown this once',
  },
  revokeInvitation: {
    ...remove,
    ...tag,
    path: '/v1/members/invitations/:invitation_id',
    access: 'security_admin',
    answer: success,
    summary: 'Take an invitation back',
  },
  acceptInvitation: {
    ...post,
    ...tag,
    path: '/v1/invitations/accept',
    access: 'public',
    isWayIn: true,
    status: 200,
    otherStatus: 201,
    body: accounts.acceptInvitationBody,
    answer: accounts.acceptInvitationAnswer,
    summary: 'Join an organization, with a new account where there is none',
  },
  changeRole: {
    ...patch,
    ...tag,
    path: '/v1/members/:user_id',
    access: 'security_admin',
    body: accounts.changeRoleBody,
    answer: accounts.memberAnswer,
    summary: "Change a member's role",
  },
  removeMember: {
    ...remove,
    ...tag,
    path: '/v1/members/:user_id',
    access: 'authenticated',
    answer: success,
    summary: 'Remove a member (security_admin), or leave',
  },
  memberAgents: {
    ...get,
    ...tag,
    path: '/v1/members/:user_id/agents',
    access: 'readonly_investigator',
    answer: agents.agentsAnswer,
    summary: "A member's agents (security_admin, or the member)",
  },
} as const;
