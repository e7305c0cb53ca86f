import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hasCode } from '../../src/protocol/text/light.ts';
import { atEnd } from '../support/cleanup.ts';

const LOSING_RUN = fileURLToPath(new URL('../support/losing-run.ts', import.meta.url));

interface Begun {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly lost: readonly number[];
  readonly ended: Promise<{ readonly code: number | null; readonly complaint: string }>;
}

async function begin(ending: string, loses: 'processes' | 'nothing'): Promise<Begun> {
  // Its own run, not part of the one around it.
  const { TEST_RUN_FOLDER: _, ...env } = process.env;
  const child = spawn(process.execPath, [LOSING_RUN, ending, loses], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const ended = new Promise<{ code: number | null; complaint: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, complaint }));
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, ended, ...(JSON.parse(String(line)) as { folder: string; lost: number[] }) };
}

/** Not one that has ended and whose new parent has not asked for its end yet, as in containers. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ESRCH', 'ENOENT')) return false;
    throw error;
  }
}

describe.skipIf(process.platform === 'win32')('a run of tests', () => {
  it.each([
    ['it returns', 'returns', null, 1],
    ['it fails', 'throws', null, 1],
    ['SIGTERM ends it', 'is told to end', 'SIGTERM', 143],
    ['SIGINT ends it', 'is told to end', 'SIGINT', 130],
  ] as const)('ends what it has lost, names it, and removes its folder, where %s', async (_, ending, signal, code) => {
    const { child, folder, lost, ended } = await begin(ending, 'processes');
    if (signal !== null) child.kill(signal);
    const end = await ended;
    expect(end.code).toBe(code);
    for (const pid of lost) expect(end.complaint).toContain(`process ${pid}: ${process.execPath}`);
    expect(lost.filter(isAlive)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it('says nothing where it has lost nothing, and leaves the processes of others alone', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 2 ** 30)'], { stdio: 'ignore' });
    atEnd(() => other.kill('SIGKILL'));
    const { folder, ended } = await begin('returns', 'nothing');
    expect(await ended).toEqual({ code: 0, complaint: '' });
    expect(existsSync(folder)).toBe(false);
    expect(other.exitCode ?? other.signalCode).toBeNull();
  });
});
