import { DEFAULT_MAX_PAYLOAD_BYTES } from '../protocol/index.ts';
import { StartError } from './errors.ts';

/** How the service runs. Times are in the unit that the name says. */
export interface Settings {
  /** Folder of the database, the service key and the exports. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Requests a minute for each organization; null switches the limit off. */
  readonly rateLimit: number | null;
  readonly epochIntervalSeconds: number;
  readonly epochMaxLeaves: number;
  readonly maxPayloadBytes: number;
  readonly maxBodyBytes: number;
  /** PEM files; both or none. */
  readonly tlsCert: string | null;
  readonly tlsKey: string | null;
  /** Listen on another interface than loopback without TLS. */
  readonly insecure: boolean;
  readonly logLevel: string;
  /** Folder of the built renderer, served at /; null serves none. */
  readonly rendererDir: string | null;
}

/** A setting as people give it: on the command line, in the environment, or in the configuration file. */
export interface SettingDefinition {
  readonly key: keyof Settings;
  readonly flag: string;
  /** How help calls the value; undefined for a switch. */
  readonly value?: string;
  readonly help: string;
  readonly fallback: Settings[keyof Settings];
  /** @returns the value, or undefined where the text is not one */
  readonly parse: (text: string) => Settings[keyof Settings] | undefined;
}

function whole(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
}

function text(value: string): string | undefined {
  return value === '' ? undefined : value;
}

function onOff(value: string): boolean | undefined {
  return ['on', 'true', '1'].includes(value) ? true : ['off', 'false', '0'].includes(value) ? false : undefined;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];

/** All settings that people can give. */
export const SETTINGS: readonly SettingDefinition[] = [
  {
    key: 'dataDir',
    flag: 'data-dir',
    value: 'DIR',
    help: 'folder of ledger, service key and exports',
    fallback: 'countersign-data',
    parse: text,
  },
  { key: 'host', flag: 'host', value: 'H', help: 'address to listen on', fallback: '127.0.0.1', parse: text },
  {
    key: 'port',
    flag: 'port',
    value: 'N',
    help: 'port to listen on; 0 picks a free one',
    fallback: 8787,
    parse: whole(0, 65535),
  },
  {
    key: 'rateLimit',
    flag: 'rate-limit',
    value: 'off|N',
    help: 'requests a minute for each organization',
    fallback: 12_000,
    parse: (value) => (value === 'off' ? null : whole(1, 1e9)(value)),
  },
  {
    key: 'epochIntervalSeconds',
    flag: 'epoch-interval',
    value: 'SECONDS',
    help: 'seal an epoch this long after its first record',
    fallback: 60,
    parse: whole(1, 86_400),
  },
  {
    key: 'epochMaxLeaves',
    flag: 'epoch-max-leaves',
    value: 'N',
    help: 'seal an epoch at this many records',
    fallback: 65_536,
    parse: whole(1, 1_048_576),
  },
  {
    key: 'maxPayloadBytes',
    flag: 'max-payload-bytes',
    value: 'N',
    help: "largest canonical form of a record's payload",
    fallback: DEFAULT_MAX_PAYLOAD_BYTES,
    parse: whole(2, 8_388_608),
  },
  {
    key: 'maxBodyBytes',
    flag: 'max-body-bytes',
    value: 'N',
    help: 'largest request body',
    fallback: 1_048_576,
    parse: whole(1024, 67_108_864),
  },
  {
    key: 'tlsCert',
    flag: 'tls-cert',
    value: 'FILE',
    help: 'PEM certificate chain; needed to listen beyond this machine',
    fallback: null,
    parse: text,
  },
  {
    key: 'tlsKey',
    flag: 'tls-key',
    value: 'FILE',
    help: 'PEM private key of the certificate',
    fallback: null,
    parse: text,
  },
  { key: 'insecure', flag: 'insecure', help: 'listen beyond this machine without TLS', fallback: false, parse: onOff },
  {
    key: 'logLevel',
    flag: 'log-level',
    value: 'LEVEL',
    help: LOG_LEVELS.join(', '),
    fallback: 'warn',
    parse: (value) => (LOG_LEVELS.includes(value) ? value : undefined),
  },
];

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

/**
 * Settings from command line, environment and configuration file, in this order.
 * @throws StartError SETTING_INVALID, its message naming the setting and where it came from
 */
export function resolveSettings(sources: SettingSources, rendererDir: string | null): Settings {
  const values: Record<string, unknown> = { rendererDir };
  for (const setting of SETTINGS) {
    const candidates: [string, string | undefined][] = [
      [`--${setting.flag}`, sources.commandLine[setting.flag]],
      [environmentName(setting), sources.environment[environmentName(setting)]],
      [`"${setting.flag}" in the configuration file`, sources.configFile[setting.flag]],
    ];
    const given = candidates.find(([, value]) => value !== undefined);
    if (given === undefined) {
      values[setting.key] = setting.fallback;
      continue;
    }
    const parsed = setting.parse(given[1] as string);
    if (parsed === undefined) {
      throw new StartError('SETTING_INVALID', `${given[0]}: "${given[1]}" is not a value for it (${setting.help})`);
    }
    values[setting.key] = parsed;
  }
  return checkSettings(values as unknown as Settings);
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
