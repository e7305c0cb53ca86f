import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ROOT } from './paths.ts';

export interface RunResult {
  readonly ok: boolean;
  /** Standard output and error in the order they came; empty when the child wrote to the terminal itself. */
  readonly output: string;
}

export interface RunOptions {
  /** The child writes straight to this process's output instead of being collected. */
  readonly show?: boolean;
  /** The child is ended after this many milliseconds and counts as failed. */
  readonly limitMs?: number;
  readonly env?: NodeJS.ProcessEnv;
}

const running = new Set<ChildProcess>();

// A script that is told to stop takes its children along, so that no test run is left behind. Only while there are
// some: what a script does afterwards, such as serving, answers to signals in its own way.
const handlers = (['SIGINT', 'SIGTERM'] as const).map((signal) => {
  const stop = (): void => {
    for (const child of running) child.kill(signal);
    process.exit(128 + constants.signals[signal]);
  };
  return { signal, stop };
});

function track(child: ChildProcess): void {
  if (running.size === 0) for (const { signal, stop } of handlers) process.on(signal, stop);
  running.add(child);
}

function untrack(child: ChildProcess): void {
  running.delete(child);
  if (running.size === 0) for (const { signal, stop } of handlers) process.off(signal, stop);
}

/** Runs a program to its end. A program that can't be started is a failed run with the reason as output. */
export function run(file: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { show = false, limitMs, env = process.env } = options;
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: ROOT,
      env,
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    });
    track(child);
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    let overdue = false;
    const limit = setTimeout(
      () => {
        overdue = true;
        child.kill('SIGKILL');
      },
      limitMs ?? 2 ** 31 - 1,
    );
    const finish = (ok: boolean, remark: string): void => {
      clearTimeout(limit);
      untrack(child);
      const output = Buffer.concat(chunks).toString('utf8') + remark;
      resolve({ ok, output });
    };
    child.on('error', (error) => finish(false, `${file}: ${error.message}\n`));
    // 'exit' and not 'close': a grandchild that keeps the pipes open must not hold the script up.
    child.on('exit', (code) =>
      setImmediate(() =>
        finish(code === 0, overdue ? `Ended after ${(limitMs ?? 0) / 1000} s without finishing.\n` : ''),
      ),
    );
  });
}

/** Runs a JavaScript or TypeScript file with this very Node. */
export function runNode(script: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return run(process.execPath, [script, ...args], options);
}
