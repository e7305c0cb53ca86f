import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { startService } from '../../src/service/index.ts';
import { atEnd } from '../support/cleanup.ts';
import { expectError, send } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { PATIENCE_MS, serve } from '../support/processes.ts';
import { refusedStart } from '../support/refused-start.ts';
import { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolder();
let folders = 0;
const newFolder = (): string => join(folder, `data-${folders++}`);

describe('a start', () => {
  it('makes the data folder, for its user alone, and tells where it listens', async () => {
    const dataDir = join(newFolder(), 'deeper', 'still');
    const service = await startService({ dataDir, port: 0, logLevel: 'silent' });
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect(statSync(dataDir).mode & 0o077).toBe(0);
    expect((await send(service.url, { path: '/v1/health' })).status).toBe(200);
    await service.close();
    await expect(send(service.url, { path: '/v1/health' })).rejects.toThrow();
  });

  it('listens on another loopback address', async () => {
    const service = await startService({ dataDir: newFolder(), port: 0, host: '127.0.0.2', logLevel: 'silent' });
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.2:/);
    expect((await send(service.url, { path: '/v1/health' })).status).toBe(200);
    await service.close();
  });

  it('can be stopped twice', async () => {
    const service = await startService({ dataDir: newFolder(), port: 0, logLevel: 'silent' });
    await Promise.all([service.close(), service.close()]);
    await service.close();
  });

  it('answers what is in progress before it stops', async () => {
    const service = await TestService.start();
    const owner = await service.signUp();
    const answered = new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Bearer ${owner.client.token}`, expect: '100-continue', 'content-length': 2 };
      const outgoing = request(`${service.url}/v1/auth/token`, { method: 'POST', headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      outgoing.on('error', reject);
      // The service has begun with the request: now it is told to stop, and then gets the rest.
      outgoing.on('continue', () => {
        stopped = service.stop();
        outgoing.end('{}');
      });
      outgoing.flushHeaders();
    });
    let stopped: Promise<void> | undefined;
    expect(await answered).toBe(201);
    await stopped;
    expect(service.trace()).toMatchObject({ api_tokens: 1 });
  });
});

describe('what prevents a start', () => {
  it('a file in place of the data folder, or of a folder above it', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'content');
    expect(await refusedStart({ dataDir: file })).toMatchObject({ code: 'DATA_DIR_UNUSABLE' });
    expect(await refusedStart({ dataDir: join(file, 'below') })).toMatchObject({ code: 'DATA_DIR_UNUSABLE' });
    expect(readFileSync(file, 'utf8')).toBe('content');
  });

  it('a database of another program, of a newer version, or none at all', async () => {
    const [foreign, newer, none] = [newFolder(), newFolder(), newFolder()];
    for (const dataDir of [foreign, newer, none]) mkdirSync(dataDir);
    new Database(join(foreign, 'ledger.sqlite')).exec('CREATE TABLE recipes (name TEXT)').close();
    await (await startService({ dataDir: newer, port: 0, logLevel: 'silent' })).close();
    const database = new Database(join(newer, 'ledger.sqlite'));
    database.pragma('user_version = 99');
    database.close();
    writeFileSync(join(none, 'ledger.sqlite'), 'none at all '.repeat(100));
    expect(await refusedStart({ dataDir: foreign })).toMatchObject({ code: 'NOT_OUR_DATABASE' });
    expect(await refusedStart({ dataDir: newer })).toMatchObject({ code: 'DATABASE_NEWER' });
    expect(await refusedStart({ dataDir: none })).toMatchObject({ code: 'NOT_OUR_DATABASE' });
  });

  it('a lock file that is not a lock file', async () => {
    const dataDir = newFolder();
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'lock.sqlite'), 'no database '.repeat(100));
    expect(await refusedStart({ dataDir })).toMatchObject({ code: 'DATA_DIR_UNUSABLE' });
  });

  it('a port that is taken; the folder is free again afterwards', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    atEnd(() => server.close());
    await until('the port', () => server.listening);
    const { port } = server.address() as AddressInfo;
    const dataDir = newFolder();
    expect(await refusedStart({ dataDir, port })).toMatchObject({ code: 'ADDRESS_UNAVAILABLE' });
    expect(await refusedStart({ dataDir })).toBeUndefined();
  });

  it('an address that is not of this machine', async () => {
    const settings = { dataDir: newFolder(), host: '192.0.2.1', insecure: true };
    expect(await refusedStart(settings)).toMatchObject({ code: 'ADDRESS_UNAVAILABLE' });
  });

  it('an address beyond this machine without TLS; nothing is made then', async () => {
    const dataDir = newFolder();
    expect(await refusedStart({ dataDir, host: '0.0.0.0' })).toMatchObject({ code: 'SETTING_INVALID' });
    expect(() => statSync(dataDir)).toThrow();
  });

  it.each(['missing.pem', 'nonsense.pem'])('a certificate that cannot be used: %s', async (name) => {
    writeFileSync(join(folder, 'nonsense.pem'), 'nonsense');
    const file = join(folder, name);
    expect(await refusedStart({ dataDir: newFolder(), tlsCert: file, tlsKey: file })).toMatchObject({
      code: 'SETTING_INVALID',
    });
  });
});

describe('a folder in use', () => {
  it('by a service of the same process', async () => {
    const service = await TestService.start();
    const { dataDir } = service;
    const owner = await service.signUp();
    expect(await refusedStart({ dataDir })).toMatchObject({ code: 'DATA_DIR_IN_USE' });
    // The one that has it goes on.
    await owner.client.ok('listAgents');
    await service.stop();
    expect(await refusedStart({ dataDir })).toBeUndefined();
  });

  it('by a service of another process, until that ends, however it does', { timeout: PATIENCE_MS }, async () => {
    const dataDir = newFolder();
    const other = serve(dataDir);
    const url = await other.listening();
    expect(await refusedStart({ dataDir })).toMatchObject({ code: 'DATA_DIR_IN_USE' });
    expect((await send(url, { path: '/v1/health' })).status).toBe(200);
    await other.kill('SIGKILL');
    expect(await refusedStart({ dataDir })).toBeUndefined();
  });
});

describe('a service that others can reach', () => {
  it('lets nobody but the first user sign up', async () => {
    const service = await TestService.start({ host: '0.0.0.0', insecure: true });
    const url = service.url.replace('0.0.0.0', '127.0.0.1');
    const signUp = (email: string) =>
      send(url, {
        method: 'POST',
        path: '/api/auth/sign-up/email',
        body: JSON.stringify({ email, password: 'long enough', name: 'N', org_name: 'O' }),
      });
    expect((await signUp('first@example.org')).status).toBe(201);
    const before = service.trace();
    expectError(await signUp('second@example.org'), 'FORBIDDEN');
    // Nor does it tell who has an account.
    expectError(await signUp('first@example.org'), 'FORBIDDEN');
    expect(service.trace()).toEqual(before);
  });
});
