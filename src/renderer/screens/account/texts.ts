import { plural } from '../../lib/plural.ts';

export const ACCOUNT_SCREEN = {
  account: 'Account',
  yourAccount: 'your account',
} as const;

export const ADDRESS = {
  eMailAddress: 'E-mail address',
  verified: 'verified',
  notVerified: 'not verified',
  whyVerify: 'Verify the address to sign in with a provider and to receive invitations by mail.',
  noMailServer:
    'This service has no mail server. To verify the address, sign in with a provider or accept an invitation.',
  addressVerified: 'Address verified.',
  sending: 'Sending…',
  mailCode: 'Mail code',
  verifyAddress: 'Verify address',
  codeMailed: 'A code was sent. The code works until {expiresAt}.',
  codeMail: 'Code from the mail',
  sendAgain: 'Send another code',
} as const;

export const CHANGE_PASSWORD = {
  ended: (sessions: number, tokens: number) =>
    `${plural(sessions, 'other session')} and ${plural(tokens, 'API token')} ended.`,
  changed: (ended: string) => `Password changed. ${ended}`,
  changePassword: 'Change password',
  setPassword: 'Set password',
  password: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  revokeTokens: 'Also revoke all my API tokens. Programs that use these tokens stop working.',
  otherSessions: 'All other sessions end. You stay signed in here.',
} as const;

export const DECISION_KEYS = {
  keyAdded: 'Decision key added.',
  decisionKeys: 'Decision keys',
  makeKey: 'Create key in this browser',
  explained:
    'When an agent asks for approval, you sign your decision with a key of this browser. The browser creates the key with your first decision. The key cannot be copied out of the browser.',
  title: 'Revoke decision key',
  revokeKey: 'Revoke key',
  keyRevoked: 'Decision key revoked.',
  consequence: '{key} can no longer sign decisions. Earlier decisions still verify.',
  key: 'Key',
  state: 'State',
  addedUtc: 'Added (UTC)',
  revokeNamed: (kid: string) => `Revoke key ${kid}`,
  revoke: 'Revoke…',
} as const;

export const LINK_PROVIDER = {
  signProviders: 'Sign-in providers',
  explained: 'Sign in with the provider once to link your account. Use the same e-mail address there.',
  linkTo: (provider: string) => `Link ${provider}`,
} as const;

export const PASSKEY_FORM = {
  secondFactor: 'Second step after the password',
  signInWithoutPassword: 'Sign in without a password',
  secondFactorHint:
    'From then on your password alone is not enough. Add two passkeys: if you lose your only one, you cannot sign in with the password.',
  firstFactorHint: 'You can still sign in with your password.',
  passkeyAdded: 'Passkey added.',
  passkeyChanged: 'Passkey changed.',
  addPasskey: 'Add passkey',
  changePasskey: 'Change passkey',
  name: 'Name',
  nameExample: 'Laptop',
  use: 'Use',
} as const;

export const PASSKEYS = {
  passkeyRemoved: 'Passkey removed.',
  passkeys: 'Passkeys',
  addPasskey: 'Add passkey',
  explained:
    'A passkey is a key in your device or security key. Use a passkey as a second step after your password, or instead of the password.',
  removePasskey: 'Remove passkey',
  confirm: 'Remove passkey',
  consequence: '{passkey} can no longer sign in to this account. Delete the passkey from your device as well.',
  name: 'Name',
  use: 'Use',
  lastUsedUtc: 'Last used (UTC)',
  addedUtc: 'Added (UTC)',
  never: 'never',
  changeNamed: (name: string) => `Change passkey ${name}`,
  change: 'Change…',
  removeNamed: (name: string) => `Remove passkey ${name}`,
  removeAsked: 'Remove…',
} as const;

export const SESSIONS = {
  allOtherSessionsEnded: 'All other sessions ended.',
  sessionEnded: 'Session ended.',
  sessions: 'Sessions',
  endAllOtherSessions: 'End all other sessions',
  yourSessions: 'your sessions',
  program: 'Program',
  lastUsed: 'Last used',
  address: 'Address',
  signedUtc: 'Signed in (UTC)',
  endsUtc: 'Ends (UTC)',
  notUsedYet: 'Not used yet',
  current: '· this session',
  never: 'never',
  endNamed: (program: string) => `End session of ${program}`,
  someProgram: 'a program',
  endSession: 'End session',
} as const;
