import { describe, expect, it } from 'vitest';
import { environmentName, resolveSettings, SETTINGS, type SettingSources } from '../../src/service/index.ts';
import { StartError } from '../../src/service/store/base/service-error.ts';

const sources = (given: Partial<SettingSources> = {}): SettingSources => ({
  commandLine: {},
  environment: {},
  configFile: {},
  ...given,
});

function refusal(given: Partial<SettingSources>): StartError {
  try {
    resolveSettings(sources(given), null);
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error('the settings were accepted');
}

/** For each setting a value that is not the default, one that is no value for it, and a third one. */
const EXAMPLES: Record<string, { good: [string, unknown]; other: [string, unknown]; bad: string[] }> = {
  'data-dir': { good: ['/somewhere', '/somewhere'], other: ['here', 'here'], bad: [''] },
  host: { good: ['127.0.0.2', '127.0.0.2'], other: ['localhost', 'localhost'], bad: [''] },
  port: { good: ['0', 0], other: ['65535', 65_535], bad: ['', '-1', '65536', '80.5', 'http', '0x50', ' 80', '1e3'] },
  'rate-limit': { good: ['off', null], other: ['7', 7], bad: ['', '0', '-1', 'on', 'OFF', '1.5'] },
  'epoch-interval': { good: ['1', 1], other: ['86400', 86_400], bad: ['0', '86401', '0.5', '1m', 'off'] },
  'epoch-max-leaves': { good: ['1', 1], other: ['1048576', 1_048_576], bad: ['0', '1048577', ''] },
  'max-payload-bytes': { good: ['2', 2], other: ['8388608', 8_388_608], bad: ['1', '8388609', '256k'] },
  'max-body-bytes': { good: ['1024', 1024], other: ['67108864', 67_108_864], bad: ['1023', '67108865'] },
  'log-level': { good: ['silent', 'silent'], other: ['trace', 'trace'], bad: ['', 'loud', 'WARN'] },
  insecure: { good: ['on', true], other: ['true', true], bad: ['', 'yes', 'ON'] },
  'tls-cert': { good: ['c.pem', 'c.pem'], other: ['d.pem', 'd.pem'], bad: [''] },
  'tls-key': { good: ['k.pem', 'k.pem'], other: ['l.pem', 'l.pem'], bad: [''] },
  'sign-up': { good: ['open', 'open'], other: ['first-user', 'first-user'], bad: ['', 'closed'] },
  'max-connections': { good: ['16', 16], other: ['65536', 65_536], bad: ['15', '65537', 'off'] },
  'quota-organizations': { good: ['1', 1], other: ['777', 777], bad: ['0', 'off', '-1'] },
  'quota-webhooks': { good: ['1', 1], other: ['777', 777], bad: ['0', 'off', '-1'] },
  'quota-deliveries': { good: ['1', 1], other: ['777', 777], bad: ['0', 'off', '-1'] },
  'quota-invitations': { good: ['1', 1], other: ['777', 777], bad: ['0', 'off', '-1'] },
  'quota-tokens': { good: ['1', 1], other: ['777', 777], bad: ['0', 'off', '-1'] },
  'quota-exports': { good: ['1', 1], other: ['777', 777], bad: ['0', 'off', '-1'] },
  'quota-export-bytes': { good: ['1', 1], other: ['777', 777], bad: ['0', 'off', '-1'] },
  'quota-uploads': { good: ['1', 1], other: ['777', 777], bad: ['0', 'off', '-1'] },
  'quota-record-bytes': { good: ['1', 1], other: ['777', 777], bad: ['0', 'off', '-1'] },
  'quota-agent-bytes': { good: ['1', 1], other: ['777', 777], bad: ['0', 'off', '-1'] },
  'home-reserve-bytes': { good: ['0', 0], other: ['777', 777], bad: ['off', '-1'] },
  'quota-cases': { good: ['1', 1], other: ['777', 777], bad: ['0', 'off', '-1'] },
  'quota-case-bytes': { good: ['1', 1], other: ['777', 777], bad: ['0', 'off', '-1'] },
  'export-keep-days': { good: ['off', null], other: ['36500', 36_500], bad: ['0', '36501'] },
  'common-passwords': { good: ['refuse', 'refuse'], other: ['allow', 'allow'], bad: ['', 'on', 'REFUSE'] },
  'max-batch-bytes': { good: ['1024', 1024], other: ['268435456', 268_435_456], bad: ['1023', '268435457'] },
  'public-url': {
    good: ['https://audit.example/', 'https://audit.example'],
    other: ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
    bad: ['', 'audit.example', '/audit'],
  },
  'google-client-id': { good: ['id', 'id'], other: ['id2', 'id2'], bad: [''] },
  'google-client-secret': { good: ['s', 's'], other: ['s2', 's2'], bad: [''] },
  'google-issuer': {
    good: ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
    other: ['https://a.b', 'https://a.b'],
    bad: ['', 'x'],
  },
  'github-client-id': { good: ['id', 'id'], other: ['id2', 'id2'], bad: [''] },
  'github-client-secret': { good: ['s', 's'], other: ['s2', 's2'], bad: [''] },
  'github-url': {
    good: ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
    other: ['https://a.b', 'https://a.b'],
    bad: ['', 'x'],
  },
  'github-api-url': {
    good: ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
    other: ['https://a.b', 'https://a.b'],
    bad: ['', 'x'],
  },
  'smtp-url': {
    good: ['smtp://127.0.0.1:25', 'smtp://127.0.0.1:25'],
    other: ['smtps://a.b', 'smtps://a.b'],
    bad: ['', 'a b'],
  },
  'smtp-from': {
    good: ['a@b', 'a@b'],
    other: ['Audit <c@d>', 'Audit <c@d>'],
    bad: ['', 'nobody', 'a@b, c@d', 'a@b\r\nBcc: c@d', 'a@b Bcc:c@d', 'A <a@b', 'a@b <c@d>'],
  },
  'webhook-allow-private': { good: ['on', true], other: ['true', true], bad: ['', 'yes'] },
  'backup-dir': { good: ['/b', '/b'], other: ['c', 'c'], bad: [''] },
  'backup-every': { good: ['day', 'day'], other: ['week', 'week'], bad: ['', 'hour', 'on'] },
  'backup-hour': { good: ['0', 0], other: ['23', 23], bad: ['24', '-1', '3:00', ''] },
  'backup-keep': { good: ['1', 1], other: ['1000', 1000], bad: ['0', '1001', ''] },
  'archive-to': { good: ['/mnt/archive', '/mnt/archive'], other: ['s3://b/p', 's3://b/p'], bad: [''] },
  'archive-endpoint': {
    good: ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
    other: ['https://a.b', 'https://a.b'],
    bad: ['', 'x'],
  },
  'syslog-to': {
    good: ['siem.example.org', 'siem.example.org:6514'],
    other: ['[::1]:601', '[::1]:601'],
    bad: ['', 'a b', 'https://a.b', 'a:b', 'a:70000', 'user@a', 'a/b', ':601'],
  },
  'syslog-ca': { good: ['/etc/ca.pem', '/etc/ca.pem'], other: ['ca.pem', 'ca.pem'], bad: [''] },
  'syslog-cert': { good: ['/etc/cert.pem', '/etc/cert.pem'], other: ['cert.pem', 'cert.pem'], bad: [''] },
  'syslog-key': { good: ['/etc/key.pem', '/etc/key.pem'], other: ['key.pem', 'key.pem'], bad: [''] },
  'archive-key': {
    good: [`${'A'.repeat(43)}@o`, `${'A'.repeat(43)}@o`],
    other: [`${'A'.repeat(43)}@o,${'B'.repeat(43)}@p`, `${'A'.repeat(43)}@o,${'B'.repeat(43)}@p`],
    bad: ['', 'A'.repeat(43), 'o', `${'A'.repeat(43)}@`, `${'A'.repeat(43)}@o,`],
  },
  'archive-every': { good: ['day', 'day'], other: ['hour', 'hour'], bad: ['', 'week'] },
  'accept-rollback': {
    good: ['0123456789abcdef', '0123456789abcdef'],
    other: ['fedcba9876543210', 'fedcba9876543210'],
    bad: ['', 'on', '0123456789abcde', '0123456789ABCDEF'],
  },
  'accept-clock': {
    good: ['0123456789abcdef', '0123456789abcdef'],
    other: ['fedcba9876543210', 'fedcba9876543210'],
    bad: ['', 'on', '0123456789abcde', '0123456789ABCDEF'],
  },
  'correct-clock': {
    good: ['0123456789abcdef', '0123456789abcdef'],
    other: ['fedcba9876543210', 'fedcba9876543210'],
    bad: ['', 'on', '0123456789abcde', '0123456789ABCDEF'],
  },
  'case-max-bytes': { good: ['1024', 1024], other: ['4096', 4096], bad: ['', '1023', '1g'] },
  // Empty is a value: no trust store.
  'trust-store': { good: ['', ''], other: ['trust.json', 'trust.json'], bad: [] },
  'accept-damage': { good: ['on', true], other: ['true', true], bad: ['', 'yes'] },
  'key-passphrase-file': { good: ['p.txt', 'p.txt'], other: ['q.txt', 'q.txt'], bad: [''] },
};
/** What must be given beside a setting, for it to be accepted at all. */
const COMPANIONS: Record<string, Record<string, string>> = {
  'tls-cert': { 'tls-key': 'key.pem' },
  'tls-key': { 'tls-cert': 'cert.pem' },
};

describe('settings', () => {
  it('have the defaults that the decisions name', () => {
    expect(resolveSettings(sources(), null)).toEqual({
      commonPasswords: 'allow',
      dataDir: 'countersign-data',
      host: '127.0.0.1',
      port: 8787,
      rateLimit: 12_000,
      epochIntervalSeconds: 60,
      epochMaxLeaves: 65_536,
      maxPayloadBytes: 262_144,
      maxBodyBytes: 1_048_576,
      tlsCert: null,
      tlsKey: null,
      insecure: false,
      logLevel: 'warn',
      maxBatchBytes: 16_777_216,
      signUp: null,
      publicUrl: null,
      googleClientId: null,
      googleClientSecret: null,
      googleIssuer: 'https://accounts.google.com',
      githubClientId: null,
      githubClientSecret: null,
      githubUrl: 'https://github.com',
      githubApiUrl: 'https://api.github.com',
      smtpUrl: null,
      smtpFrom: 'countersign@localhost',
      webhookAllowPrivate: false,
      acceptRollback: null,
      acceptClock: null,
      correctClock: null,
      backupDir: null,
      backupEvery: 'off',
      backupHour: 3,
      backupKeep: 7,
      archiveTo: null,
      archiveEndpoint: null,
      archiveKey: null,
      archiveEvery: 'day',
      syslogTo: null,
      syslogCa: null,
      syslogCert: null,
      syslogKey: null,
      acceptDamage: false,
      keyPassphraseFile: null,
      caseMaxBytes: 4_294_967_296,
      maxConnections: 1024,
      exportKeepDays: 30,
      quotaOrganizations: 1000,
      quotaWebhooks: 50,
      quotaDeliveries: 2000,
      quotaInvitations: 500,
      quotaTokens: 500,
      quotaExports: 500,
      quotaRecordBytes: 20_000_000_000,
      quotaAgentBytes: 100_000_000_000,
      homeReserveBytes: 1_000_000_000,
      quotaExportBytes: 20_000_000_000,
      quotaUploads: 100,
      quotaCases: 1000,
      quotaCaseBytes: 100_000_000_000,
      trustStore: null,
      rendererDir: null,
    });
  });

  it('are all in the table of this test', () => {
    expect(Object.keys(EXAMPLES).toSorted()).toEqual(SETTINGS.map(({ flag }) => flag).toSorted());
  });

  it.each(SETTINGS.map((setting) => [setting.flag, setting] as const))(
    '--%s: command line before environment before configuration file before default',
    (flag, setting) => {
      const { good, other } = EXAMPLES[flag] ?? { good: ['', ''], other: ['', ''] };
      const name = environmentName(setting);
      expect(name).toMatch(/^COUNTERSIGN_[A-Z_]+$/);
      const companions = COMPANIONS[flag] ?? {};
      const value = (given: Partial<SettingSources>): unknown =>
        resolveSettings(sources({ ...given, configFile: { ...companions, ...given.configFile } }), null)[setting.key];
      expect(value({ configFile: { [flag]: good[0] } })).toBe(good[1]);
      expect(value({ environment: { [name]: good[0] }, configFile: { [flag]: other[0] } })).toBe(good[1]);
      expect(value({ commandLine: { [flag]: good[0] }, environment: { [name]: other[0] } })).toBe(good[1]);
      expect(
        value({
          commandLine: { [flag]: other[0] },
          environment: { [name]: good[0] },
          configFile: { [flag]: good[0] },
        }),
      ).toBe(other[1]);
    },
  );

  it.each(
    SETTINGS.flatMap((setting) =>
      (EXAMPLES[setting.flag]?.bad ?? []).map((bad) => [setting.flag, bad, setting] as const),
    ),
  )('--%s: "%s" is refused, wherever it stands, and the place is named', (flag, bad, setting) => {
    const name = environmentName(setting);
    const places: [string, Partial<SettingSources>][] = [
      [`--${flag}`, { commandLine: { [flag]: bad } }],
      [name, { environment: { [name]: bad } }],
      [`"${flag}"`, { configFile: { [flag]: bad } }],
    ];
    for (const [place, given] of places) {
      const error = refusal(given);
      expect(error.code).toBe('SETTING_INVALID');
      expect(error.message).toContain(place);
    }
  });

  it('keep the first place even where its value is wrong and a later one is right', () => {
    expect(refusal({ commandLine: { port: 'x' }, configFile: { port: '1' } }).message).toContain('--port');
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.org', '127.0.0.1.example.org', '0:0:0:0:0:0:0:1'])(
    'do not let it listen on %s without TLS, unless that is said',
    (host) => {
      expect(refusal({ commandLine: { host } })).toMatchObject({ code: 'SETTING_INVALID' });
      expect(refusal({ commandLine: { host, insecure: 'off' } }).code).toBe('SETTING_INVALID');
      expect(resolveSettings(sources({ commandLine: { host, insecure: 'on' } }), null).host).toBe(host);
      const tls = { host, 'tls-cert': 'c.pem', 'tls-key': 'k.pem' };
      expect(resolveSettings(sources({ commandLine: tls }), null).host).toBe(host);
    },
  );

  it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('let it listen on %s', (host) => {
    expect(resolveSettings(sources({ commandLine: { host } }), null).host).toBe(host);
  });

  it.each(['tls-cert', 'tls-key'])('want both files of TLS: --%s alone is refused', (flag) => {
    expect(refusal({ commandLine: { [flag]: 'x.pem' } }).code).toBe('SETTING_INVALID');
  });
});
