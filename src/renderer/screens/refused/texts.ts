import { plural } from '../../lib/plural.ts';

export const REFUSAL_WORDS = {
  signatureDoesNotVerify: 'Signature does not verify',
  agentNotRegistered: 'Agent is not registered',
  keyRevoked: 'Key is revoked',
  agentFrozen: 'Agent is frozen',
  recordHadExpired: 'Record had expired',
  recordUsedBefore: 'Record was used before',
  brokenChain: 'Does not follow the head of the chain',
  tooLarge: 'Too large',
  rateLimited: 'Too many requests',
  fault: 'Internal error',
  signInRefused: 'Password or passkey not accepted',
  passkeyMissing: 'Password accepted, passkey missing',
  forbidden: 'Not allowed',
  needsFreshSignIn: 'Needs a fresh sign-in',
  notFound: 'Not found',
  malformed: 'Malformed',
  conflict: 'Contradicts stored data',
  heldLegalHold: 'Held by a legal hold',
  notSetUp: 'Not set up here',
  busy: 'Service was busy',
  diskFull: 'Disk was full',
  submission: 'Submission',
} as const;

export const REFUSED_FILTERS = {
  agent: 'Agent',
  anyKind: 'Any kind',
  anyReason: 'Any reason',
  filter: 'Filter',
  kind: 'Kind',
  reason: 'Reason',
  from: 'From (UTC)',
  before: 'Before (UTC)',
} as const;

export const REFUSED_SCREEN = {
  kind: 'Kind',
  agentOrAccount: 'Agent or account',
  key: 'Key',
  reason: 'Reason',
  code: 'Code',
  address: 'Address',
  times: 'Times',
  fromTo: (from: string, to: string) => `from ${from} to ${to}`,
  refused: 'Refused',
  whatRefused: 'what was refused',
  nothingFound: 'Nothing found',
  nothingRefused: 'No refusals',
  noMatch: 'No refusal matches all of these filters.',
  explained: 'The service lists refused submissions and sign-ins here for 90 days.',
  row: 'row',
  rows: 'rows',
  loaded: ' loaded',
  all: ', all',
  noEvidence: 'not evidence: this list is not signed',
  when: 'When (UTC)',
} as const;

export const SAVE_LIST = {
  saveList: 'Save list',
  saved: (rows: string) => `${rows} saved.`,
  rows: (count: number) => plural(count, 'row'),
  newestSaved: (rows: string) => `The newest ${rows} saved. More rows exist.`,
  explained: 'Saves all rows that match the filters. The list is not evidence: nothing signs it.',
} as const;
