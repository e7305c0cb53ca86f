import { once } from 'node:events';
import { createWriteStream, rmSync, statSync, type WriteStream } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../node/index.ts';
import { hasCode } from '../protocol/text/light.ts';
import { FileProblem } from './command.ts';
import { stoppable } from './interruptible.ts';
import { systemReason } from './system-problem.ts';

function existing(path: string): string {
  return `${path}: exists already; --force overwrites it`;
}

/** Gives a finished file its name, over no other one unless told so. */
async function giveName(temporary: string, path: string, overwrite: boolean): Promise<void> {
  if (!overwrite) {
    try {
      await link(temporary, path);
      await rm(temporary);
      return;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) throw new FileProblem(existing(path));
      // A file system without links: it was looked at before the start.
      if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK')) throw error;
    }
  }
  await rename(temporary, path);
}

/**
 * Writes a file that is there whole or not at all: under its name only once everything is on disk. A signal removes
 * what is written and ends the process; what a crash leaves is a `.part` file, which the next run overwrites.
 * @throws UsageError where it cannot be written, or is there and must not be overwritten
 */
export async function writeNewFile<T>(
  path: string,
  { overwrite }: { readonly overwrite: boolean },
  write: (out: WriteStream) => Promise<T>,
): Promise<T> {
  const old = statSync(path, { throwIfNoEntry: false });
  // A device or a pipe would be replaced by a file, for the whole machine.
  if (old !== undefined && !old.isFile()) throw new FileProblem(`${path}: is not a regular file; name another one`);
  if (old !== undefined && !overwrite) throw new FileProblem(existing(path));
  const temporary = `${path}.part`;
  try {
    const out = createWriteStream(temporary, { flush: true });
    await once(out, 'open');
    const result = await stoppable(
      null,
      () => write(out),
      () => rmSync(temporary, { force: true }),
    );
    await giveName(temporary, path, overwrite);
    await syncFolder(dirname(path));
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    const reason = systemReason(error);
    throw reason === null ? error : new FileProblem(`${path}: cannot be written: ${reason}`);
  }
}
