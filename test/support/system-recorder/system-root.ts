import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RecordError } from '../../../src/recorder/index.ts';
import { recorderCommand } from '../../../src/recorder/listen/recorder-command.ts';
import { type Account, findAccount } from '../../../src/recorder/system/account.ts';
import { type SystemPlaces, systemPlaces } from '../../../src/recorder/system/places.ts';
import { checkProgramPlace } from '../../../src/recorder/system/program-place.ts';
import { atEnd } from '../cleanup.ts';
import { temporaryFolder } from '../folders.ts';
import type { Ran } from '../hook-runs.ts';
import { until } from '../until.ts';

/** Two persons by numbers that no machine has by itself. */
export const ADA = { uid: 54_321, gid: 54_321 };
export const EVE = { uid: 54_322, gid: 54_322 };

const COMMANDS = ['python3', 'curl', 'useradd', 'systemctl', 'getent'];

function fileBeside(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** @returns why these tests cannot run here; null where they can */
export function whyNot(): string | null {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return 'needs root on Linux';
  const missing = COMMANDS.find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  if (missing !== undefined) return `needs ${missing}`;
  try {
    checkProgramPlace();
    return null;
  } catch (error) {
    if (error instanceof RecordError) return error.message;
    throw error;
  }
}

/** A folder that stands for `/`, with two persons, of whom Ada has a home. */
export class SystemRoot {
  readonly path = temporaryFolder();
  readonly places: SystemPlaces = systemPlaces(ADA.uid, this.path);
  /** Why root's command last refused. */
  said = '';
  readonly home = join(this.path, 'home', 'ada');

  constructor() {
    chmodSync(this.path, 0o755);
    // That of the run is closed to the two persons and to the recorder's account: they go through it, and see nothing of it.
    chmodSync(dirname(this.path), statSync(dirname(this.path)).mode | 0o111);
    for (const folder of ['etc', 'home', 'run', 'run/countersign-recorder']) {
      mkdirSync(join(this.path, folder));
      // A service within this process has closed its umask.
      chmodSync(join(this.path, folder), 0o755);
    }
    const passwd = [`ada:x:${ADA.uid}:${ADA.gid}::${this.home}:/bin/sh`, `eve:x:${EVE.uid}:${EVE.gid}::/:/bin/sh`];
    writeFileSync(join(this.path, 'etc/passwd'), `root:x:0:0:root:/root:/bin/sh\n${passwd.join('\n')}\n`);
    writeFileSync(join(this.path, 'etc/group'), `root:x:0:\nada:x:${ADA.gid}:\neve:x:${EVE.gid}:\n`);
    this.own(this.home);
  }

  /** A folder of Ada's. */
  own(path: string): void {
    if (!existsSync(dirname(path)) && path.startsWith(this.home)) this.own(dirname(path));
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chownSync(path, ADA.uid, ADA.gid);
  }

  /** A file of Ada's. */
  put(name: string, text: string): string {
    const path = join(this.home, name);
    this.own(dirname(path));
    writeFileSync(path, text);
    chownSync(path, ADA.uid, ADA.gid);
    return path;
  }

  /** What userdel does. */
  dismiss(): void {
    const path = join(this.path, 'etc/passwd');
    writeFileSync(path, textOf(path).replace(/^ada:.*\n/m, ''));
  }

  get script(): string {
    return join(this.places.view, 'hooks', 'gemini');
  }

  /** What root's command says: see installing.ts. */
  async as(action: 'install' | 'uninstall', person: string, service: string, token: string): Promise<string> {
    const file = fileBeside('installing.ts');
    const env = { PATH: process.env['PATH'] ?? '', COUNTERSIGN_TOKEN: token };
    const { code, stdout, stderr } = await ran(process.execPath, [file, this.path, action, person, service], { env });
    if (code !== 0) throw new Error(stderr);
    this.said = stderr;
    return stdout;
  }

  async account(): Promise<Account> {
    const account = await findAccount('countersign-recorder', this.path);
    if (account === null) throw new Error('there is no account of the recorder');
    return account;
  }
}

interface RunAsOptions {
  readonly uid?: number;
  readonly gid?: number;
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end, as somebody. */
export async function ran(
  program: string,
  args: readonly string[],
  options: RunAsOptions = {},
): Promise<Omit<Ran, 'ms'>> {
  const { input = '', env = { PATH: process.env['PATH'] ?? '' }, ...as } = options;
  const child = spawn(program, args, { ...as, env, cwd: '/', stdio: 'pipe' });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  }
  child.stdin.on('error', () => undefined).end(input);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...printed };
}

/** A socket that is kept for the recorder of a person, as systemd would: see keep-socket.py. */
export class KeptSocket {
  readonly #child: ChildProcess;
  #said = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
    atEnd(() => this.stop());
  }

  static async open({ places, account }: { places: SystemPlaces; account: Account }): Promise<KeptSocket> {
    const { start } = recorderCommand();
    const numbers = [ADA.uid, account.uid, account.gid].map(String);
    const args = [fileBeside('keep-socket.py'), places.socket, ...numbers, ...start, '--quiet'];
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    // As systemd has it: the account's home, which does not exist.
    const env = { PATH, HOME: '/nonexistent', NODE_COMPILE_CACHE, COUNTERSIGN_RECORDER: places.state };
    const kept = new KeptSocket(spawn('python3', args, { env, stdio: ['pipe', 'pipe', 'inherit'] }));
    await until('the socket', () => existsSync(places.socket) && kept.#said.includes('listening'));
    return kept;
  }

  /** The recorder that was started last. */
  get pid(): number | null {
    const last = this.#said.trim().split('\n').at(-1) ?? '';
    return /^\d+$/.test(last) ? Number(last) : null;
  }

  /** Kills the recorder, if one runs. */
  kill(): void {
    if (this.pid !== null && existsSync(`/proc/${this.pid}`)) process.kill(this.pid, 'SIGKILL');
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    await ended;
  }
}

export function textOf(path: string): string {
  return readFileSync(path, 'utf8');
}
