import type { SettingDefinition } from './setting-values.ts';
import { whole } from './setting-values.ts';
import type { Settings } from './settings-type.ts';

function quota(key: keyof Settings, flag: string, help: string, fallback: number, max = 1e9): SettingDefinition {
  return { key, flag, value: 'N', help: `the most ${help}`, fallback, parse: whole(1, max), change: 'at-once' };
}

/** No disk of today. */
const MAX_BYTES = 999_999_999_999;

/** What each organization, the home organization included, may take of the service: past it the answer is QUOTA_EXCEEDED. */
export const QUOTA_SETTINGS: readonly SettingDefinition[] = [
  quota('quotaOrganizations', 'quota-organizations', 'organizations on the service, with those of guests', 1000),
  quota('quotaWebhooks', 'quota-webhooks', 'webhooks of an organization', 50),
  quota(
    'quotaDeliveries',
    'quota-deliveries',
    'deliveries of one webhook that wait to be sent; more stay in the ledger until there is room',
    2000,
  ),
  quota('quotaInvitations', 'quota-invitations', 'pending invitations of an organization', 500),
  quota('quotaTokens', 'quota-tokens', 'API tokens of an organization', 500),
  quota(
    'quotaRecordBytes',
    'quota-record-bytes',
    'bytes of the records of an organization that is a guest',
    20_000_000_000,
    MAX_BYTES,
  ),
  quota('quotaAgentBytes', 'quota-agent-bytes', 'bytes of the records of one agent', 100_000_000_000, MAX_BYTES),
  {
    key: 'homeReserveBytes',
    flag: 'home-reserve-bytes',
    value: 'N',
    help: 'bytes of the disk that records and files of guests leave free for the home organization',
    fallback: 1_000_000_000,
    parse: whole(0, MAX_BYTES),
    change: 'at-once',
  },
  quota('quotaExports', 'quota-exports', 'exports of an organization', 500),
  quota('quotaExportBytes', 'quota-export-bytes', "bytes of an organization's export files", 20_000_000_000, MAX_BYTES),
  quota('quotaUploads', 'quota-uploads', 'uploads of an organization that arrive or wait to be used', 100),
  quota('quotaCases', 'quota-cases', 'cases of an organization', 1000),
  quota(
    'quotaCaseBytes',
    'quota-case-bytes',
    "bytes of the files of an organization's cases",
    100_000_000_000,
    MAX_BYTES,
  ),
];
