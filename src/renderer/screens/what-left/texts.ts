import type { LeftRow } from '../../../api/index.ts';
import { plural } from '../../lib/plural.ts';

/** Texts of what was sent elsewhere. */
export const WHAT_LEFT = {
  title: 'What left',
  what: 'what left',
  explained:
    '“Sent” counts actions that gave something: a message, a body, a file. “Asked” counts those of which only a request was recorded. That anything arrived, no record shows.',
  found: (destinations: number) => `${plural(destinations, 'destination')} elsewhere`,
  none: 'No record that was read names a destination elsewhere.',
  notStated: 'Nothing is stated as the organization’s own yet: every destination but this machine counts as elsewhere.',
  contains: 'Destination contains',
  which: 'Show',
  whichOnes: { all: 'Sent or asked', sent: 'Sent', asked: 'Only asked' },
  heads: {
    destination: 'Destination',
    agent: 'Agent',
    how: 'How',
    first: 'First (UTC)',
    last: 'Last (UTC)',
    sent: 'Sent',
    asked: 'Asked',
    failed: 'Failed',
    refused: 'Refused',
  },
  more: 'Show more',
  own: 'The organization’s own',
  ownExplained: 'One in each line. Everything else is elsewhere.',
  domains: 'Domains',
  domainsHint: 'With all names below them, of hosts and of addresses: hospital.example',
  hosts: 'Hosts',
  hostsHint: 'Names or IP addresses',
  networks: 'Address ranges',
  networksHint: '10.0.0.0/8',
  people: 'People',
  peopleHint: 'Addresses of people elsewhere who belong to the organization',
  save: 'Save',
  saved: 'Saved. The list counts by it now.',
} as const;

export const WAY_NAMES: Readonly<Record<LeftRow['ways'][number], string>> = {
  mail: 'mail',
  request: 'request',
  command: 'command',
  tool: 'tool',
};
