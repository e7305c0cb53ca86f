import { plural } from '../../lib/plural.ts';

export const ISSUE_TOKEN = {
  createToken: 'Create token',
  replaceTitle: (replaces: string) => `Replace token ${replaces}`,
  newToken: 'New token',
  lifetime: 'Lifetime',
  lifetimeHint: 'Choose no longer than the program needs the token.',
  replaceExplained:
    'The new token has the same name, rights and lifetime ({ttlSeconds}). The old token keeps working until you revoke it, so that you can give the program the new one first.',
  create: 'Create token',
  wasRevoked: 'Old token revoked.',
  copyNow: 'Copy the token now. The service keeps only its digest and cannot show it again.',
  token: 'Token',
  copyToken: 'Copy token',
  oldTokenRevoked: 'Old token revoked',
  revokeOldToken: 'Revoke old token',
  done: 'Done',
  keepOld: 'Keep old token for now',
} as const;

export const LIFETIMES_TEXTS = {
  hour: '1 hour',
  day: '1 day',
  days30: '30 days',
  days90: '90 days',
  year: '1 year',
  untilRevoked: 'Until revoked',
  days: (days: number) => plural(days, 'day'),
  hours: (hours: number) => plural(hours, 'hour'),
  seconds: (seconds: number) => plural(seconds, 'second'),
} as const;

export const REVOKE_TOKEN = {
  tokenRevoked: 'Token revoked.',
  revokeToken: 'Revoke token',
  verb: 'Revoke token',
  consequence:
    '{token} stops working at once. The program that uses this token is refused until you give that program another one.{more} What was done with the token stays; the admin log shows when it was created and revoked.',
  issuedToo: ' Tokens that were issued with this token stop working too.',
} as const;

export const TERMS_FIELDS = {
  submitOneAgent: 'Submit for one agent',
  everythingICanDo: 'Everything I can do',
  name: 'Name',
  nameExample: 'CI of billing',
  nameHint: 'Optional. Helps you tell your tokens apart.',
  canDo: 'Can do',
  submitHint: 'This token can only submit operations of one agent. If stolen, it cannot read anything.',
  fullHint: 'This token has all permissions of your role at the time of each call, but cannot change your account.',
  agent: 'Agent',
  noAgentRegistered: 'No agent is registered',
  chooseAgent: 'Choose an agent',
} as const;

export const TOKEN_TABLE = {
  owner: 'Owner',
  name: 'Name',
  canDo: 'Can do',
  lastUsed: 'Last used',
  expiresUtc: 'Expires (UTC)',
  lifetime: 'Lifetime',
  createdUtc: 'Created (UTC)',
  never: 'never',
  usedFrom: 'from {lastUsedFrom}',
} as const;

export const TOKEN_WORDS = {
  submitFor: (more: string) => `Submit for ${more}`,
  registerOnce: 'Register one agent, once',
  everything: 'Everything its user can do',
} as const;

export const TOKENS_SCREEN = {
  createToken: 'Create token',
  tokens: 'Tokens',
  what: 'your tokens',
  noTokensYet: 'No tokens yet',
  whyTokens:
    'Programs call the service with an API token instead of a password. You can limit a token to submitting operations for one agent. Without that limit, the token can do everything you can do except change your account.',
  yourTokens: 'Your tokens',
  replaceToken: (row: string) => `Replace token ${row}`,
  replace: 'Replace…',
  ownCount: '{tokens} of your own. Expired tokens are not shown.',
  tokensOf: (tokens: number) => plural(tokens, 'token'),
  revokeTokenNamed: (row: string) => `Revoke token ${row}`,
  revoke: 'Revoke…',
  ofOthers: 'Tokens of other members',
  whatOfOthers: 'the tokens of the organization',
  noneOfOthers: 'No other member has a token.',
} as const;
