// docs/settings.md: what is in force, where it comes from, and changes while the service runs.
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Setting } from '../../../src/api/index.ts';
import { givenSettings, startService } from '../../../src/service/index.ts';
import { expectError } from '../../support/client.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { type Account, eventsOf, firstOwner, registerAgent, submitNext, TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
let owner = await service.signUp();
const guest = await service.signUp('guest');

const change = ({ client }: Account, settings: object) => client.call('changeSettings', { body: { settings } });
const fileOf = (dataDir: string) => join(dataDir, 'settings.json');

async function settingOf({ client }: Account, name: string): Promise<Setting> {
  const { settings } = await client.ok('getSettings');
  const setting = settings.find((one) => one.name === name);
  if (setting === undefined) throw new Error(`there is no setting ${name}`);
  return setting;
}

describe('GET /v1/settings', () => {
  it('says where each comes from, and why some cannot be changed here', async () => {
    expect(await settingOf(owner, 'epoch-interval')).toMatchObject({ value: 60, origin: 'default', changeable: true });
    expect(await settingOf(owner, 'port')).toMatchObject({ origin: 'program', changeable: false, value: 0 });
    expect((await settingOf(owner, 'max-body-bytes')).reason).toMatch(/when the service is started/);
  });

  it('names the place of what is given at the start, which no change gets past', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const { values, origins } = givenSettings({
      commandLine: { 'data-dir': dataDir, port: '0' },
      environment: { COUNTERSIGN_EPOCH_INTERVAL: '7', COUNTERSIGN_LOG_LEVEL: 'silent' },
      configFile: { 'epoch-interval': '9', 'smtp-from': 'config@example.org' },
    });
    const other = await startService(values, { origins });
    try {
      const account = await firstOwner(other.url, other.dataDir);
      const fixed = async (name: string) => settingOf(account, name);
      expect(await fixed('port')).toMatchObject({ origin: 'command_line', changeable: false });
      expect((await fixed('port')).reason).toContain('--port');
      expect(await fixed('epoch-interval')).toMatchObject({ origin: 'environment', value: 7 });
      expect((await fixed('epoch-interval')).reason).toContain('COUNTERSIGN_EPOCH_INTERVAL');
      expect(await fixed('smtp-from')).toMatchObject({ origin: 'config_file', value: 'config@example.org' });
      expectError(await change(account, { 'epoch-interval': 8 }), 'CONFLICT', 'epoch-interval');
      expectError(await change(account, { 'smtp-from': 'x@y' }), 'CONFLICT', 'smtp-from');
      expect((await fixed('epoch-interval')).value).toBe(7);
    } finally {
      await other.close();
    }
  });

  it('tells an organization that is a guest nothing', async () => {
    expect(await guest.client.ok('getSettings')).toEqual({ settings: [], data_dir: null, administered_here: false });
  });
});

describe('PATCH /v1/settings', () => {
  it('holds at once, in a file that only this user may read', async () => {
    expect((await change(owner, { 'epoch-max-leaves': 1 })).status).toBe(200);
    await submitNext(owner, await registerAgent(owner));
    expect((await owner.client.ok('listEpochs')).data).toHaveLength(1);
    expect(await settingOf(owner, 'epoch-max-leaves')).toMatchObject({ value: 1, origin: 'stored' });
    expect(JSON.parse(readFileSync(fileOf(service.dataDir), 'utf8'))).toEqual({ 'epoch-max-leaves': '1' });
    expect(statSync(fileOf(service.dataDir)).mode & 0o777).toBe(0o600);
  });

  it('takes the default again where null is given', async () => {
    await change(owner, { 'epoch-max-leaves': null });
    expect(await settingOf(owner, 'epoch-max-leaves')).toMatchObject({ value: 65_536, origin: 'default' });
    expect(JSON.parse(readFileSync(fileOf(service.dataDir), 'utf8'))).toEqual({});
  });

  it('configures the sign-in with a provider without a restart', async () => {
    const ask = () => owner.client.call('signInSocial', { body: { provider: 'github', callbackURL: '/' } });
    expectError(await ask(), 'NOT_CONFIGURED');
    await change(owner, { 'github-client-id': 'the-id', 'github-client-secret': 'a-github-secret' });
    expect((await ask()).body.url).toContain('client_id=the-id');
    await change(owner, { 'github-client-id': null, 'github-client-secret': null });
    expectError(await ask(), 'NOT_CONFIGURED');
  });

  it('limits requests from then on', async () => {
    const other = await startService({ dataDir: join(temporaryFolder(), 'data'), port: 0, logLevel: 'silent' });
    try {
      const account = await firstOwner(other.url, other.dataDir);
      await change(account, { 'rate-limit': 1 });
      const answers = [await account.client.call('session'), await account.client.call('session')];
      expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    } finally {
      await other.close();
    }
  });

  it('never answers or notes a secret', async () => {
    const secret = 'smtps://user:very-secret@mail.example.org:465';
    const { bytes } = await change(owner, { 'smtp-url': secret, 'google-client-secret': 'also-secret' });
    const shown = await owner.client.call('getSettings');
    const events = await owner.client.call('listAdminEvents', { query: { limit: '100' } });
    for (const text of [bytes, shown.bytes, events.bytes].map((buffer) => buffer.toString('utf8'))) {
      expect(text).not.toMatch(/very-secret|also-secret|user:/);
    }
    expect(await settingOf(owner, 'smtp-url')).toMatchObject({ value: 'smtps://mail.example.org:465', is_set: true });
    expect(await settingOf(owner, 'google-client-secret')).toMatchObject({ value: null, is_set: true });
    const [event] = await eventsOf(owner, 'settings.change');
    expect(event?.details).toEqual({ settings: ['google-client-secret', 'smtp-url'], values: {} });
    const wrong = await change(owner, { 'smtp-url': 'http://user:very-secret@h' });
    expectError(wrong, 'VALIDATION_ERROR', 'smtp');
    expect(wrong.bytes.toString('utf8')).not.toContain('very-secret');
    await change(owner, { 'smtp-url': null, 'google-client-secret': null });
  });

  it.each<[string, object, string]>([
    ['a value that is none', { 'epoch-interval': 0 }, 'epoch-interval'],
    ['an unknown setting', { 'epoch-intervall': 5 }, 'epoch-intervall'],
    ['an address that others can reach without TLS', { host: '0.0.0.0' }, 'tls-cert'],
    ['nothing at all', {}, 'settings'],
    ['an object', { 'epoch-interval': { n: 1 } }, 'settings'],
  ])('refuses %s, and changes nothing', async (_, settings, member) => {
    const before = readFileSync(fileOf(service.dataDir), 'utf8');
    expectError(await change(owner, settings), 'VALIDATION_ERROR', member);
    expect(readFileSync(fileOf(service.dataDir), 'utf8')).toBe(before);
  });

  it('refuses all of it where one is wrong', async () => {
    expectError(await change(owner, { 'backup-keep': 3, 'epoch-interval': 0 }), 'VALIDATION_ERROR');
    expect((await settingOf(owner, 'backup-keep')).value).toBe(7);
  });

  it('refuses a guest, and anybody below an owner', async () => {
    expectError(await change(guest, { 'epoch-interval': 5 }), 'FORBIDDEN', 'home organization');
    const admin = service.addMember(owner, 'security_admin');
    expectError(await change(admin, { 'epoch-interval': 5 }), 'FORBIDDEN', 'org_owner');
  });

  it('waits for a restart where it has to, and takes effect then', async () => {
    await change(owner, { 'public-url': 'https://audit.example.org', 'epoch-interval': 30 });
    const waiting = { value: null, after_restart: 'https://audit.example.org', waits_for_restart: true };
    expect(await settingOf(owner, 'public-url')).toMatchObject(waiting);
    await service.restart();
    owner = { ...owner, client: service.client(owner.client.token) };
    const held = { value: 'https://audit.example.org', origin: 'stored', waits_for_restart: false };
    expect(await settingOf(owner, 'public-url')).toMatchObject(held);
    expect((await settingOf(owner, 'epoch-interval')).value).toBe(30);
    await change(owner, { 'public-url': null, 'epoch-interval': null });
  });

  it('is one after the other, however many come at once', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, n) => change(owner, { 'backup-keep': n + 1 })));
    const stored = JSON.parse(readFileSync(fileOf(service.dataDir), 'utf8'));
    expect(String((await settingOf(owner, 'backup-keep')).value)).toBe(stored['backup-keep']);
    await change(owner, { 'backup-keep': null });
  });
});

describe('a start', () => {
  it.each<[string, string, number]>([
    ['damaged', '{"epoch-interval": ', 0o600],
    ['of an unknown member', '{"epoch": "1"}', 0o600],
    ['with a value that is none', '{"epoch-interval": "0"}', 0o600],
    ['that others can read', '{}', 0o644],
  ])('is refused with stored settings that are %s', async (_, text, mode) => {
    const dataDir = temporaryFolder();
    writeFileSync(fileOf(dataDir), text);
    chmodSync(fileOf(dataDir), mode);
    const starting = startService({ dataDir, port: 0, logLevel: 'silent' });
    await expect(starting).rejects.toMatchObject({ code: 'SETTING_INVALID' });
  });
});

describe('the use of API tokens', () => {
  it('is noted', async () => {
    const { token } = await owner.client.ok('createToken', { body: {} });
    const [row] = (await owner.client.ok('listTokens')).tokens;
    expect(row?.last_used_at).toBeNull();
    await service.client(token).ok('session');
    const used = await until('the note', async () => {
      const { tokens } = await owner.client.ok('listTokens');
      return tokens.find(({ id }) => id === row?.id)?.last_used_at ?? false;
    });
    expect(Math.abs(used - Date.now() / 1000)).toBeLessThan(60);
  });
});
