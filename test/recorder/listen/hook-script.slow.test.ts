import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MOST_LEFT } from '../../../src/agent/light.ts';
import { recorderHome } from '../../../src/recorder/base/home.ts';
import { RecordError } from '../../../src/recorder/base/record-error.ts';
import { type HookScriptOptions, hookScript } from '../../../src/recorder/listen/hook-script.ts';
import type { Verdict } from '../../../src/recorder/seen/feed.ts';
import { atEnd } from '../../support/cleanup.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { HOOK, runHook } from '../../support/hook-runs.ts';
import { until } from '../../support/until.ts';
import { recorderFor } from './recorder-for.ts';

const BLOCK: Verdict = { allowed: false, reason: 'the agent is frozen', operation_ids: [] };

/** Every shell of this machine that may be called sh. */
const SHELLS = ['dash', 'bash', 'zsh', 'ksh', 'busybox']
  .map((name) => join('/bin', name))
  .filter((path) => existsSync(path));

/** A script in its folder, for a recorder that nobody can start unless `start` says how. */
function scriptIn(folder: string, options: Partial<HookScriptOptions> = {}): string {
  const home = recorderHome({ COUNTERSIGN_RECORDER: folder });
  mkdirSync(home.hooks, { recursive: true, mode: 0o700 });
  const path = join(home.hooks, 'claudecode');
  const script = hookScript({
    home,
    feed: 'claudecode',
    onFailure: 'allow',
    threshold: 'captured',
    start: ['/bin/false', 'record', 'run'],
    node: process.execPath,
    ...options,
  });
  writeFileSync(path, script, { mode: 0o700 });
  return path;
}

/** A PATH with what the script runs, and with nothing else but what is named. */
function pathWith(...further: readonly string[]): string {
  const bin = temporaryFolder();
  for (const name of ['sh', 'date', 'sleep', 'mkdir', 'rm', 'env', 'nohup', 'mv', ...further])
    symlinkSync(join(existsSync(join('/bin', name)) ? '/bin' : '/usr/bin', name), join(bin, name));
  return bin;
}

/** What the script may speak to the recorder with: the first that a machine has. */
const CLIENTS = [
  { client: 'Perl', environment: { PATH: pathWith('perl') } },
  { client: 'curl', environment: { PATH: pathWith('curl') } },
  { client: 'Node', environment: { PATH: pathWith() } },
];

/** What was left for a recorder, by the names of the files. */
function leftIn(folder: string): Readonly<Record<string, string>> {
  const left = join(folder, 'left');
  const names = existsSync(left) ? readdirSync(left) : [];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(left, name), 'utf8')]));
}

function missedIn(folder: string): string {
  const path = join(folder, 'missed', 'claudecode');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

describe.each(SHELLS.flatMap((shell) => CLIENTS.map((client) => ({ shell, ...client }))))(
  'the script of a hook, run by $shell with $client',
  ({ shell, client, environment }) => {
    it('prints what the recorder answers, and ends with 0', async () => {
      const { home, taken } = await recorderFor();
      const ran = await runHook(scriptIn(home.folder), { shell, environment });
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(ran.stdout)).toBeTypeOf('object');
      expect(taken).toHaveLength(1);
      expect(missedIn(home.folder)).toBe('');
    });

    it('goes by its policy where the event could not be kept, which the recorder has counted', async () => {
      const lost = new RecordError('EVENT_TOO_LARGE', 'the event has more values than can be read at once');
      const { home } = await recorderFor({ take: () => Promise.reject(lost), onError: () => undefined });
      for (const [onFailure, code] of [
        ['allow', 0],
        ['block', 2],
      ] as const) {
        expect(await runHook(scriptIn(home.folder, { onFailure }), { shell, environment })).toMatchObject({ code });
      }
      expect(missedIn(home.folder)).toBe('');
    });

    it('blocks with the reason where the recorder says so', async () => {
      const { home } = await recorderFor({ take: async () => BLOCK });
      const ran = await runHook(scriptIn(home.folder), { shell, environment });
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain('the agent is frozen');
      expect(missedIn(home.folder)).toBe('');
    });

    it('lets the program go on without a recorder, and leaves the event for one if it has Perl', async () => {
      const folder = temporaryFolder();
      const ran = await runHook(scriptIn(folder), { shell, environment });
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(ran.stdout)).toBeTypeOf('object');
      const left = leftIn(folder);
      expect(Object.values(left)).toEqual(client === 'Perl' ? [HOOK] : []);
      for (const name of Object.keys(left)) {
        expect(name).toMatch(/^claudecode\.[0-9a-f-]{36}$/);
        expect(statSync(join(folder, 'left', name)).mode & 0o777).toBe(0o600);
      }
      if (client === 'Perl') expect(missedIn(folder)).toBe('');
    });

    it('notes what was missed where nothing can be left: an event that has to be acknowledged', async () => {
      const folder = temporaryFolder();
      const ran = await runHook(scriptIn(folder, { threshold: 'countersigned' }), { shell, environment });
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(leftIn(folder)).toEqual({});
      expect(missedIn(folder)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [0-9a-f-]{36}\n$/);
    });

    it('takes the id under which a plugin has tried the event, and nothing else for one', async () => {
      const folder = temporaryFolder();
      const id = '0b0f4b9e-3c1d-4f6a-8a3b-2f1e0d9c8b7a';
      for (const given of [id, 'a line\nof somebody', '']) {
        expect(await runHook(scriptIn(folder, { start: null }), { shell, environment, args: [given] })).toMatchObject({
          code: 0,
          stderr: '',
        });
      }
      const ids = missedIn(folder)
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[1]);
      expect(ids).toEqual([id, expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    });

    it('blocks without a recorder where the policy says so', async () => {
      const folder = temporaryFolder();
      const ran = await runHook(scriptIn(folder, { onFailure: 'block' }), { shell, environment });
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toMatch(/^Countersign could not record this action.*\n$/);
      expect(missedIn(folder)).not.toBe('');
      expect(leftIn(folder)).toEqual({});
    });

    it('works in folders with any name', async () => {
      const folder = join(temporaryFolder(), `a "b" 'c' $(d) \`e\` \\f %g;h*`);
      mkdirSync(folder, { mode: 0o700 });
      const { taken } = await recorderFor({}, folder);
      expect(await runHook(scriptIn(folder), { shell, environment })).toMatchObject({ code: 0, stderr: '' });
      expect(taken).toHaveLength(1);
    });

    it('hands on 1 MiB, and a hook without content', async () => {
      const { home, taken } = await recorderFor();
      const path = scriptIn(home.folder);
      const large = JSON.stringify({ ...JSON.parse(HOOK), tool_input: { command: 'x'.repeat(1024 * 1024) } });
      expect(await runHook(path, { shell, environment, input: large })).toMatchObject({ code: 0, stderr: '' });
      expect(await runHook(path, { shell, environment, input: '' })).toMatchObject({ code: 0, stderr: '' });
      expect(taken).toHaveLength(2);
      expect(missedIn(home.folder)).toBe('');
    });

    it('starts the recorder after it was killed, and takes no other process for it', async () => {
      const folder = temporaryFolder();
      const { home, close } = await recorderFor({}, folder);
      const [pid, since] = readFileSync(home.pid, 'utf8').split('\n');
      await close();
      const flag = join(folder, 'started by a hook');
      const command = join(folder, 'start it');
      writeFileSync(command, `#!/bin/sh\nprintf '%s|' "$@" "$COUNTERSIGN_RECORDER" >'${flag}'\n`, { mode: 0o700 });
      const path = scriptIn(folder, { start: [command, 'record', 'run'] });
      // An id that another process got since: this one, which started at another time.
      writeFileSync(home.pid, `${pid}\n${Number(since) + 1}\n`);
      await runHook(path, { shell, environment });
      const started = `record|run|--quiet|${folder}|`;
      await until('the start', () => existsSync(flag) && readFileSync(flag, 'utf8') === started);
      await until('another hook may start one', () => !existsSync(join(folder, 'starting')));
    });
  },
);

describe('the script of a hook', () => {
  it('gives up a recorder that does not answer after 3 s', async () => {
    const { home } = await recorderFor({ take: () => new Promise(() => undefined) });
    const ran = await runHook(scriptIn(home.folder, { onFailure: 'block' }));
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.ms).toBeGreaterThan(2900);
    expect(ran.ms).toBeLessThan(9000);
    expect(missedIn(home.folder)).not.toBe('');
    // It lives, and is waited for as long the next time.
    expect(existsSync(home.away)).toBe(false);
  });

  it.each(CLIENTS)(
    'sends nothing to a recorder that hangs, and notes that it waited, until one answers: with $client',
    async ({ environment }) => {
      const { home, taken, open, close } = await recorderFor();
      await close();
      // Takes connections, as the system does for a process that hangs, and answers nothing.
      const asked: string[] = [];
      const hung = createServer((socket) => {
        socket.on('data', (bytes) => asked.push(String(bytes).split(' HTTP', 1)[0] ?? '')).on('error', () => undefined);
      });
      await once(hung.listen(home.socket), 'listening');
      atEnd(() => void hung.close());
      writeFileSync(home.pid, `${process.pid}\n\n`);
      const script = scriptIn(home.folder, { onFailure: 'block' });
      for (const count of [1, 2]) {
        expect(await runHook(script, { environment })).toMatchObject({ code: 2, stdout: '' });
        expect(asked).toEqual(Array(count).fill('GET /v1/alive'));
        expect(existsSync(home.away)).toBe(true);
      }
      expect(missedIn(home.folder).match(/\n/g)).toHaveLength(2);
      hung.close();
      await open();
      expect(existsSync(home.away)).toBe(false);
      writeFileSync(home.away, '');
      expect(await runHook(script, { environment })).toMatchObject({ code: 0 });
      expect(taken).toHaveLength(1);
      expect(existsSync(home.away)).toBe(false);
    },
  );

  it.each([
    ['ends at once', 'exit 1', 20],
    ['lives on', 'exec sleep 9', 240],
  ])('waits for a recorder that %s as long as it can come', async (_, what, atLeast) => {
    const folder = temporaryFolder();
    const bin = pathWith('perl');
    const waits = join(folder, 'waits');
    rmSync(join(bin, 'sleep'));
    // What the script's own pauses add up to says how long it waits, whatever else the machine does.
    writeFileSync(join(bin, 'sleep'), `#!/bin/sh\necho "$1" >>'${waits}'\nexec /bin/sleep "$1"\n`, { mode: 0o700 });
    const command = join(folder, 'recorder');
    writeFileSync(command, `#!/bin/sh\nPATH=/bin:/usr/bin\n${what}\n`, { mode: 0o700 });
    const script = scriptIn(folder, { onFailure: 'block', start: [command] });
    expect(await runHook(script, { environment: { PATH: bin } })).toMatchObject({ code: 2 });
    const hundredths = readFileSync(waits, 'utf8')
      .trim()
      .split('\n')
      .map((text) => Number(text) * 100);
    const waited = Math.round(hundredths.reduce((sum, one) => sum + one, 0));
    expect(waited).toBeGreaterThanOrEqual(atLeast);
    expect(waited > 200).toBe(atLeast > 200);
  });

  it('asks no proxy, and reads no configuration of curl', async () => {
    const { home, taken } = await recorderFor();
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.curlrc'), 'proxy = http://127.0.0.1:1\nfail\noutput = /dev/null\n');
    const environment = { HOME: folder, http_proxy: 'http://127.0.0.1:1', ALL_PROXY: 'http://127.0.0.1:1' };
    const ran = await runHook(scriptIn(home.folder), { environment });
    expect(ran).toMatchObject({ code: 0, stdout: '{}', stderr: '' });
    expect(taken).toHaveLength(1);
  });

  it('reads nothing that is meant for Perl', async () => {
    const { home, taken } = await recorderFor();
    const environment = { PERL5OPT: '-Mno::such', PERL5LIB: '/nonexistent', PERL_UNICODE: 'SDA', LANG: 'no_SUCH' };
    const ran = await runHook(scriptIn(home.folder), { environment });
    expect(ran).toMatchObject({ code: 0, stdout: '{}', stderr: '' });
    expect(taken).toHaveLength(1);
  });

  it('takes a refusal of the recorder for an event that is missed', async () => {
    const take = async (): Promise<never> => {
      throw new RecordError('NOT_INSTALLED', 'no');
    };
    const { home } = await recorderFor({ take });
    const ran = await runHook(scriptIn(home.folder, { onFailure: 'block' }));
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(missedIn(home.folder)).not.toBe('');
  });

  it('notes nothing of what the recorder has counted as lost', async () => {
    const take = async (): Promise<never> => {
      throw new RecordError('EVENT_INVALID', 'no');
    };
    const { home } = await recorderFor({ take, onError: () => undefined });
    expect(await runHook(scriptIn(home.folder, { onFailure: 'block' }))).toMatchObject({ code: 2, stdout: '' });
    expect(await runHook(scriptIn(home.folder))).toMatchObject({ code: 0, stderr: '' });
    expect(missedIn(home.folder)).toBe('');
  });

  it('reaches a recorder whose process it cannot see', async () => {
    const { home, taken } = await recorderFor();
    writeFileSync(home.pid, '4194305\n1\n');
    const ran = await runHook(scriptIn(home.folder));
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(taken).toHaveLength(1);
  });

  it('lets the program go on where the recorder was removed with its folder', async () => {
    const folder = temporaryFolder();
    const path = scriptIn(folder);
    const script = join(temporaryFolder(), 'claudecode');
    writeFileSync(script, readFileSync(path), { mode: 0o700 });
    chmodSync(folder, 0o700);
    execFileSync('rm', ['-r', folder]);
    expect(await runHook(script)).toMatchObject({ code: 0, stderr: '' });
  });

  it('starts one recorder for many hooks at once', async () => {
    const folder = temporaryFolder();
    const log = join(folder, 'log');
    const command = join(folder, 'start');
    writeFileSync(command, `#!/bin/sh\necho started >>'${log}'\n`, { mode: 0o700 });
    const path = scriptIn(folder, { start: [command] });
    await Promise.all(Array.from({ length: 6 }, () => runHook(path)));
    await until('a start', () => existsSync(log));
    expect(readFileSync(log, 'utf8')).toBe('started\n');
    expect(Object.values(leftIn(folder))).toEqual(Array(6).fill(HOOK));
  });

  it('leaves what a recorder had of an event when it died, and all that followed, under the same id', async () => {
    const { home, close } = await recorderFor();
    await close();
    const given: string[] = [];
    let sent = 0;
    const dying = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .on('data', (bytes) => {
          const text = bytes.toString('latin1');
          sent += bytes.length;
          given.push(...(/x-countersign-event: (\S+)/i.exec(text)?.slice(1) ?? []));
          if (text.startsWith('GET')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
          else if (sent > 500_000) socket.destroy();
        });
    });
    await once(dying.listen(home.socket), 'listening');
    atEnd(() => void dying.close());
    const input = JSON.stringify({ ...JSON.parse(HOOK), tool_input: { command: 'ö'.repeat(1024 * 1024) } });
    expect(await runHook(scriptIn(home.folder), { input })).toMatchObject({ code: 0, stderr: '' });
    expect(leftIn(home.folder)).toEqual({ [`claudecode.${given[0]}`]: input });
    expect(missedIn(home.folder)).toBe('');
  });

  it('leaves an event whose program keeps the standard input open', async () => {
    const folder = temporaryFolder();
    const child = spawn(scriptIn(folder), { stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.on('error', () => undefined).write(HOOK);
    await once(child, 'exit');
    child.stdin.destroy();
    expect(Object.values(leftIn(folder))).toEqual([HOOK]);
  });

  it('leaves no more than is kept for a recorder that never starts, and notes the rest', async () => {
    const folder = temporaryFolder();
    const left = join(folder, 'left');
    mkdirSync(left);
    for (let at = 0; at < MOST_LEFT.files; at++) writeFileSync(join(left, `${at}`), '');
    expect(await runHook(scriptIn(folder))).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(left)).toHaveLength(MOST_LEFT.files);
    expect(missedIn(folder)).not.toBe('');
  });
});
