import type { Setting, SettingOrigin } from '../../api/index.ts';
import type { SettingDefinition } from '../store/settings/setting-values.ts';
import { environmentName } from '../store/settings/settings.ts';
import type { Settings } from '../store/settings/settings-type.ts';

type Value = Settings[keyof Settings];

/** What the view of a setting is made of. */
export interface SettingState {
  /** What is in force. */
  readonly value: Value;
  readonly origin: SettingOrigin;
  /** What the next start would take. */
  readonly next: Value;
}

/** Why a setting that comes from elsewhere cannot be changed by the interface. */
export function whyFixed(setting: SettingDefinition, origin: SettingOrigin): string | null {
  switch (origin) {
    case 'command_line':
      return `It is given on the command line, which comes first: --${setting.flag}.`;
    case 'environment':
      return `It is given in the environment, which comes first: ${environmentName(setting)}.`;
    case 'config_file':
      return `It is given in the configuration file, which comes first: "${setting.flag}".`;
    case 'program':
      return 'Set by the program that starts the service.';
    default:
      return setting.change === undefined ? 'It can only be given when the service is started.' : null;
  }
}

/** An address without the account in it; a mail server's holds a password. */
function withoutAccount(value: Value): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const { protocol, host } = new URL(value);
  return `${protocol}//${host}`;
}

/** A value as it is answered: of a secret nothing but what is not secret, such as a server without its account. */
function shown(setting: SettingDefinition, value: Value): Setting['value'] {
  if (setting.secret !== true) return value;
  return setting.key === 'smtpUrl' ? withoutAccount(value) : null;
}

/** A setting for the interface: never a secret. */
export function settingView(setting: SettingDefinition, { value, origin, next }: SettingState): Setting {
  const reason = whyFixed(setting, origin);
  const waits = setting.change === 'restart' && next !== value;
  return {
    name: setting.flag,
    help: setting.help,
    value: shown(setting, value),
    default: shown(setting, setting.fallback),
    origin,
    secret: setting.secret === true,
    is_set: value !== null,
    changeable: reason === null,
    reason,
    needs_restart: setting.change === 'restart',
    after_restart: waits ? shown(setting, next) : null,
    waits_for_restart: waits,
  };
}
