export const CODES_PANEL = {
  codes: 'Invitation codes',
  shownOnce: 'This code is shown only once',
  shownOnceMany: 'These codes are shown only once',
  howToGive:
    'Send each person their code over a channel that you trust. A code works once, within seven days, and only for the invited address. If the service has a mail server, each person also received the code by mail.',
  codeEmail: (email: string) => `code for ${email}`,
  copyLinkEmail: (email: string) => `Copy link for ${email}`,
  linkEmail: (email: string) => `Link for ${email}`,
  copyLink: 'Copy link',
  forget: 'Hide codes',
} as const;

export const INVITATIONS = {
  invitations: 'Invitations',
  what: 'the invitations',
  nobodyInvited: 'No open invitations.',
  invitePerson: 'Invite person',
  eMailAddress: 'E-mail address',
  role: 'Role',
  invitedUtc: 'Invited (UTC)',
  expiresUtc: 'Expires (UTC)',
  revokeOf: (email: string) => `Revoke the invitation of ${email}`,
  revoke: 'Revoke…',
  title: 'Revoke invitation',
  verb: 'Revoke invitation',
  revoked: 'The invitation is revoked.',
  consequence: 'The code of {person} stops working. The admin log still shows the invitation.',
} as const;

export const INVITE_DIALOG = {
  invitePerson: 'Invite person',
  eMailAddress: 'E-mail address',
  addressHint: 'A new invitation to the same address replaces the earlier one.',
  role: 'Role',
  submit: 'Send invitation',
} as const;

export const MEMBER_ACTIONS = {
  changeRoleOf: (displayName: string) => `Change role of ${displayName}`,
  ask: 'Change role…',
  leaveOrganization: 'Leave the organization',
  removeNamed: (displayName: string) => `Remove ${displayName}`,
  leave: 'Leave…',
  remove: 'Remove…',
  changed: (displayName: string, role: string) => `${displayName} now has the role “${role}”.`,
  roleOf: (displayName: string) => `Role of ${displayName}`,
  role: 'Role',
  ownRole: ' This is your own role: you cannot restore permissions that you give up.',
  effect: 'The change takes effect at once, also for the member’s tokens.',
  submit: 'Change role',
  leaveVerb: 'Leave organization',
  removeVerb: 'Remove member',
  youLeft: 'You have left the organization.',
  wasRemoved: (displayName: string) => `${displayName} was removed.`,
  youLose: 'You lose access at once. API tokens and assignments to agents end.',
  memberLoses: '{member} loses access at once. API tokens and assignments to agents end.',
  accountStays: 'The account stays, without an organization. A new invitation lets {person} back in.',
  you: 'you',
  person: 'the person',
  recordsStay: 'The admin log still shows what was done. Agents and their records stay unchanged.',
} as const;

export const PEOPLE_SCREEN = {
  people: 'People',
  invitePerson: 'Invite person',
  members: 'the members',
  counted: (members: string) => `Members (${members})`,
  membersShown: (shown: string, members: string) => `Members (${shown} of ${members})`,
  filter: 'Filter by name or address',
  role: 'Role',
  anyRole: 'Any role',
  name: 'Name',
  eMailAddress: 'E-mail address',
  joinedUtc: 'Joined (UTC)',
  you: '(you)',
  noMatch: 'No member matches the filter.',
  roles: 'Roles (each includes those above)',
} as const;

export const PERSON_SCREEN = {
  member: 'Member',
  people: 'People',
  members: 'the members',
  noSuchMember: 'No such member. The person may have left or been removed.',
  name: 'Name',
  eMailAddress: 'E-mail address',
  role: 'Role',
  joined: 'Joined',
  userId: 'User ID',
  yourAgents: 'Your agents',
  agents: 'Agents',
  what: 'the agents',
  noAgents: 'No agents. Assign agents to people on each agent’s page.',
  agent: 'Agent',
  state: 'State',
  registeredUtc: 'Registered (UTC)',
} as const;

export const ROLE_TEXTS = {
  readonlyInvestigator: 'sees agents, chains, epochs and members, and verifies single operations',
  integrationEngineer: 'also registers agents, adds keys and submits operations',
  complianceAuditor: 'also searches, exports, verifies the whole ledger and reads the admin log',
  securityAdmin: 'also freezes and deletes agents, revokes keys, invites and removes members, and manages webhooks',
  owner: 'also appoints owners',
  aboveYours: (value: string) => `${value} – above your own`,
  noOrganization: 'You belong to no organization.',
  targetAbove: (displayName: string, role: string) =>
    `${displayName} has the role “${role}”, which is above your own role.`,
  lastOwner: 'The last owner cannot leave or change role. Make another member an owner first.',
} as const;

export const SEPARATE_DUTIES = {
  separated: 'Duties are separated.',
  notSeparated: 'Duties are no longer separated.',
  organization: 'the organization',
  separationDuties: 'Separation of duties',
  on: 'On',
  off: 'Off',
  stopSeparating: 'Stop separating duties',
  separateDuties: 'Separate duties',
  explained:
    'When duties are separated, a compliance auditor no longer registers agents, adds keys or submits operations, and a readonly investigator can search operations and read the admin log. Each change is recorded in the admin log.',
} as const;
