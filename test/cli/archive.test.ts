// docs/archive.md: the commands, as they are typed.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FolderStore } from '../../src/service/archive/folder-store.ts';
import { archiveHost, shipped } from '../support/archive.ts';
import { archiveOf } from '../support/central.ts';
import { Client } from '../support/client.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { CommandProcess, PATIENCE_MS } from '../support/processes.ts';
import { StayingQueries } from '../support/staying-queries.ts';
import { until } from '../support/until.ts';

it('ships next to a running service, takes a stick in, and checks', async () => {
  const host = await archiveHost();
  const { dataDir, kid } = host.service;
  const [archive, stick] = [temporaryFolder(), temporaryFolder()];
  const data = ['--data-dir', dataDir];
  await host.seal(3);
  expect(await run('archive', 'ship', ...data, '--to', archive)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('nothing to ship'),
  });
  const ship = await run('archive', 'ship', ...data, '--to', archive, '--now');
  expect(ship).toMatchObject({ code: 0, stderr: '' });
  expect(ship.stdout).toMatch(/^shipped {2}\S+\/1-1\.csbundle\.json\.gz {2}3 records\n$/);
  await host.seal(2);
  expect((await run('archive', 'export', ...data, '--since', '2', '-o', stick)).stdout).toMatch(/\/2-2\.csbundle/);
  expect((await run('archive', 'add', stick, '--to', archive)).stdout).toMatch(
    /^added {4}\S+\/2-2\.csbundle\.json\.gz\n$/,
  );
  expect((await run('archive', 'add', stick, '--to', archive)).stdout).toMatch(/^is there/);
  expect(await run('archive', 'ship', ...data, '--to', archive, '--now')).toMatchObject({ code: 0 });

  const unconfirmed = await run('archive', 'check', archive);
  expect(unconfirmed.code).toBe(3);
  expect(unconfirmed.stdout).toContain('✗ unconfirmed');
  const check = await run('archive', 'check', archive, '--trust', kid);
  expect(check.code).toBe(0);
  expect(check.stdout).toContain('up to epoch 2, record 5');
  expect(check.stdout).toContain('runs: 2 verified, 0 refused or missing');
});

it('follows with a memory of what was accepted', async () => {
  const host = await archiveHost();
  const { kid } = host.service;
  const archive = temporaryFolder();
  for (let n = 0; n < 2; n++) {
    await host.seal();
    await shipped(host.service.dataDir, new FolderStore(archive));
  }
  const central = join(temporaryFolder(), 'central');
  const serve = ['archive', 'serve', '--from', archive, '--data-dir', central, '--once', '--trust', kid];
  const first = await new CommandProcess(serve).ended;
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout.match(/^accepted /gm)).toHaveLength(2);
  const { accepted } = JSON.parse((await run('archive', 'check', archive, '--trust', kid, '--json')).stdout);
  rmSync(join(archive, `${accepted[0].kid}/${accepted[0].org_id}`), { recursive: true });
  // Without a memory there is nothing to miss.
  expect((await run('archive', 'check', archive, '--trust', kid)).code).toBe(0);
  const second = await new CommandProcess(serve).ended;
  expect(second.code).toBe(1);
  expect(second.stdout.match(/^✗ missing /gm)).toHaveLength(2);
});

describe.skipIf(process.platform === 'win32')('SIGTERM ends a central node', { timeout: PATIENCE_MS }, () => {
  async function central() {
    const host = await archiveHost();
    const { kid, dataDir } = host.service;
    const archive = temporaryFolder();
    await host.seal();
    await shipped(dataDir, new FolderStore(archive));
    const data = join(temporaryFolder(), 'central');
    const staying = new StayingQueries();
    const serve = ['archive', 'serve', '--from', archive, '--data-dir', data, '--trust', kid];
    const start = (): CommandProcess =>
      new CommandProcess([...serve, '--port', '0', '--reader', host.account.orgId], staying.environment);
    /** What was accepted and kept before is there after it. */
    const accepted = async (): Promise<number> => {
      const { code, stdout } = await new CommandProcess([...serve, '--once']).ended;
      expect(code).toBe(0);
      return stdout.match(/^accepted /gm)?.length ?? 0;
    };
    return { data, staying, start, accepted };
  }

  it('that is within accepting a run', async () => {
    const { staying, start, accepted } = await central();
    staying.begin('INSERT INTO runs');
    const node = start();
    await staying.begun(node);
    const { stderr } = await node.kill('SIGTERM');
    expect(stderr).toContain('stopping took too long: ended as after a crash, which loses nothing');
    expect(await accepted()).toBe(0);
  });

  it('that is within a search', async () => {
    const { data, staying, start, accepted } = await central();
    const node = start();
    const url = await node.listening();
    const { email, password } = JSON.parse(readFileSync(join(data, 'archive-identity.json'), 'utf8'));
    const { token } = await new Client(url).ok('signIn', { body: { email, password } });
    const client = new Client(url, token);
    const found = await until('the archive', () => archiveOf(client));
    const ask = () =>
      client.call('caseAuditQuery', { params: { case_id: found?.case_id ?? '' }, body: { query: 'agent = agent-1' } });
    await until('its records', async () => (await ask()).status === 200 || undefined);
    staying.begin();
    const searches = Promise.allSettled(Array.from({ length: 20 }, ask));
    await staying.begun(node);
    const { signal, stderr } = await node.kill('SIGTERM');
    expect(signal).toBe('SIGKILL');
    expect(stderr).toContain('stopping took too long: ended as after a crash, which loses nothing');
    await searches;
    expect(await accepted()).toBe(0);
  });
});

it('is tried out by one command', async () => {
  const trial = await new CommandProcess(['archive', 'trial', '--once']).ended;
  expect(trial).toMatchObject({ code: 0, stderr: '' });
  expect(trial.stdout.match(/^ {2}accepted 24 records of /gm)).toHaveLength(2);
  expect(trial.stdout.match(/^ {2}6 records of /gm)).toHaveLength(2);
  expect(trial.stdout).toMatch(/^Open http:\/\/127\.0\.0\.1:\d+ and sign in/m);
});

it('says what cannot be used', async () => {
  const folder = temporaryFolder();
  expect(await run('archive', 'ship', '--data-dir', folder, '--to', folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('holds no ledger'),
  });
  expect(await run('archive', 'check', join(folder, 'none'), '--no-trust-store')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not there'),
  });
  expect((await run('archive', 'export', '--data-dir', folder, '--since', 'soon', '-o', folder)).code).toBe(2);
  const host = await archiveHost();
  await host.service.stop();
  const args = ['archive', 'serve', '--from', folder, '--data-dir', host.service.dataDir, '--once', '--no-trust-store'];
  expect(await new CommandProcess(args).ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is no central node'),
  });
});
