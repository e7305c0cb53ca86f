import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from './command.ts';
import type { Terminal } from './terminal.ts';

/** A task was ended by Ctrl-C, or because the system told the process to end. The message is meant for people. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs a task that a first SIGINT or SIGTERM ends by its signal, so that it can tidy up; a second one ends the process. For tasks that
 * leave this thread free: while something is read, unpacked or checked on it, no signal that somebody listens to arrives, and one that
 * nobody listens to ends the process at once.
 * @throws what the task throws, which after a signal is Interrupted
 */
export async function interruptible<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => {
    release();
    controller.abort(new Interrupted('interrupted: nothing is known of what was not verified yet'));
  };
  const release = (): void => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await task(controller.signal);
  } finally {
    release();
  }
}

/**
 * Runs a task that a signal ends at once, as it ends any process; before that the progress bar and whatever `tidy` removes are
 * taken away. For tasks that leave nothing behind that a crash would not leave as well.
 */
export async function stoppable<T>(
  terminal: Pick<Terminal, 'endProgress'> | null,
  task: () => Promise<T>,
  tidy = (): void => {},
): Promise<T> {
  const stop = (signal: NodeJS.Signals): void => {
    release();
    terminal?.endProgress();
    tidy();
    if (process.platform === 'win32') process.exit(EXIT.interrupted);
    // Whoever started this process is to see what ended it.
    process.kill(process.pid, signal);
  };
  const release = (): void => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await task();
  } finally {
    release();
  }
}

/** Runs a stoppable task with its own folder that is removed however the task ends. */
export async function inTemporaryFolder<T>(
  prefix: string,
  terminal: Terminal,
  task: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  try {
    return await stoppable(
      terminal,
      () => task(folder),
      () => rmSync(folder, { recursive: true, force: true }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
