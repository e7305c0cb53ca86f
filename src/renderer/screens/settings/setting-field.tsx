import { useId } from 'react';
import type { SettingRow } from '../../api/answers.ts';
import { fill } from '../../lib/fill.ts';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { SETTING_FIELD, SETTING_TEXTS } from './texts.ts';

interface SettingFieldProps {
  readonly setting: SettingRow;
  /** What was entered and not saved; null to take the stored value away, undefined where nothing was entered. */
  readonly draft: string | null | undefined;
  readonly onChange: (draft: string | null | undefined) => void;
}

/** One setting: its value, where that comes from, and why it cannot be changed, where it cannot. */
export function SettingField({ setting, draft, onChange }: SettingFieldProps) {
  const id = useId();
  const words = SETTING_WORDS[setting.name] ?? { label: setting.name, hint: setting.help };
  const shown = draft === null ? '' : (draft ?? (setting.secret ? '' : fieldText(setting)));
  const change = (value: string): void =>
    onChange(value === (setting.secret ? '' : fieldText(setting)) ? undefined : value);
  const common = {
    id,
    value: shown,
    disabled: !setting.changeable,
    'aria-describedby': `${id}-about`,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => change(event.currentTarget.value),
  };
  return (
    <div className="setting">
      <label htmlFor={id}>{words.label}</label>
      <div className="cluster setting-value">
        {words.options === undefined ? (
          <input
            {...common}
            type={setting.secret ? 'password' : 'text'}
            inputMode={words.isNumber === true ? 'numeric' : 'text'}
            autoComplete={setting.secret ? 'new-password' : 'off'}
            spellCheck={false}
            dir="auto"
            maxLength={2048}
            placeholder={placeholderOf(setting, draft)}
          />
        ) : (
          <select {...common}>
            {words.options.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
        <span className={`origin origin-${setting.origin}`}>{originWords(setting.origin)}</span>
        {draft !== undefined && <span className="origin origin-unsaved">{SETTING_FIELD.notSaved}</span>}
        {setting.origin === 'stored' && setting.changeable && draft === undefined && (
          <button type="button" className="button-small" onClick={() => onChange(null)}>
            {setting.secret ? SETTING_FIELD.removeValue : SETTING_FIELD.useDefault}
          </button>
        )}
        {draft !== undefined && (
          <button type="button" className="button-small" onClick={() => onChange(undefined)}>
            {SETTING_FIELD.undoChange}
          </button>
        )}
      </div>
      <small id={`${id}-about`} className="muted">
        {words.hint} <About setting={setting} />
      </small>
    </div>
  );
}

function placeholderOf(
  { secret, is_set: isSet, value, default: fallback }: SettingRow,
  draft: string | null | undefined,
) {
  if (draft === null) return fallback === null ? SETTING_FIELD.noneAfter : SETTING_FIELD.defaultAfter(String(fallback));
  if (!secret) return SETTING_FIELD.none;
  return isSet ? SETTING_FIELD.replaceSecret(value === null ? '' : `: ${value}`) : SETTING_FIELD.notSet;
}

function About({ setting }: { readonly setting: SettingRow }) {
  if (setting.reason !== null) {
    return (
      <span className="with-icon">
        <Icon name="lock" /> <Seen text={setting.reason} />
      </span>
    );
  }
  if (setting.waits_for_restart) {
    return (
      <strong className="with-icon">
        <Icon name="wait" />{' '}
        {fill(SETTING_FIELD.pending, { value: <Seen text={String(setting.after_restart ?? SETTING_FIELD.none)} /> })}
      </strong>
    );
  }
  return setting.needs_restart ? SETTING_FIELD.needsRestart : null;
}

/** How a setting is asked for on the page. */
interface SettingWords {
  readonly label: string;
  readonly hint: string;
  /** What may be chosen, as value and label; free text where there is nothing of the kind. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  readonly isNumber?: boolean;
}

/** The settings that the page shows, by name. */
const SETTING_WORDS: Readonly<Record<string, SettingWords>> = {
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
  'archive-to': { label: SETTING_TEXTS.archive, hint: SETTING_TEXTS.archiveHint },
  'archive-every': {
    label: SETTING_TEXTS.archiveSchedule,
    hint: SETTING_TEXTS.archiveScheduleHint,
    options: [
      ['day', SETTING_TEXTS.afterDay],
      ['hour', SETTING_TEXTS.everyHour],
    ],
  },
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
function originWords(origin: SettingRow['origin']): string {
  return ORIGINS[origin];
}

/** A value as its field shows it. */
function fieldText({ name, value }: SettingRow): string {
  if (name === 'rate-limit' && value === null) return 'off';
  return value === null ? '' : String(value);
}
