/** Texts of the first screens. */
export const ENTRY = {
  claim: 'Tamper-evident records of what your AI agents do.',
  explanation:
    'Agents sign every action. This service countersigns each one and seals them all. Anybody can check an exported file offline, without trusting whoever keeps the records.',
  ways: 'Where to begin',
  signInTo: 'Sign in to {organization}',
  signInHere: 'Sign in',
  linked: 'The page that this address leads to opens once you are signed in.',
  sampleTitle: 'Look at the sample case',
  sampleText: '1,164 actions of four airline agents, with one forged record. See how the check finds the forgery.',
  sampleNote: 'No account. Takes a few seconds.',
  sampleGo: 'Open the sample case',
  recordTitle: 'Start recording an agent',
  recordText:
    'Set up this workstation, then connect the agent that you want on record. Everything stays in one data folder.',
  recordNote: 'Takes about three minutes.',
  recordGo: 'Record a coding agent',
  recordGoHint: 'Claude Code, Codex, Gemini CLI and others',
  registerGo: 'Connect your own agent',
  checkTitle: 'Check a file',
  checkInWindow: 'Somebody gave you an export, a report or a proof. The file is read in this window and sent nowhere.',
  checkAsCase: 'Somebody gave you an export or a report. Check the file and investigate its records as a case.',
  checkNote: 'No account. The file stays on this computer.',
  checkGo: 'Choose a file',
  checkWithout: 'Check a file without an account',
  cases: 'Cases on this workstation',
  signIn: 'Sign in',
  invitation: 'I have an invitation',
  guest: 'Create a guest organization',
  organizationHint: 'Shown in every export and report.',
} as const;

export const ENTER_SCREEN = {
  title: 'Open this workstation',
  explained:
    'This link works once. It lets this browser use the case room and the trusted keys of this machine without an account, and set up the service, for up to thirty days or until the service stops.',
  submit: 'Open the workstation',
  backToStart: 'Back to the start',
} as const;

export const FINGERPRINT = {
  issuerFingerprint: 'Issuer fingerprint',
} as const;

export const JOIN_SCREEN = {
  acceptInvitation: 'Accept an invitation',
  belongsAlready:
    'You are signed in as {email} and belong to {organization} already. A person can belong to one organization only: leave yours first, or sign out and accept with another account.',
  anOrganization: 'an organization',
  toPeople: 'To the people of the organization',
  code: 'Invitation code',
  codeHint: 'Begins with csn_inv_. The code works once.',
  acceptAs: 'You accept as {email}.',
  account: 'Your account',
  newAccount: 'Create an account',
  haveAccount: 'Use an existing account',
  name: 'Your name',
  eMailAddress: 'E-mail address',
  password: 'Password',
  join: 'Join',
  backToStart: 'Back to the start',
  askForCode: 'Whoever invited you gave you a code.',
} as const;

export const NEW_ORGANIZATION = {
  title: 'New organization',
  nameHint: 'Shown in every export and report.',
  description: 'Description (optional)',
  inviteAddress: (number: number) => `Invite ${number}: e-mail address`,
  roleOf: (number: number) => `Role ${number}`,
  removeInvitation: (number: number) => `Do not invite ${number}`,
  inviteSomebody: 'Invite somebody',
  submit: 'Make the organization',
} as const;

export const ONBOARDING_SCREEN = {
  title: 'Your organization',
  explained:
    'You do not belong to an organization yet. Join one with a code, or create one: ledgers and agents belong to organizations.',
  withOthers: 'With others',
  invited: 'Invited',
  invitedText: 'You have a code from somebody who invited you.',
  acceptInvitation: 'Accept an invitation',
  alone: 'Alone',
  personalWorkspace: 'Personal workspace',
  workspaceExplained: 'Your own workspace, called Personal Workspace. You can invite others later; the name stays.',
  createWorkspace: 'Create workspace',
} as const;

export const SET_UP_FORM = {
  closed: 'This service takes no sign-ups. Ask one of its owners for an invitation.',
  setUp: 'Set up',
  organization: 'Organization',
  name: 'Your name',
  eMailAddress: 'E-mail address',
  password: 'Password',
  code: 'Set-up code',
  codeHint: 'Printed in the terminal where the service was started.',
  createOrganization: 'Create organization',
} as const;

export const SET_UP_SCREEN = {
  guestTitle: 'Create a guest organization',
  title: 'Set up this workstation',
  short: 'Set up',
  guestExplained: 'It has its own ledger, agents and members. The home organization administers the service.',
  explained: 'Everything stays in the data folder of this service.',
  closed: 'This service takes no sign-ups. Ask one of its owners for an invitation.',
  backToStart: 'Back to the start',
} as const;
