import type { SettingOrigin } from '../../../api/index.ts';
import { StartError } from '../base/service-error.ts';
import { SETTINGS } from './setting-definitions.ts';
import type { SettingDefinition } from './setting-values.ts';
import type { Settings } from './settings-type.ts';

/** The environment variable of a setting. */
export function environmentName({ flag }: SettingDefinition): string {
  return `COUNTERSIGN_${flag.toUpperCase().replaceAll('-', '_')}`;
}

/** Where values may come from, each as text under the setting's flag; the first that has one counts. */
export interface SettingSources {
  readonly commandLine: Readonly<Record<string, string | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly configFile: Readonly<Record<string, string | undefined>>;
}

/** Whether an address is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Settings that were given, each with where it came from. */
export interface GivenSettings {
  readonly values: Partial<Settings>;
  readonly origins: SettingOrigins;
}
export type SettingOrigins = { readonly [Key in keyof Settings]?: SettingOrigin };

/**
 * What is given on command line, in environment and configuration file, in this order.
 * @throws StartError SETTING_INVALID, its message naming the setting and where it came from
 */
export function givenSettings(sources: SettingSources): GivenSettings {
  const values: Record<string, unknown> = {};
  const origins: Record<string, SettingOrigin> = {};
  for (const setting of SETTINGS) {
    const candidates: [string, string | undefined, SettingOrigin][] = [
      [`--${setting.flag}`, sources.commandLine[setting.flag], 'command_line'],
      [environmentName(setting), sources.environment[environmentName(setting)], 'environment'],
      [`"${setting.flag}" in the configuration file`, sources.configFile[setting.flag], 'config_file'],
    ];
    const given = candidates.find(([, value]) => value !== undefined);
    if (given === undefined) continue;
    values[setting.key] = parseSetting(setting, given[1] as string, given[0]);
    origins[setting.key] = given[2];
  }
  return { values, origins };
}

/** @param place names the setting and where it came from @throws StartError SETTING_INVALID; a secret is not repeated */
export function parseSetting(setting: SettingDefinition, text: string, place: string): Settings[keyof Settings] {
  const parsed = setting.parse(text);
  if (parsed !== undefined) return parsed;
  // As JSON: a line break in the value must not break the message.
  const shown = setting.secret === true ? 'what is given' : JSON.stringify(text);
  throw new StartError('SETTING_INVALID', `${place}: ${shown} is not valid; expected: ${setting.help}`);
}

/**
 * Settings from command line, environment and configuration file, in this order, or else their defaults.
 * @throws StartError SETTING_INVALID
 */
export function resolveSettings(sources: SettingSources, rendererDir: string | null): Settings {
  return withDefaults({ ...givenSettings(sources).values, rendererDir });
}

/** What settings must satisfy together. @throws StartError SETTING_INVALID */
export function checkSettings(settings: Settings): Settings {
  if ((settings.tlsCert === null) !== (settings.tlsKey === null)) {
    throw new StartError('SETTING_INVALID', '--tls-cert and --tls-key go together');
  }
  if (!isLoopback(settings.host) && settings.tlsCert === null && !settings.insecure) {
    throw new StartError(
      'SETTING_INVALID',
      `--host ${settings.host} can be reached from other machines: give --tls-cert and --tls-key, or --insecure`,
    );
  }
  return settings;
}

/** Settings for programs that start the service themselves: what they leave out has its default. */
export function withDefaults(given: Partial<Settings>): Settings {
  const defaults = Object.fromEntries(SETTINGS.map(({ key, fallback }) => [key, fallback]));
  return checkSettings({ rendererDir: null, ...defaults, ...given } as Settings);
}
