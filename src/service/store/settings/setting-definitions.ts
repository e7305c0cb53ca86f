import { DEFAULT_MAX_PAYLOAD_BYTES } from '../../../protocol/index.ts';
import { QUOTA_SETTINGS } from './quota-settings.ts';
import { type SettingDefinition, whole } from './setting-values.ts';

function text(value: string): string | undefined {
  return value === '' ? undefined : value;
}

function onOff(value: string): boolean | undefined {
  return ['on', 'true', '1'].includes(value) ? true : ['off', 'false', '0'].includes(value) ? false : undefined;
}

function url(value: string): string | undefined {
  return URL.canParse(value) ? value.replace(/\/+$/, '') : undefined;
}

function webUrl(value: string): string | undefined {
  return /^https?:\/\//i.test(value) ? url(value) : undefined;
}

/** A host, or an address as URLs have it, and a port: 6514 where none is named (RFC 5425 §4.1). */
function hostAndPort(value: string): string | undefined {
  if (!/^[^\s/?#@\\]+$/.test(value) || !URL.canParse(`tls://${value}`)) return undefined;
  const { hostname, port } = new URL(`tls://${value}`);
  return hostname === '' ? undefined : `${hostname}:${port === '' ? 6514 : port}`;
}

/** One e-mail address, with a name before it or without: `Audit <audit@example.org>`. A line break would begin a new header. */
function sender(value: string): string | undefined {
  const [, named, plain] = /^(?:[^<>@,;:"\\\p{C}]*<([^<>]*)>|([^<>]*))$/u.exec(value) ?? [];
  return /^[^\s@<>(),;:"\\\p{C}]+@[^\s@<>(),;:"\\\p{C}]+$/u.test(named ?? plain ?? '') ? value : undefined;
}

/** Service keys by their kid, each with an organization. */
function archiveKeys(value: string): string | undefined {
  return value.split(',').every((key) => /^[A-Za-z0-9_-]{43}@[^\s,]+$/.test(key)) ? value : undefined;
}

/** A command line can be read by every user of the machine. */
const SECRET = 'better given in the environment';

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
  {
    key: 'host',
    flag: 'host',
    value: 'H',
    help: 'address to listen on',
    fallback: '127.0.0.1',
    parse: text,
    change: 'restart',
  },
  {
    key: 'port',
    flag: 'port',
    value: 'N',
    help: 'port to listen on; 0 picks a free one',
    fallback: 8787,
    parse: whole(0, 65535),
    change: 'restart',
  },
  {
    key: 'rateLimit',
    flag: 'rate-limit',
    value: 'off|N',
    help: 'requests a minute for each organization',
    fallback: 12_000,
    parse: (value) => (value === 'off' ? null : whole(1, 1e9)(value)),
    change: 'at-once',
  },
  {
    key: 'epochIntervalSeconds',
    flag: 'epoch-interval',
    value: 'SECONDS',
    help: 'seal an epoch this long after its first record',
    fallback: 60,
    parse: whole(1, 86_400),
    change: 'at-once',
  },
  {
    key: 'epochMaxLeaves',
    flag: 'epoch-max-leaves',
    value: 'N',
    help: 'seal an epoch at this many records',
    fallback: 65_536,
    parse: whole(1, 1_048_576),
    change: 'at-once',
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
  {
    key: 'maxBatchBytes',
    flag: 'max-batch-bytes',
    value: 'N',
    help: 'largest request body of a batch',
    fallback: 16_777_216,
    parse: whole(1024, 268_435_456),
  },
  {
    key: 'maxConnections',
    flag: 'max-connections',
    value: 'N',
    help: 'connections at once; one more closes one that does nothing',
    fallback: 1024,
    parse: whole(16, 65_536),
  },
  {
    key: 'signUp',
    flag: 'sign-up',
    value: 'open|first-user',
    help: 'who may sign up; default: everyone on this machine, or only the first user if others can connect',
    fallback: null,
    parse: (value) => (value === 'open' || value === 'first-user' ? value : undefined),
    change: 'restart',
  },
  {
    key: 'commonPasswords',
    flag: 'common-passwords',
    value: 'allow|refuse',
    help: 'whether a new password may be one of the most used ones',
    fallback: 'allow',
    parse: (value) => (value === 'allow' || value === 'refuse' ? value : undefined),
    change: 'at-once',
  },
  {
    key: 'publicUrl',
    flag: 'public-url',
    value: 'URL',
    help: 'address under which browsers reach the service, where it differs',
    fallback: null,
    parse: webUrl,
    change: 'restart',
  },
  {
    key: 'googleClientId',
    flag: 'google-client-id',
    value: 'ID',
    help: 'sign-in with Google',
    fallback: null,
    parse: text,
    change: 'at-once',
  },
  {
    key: 'googleClientSecret',
    flag: 'google-client-secret',
    value: 'SECRET',
    help: SECRET,
    fallback: null,
    parse: text,
    change: 'at-once',
    secret: true,
  },
  {
    key: 'googleIssuer',
    flag: 'google-issuer',
    value: 'URL',
    help: 'OpenID issuer of that sign-in',
    fallback: 'https://accounts.google.com',
    parse: webUrl,
  },
  {
    key: 'githubClientId',
    flag: 'github-client-id',
    value: 'ID',
    help: 'sign-in with GitHub',
    fallback: null,
    parse: text,
    change: 'at-once',
  },
  {
    key: 'githubClientSecret',
    flag: 'github-client-secret',
    value: 'SECRET',
    help: SECRET,
    fallback: null,
    parse: text,
    change: 'at-once',
    secret: true,
  },
  {
    key: 'githubUrl',
    flag: 'github-url',
    value: 'URL',
    help: 'where that sign-in happens',
    fallback: 'https://github.com',
    parse: webUrl,
  },
  {
    key: 'githubApiUrl',
    flag: 'github-api-url',
    value: 'URL',
    help: 'where it asks who signed in',
    fallback: 'https://api.github.com',
    parse: webUrl,
  },
  {
    key: 'smtpUrl',
    flag: 'smtp-url',
    value: 'URL',
    help: `mail server for invitations; ${SECRET}`,
    fallback: null,
    parse: url,
    change: 'at-once',
    secret: true,
  },
  {
    key: 'smtpFrom',
    flag: 'smtp-from',
    value: 'ADDRESS',
    help: 'sender of invitations: one address, with a name before it or without',
    fallback: 'countersign@localhost',
    parse: sender,
    change: 'at-once',
  },
  {
    key: 'webhookAllowPrivate',
    flag: 'webhook-allow-private',
    help: 'let webhooks go to private and loopback addresses',
    fallback: false,
    parse: onOff,
  },
  {
    key: 'backupDir',
    flag: 'backup-dir',
    value: 'DIR',
    help: 'folder for the backups that the service makes; without it backups in the data folder',
    fallback: null,
    parse: text,
  },
  {
    key: 'backupEvery',
    flag: 'backup-every',
    value: 'off|day|week',
    help: 'make a backup every day or every Monday',
    fallback: 'off',
    parse: (value) => (value === 'off' || value === 'day' || value === 'week' ? value : undefined),
    change: 'at-once',
  },
  {
    key: 'backupHour',
    flag: 'backup-hour',
    value: 'N',
    help: 'hour of the day for it, in UTC',
    fallback: 3,
    parse: whole(0, 23),
    change: 'at-once',
  },
  {
    key: 'backupKeep',
    flag: 'backup-keep',
    value: 'N',
    help: 'how many of these backups to keep',
    fallback: 7,
    parse: whole(1, 1000),
    change: 'at-once',
  },
  {
    key: 'archiveTo',
    flag: 'archive-to',
    value: 'FOLDER|s3://BUCKET/PREFIX',
    help: 'ship what is sealed to this archive',
    fallback: null,
    parse: text,
  },
  {
    key: 'archiveEndpoint',
    flag: 'archive-endpoint',
    value: 'URL',
    help: "address of an object store other than Amazon's",
    fallback: null,
    parse: webUrl,
  },
  {
    key: 'archiveKey',
    flag: 'archive-key',
    value: 'KEY@ORG_ID[,…]',
    help: 'whose decisions about payloads in the archive are followed, as `archive serve` prints it',
    fallback: null,
    parse: archiveKeys,
  },
  {
    key: 'archiveEvery',
    flag: 'archive-every',
    value: 'day|hour',
    help: 'ship what is sealed once its day (UTC) is over, or every hour',
    fallback: 'day',
    parse: (value) => (value === 'day' || value === 'hour' ? value : undefined),
    change: 'at-once',
  },
  {
    key: 'syslogTo',
    flag: 'syslog-to',
    value: 'HOST:PORT',
    help: 'send the records of the home organization to this syslog server, over TLS; port 6514 where none is named',
    fallback: null,
    parse: hostAndPort,
  },
  {
    key: 'syslogCa',
    flag: 'syslog-ca',
    value: 'FILE',
    help: "PEM file of the authorities that the syslog server's certificate may be from, in place of the system's",
    fallback: null,
    parse: text,
  },
  {
    key: 'syslogCert',
    flag: 'syslog-cert',
    value: 'FILE',
    help: 'PEM file of the certificate that is shown to the syslog server',
    fallback: null,
    parse: text,
  },
  {
    key: 'syslogKey',
    flag: 'syslog-key',
    value: 'FILE',
    help: 'PEM file of its private key',
    fallback: null,
    parse: text,
  },
  {
    key: 'acceptRollback',
    flag: 'accept-rollback',
    value: 'ID',
    help: 'go on with a ledger that was set back; the refusal to start names the ID',
    fallback: null,
    parse: (value) => (/^[0-9a-f]{16}$/.test(value) ? value : undefined),
  },
  {
    key: 'acceptClock',
    flag: 'accept-clock',
    value: 'ID',
    help: "sign although the machine's clock is far ahead of what it should be; the warning at the start names the ID",
    fallback: null,
    parse: (value) => (/^[0-9a-f]{16}$/.test(value) ? value : undefined),
  },
  {
    key: 'correctClock',
    flag: 'correct-clock',
    value: 'ID',
    help: "set the times of a ledger that signed under a wrong clock back to the machine's; the warning at the start names the ID",
    fallback: null,
    parse: (value) => (/^[0-9a-f]{16}$/.test(value) ? value : undefined),
  },
  {
    key: 'acceptDamage',
    flag: 'accept-damage',
    help: 'start with a damaged ledger, to read it: what is damaged takes no records',
    fallback: false,
    parse: onOff,
  },
  {
    key: 'keyPassphraseFile',
    flag: 'key-passphrase-file',
    value: 'FILE',
    help: 'file with the passphrase of protected keys in its first line',
    fallback: null,
    parse: text,
  },
  {
    key: 'caseMaxBytes',
    flag: 'case-max-bytes',
    value: 'N',
    help: 'largest file that can be uploaded for a case',
    fallback: 4_294_967_296,
    parse: whole(1024, 999_999_999_999),
  },
  {
    key: 'exportKeepDays',
    flag: 'export-keep-days',
    value: 'off|N',
    help: 'delete an export this many days after it was requested',
    fallback: 30,
    parse: (value) => (value === 'off' ? null : whole(1, 36_500)(value)),
    change: 'at-once',
  },
  ...QUOTA_SETTINGS,
  {
    key: 'trustStore',
    flag: 'trust-store',
    value: 'FILE',
    help: 'your trust store, if not the usual place; empty for none',
    fallback: null,
    parse: (value) => value,
  },
];
