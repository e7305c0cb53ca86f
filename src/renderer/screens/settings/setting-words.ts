import type { SettingRow } from '../../api/answers.ts';
import { SETTING_TEXTS } from './texts.ts';

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
    label: SETTING_TEXTS.listeningAddress,
    hint: SETTING_TEXTS.addressHint,
  },
  port: { label: SETTING_TEXTS.port, hint: SETTING_TEXTS.portHint, isNumber: true },
  'public-url': { label: SETTING_TEXTS.publicAddress, hint: SETTING_TEXTS.publicAddressHint },
  'sign-up': {
    label: SETTING_TEXTS.whoMaySignUp,
    hint: SETTING_TEXTS.signUpHint,
    options: [
      ['', SETTING_TEXTS.signUpLocal],
      ['open', SETTING_TEXTS.anyone],
      ['first-user', SETTING_TEXTS.onlyFirstPerson],
    ],
  },
  'common-passwords': {
    label: SETTING_TEXTS.weakPasswords,
    hint: SETTING_TEXTS.weakPasswordsHint,
    options: [
      ['allow', SETTING_TEXTS.allowWarning],
      ['refuse', SETTING_TEXTS.refuse],
    ],
  },
  'epoch-interval': {
    label: SETTING_TEXTS.sealEpochAfterSeconds,
    hint: SETTING_TEXTS.epochSecondsHint,
    isNumber: true,
  },
  'epoch-max-leaves': {
    label: SETTING_TEXTS.sealEpochRecords,
    hint: SETTING_TEXTS.epochRecordsHint,
    isNumber: true,
  },
  'rate-limit': { label: SETTING_TEXTS.requestLimit, hint: SETTING_TEXTS.requestLimitHint },
  'google-client-id': { label: SETTING_TEXTS.googleClientId, hint: SETTING_TEXTS.googleHint },
  'google-client-secret': { label: SETTING_TEXTS.googleClientSecret, hint: '' },
  'github-client-id': { label: SETTING_TEXTS.githubClientId, hint: SETTING_TEXTS.githubHint },
  'github-client-secret': { label: SETTING_TEXTS.githubClientSecret, hint: '' },
  'smtp-url': {
    label: SETTING_TEXTS.mailServer,
    hint: SETTING_TEXTS.mailServerHint,
  },
  'smtp-from': { label: SETTING_TEXTS.sender, hint: SETTING_TEXTS.senderHint },
  'backup-every': {
    label: SETTING_TEXTS.schedule,
    hint: SETTING_TEXTS.scheduleHint,
    options: [
      ['off', SETTING_TEXTS.onlyManually],
      ['day', SETTING_TEXTS.everyDay],
      ['week', SETTING_TEXTS.everyMonday],
    ],
  },
  'backup-hour': { label: SETTING_TEXTS.backupHour, hint: SETTING_TEXTS.backupHourHint, isNumber: true },
  'backup-keep': {
    label: SETTING_TEXTS.keepCount,
    hint: SETTING_TEXTS.keepHint,
    isNumber: true,
  },
};

const ORIGINS: Readonly<Record<SettingRow['origin'], string>> = {
  command_line: SETTING_TEXTS.commandLine,
  environment: 'environment',
  config_file: SETTING_TEXTS.configurationFile,
  program: SETTING_TEXTS.givenAtStart,
  stored: SETTING_TEXTS.changedHere,
  default: SETTING_TEXTS.byDefault,
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
