import { plural } from '../../lib/plural.ts';

export const CHAIN_COLUMNS_TEXTS = {
  number: 'No.',
  chainHash: 'Chain hash',
  previous: 'Previous hash',
  link: 'Link',
  type: 'Type',
  action: 'Action',
  subject: 'Subject',
  first: 'first',
  linked: 'linked',
  broken: 'broken',
  brokenAt: 'Chain broken: record {seqNo} does not refer to record {previousSeqNo}',
  received: 'Received (UTC)',
} as const;

export const CHAIN_ITEMS = {
  frozen: 'Frozen',
  unfrozen: 'Unfrozen',
  keyRevoked: 'Key revoked',
  keyAdded: 'Key added',
} as const;

export const CHAIN_SCREEN = {
  title: (agentId: string) => `Chain of ${agentId}`,
  agents: 'Agents',
  crumbs: '{link} Chain',
  what: 'the chain',
  noRecordHere: 'No record here',
  firstRefersToNothing:
    'The first record of an agent refers to no earlier record. Each later record refers to the chain hash of the record before it.',
  noneHere: 'The agent has no record at or before this place.',
  chain: 'Chain',
  loaded: '{rows} loaded, {breaks}',
  records: (count: number) => plural(count, 'record'),
  allLinked: 'all linked',
  brokenLinks: (count: number) => plural(count, 'broken link'),
  newerOnesAbove: 'newer records above',
  newestTop: 'newest first',
  olderOnesBelow: 'older records below',
  downToFirst: 'back to the first record',
  downToStart: 'back to where the file begins',
  loading: 'Loading…',
  notANumber: 'Not a sequence number. Enter digits only.',
  goTo: 'Place in the chain',
  goToNumber: 'Sequence number',
  goToTime: 'Time (UTC)',
  go: 'Go to record',
  newest: 'Show newest',
} as const;
