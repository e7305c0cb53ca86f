import { plural } from '../../lib/plural.ts';

export const ADMIN_EVENTS_SCREEN = {
  hash: 'Hash',
  broken: 'Broken',
  valid: 'Valid',
  action: 'Action',
  actor: 'Actor',
  kindOfTarget: 'Kind of target',
  target: 'Target',
  details: 'Details',
  adminEvents: 'Admin log',
  log: 'the log',
  nothingFound: 'Nothing found',
  noMatch: 'No event matches all of these filters.',
  events: (count: number) => plural(count, 'event'),
  loaded: ' loaded',
  all: ', all',
  rehashed: (more: string) => `hashes computed again in this window${more}`,
  linksFollowed: ', links followed',
  notValid: (count: string) => `${count} not valid`,
  when: 'When (UTC)',
} as const;

export const CHAIN_STATE = {
  verifyingLog: 'Verifying the log…',
  verified: (events: string) => `${events} verified`,
  events: (count: number) => plural(count, 'event'),
  verifiedUpTo: (verified: string, events: string) => `Verified up to event ${verified} of ${events}`,
  showFirstBroken: 'Show first broken event',
  notSealed: 'No epoch has sealed any of these events yet.',
  sealedBy: (epochNo: string) => `Sealed by epoch ${epochNo}.`,
  someSealed: (sealed: string, epochNo: string) =>
    `${sealed} of these events sealed by epoch ${epochNo}; the next epoch seals the others.`,
  verifyAgain: 'Verify again',
} as const;

export const EVENT_DETAILS = {
  eventAction: (action: string) => `Event ${action}`,
  members: 'Members',
  broken: 'Broken',
  valid: 'Valid',
  closeDetails: 'Close details',
  when: 'When',
  actor: 'Actor',
  actorCopied: 'actor',
  kindOfTarget: 'Kind of target',
  target: 'Target',
  eventId: 'Event ID',
  previousHash: 'Previous event hash',
  firstEvent: 'none: the first event',
  eventHash: 'Event hash',
  details: 'Details',
} as const;

export const EVENT_FILTERS = {
  action: 'Action',
  kindTarget: 'Kind of target',
  kindOfTarget: 'Kind of target',
  target: 'Target',
  anybody: 'Anybody',
  operator: 'the operator (command line)',
  filter: 'Filter',
  actor: 'Actor',
  from: 'From (UTC)',
  before: 'Before (UTC)',
  kindExample: 'agent',
} as const;

export const EVENT_TARGET = {
  epochEpochno: 'epoch {epochNo}',
} as const;
