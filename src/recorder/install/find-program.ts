import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program as it was found on the PATH. */
export interface FoundProgram {
  readonly path: string;
  /** The first number of the form 1.2.3 that it prints; null where it says none. */
  readonly version: string | null;
}

/** Slow ones take three seconds, on a machine that does nothing else. */
const PATIENCE_MS = 20_000;

/** The most of its output that is read, in characters. */
const LONGEST_OUTPUT = 65_536;

const HAS_SESSIONS = process.platform !== 'win32';

/** Whose process a program is to be, where it is not to be one of this user. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

/**
 * @param patienceMs how long it may take to say its version
 * @returns null where the PATH has no such command
 */
export async function findProgram(
  binary: string | null,
  environment: NodeJS.ProcessEnv,
  runAs: RunAs | null = null,
  patienceMs = PATIENCE_MS,
): Promise<FoundProgram | null> {
  if (binary === null) return null;
  const path = onPath(binary, environment['PATH'] ?? '');
  if (path === null) return null;
  const printed = await outputOf(path, environment, runAs, patienceMs);
  // A version is good to know; without one the newest form is installed.
  return { path, version: /\d+\.\d+\.\d+/.exec(printed)?.[0] ?? null };
}

function onPath(binary: string, path: string): string | null {
  const candidates = path.split(delimiter).filter((folder) => folder !== '');
  return candidates.map((folder) => join(folder, binary)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Whatever keeps it from being started: the next folder of the PATH is looked at.
    return false;
  }
}

/**
 * Runs a program that may be in the hands of somebody else than whoever runs this, such as the person's where root installs. So it gets a
 * separate session: in this one it could type commands into root's terminal. It neither gets the descriptors of this process, nor can it
 * keep this process waiting: it is killed with all of its group, and what it left with its pipes is not waited for.
 */
function outputOf(
  path: string,
  environment: NodeJS.ProcessEnv,
  runAs: RunAs | null,
  patienceMs: number,
): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(path, ['--version'], {
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: HAS_SESSIONS,
      ...(runAs === null ? {} : { uid: runAs.uid, gid: runAs.gid, cwd: '/' }),
    });
    let printed = '';
    const finish = (): void => {
      clearTimeout(timer);
      child.stdout.destroy();
      child.unref();
      resolve(printed);
    };
    const giveUp = (): void => {
      kill(child);
      finish();
    };
    const timer = setTimeout(giveUp, patienceMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.length > LONGEST_OUTPUT) giveUp();
    });
    child.once('error', finish);
    child.once('close', finish);
  });
}

function kill(child: ChildProcess): void {
  // Of one that has ended the number may be another's by now.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (HAS_SESSIONS) process.kill(-child.pid, 'SIGKILL');
  else child.kill('SIGKILL');
}
