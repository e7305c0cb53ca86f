// Any program of the machine can reach the port and sign up. Only who has the one-time set-up code, or a workstation
// session, makes the organization that administers the service.
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startService } from '../../src/service/index.ts';
import { isSetUpCode, newSetUpCode } from '../../src/service/people/organizations/set-up-code.ts';
import { enterWorkstation } from '../support/cases.ts';
import { type Client, expectError } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type Account, eventsOf, TestService } from '../support/service.ts';

function accountBody(further: object = {}): Record<string, unknown> {
  const email = `${randomUUID()}@example.org`;
  return { email, password: 'correct horse battery', name: 'Somebody', org_name: 'Some organization', ...further };
}

function signUp(client: Client, further: object = {}) {
  return client.call('signUp', { body: accountBody(further) });
}

async function administers({ client }: Pick<Account, 'client'>): Promise<boolean> {
  const { administered_here, settings } = await client.ok('getSettings');
  expect(settings.length > 0).toBe(administered_here);
  return administered_here;
}

describe('a program that signs up first', () => {
  it('is an owner, of an organization that administers nothing', async () => {
    const service = await TestService.start();
    const first = await service.signUpGuest('quickest');
    expect(await first.client.ok('session')).toMatchObject({ role: 'org_owner', orgId: first.orgId });
    expect(await administers(first)).toBe(false);
    const { keys } = await first.client.ok('listServiceKeys');
    expectError(await first.client.call('changeSettings', { body: { settings: { 'rate-limit': 1 } } }), 'FORBIDDEN');
    expectError(await first.client.call('rotateServiceKey', { body: { kid: keys[0]?.kid ?? '' } }), 'FORBIDDEN');
    expectError(await first.client.call('createBackup'), 'FORBIDDEN');
    // Whoever runs the service still claims it.
    expect(await service.client().ok('setUpState')).toEqual({ has_home: false, takes_sign_ups: true });
    const owner = await service.signUp();
    expect(await administers(owner)).toBe(true);
    expect(await administers(first)).toBe(false);
    expect(await service.client().ok('setUpState')).toEqual({ has_home: true, takes_sign_ups: true });
    expect((await eventsOf(owner, 'org.create'))[0]?.details).toMatchObject({ claimed_home_by: 'code' });
    expect((await eventsOf(first, 'org.create'))[0]?.details).not.toHaveProperty('claimed_home_by');
  });

  it('does not keep whoever has the code out where only the first may sign up', async () => {
    const service = await TestService.start({ signUp: 'first-user' });
    await service.signUpGuest();
    expectError(await signUp(service.client()), 'FORBIDDEN');
    expect(await administers(await service.signUp())).toBe(true);
    expectError(await signUp(service.client()), 'FORBIDDEN');
    expect((await service.client().ok('setUpState')).takes_sign_ups).toBe(false);
  });

  it('gets nowhere by onboarding either', async () => {
    const service = await TestService.start();
    const [personal, organization, owner] = [service.addUser(null), service.addUser(null), service.addUser(null)];
    await personal.client.ok('onboardPersonal');
    await organization.client.ok('onboardOrganization', { body: { org_name: 'Quick' } });
    expect(await administers(personal)).toBe(false);
    expect(await administers(organization)).toBe(false);
    await owner.client.ok('onboardPersonal', { body: { setup_code: service.setUpCode() } });
    expect(await administers(owner)).toBe(true);
  });
});

describe('the set-up code', () => {
  it('has 140 bits, and is taken as people type it', () => {
    const code = newSetUpCode();
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){6}$/);
    expect(newSetUpCode()).not.toBe(code);
    expect(isSetUpCode(code, code)).toBe(true);
    expect(isSetUpCode(code, ` ${code.toLowerCase().replaceAll('-', ' ')}`)).toBe(true);
    expect(isSetUpCode(code, code.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('-', ''))).toBe(true);
    const last = code.endsWith('7') ? '8' : '7';
    for (const wrong of ['', '-', code.slice(0, -1), `${code}0`, code.slice(0, -1) + last, newSetUpCode()]) {
      expect(isSetUpCode(code, wrong), wrong).toBe(false);
    }
  });

  it('is refused when it is wrong, makes no account then, and cannot be guessed at will', async () => {
    const service = await TestService.start();
    await service.restart();
    const before = service.trace();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => signUp(service.client(), { setup_code: newSetUpCode() })),
    );
    const codes = answers.map(({ body }) => (body as unknown as { error: { code: string } }).error.code);
    expect(codes.filter((code) => code === 'FORBIDDEN')).toHaveLength(10);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(20);
    expect(service.trace()).toEqual(before);
    // Nobody is kept out by this: a browser at the workstation needs no code, and other programs sign up as ever.
    expect((await signUp(service.client())).status).toBe(201);
    expect((await signUp(await enterWorkstation(service))).status).toBe(201);
    expect((await service.client().ok('setUpState')).has_home).toBe(true);
  });

  it('is taken where it is right, however many wrong ones came before from the same address', async () => {
    const service = await TestService.start();
    const wrong = Array.from({ length: 30 }, () => signUp(service.client(), { setup_code: newSetUpCode() }));
    const statuses = (await Promise.all(wrong)).map(({ status }) => status);
    expect(statuses).toContain(429);
    expect(await administers(await service.signUp())).toBe(true);
  });

  it('works once, also where several come with it at the same time', async () => {
    const service = await TestService.start();
    const setup_code = service.setUpCode() ?? '';
    const path = join(service.dataDir, 'set-up-code.json');
    expect(existsSync(path)).toBe(true);
    const answers = await Promise.all(Array.from({ length: 4 }, () => signUp(service.client(), { setup_code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(service.setUpCode()).toBeNull();
    expect(existsSync(path)).toBe(false);
    expectError(await signUp(service.client(), { setup_code }), 'CONFLICT', 'setup_code');
    await service.restart();
    expect(service.setUpCode()).toBeNull();
    expectError(await signUp(service.client(), { setup_code }), 'CONFLICT', 'setup_code');
    expect(service.sql.prepare('SELECT count(*) FROM organizations').pluck().get()).toBe(1);
  });

  it('stays the same over a restart, in a file for this user alone', async () => {
    const service = await TestService.start();
    const code = service.setUpCode();
    expect(statSync(join(service.dataDir, 'set-up-code.json')).mode & 0o777).toBe(0o600);
    await service.restart();
    expect(service.setUpCode()).toBe(code);
    await service.signUp();
    expect(service.setUpCode()).toBeNull();
  });

  it('is never in the log', async () => {
    const lines: string[] = [];
    const dataDir = join(temporaryFolder(), 'data');
    const log = { write: (line: string) => void lines.push(line) };
    const running = await startService({ dataDir, port: 0, logLevel: 'trace', trustStore: '' }, { log });
    const service = TestService.over(running, dataDir);
    const [code, wrong] = [service.setUpCode() ?? '', newSetUpCode()];
    await signUp(service.client(), { setup_code: wrong });
    await signUp(service.client(), { setup_code: code });
    await signUp(service.client(), { setup_code: code });
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toContain(code);
    expect(lines.join('')).not.toContain(wrong);
  });
});

describe('a workstation session', () => {
  it('makes the home organization without a code, and guests afterwards', async () => {
    const service = await TestService.start();
    const desk = await enterWorkstation(service);
    const owner = (await signUp(desk)).body;
    expect(await administers({ client: service.client(owner.token) })).toBe(true);
    expect(service.setUpCode()).toBeNull();
    const next = (await signUp(desk)).body;
    expect(await administers({ client: service.client(next.token) })).toBe(false);
  });

  it('is of no use to a page elsewhere that makes the browser sign up', async () => {
    const service = await TestService.start();
    const desk = await enterWorkstation(service);
    const headers = { origin: 'http://127.0.0.1:1' };
    expectError(await desk.call('signUp', { body: accountBody(), headers }), 'FORBIDDEN');
    expect((await service.client().ok('setUpState')).has_home).toBe(false);
  });
});
