import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkAnswering } from '../../../src/recorder/install/answering.ts';
import { OWN_KEEPER } from '../../../src/recorder/install/keeper.ts';
import { askStatus } from '../../../src/recorder/listen/ask-status.ts';
import { hookScript } from '../../../src/recorder/listen/hook-script.ts';
import { recorderCommand } from '../../../src/recorder/listen/recorder-command.ts';
import { checkNoOther } from '../../../src/recorder/system/no-other.ts';
import { stateHome, viewHome } from '../../../src/recorder/system/places.ts';
import { installAgent, ledgerOf } from '../../support/recorder.ts';
import { TestService } from '../../support/service.ts';
import { ADA, EVE, KeptSocket, ran, SystemRoot, textOf, whyNot } from '../../support/system-recorder/system-root.ts';
import { until } from '../../support/until.ts';

const reason = whyNot();
const KIMI = { feed: 'kimi', onFailure: 'allow', threshold: 'captured', start: ['/bin/false'], node: null } as const;
const THEIRS = '{\n  // mine\n  "ui": { "theme": "dark" }\n}\n';

function call(id: string): string {
  const tool = { tool_name: 'run_shell_command', tool_input: { command: `echo ${id}` } };
  return JSON.stringify({ hook_event_name: 'BeforeTool', session_id: 's', cwd: '/', ...tool });
}

describe.skipIf(reason !== null)(`a recorder of the system${reason === null ? '' : ` (${reason})`}`, async () => {
  if (reason !== null) return;
  const service = await TestService.start();
  const owner = await service.signUp();
  const token = owner.client.token ?? '';

  async function installed(): Promise<SystemRoot> {
    const root = new SystemRoot();
    root.put('.gemini/settings.json', THEIRS);
    const end = await root.as('install', 'ada', service.url, token);
    expect([end, root.said]).toEqual(['done', '']);
    return root;
  }

  async function operations(root: SystemRoot): Promise<{ type: string; shown: string }[]> {
    const stored = await ledgerOf(owner, JSON.parse(textOf(viewHome(root.places).agent('gemini'))));
    return stored.map(({ operation_type: type, shown }) => ({ type, shown: JSON.stringify(shown) }));
  }

  /** What is started with the system. */
  function wanted({ places }: SystemRoot): string[] {
    const folders = ['multi-user.target.wants', 'sockets.target.wants'].map((name) => join(places.units, name));
    return folders.flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []));
  }

  function hook(root: SystemRoot, id: string): ReturnType<typeof ran> {
    return ran(root.script, [], { ...ADA, input: call(id) });
  }

  async function nothingWaits(root: SystemRoot): Promise<void> {
    await until('the spool to be empty', async () => {
      const status = await askStatus(viewHome(root.places)).catch(() => null);
      return status?.waiting === 0 && status.agents[0]?.lost === 0;
    });
  }

  it('is installed by root, who writes nothing into the home, and leaves it as it was', async () => {
    const root = await installed();
    const { state, view, units, missed } = root.places;
    const settings = join(root.home, '.gemini/settings.json');
    expect(textOf(settings)).toContain(`"${root.script}"`);
    for (const path of readdirSync(root.home, { recursive: true, encoding: 'utf8' })) {
      expect([path, lstatSync(join(root.home, path)).uid]).toEqual([path, ADA.uid]);
    }
    const account = await root.account();
    expect([statSync(state).uid, statSync(state).mode & 0o777]).toEqual([account.uid, 0o700]);
    expect(statSync(join(state, 'agents/gemini.json')).uid).toBe(account.uid);
    const secret = JSON.parse(textOf(join(state, 'agents/gemini.json')));
    for (const path of readdirSync(view, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
      const text = textOf(join(path.parentPath, path.name));
      expect(text).not.toContain(secret.token);
      expect(text).not.toContain(secret.private_key);
      expect(statSync(join(path.parentPath, path.name)).uid).toBe(0);
    }
    expect(wanted(root)).toEqual([root.places.serviceUnit, root.places.socketUnit]);

    expect(await root.as('install', 'ada', service.url, token)).toBe('done');
    expect(await root.as('uninstall', 'ada', service.url, token)).toBe('done');
    expect(textOf(settings)).toBe(THEIRS);
    expect(readdirSync(join(root.home, '.gemini'))).toEqual(['settings.json']);
    const left = [view, missed, join(state, 'agents/gemini.json'), join(units, 'countersign-recorder@.service')];
    expect(left.filter((path) => existsSync(path))).toEqual([]);
    expect(wanted(root)).toEqual([]);
  });

  it('takes events from the person alone, who can read, stop and replace nothing of it', async () => {
    const root = await installed();
    const { places, script } = root;
    const kept = await KeptSocket.open({ places, account: await root.account() });
    // As installation does where systemd runs.
    await checkAnswering(viewHome(places), JSON.parse(textOf(viewHome(places).agent('gemini'))));
    await until('an event to be recorded', async () => {
      expect((await hook(root, 'first')).code).toBe(0);
      return existsSync(join(places.state, 'receipts')) && readdirSync(join(places.state, 'receipts')).length > 0;
    });
    await nothingWaits(root);
    const [recorded] = (await operations(root)).filter(({ type }) => type === 'tool.shell');
    expect(JSON.parse(recorded?.shown ?? '{}').actor).toMatchObject({
      on_behalf_of: 'ada',
      identity_source: 'kernel-uid',
    });

    const files = readdirSync(places.state, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const names = files.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['gemini.json', 'spool.sqlite', 'secrets.key']));
    expect(names).not.toContain('token');
    for (const { parentPath, name } of files) {
      expect((await ran('cat', [join(parentPath, name)], ADA)).code).not.toBe(0);
    }
    const attempts: readonly (readonly [string, ...string[]])[] = [
      ['ls', places.state],
      ['kill', '-9', String(kept.pid)],
      ['cat', `/proc/${kept.pid}/environ`],
      ['rm', '-f', places.socket],
      ['ln', '-sf', '/dev/null', places.socket],
      ['rm', '-f', script],
      ['sh', '-c', `echo >> '${script}'`],
      ['sh', '-c', `echo > '${viewHome(places).agent('gemini')}'`],
      ['mv', places.view, `${places.view}.away`],
      ['rm', '-r', places.missed],
    ];
    for (const [program, ...args] of attempts) {
      expect([program, args, (await ran(program, args, ADA)).code]).not.toEqual([program, args, 0]);
    }
    const asking = ['-sS', '--unix-socket', places.socket, 'http://localhost/v1/status'];
    const answer = await ran('curl', asking, ADA);
    expect(JSON.parse(answer.stdout)).toMatchObject({ pid: kept.pid, url: null });
    // Not by the way that has no rights of its own either: the folder of the view is closed to others.
    for (const args of [asking, [...asking.slice(0, 2), viewHome(places).socket, ...asking.slice(3)]]) {
      expect((await ran('curl', args, EVE)).code).toBe(7);
    }
    expect((await ran('cat', [script], EVE)).code).not.toBe(0);
  });

  it('is started again after it was killed, and what it did not get becomes a gap', async () => {
    const root = await installed();
    const { places } = root;
    let kept = await KeptSocket.open({ places, account: await root.account() });
    const sent: string[] = [];
    const send = async (ids: readonly string[]): Promise<void> => {
      for (const id of ids) {
        sent.push(id);
        expect((await hook(root, id)).code).toBe(0);
      }
    };
    await send(['a0']);
    for (const round of [1, 2]) {
      const many = ['b', 'c', 'd'].map((one) => send([1, 2, 3, 4].map((n) => `${one}${round}${n}`)));
      await until('some of them', () => sent.length > round * 8);
      kept.kill();
      await Promise.all(many);
    }
    await kept.stop();
    rmSync(places.socket);
    const asked = checkAnswering(viewHome(places), JSON.parse(textOf(viewHome(places).agent('gemini'))), {
      patienceMs: 0,
    });
    await expect(asked).rejects.toMatchObject({ code: 'RECORDER_AWAY' });
    await send(['e1', 'e2']);
    expect(textOf(join(places.missed, 'gemini')).split('\n').length).toBeGreaterThan(2);
    kept = await KeptSocket.open({ places, account: await root.account() });
    // One puts aside what was missed, the next hands it in.
    await until('what was missed to be handed in', async () => {
      await send([`f${sent.length}`]);
      return readdirSync(places.missed).length === 0;
    });
    await nothingWaits(root);
    const recorded = await operations(root);
    const commands = recorded
      .filter(({ type }) => type === 'tool.shell')
      .map(({ shown }) => /echo (\w+)/.exec(shown)?.[1]);
    expect(new Set(commands).size).toBe(commands.length);
    const gaps = recorded.filter(({ type }) => type === 'recorder.gap').map(({ shown }) => shown);
    const missed = gaps.reduce((sum, gap) => sum + Number(/"count":(\d+)/.exec(gap)?.[1]), 0);
    expect(commands.length + missed).toBe(sent.length);
  });

  it('is found by the person, with all that is the matter', async () => {
    const root = await installed();
    const bin = recorderCommand().start.slice(0, -2);
    const env = { PATH: process.env['PATH'] ?? '', HOME: root.home, COUNTERSIGN_RECORDER: root.places.view };
    const asPerson = (...args: string[]) => ran(bin[0] ?? '', [...bin.slice(1), 'record', ...args], { ...ADA, env });
    const away = await asPerson('doctor', 'gemini', '--json', '--look-only');
    expect(JSON.parse(away.stdout).findings.map(({ code }: { code: string }) => code)).toContain('SYSTEM_AWAY');
    const kept = await KeptSocket.open({ places: root.places, account: await root.account() });
    await until('the recorder to be warm', async () => (await hook(root, 'x')).code === 0 && kept.pid !== null);
    const found = JSON.parse((await asPerson('doctor', 'gemini', '--json')).stdout).findings;
    const problems = found.filter(({ level }: { level: string }) => level === 'problem');
    expect(problems.filter(({ code }: { code: string }) => code !== 'EVENTS_MISSED')).toEqual([]);
    expect(found.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(['CANARY_RECORDED', 'FAILS_OPEN']),
    );
    expect(JSON.parse((await asPerson('status', '--json')).stdout)).toMatchObject({ running: true, url: null });
    const own = await asPerson('install', 'kimi', '--service', service.url, '--token', token, '--yes');
    expect(own.code).toBe(2);
    expect(own.stderr).toContain('the system keeps the recorder');
  });

  it('follows no link of the person with the rights of root', async () => {
    const root = new SystemRoot();
    const secret = join(root.path, 'etc/secret.json');
    writeFileSync(secret, '{"secret": 1}\n', { mode: 0o600 });
    const folder = join(root.path, 'etc/closed');
    mkdirSync(folder, { mode: 0o755 });
    root.own(join(root.home, '.gemini'));
    symlinkSync(secret, join(root.home, '.gemini/settings.json'));
    expect(await root.as('install', 'ada', service.url, token)).toBe('CONFIG_UNUSABLE');
    expect(textOf(secret)).toBe('{"secret": 1}\n');
    rmSync(join(root.home, '.gemini'), { recursive: true });
    symlinkSync(folder, join(root.home, '.gemini'));
    expect(await root.as('install', 'ada', service.url, token)).toBe('CONFIG_UNUSABLE');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is taken away by root alone, whatever the person did, and without the person', async () => {
    const root = await installed();
    const { missed, view } = root.places;
    root.put('.gemini/settings.json', '{ not JSON');
    root.put('.local/share/countersign/recorder/agents/kimi.json', '{}');
    writeFileSync(join(missed, 'gemini'), 'anything\n');
    chmodSync(missed, 0o777);
    expect(await root.as('uninstall', 'ada', service.url, token)).toBe('done');
    expect([existsSync(view), textOf(join(missed, 'gemini'))]).toEqual([false, 'anything\n']);
    rmSync(join(root.home, '.local'), { recursive: true });
    root.put('.gemini/settings.json', THEIRS);
    expect(await root.as('install', 'ada', service.url, token)).toBe('done');
    root.dismiss();
    expect(await root.as('uninstall', 'ada', service.url, token)).toBe('ACCOUNT_UNUSABLE');
    expect(await root.as('uninstall', String(ADA.uid), service.url, token)).toBe('done');
    expect([existsSync(view), wanted(root)]).toEqual([false, []]);
  });

  it('leaves nothing in the way where its first installation fails', async () => {
    const root = new SystemRoot();
    const { places } = root;
    const { agent } = await installAgent(owner, service.kid);
    expect(await root.as('install', 'ada', service.url, agent.token)).toBe('SERVICE_REFUSED');
    // Registering it is what failed.
    expect(existsSync(places.state)).toBe(true);
    expect(existsSync(places.view)).toBe(false);
    expect(await root.as('uninstall', 'ada', service.url, token)).toBe('NOT_INSTALLED');
    // As a command leaves it that was stopped while it made the folders.
    mkdirSync(places.view, { recursive: true });
    expect(await root.as('uninstall', 'ada', service.url, token)).toBe('done');
    expect(existsSync(places.view)).toBe(false);
  });

  it('is refused where it would separate nothing', async () => {
    const root = new SystemRoot();
    expect(await root.as('install', 'root', service.url, token)).toBe('ACCOUNT_UNUSABLE');
    expect(await root.as('install', 'nobody-here', service.url, token)).toBe('ACCOUNT_UNUSABLE');
    root.put('.local/share/countersign/recorder/agents/kimi.json', '{}');
    expect(await root.as('install', 'ada', service.url, token)).toBe('OTHER_RECORDER');
    expect(existsSync(root.places.view)).toBe(false);
    rmSync(join(root.home, '.local'), { recursive: true });

    // Where her environment puts her data root does not know: the hooks of a program tell, and a recorder that runs.
    const folder = join(root.home, 'data/countersign/recorder');
    root.put('data/countersign/recorder/hooks/kimi', hookScript({ home: viewHome(root.places), ...KIMI }));
    root.put('.kimi-code/config.toml', `[[hooks]]\nevent = "Stop"\ncommand = '${folder}/hooks/kimi'\n`);
    const environment = { HOME: root.home };
    const around = { home: stateHome(root.places), environment, userHome: root.home, cwd: '/', keeper: OWN_KEEPER };
    const looked = () => checkNoOther(around, { ...ADA, name: 'ada', home: root.home });
    const other = { code: 'OTHER_RECORDER', message: expect.stringContaining(`COUNTERSIGN_RECORDER=${folder} `) };
    await expect(looked()).rejects.toMatchObject(other);
    rmSync(join(root.home, '.kimi-code'), { recursive: true });
    const listening = createServer().listen(join(folder, 'recorder.sock'));
    await once(listening, 'listening');
    chownSync(join(folder, 'recorder.sock'), ADA.uid, ADA.gid);
    await expect(looked()).rejects.toMatchObject(other);
    listening.close();
    await once(listening, 'close');
    await looked();
  });
});
