import { execFile } from 'node:child_process';
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

/** Whose process a program is to be, where it is not to be one of this user. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

/** @returns null where the PATH has no such command */
export async function findProgram(
  binary: string | null,
  environment: NodeJS.ProcessEnv,
  runAs: RunAs | null = null,
): Promise<FoundProgram | null> {
  if (binary === null) return null;
  const path = onPath(binary, environment['PATH'] ?? '');
  return path === null ? null : { path, version: await versionOf(path, environment, runAs) };
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

function versionOf(path: string, environment: NodeJS.ProcessEnv, runAs: RunAs | null): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { env: environment, timeout: PATIENCE_MS, encoding: 'utf8', ...runAs } as const;
    const child = execFile(path, ['--version'], options, (_error, stdout) => {
      // A version is good to know; without one the newest form is installed.
      resolve(/\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? null);
    });
    child.stdin?.end();
  });
}
