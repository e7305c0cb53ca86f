import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Setting, SettingOrigin } from '../../api/index.ts';
import { prepareDurably } from '../../node/index.ts';
import type { Json } from '../../protocol/index.ts';
import { hasCode } from '../../protocol/light.ts';
import { recordAdminEvent } from '../ledger/admin-log/admin-events.ts';
import { createMailer } from '../people/mail/mailer.ts';
import { ServiceError, StartError } from '../store/base/service-error.ts';
import { SETTINGS } from '../store/settings/setting-definitions.ts';
import type { SettingDefinition } from '../store/settings/setting-values.ts';
import { checkSettings, environmentName, parseSetting, type SettingOrigins } from '../store/settings/settings.ts';
import type { Settings } from '../store/settings/settings-type.ts';
import type { Writer } from '../store/writer.ts';

/** Values of settings as text, by flag: as a configuration file has them. */
type StoredValues = Readonly<Partial<Record<string, string>>>;

const settingsFile = z.partialRecord(
  z.enum(SETTINGS.filter(({ change }) => change !== undefined).map(({ flag }) => flag)),
  z.string(),
);

/** The settings that were changed by the interface: a file in the data folder, mode 0600, for there may be secrets in it. */
function settingsPath(dataDir: string): string {
  return join(dataDir, 'settings.json');
}

/**
 * Reads what was stored.
 * @returns nothing where there is no file
 * @throws StartError SETTING_INVALID
 */
function readStoredSettings(dataDir: string): StoredValues {
  const path = settingsPath(dataDir);
  let text: string;
  try {
    if ((statSync(path).mode & 0o077) !== 0 && process.platform !== 'win32') {
      throw new StartError('SETTING_INVALID', `other users can reach ${path}, which may hold secrets: chmod 600 it`);
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return {};
    throw new StartError('SETTING_INVALID', `${path} cannot be read`, { cause: error });
  }
  try {
    return settingsFile.parse(JSON.parse(text));
  } catch {
    // The cause would quote the content, in which there may be secrets.
    throw new StartError(
      'SETTING_INVALID',
      `${path} is damaged: repair the file, or remove it and set the settings again`,
    );
  }
}

/** Stored texts as values. @throws StartError SETTING_INVALID, its message naming the setting */
function parseStoredSettings(stored: StoredValues, place: (flag: string) => string): Partial<Settings> {
  const values: Record<string, unknown> = {};
  for (const setting of SETTINGS) {
    const text = stored[setting.flag];
    if (text !== undefined) values[setting.key] = parseSetting(setting, text, place(setting.flag));
  }
  return values;
}

/** Has new values on disk, beside those that hold. @returns puts them into their place */
function prepareStoredSettings(dataDir: string, stored: StoredValues): Promise<() => Promise<void>> {
  return prepareDurably(settingsPath(dataDir), `${JSON.stringify(stored, null, 2)}\n`);
}

type Value = Settings[keyof Settings];

/** What the view of a setting is made of. */
interface SettingState {
  /** What is in force. */
  readonly value: Value;
  readonly origin: SettingOrigin;
  /** What the next start would take. */
  readonly next: Value;
}

/** Why a setting that comes from elsewhere cannot be changed by the interface. */
function whyFixed(setting: SettingDefinition, origin: SettingOrigin): string | null {
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
function settingView(setting: SettingDefinition, { value, origin, next }: SettingState): Setting {
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

/** Settings as a service starts with them, and where each comes from. */
export interface StartSettings {
  /** In force. Who keeps it reads it whenever it is needed: values that hold at once change in place. */
  readonly settings: Settings;
  readonly origins: SettingOrigins;
  readonly stored: StoredValues;
}

const DEFAULTS = Object.fromEntries(SETTINGS.map(({ key, fallback }) => [key, fallback]));

/**
 * Puts together what is given at the start, what was stored by the interface, and the defaults, in this order.
 * @param given what command line, environment and configuration file, or the program that starts it, have
 * @throws StartError SETTING_INVALID
 */
export function startSettings(given: Partial<Settings>, givenOrigins: SettingOrigins): StartSettings {
  const stored = readStoredSettings(given.dataDir ?? String(DEFAULTS['dataDir']));
  const values = parseStoredSettings(stored, (flag) => `"${flag}" in settings.json of the data folder`);
  const origins: Record<string, SettingOrigin> = {};
  for (const { key } of SETTINGS) {
    origins[key] = key in given ? (givenOrigins[key] ?? 'program') : key in values ? 'stored' : 'default';
  }
  return { settings: compose(values, given), origins, stored };
}

function compose(stored: Partial<Settings>, given: Partial<Settings>): Settings {
  return checkSettings({ rendererDir: null, ...DEFAULTS, ...stored, ...given } as Settings);
}

export interface RunTimeSettingsContext {
  readonly writer: Writer;
  readonly now: () => number;
  /** Called after a change, with what has to be made again. */
  readonly onChange: () => void;
}

type Given = Readonly<Record<string, string | number | boolean | null>>;

/** The settings of a running service: shown, and changed as far as nothing that was given at the start says otherwise. */
export class RunTimeSettings {
  readonly #context: RunTimeSettingsContext;
  readonly #settings: Settings;
  /** What was given at the start, which no change gets past. */
  readonly #given: Partial<Settings>;
  #origins: SettingOrigins;
  #stored: StoredValues;

  constructor(context: RunTimeSettingsContext, { settings, origins, stored }: StartSettings) {
    this.#context = context;
    this.#settings = settings;
    this.#origins = origins;
    this.#stored = stored;
    const fixed = Object.entries(settings).filter(([key]) => {
      const origin = origins[key as keyof Settings];
      return origin !== 'stored' && origin !== 'default';
    });
    this.#given = Object.fromEntries(fixed);
  }

  list(): Setting[] {
    const next = this.#composed(this.#stored);
    return SETTINGS.map((setting) =>
      settingView(setting, {
        value: this.#settings[setting.key],
        origin: this.#origins[setting.key] ?? 'default',
        next: next[setting.key],
      }),
    );
  }

  #composed(stored: StoredValues): Settings {
    return compose(
      parseStoredSettings(stored, (flag) => `settings.${flag}`),
      this.#given,
    );
  }

  /**
   * Changes settings: on disk first, then in the log, then in force. A crash between the log and the file's new name
   * leaves the event and the old values: the log never says less than what was done.
   * @throws ServiceError VALIDATION_ERROR, CONFLICT; nothing is changed then
   */
  change(caller: { readonly orgId: string; readonly userId: string }, given: Given): Promise<void> {
    const { writer, now, onChange } = this.#context;
    return writer.run(async () => {
      const stored = this.#merged(given);
      const next = this.#checked(stored);
      const put = await prepareStoredSettings(this.#settings.dataDir, stored);
      const details = detailsOf(given);
      const target = { targetType: 'settings', targetId: 'service', details };
      const event = { orgId: caller.orgId, actor: caller.userId, action: 'settings.change', ...target } as const;
      await writer.commit((store) => recordAdminEvent(store, event, now()));
      await put();
      this.#stored = stored;
      this.#putInForce(next);
      onChange();
    });
  }

  #merged(given: Given): StoredValues {
    const stored: Record<string, string | undefined> = { ...this.#stored };
    for (const [name, value] of Object.entries(given)) {
      const setting = definitionOf(name);
      const reason = whyFixed(setting, this.#origins[setting.key] ?? 'default');
      if (reason !== null) throw new ServiceError('CONFLICT', `settings.${name}: cannot be changed here. ${reason}`);
      if (value === null) delete stored[name];
      else stored[name] = String(value);
    }
    return stored;
  }

  /** What no start would go on with is not stored. @throws ServiceError VALIDATION_ERROR */
  #checked(stored: StoredValues): Settings {
    try {
      const next = this.#composed(stored);
      createMailer(next);
      return next;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      throw new ServiceError('VALIDATION_ERROR', error.message);
    }
  }

  #putInForce(next: Settings): void {
    const changed: Partial<Record<keyof Settings, unknown>> = {};
    const origins: Record<string, SettingOrigin> = { ...this.#origins };
    for (const { key, flag, change } of SETTINGS) {
      if (change === undefined || key in this.#given) continue;
      if (change === 'at-once') {
        changed[key] = next[key];
        origins[key] = flag in this.#stored ? 'stored' : 'default';
      }
    }
    Object.assign(this.#settings, changed);
    this.#origins = origins;
  }
}

function definitionOf(name: string): SettingDefinition {
  const setting = SETTINGS.find(({ flag }) => flag === name);
  if (setting === undefined) throw new ServiceError('VALIDATION_ERROR', `settings.${name}: there is no such setting`);
  return setting;
}

/** What the log says of a change: which settings, and the new values of those that are no secrets. */
function detailsOf(given: Given): { readonly [member: string]: Json } {
  const names = Object.keys(given).toSorted();
  const values = names
    .filter((name) => definitionOf(name).secret !== true)
    .map((name) => [name, given[name] ?? null] as const);
  return { settings: names, values: Object.fromEntries(values) };
}
