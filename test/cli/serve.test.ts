import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../support/cases.ts';
import { Client, expectError } from '../support/client.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { NOTING_LOADS, notedLoads } from '../support/noting-loads.ts';
import { CommandProcess, PATIENCE_MS, SOURCES, serve, serving } from '../support/processes.ts';
import { Signer } from '../support/signer.ts';
import { StayingQueries } from '../support/staying-queries.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolder();
let folders = 0;
const newFolder = (): string => join(folder, `data-${folders++}`);

async function withAgent(url: string): Promise<{ client: Client; signer: Signer }> {
  const given = { email: 'owner@example.org', password: 'correct horse battery', name: 'O', org_name: 'Org' };
  const { token, user } = await new Client(url).ok('signUp', { body: given });
  const client = new Client(url, token);
  const signer = new Signer(user.orgId ?? '', 'agent');
  await client.ok('registerAgent', { body: signer.registration });
  return { client, signer };
}

function epochsIn(dataDir: string): number[] {
  const database = new Database(join(dataDir, 'ledger.sqlite'), { readonly: true });
  try {
    return database.prepare('SELECT leaf_count FROM epochs ORDER BY epoch_no').pluck().all() as number[];
  } finally {
    database.close();
  }
}

describe('serve', { timeout: PATIENCE_MS }, () => {
  it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('runs until %s, and then seals the open epoch', async (signal) => {
    const dataDir = newFolder();
    const service = new CommandProcess(serving(dataDir), {}, undefined, SOURCES);
    const url = await service.listening();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const { client, signer } = await withAgent(url);
    for (let n = 0; n < 3; n++) await client.ok('submitOperation', { body: signer.next() });
    expect(epochsIn(dataDir)).toEqual([]);
    const [, link] = /^Open (\S+) in a browser to begin$/m.exec(service.stdout) ?? [];
    const entered = await new Client(url).call('enterWorkstation', { body: { code: codeOf(link ?? url) } });
    expect(entered.status).toBe(200);
    const { keys } = await client.ok('jwks');
    const { code, stdout, stderr } = await service.kill(signal);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(epochsIn(dataDir)).toEqual([3]);
    // The fingerprint is shown in groups, for people to compare.
    expect(stdout.replaceAll(' ', '')).toContain(keys[0]?.kid);
    expect(stdout).toContain(dataDir);
    await expect(new Client(url).ok('health')).rejects.toThrow();
  });

  it.skipIf(process.platform === 'win32')(
    'ends with SIGTERM while its threads are within queries without end',
    async () => {
      const dataDir = newFolder();
      const staying = new StayingQueries();
      const service = new CommandProcess(serving(dataDir), staying.environment);
      const url = await service.listening();
      const { client, signer } = await withAgent(url);
      const text = 'ab'.repeat(8000);
      const records = Array.from({ length: 100 }, (_, n) => signer.next({ payload: { n, text } }));
      await client.ok('submitBatch', { body: { records } });
      await client.ok('auditQuery', { body: { query: 'n = 1' } });
      const query = Array.from({ length: 20 }, (_, n) => `insession(/.*a.{${200 + n}}[0-9]/)`).join(' or ');
      staying.begin();
      const searches = Array.from({ length: 40 }, () =>
        client.call('auditQuery', { body: { query } }).catch(() => null),
      );
      await staying.begun(service);
      const { signal, stderr } = await service.kill('SIGTERM');
      // Every other way to end waits for its threads.
      expect(signal).toBe('SIGKILL');
      expect(stderr).toContain('stopping took too long: ended as after a crash, which loses nothing');
      await Promise.all(searches);
      const again = serve(dataDir);
      await again.listening();
      await again.kill('SIGTERM');
      expect(epochsIn(dataDir)).toEqual([100]);
    },
  );

  it.skipIf(process.platform === 'win32')('ends with SIGTERM while it has not come to listen', async () => {
    const never = join(folder, 'never-listens.mjs');
    writeFileSync(
      never,
      `import { Server } from 'node:net';
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) {
  Server.prototype.listen = function () {
    writeSync(2, 'never listens');
    setInterval(() => {}, 1000);
    return this;
  };
}`,
    );
    const service = new CommandProcess(serving(newFolder()), {
      NODE_OPTIONS: `--import ${pathToFileURL(never).href}`,
    });
    await until('it to try', () => service.stderr.includes('never listens') || undefined);
    const { signal, stderr } = await service.kill('SIGTERM');
    expect(signal).toBe('SIGKILL');
    expect(stderr).toContain('stopping took too long: ended as after a crash, which loses nothing');
  });

  it("loads nothing of Node's fetch and WebSocket, neither to start nor to answer", async () => {
    const file = join(folder, 'loaded');
    const service = new CommandProcess(
      serving(newFolder()),
      { NODE_OPTIONS: NOTING_LOADS, LOADED: file },
      undefined,
      SOURCES,
    );
    await withAgent(await service.listening());
    await service.kill('SIGTERM');
    const loaded = notedLoads(file);
    expect(loaded.some((name) => name.endsWith('/src/service/start/start.ts'))).toBe(true);
    expect(loaded.filter((name) => name.includes('undici'))).toEqual([]);
  });

  it('shows the same key, and has the same ledger, when it is started again; options and settings apply', async () => {
    const dataDir = newFolder();
    const config = join(folder, 'config.json');
    writeFileSync(config, '{"epoch-max-leaves": 2, "log-level": "silent", "port": 0}');
    const first = serve(dataDir, '--epoch-max-leaves', '3');
    const { client, signer } = await withAgent(await first.listening());
    for (let n = 0; n < 4; n++) await client.ok('submitOperation', { body: signer.next() });
    const before = await client.ok('jwks');
    await first.kill('SIGTERM');
    expect(epochsIn(dataDir)).toEqual([3, 1]);

    const environment = { COUNTERSIGN_DATA_DIR: dataDir, COUNTERSIGN_CONFIG: config, COUNTERSIGN_RATE_LIMIT: '6' };
    const second = new CommandProcess(['serve'], environment);
    const again = new Client(await second.listening(), client.token);
    expect(await again.ok('jwks')).toEqual(before);
    for (let n = 0; n < 5; n++) await again.ok('submitOperation', { body: signer.next() });
    await again.ok('listEpochs');
    expectError(await again.call('listEpochs'), 'RATE_LIMITED');
    await second.kill('SIGTERM');
    expect(epochsIn(dataDir)).toEqual([3, 1, 2, 2, 1]);
  });

  it('seals in the interval that it was given, and takes every other option', async () => {
    const dataDir = newFolder();
    const limits = ['--max-payload-bytes', '64', '--max-body-bytes', '2048', '--log-level', 'silent'];
    const service = serve(dataDir, '--host', '127.0.0.2', '--epoch-interval', '1', ...limits);
    const url = await service.listening();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:/);
    const { client, signer } = await withAgent(url);
    const large = signer.record({ payload: { t: 'x'.repeat(64) } });
    expectError(await client.call('submitOperation', { body: large }), 'PAYLOAD_TOO_LARGE', 'payload');
    const larger = signer.record({ payload: { t: 'x'.repeat(2048) } });
    expectError(await client.call('submitOperation', { body: larger }), 'PAYLOAD_TOO_LARGE', 'body');
    await client.ok('submitOperation', { body: signer.next() });
    await until('the epoch', () => epochsIn(dataDir).length === 1);
    await service.kill('SIGTERM');
  });

  it('refuses a folder that another one has: exit code 2 and a sentence', async () => {
    const dataDir = newFolder();
    const first = serve(dataDir);
    const url = await first.listening();
    const { code, stdout, stderr } = await serve(dataDir).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^countersign serve: [^\n]+\n$/);
    expect(stderr).toContain(dataDir);
    expect((await new Client(url).ok('health')).status).toBe('ok');
  });
});

describe('serve refuses, with exit code 2 and one sentence, and makes nothing', () => {
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, '{"port": ');
  const unknown = join(folder, 'unknown.json');
  writeFileSync(unknown, '{"ports": 1}');
  const wrong = join(folder, 'wrong.json');
  writeFileSync(wrong, '{"port": "http"}');

  // In this process: none of these comes as far as to wait for a signal.
  it.each<[string, string[]]>([
    ['--port', ['--port', 'http']],
    ['--rate-limit', ['--rate-limit', 'none']],
    ['--epoch-interval', ['--epoch-interval', '0']],
    ['--epoch-max-leaves', ['--epoch-max-leaves', '-1']],
    ['--log-level', ['--log-level', 'loud']],
    ['--insecure', ['--host', '0.0.0.0']],
    ['--tls-key', ['--tls-cert', 'cert.pem']],
    ['missing.json', ['--config', join(folder, 'missing.json')]],
    ['broken.json', ['--config', broken]],
    ['unknown.json', ['--config', unknown]],
    ['port', ['--config', wrong]],
  ])('%s', async (named, args) => {
    const dataDir = newFolder();
    const { code, stdout, stderr } = await run('serve', '--data-dir', dataDir, ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^countersign serve: /);
    expect(stderr).toContain(named);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(existsSync(dataDir)).toBe(false);
  });
});
