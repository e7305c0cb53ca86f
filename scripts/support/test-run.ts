import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { hasCode, messageOf } from '../../src/protocol/text/light.ts';
import { ROOT } from './paths.ts';

/** Names the folder of a run in the environment of whatever belongs to it. */
const RUN_FOLDER = 'TEST_RUN_FOLDER';

/** How long what has been told to end may take, in milliseconds: browsers write their profiles, workers close their services. */
const GRACE_MS = 5_000;
const PAUSE_MS = 50;

/**
 * A run of tests: all temporary folders and browser profiles of its processes lie below one folder, and each of its processes names that
 * folder in its environment or on its command line. So what outlives the run is found by what it holds, however it came loose.
 */
export interface TestRun {
  readonly folder: string;
  /** For the processes of the run. */
  readonly environment: NodeJS.ProcessEnv;
  /** Ends what is left of the run, and removes its folder; the first call does. @returns a line for each thing that was left */
  end(): readonly string[];
}

interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** Whether this process belongs to a run that another one began, and ends. */
export function isWithinRun(): boolean {
  return process.env[RUN_FOLDER] !== undefined;
}

/**
 * Begins a run, which ends with this process at the latest: also where a signal tells it to end, after the others that listen for
 * that signal.
 */
export function beginTestRun(graceMs = GRACE_MS): TestRun {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-run-'));
  let left: readonly string[] | null = null;
  const end = (): readonly string[] => {
    left ??= endRun(folder, graceMs);
    return left;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => setImmediate(() => process.exit(128 + constants.signals[signal])));
  }
  process.once('exit', () => {
    if (left !== null || end().length === 0) return;
    console.error(leftMessage(end()));
    process.exitCode ||= 1;
  });
  // What makes temporary folders looks at the one of these that its system has.
  const places = { [RUN_FOLDER]: folder, TMPDIR: folder, TEMP: folder, TMP: folder };
  const environment = { ...process.env, ...places, PATH: pathWithPython(process.env['PATH'] ?? '') };
  return { folder, environment, end };
}

/** The folder of Python itself first: a script that chooses one of several takes longer to start than what tests ask of it. */
function pathWithPython(path: string): string {
  const program = 'import sys; print(sys.executable, end="")';
  const { status, stdout } = spawnSync('python3', ['-c', program], { encoding: 'utf8' });
  return status === 0 && stdout !== '' ? `${dirname(stdout)}${delimiter}${path}` : path;
}

export function leftMessage(left: readonly string[]): string {
  return ['Left behind by the tests, and ended:', ...left.map((line) => `  - ${line}`)].join('\n');
}

function endRun(folder: string, graceMs: number): string[] {
  const left = waitForEnd(folder, graceMs);
  for (const { pid } of left) kill(pid);
  waitForEnd(folder, GRACE_MS);
  const lines = left.map(({ pid, command }) => `process ${pid}: ${command}`);
  try {
    // Also a process that was ended may write for a moment longer.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  } catch (error) {
    lines.push(`folder ${folder}: ${messageOf(error)}`);
  }
  return lines;
}

/** Ends other people's programs that hold a folder: what a test ran of them may leave daemons and commands behind. */
export function endProgramsIn(folder: string): void {
  const strangers = processesOf(folder).filter(({ command }) => !command.includes(join(ROOT, 'bin')));
  for (const { pid } of strangers) kill(pid);
}

/** Waits for the processes of a run to end by themselves. @returns those that did not */
function waitForEnd(folder: string, graceMs: number): readonly FoundProcess[] {
  const until = performance.now() + graceMs;
  const bell = new Int32Array(new SharedArrayBuffer(4));
  let found = processesOf(folder);
  while (found.length > 0 && performance.now() < until) {
    // Not by the event loop: this runs in handlers of exit, too.
    Atomics.wait(bell, 0, 0, PAUSE_MS);
    found = processesOf(folder);
  }
  return found;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It may have ended since it was found.
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

/** The processes, but this one, that hold a folder: in their environment, on their command line, or by being in it. */
function processesOf(folder: string): FoundProcess[] {
  // Windows tells nobody the environment of another process. What has a file open there keeps the folder from being removed.
  const all = process.platform === 'linux' ? listedInProc() : process.platform === 'win32' ? [] : listedByPs();
  return all
    .filter(({ pid, held }) => pid !== process.pid && held.includes(folder))
    .map(({ pid, held }) => ({ pid, command: commandOf(held) }));
}

interface ListedProcess {
  readonly pid: number;
  /** Its command line, then what else is known of it, a line for each. */
  readonly held: string;
}

function commandOf(held: string): string {
  const [command = ''] = held.split('\n');
  return command.length > 300 ? `${command.slice(0, 300)} …` : command;
}

function listedInProc(): ListedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      const read = (file: string) =>
        readFileSync(join('/proc', name, file), 'utf8')
          .replaceAll('\0', ' ')
          .trim();
      const held = [() => read('cmdline'), () => read('environ'), () => readlinkSync(join('/proc', name, 'cwd'))];
      return { pid: Number(name), held: held.map(ofLiving).join('\n') };
    });
}

/** Empty for a process that has ended, or is another user's. */
function ofLiving(ask: () => string): string {
  try {
    return ask();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return '';
    throw error;
  }
}

function listedByPs(): ListedProcess[] {
  const { stdout } = spawnSync('ps', ['-axEww', '-o', 'pid=,command='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, held] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return pid === undefined || held === undefined ? [] : [{ pid: Number(pid), held }];
  });
}
