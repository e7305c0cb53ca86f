import type { SettingRow } from '../../api/administration-queries.ts';

/** How a setting is asked for on the page. */
export interface SettingWords {
  readonly label: string;
  readonly hint: string;
  /** What may be chosen, as value and label; free text where there is nothing of the kind. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  readonly isNumber?: boolean;
}

/** The settings that the page shows, by name. */
export const SETTING_WORDS: Readonly<Record<string, SettingWords>> = {
  host: {
    label: 'Listening address',
    hint: 'An address that other machines can reach needs a certificate, which is given when the service is started.',
  },
  port: { label: 'Port', hint: '0 picks a free one at each start.', isNumber: true },
  'public-url': { label: 'Public address', hint: 'Where browsers reach the service, where that differs.' },
  'sign-up': {
    label: 'Who may sign up',
    hint: 'Further organizations on this service are guests: they do not administer it.',
    options: [
      ['', 'Everybody on this machine; from elsewhere nobody but the first'],
      ['open', 'Everybody'],
      ['first-user', 'Nobody but the first'],
    ],
  },
  'common-passwords': {
    label: 'The most used passwords',
    hint: 'For new passwords. Existing ones stay as they are.',
    options: [
      ['allow', 'Allow, with a warning'],
      ['refuse', 'Refuse'],
    ],
  },
  'epoch-interval': {
    label: 'Seal an epoch after (seconds)',
    hint: 'Counted from its first record. An epoch that is open keeps the time it began with.',
    isNumber: true,
  },
  'epoch-max-leaves': { label: 'Seal an epoch at (records)', hint: 'Whichever comes first.', isNumber: true },
  'rate-limit': { label: 'Requests a minute for each organization', hint: '“off” for no limit.' },
  'google-client-id': { label: 'Google: client id', hint: 'Without one there is no sign-in with Google.' },
  'google-client-secret': { label: 'Google: client secret', hint: '' },
  'github-client-id': { label: 'GitHub: client id', hint: 'Without one there is no sign-in with GitHub.' },
  'github-client-secret': { label: 'GitHub: client secret', hint: '' },
  'smtp-url': {
    label: 'Mail server',
    hint: 'smtps://account:password@mail.example.org. Account and password are never shown again.',
  },
  'smtp-from': { label: 'Sender', hint: 'Address that invitations come from.' },
  'backup-every': {
    label: 'Make a backup',
    hint: 'What was missed while the service was off is made up for at its next start.',
    options: [
      ['off', 'Only when asked'],
      ['day', 'Every day'],
      ['week', 'Every Monday'],
    ],
  },
  'backup-hour': { label: 'At (hour, UTC)', hint: '0 to 23.', isNumber: true },
  'backup-keep': {
    label: 'Keep (of the schedule)',
    hint: 'Older ones are removed, but never the last good one. What people asked for stays.',
    isNumber: true,
  },
};

const ORIGINS: Readonly<Record<SettingRow['origin'], string>> = {
  command_line: 'command line',
  environment: 'environment',
  config_file: 'configuration file',
  program: 'given at the start',
  stored: 'changed here',
  default: 'default',
};

/** Where a value comes from, in words. */
export function originWords(origin: SettingRow['origin']): string {
  return ORIGINS[origin];
}

/** A value as its field shows it. */
export function fieldText({ name, value }: SettingRow): string {
  if (name === 'rate-limit' && value === null) return 'off';
  return value === null ? '' : String(value);
}
