// docs/archive.md, "When something happens": each row as somebody follows it.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { archiveHost } from '../support/archive.ts';
import { Client } from '../support/client.ts';
import { run } from '../support/command-line.ts';
import { copyOfRunning, temporaryFolder } from '../support/folders.ts';
import { CommandProcess } from '../support/processes.ts';
import { AT_ONCE, sweep } from '../support/retention.ts';
import { TestService } from '../support/service.ts';

async function hostWithCommands() {
  const host = await archiveHost();
  const { kid, dataDir } = host.service;
  const archive = temporaryFolder();
  const ship = (from = dataDir, to = archive) => run('archive', 'ship', '--data-dir', from, '--to', to, '--now');
  const check = (at = archive) => run('archive', 'check', at, '--trust', kid);
  const follow = (central: string) =>
    new CommandProcess(['archive', 'serve', '--from', archive, '--data-dir', central, '--once', '--trust', kid]).ended;
  return { ...host, kid, dataDir, archive, ship, check, follow };
}

it('a host rotates its key, then the archive is lost', async () => {
  const { service, account, seal, kid, archive, ship, check, follow } = await hostWithCommands();
  const central = join(temporaryFolder(), 'central');
  await seal();
  expect((await ship()).code).toBe(0);
  await account.client.ok('rotateServiceKey', { body: { kid } });
  await seal();
  expect((await ship()).code).toBe(0);
  expect(service.kid).not.toBe(kid);
  expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('2 verified') });
  expect((await follow(central)).code).toBe(0);

  rmSync(join(archive, kid), { recursive: true });
  const lost = await follow(central);
  expect(lost).toMatchObject({ code: 1 });
  expect(lost.stdout.match(/^✗ missing /gm)).toHaveLength(2);
  expect((await ship()).code).toBe(0);
  // All that is sealed is one run now.
  const anew = await follow(central);
  expect(anew.stdout.match(/^✗ (missing|second) /gm)?.sort()).toEqual(['✗ missing ', '✗ missing ', '✗ second ']);
  expect((await check()).code).toBe(0);
  expect((await follow(join(temporaryFolder(), 'new'))).code).toBe(0);
});

it('the archive is lost, and a run of it is cut as before', async () => {
  const { seal, kid, archive, ship, follow } = await hostWithCommands();
  const central = join(temporaryFolder(), 'central');
  await seal();
  await ship();
  expect((await follow(central)).code).toBe(0);
  rmSync(join(archive, kid), { recursive: true });
  expect((await follow(central)).code).toBe(1);
  expect((await ship()).code).toBe(0);
  expect((await follow(central)).code).toBe(0);
});

it('a host was restored from a backup, and one leaves', async () => {
  const { service, seal, dataDir, ship, check } = await hostWithCommands();
  await seal();
  const copy = join(temporaryFolder(), 'restored');
  copyOfRunning(dataDir, copy);
  await seal();
  await ship();
  expect(await ship(copy)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('has epochs that this ledger lacks'),
  });
  const other = temporaryFolder();
  expect((await ship(copy, other)).code).toBe(0);
  expect((await check(other)).code).toBe(0);
  await service.stop();
  expect((await ship()).code).toBe(0);
  expect((await check()).code).toBe(0);
});

it('payloads leave an archive by its own rules, over a stick as well', async () => {
  const { account, seal, kid, dataDir, archive, ship, check } = await hostWithCommands();
  const central = join(temporaryFolder(), 'central');
  const follow = () => {
    const keeper = ['--keeper', account.orgId, '--trust', kid];
    return new CommandProcess(['archive', 'serve', '--from', archive, '--data-dir', central, '--once', ...keeper])
      .ended;
  };
  await seal();
  await ship();
  expect(await follow()).toMatchObject({ code: 0, stdout: expect.stringContaining('decides as') });
  const node = await TestService.start({ dataDir: central, trustStore: '' });
  const { email, password } = JSON.parse(readFileSync(join(central, 'archive-identity.json'), 'utf8'));
  const { token } = await new Client(node.url).ok('signIn', { body: { email, password } });
  const client = new Client(node.url, token);
  await client.ok('setRetentionRules', { body: { rules: [{ name: 'All', ...AT_ONCE }] } });
  await sweep({ client });
  await node.stop();
  const decided = await follow();
  const [, key = ''] = /^decides as +(\S+)$/m.exec(decided.stdout) ?? [];
  expect(await ship()).toMatchObject({ code: 3, stdout: expect.stringContaining('--archive-key') });
  const [order = ''] = readdirSync(join(archive, kid, account.orgId)).filter((name) => name.startsWith('withhold-'));
  const path = join(archive, kid, account.orgId, order);
  expect((await run('verify', path, '--trust', key)).code).toBe(0);

  // By stick: what was decided goes to the host, and the run comes back.
  const stick = temporaryFolder();
  mkdirSync(join(stick, kid, account.orgId), { recursive: true });
  copyFileSync(path, join(stick, kid, account.orgId, order));
  const onStick = [
    'archive',
    'export',
    '--data-dir',
    dataDir,
    '--since',
    '1',
    '-o',
    stick,
    '--archive-key',
    key,
  ] as const;
  expect(await run(...onStick)).toMatchObject({ code: 0, stdout: expect.stringMatching(/shipped .*\/1-1\.a\d+\./) });

  expect((await run('archive', 'add', stick, '--to', archive)).code).toBe(0);

  const named = await run('archive', 'ship', '--data-dir', dataDir, '--to', archive, '--now', '--archive-key', key);
  expect(named).toMatchObject({ code: 0, stdout: expect.stringMatching(/replaced .*\/1-1\.a\d+\./) });
  expect((await follow()).code).toBe(0);
  expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('1 verified') });
  expect((await run('archive', 'ship', '--data-dir', dataDir, '--to', archive, '--archive-key', kid)).code).toBe(2);
});
