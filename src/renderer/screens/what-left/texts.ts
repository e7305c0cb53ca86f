import type { LeftRow } from '../../../api/index.ts';
import { plural } from '../../lib/plural.ts';

/** Texts of what was sent elsewhere. */
export const WHAT_LEFT = {
  title: 'What left',
  what: 'what left',
  explained:
    '“Sent” counts actions that sent something: a message, a request body, a file. “Asked” counts requests without a recorded body. No record shows whether anything arrived.',
  found: (destinations: number) => `${plural(destinations, 'destination')} elsewhere`,
  none: 'No record names a destination elsewhere.',
  notStated:
    'Nobody has said yet what belongs to the organization: every destination except this machine counts as elsewhere.',
  contains: 'Destination contains',
  onlyOf: (agent: string) => `Show only ${agent}`,
  allAgents: (agent: string) => `${agent}: show all agents`,
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
  ownExplained: 'One per line. Everything else counts as elsewhere.',
  domains: 'Domains',
  domainsHint: 'Includes subdomains and e-mail addresses, for example hospital.example',
  hosts: 'Hosts',
  hostsHint: 'Names or IP addresses',
  networks: 'Address ranges',
  networksHint: '10.0.0.0/8',
  people: 'People',
  peopleHint: 'Addresses of people elsewhere who belong to the organization',
  save: 'Save',
  saved: 'Saved. The list uses these now.',
} as const;

export const WAY_NAMES: Readonly<Record<LeftRow['ways'][number], string>> = {
  mail: 'mail',
  request: 'request',
  command: 'command',
  tool: 'tool',
};
