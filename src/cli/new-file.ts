import { once } from 'node:events';
import { createWriteStream, existsSync, rmSync, statSync, type WriteStream } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncFolder } from '../node/index.ts';
import { hasCode } from '../protocol/text/light.ts';
import { FileProblem, type ParsedArgs } from './command.ts';
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

/** @throws UsageError where it is there and must not be overwritten, or would be no file */
function refuseOld(path: string, overwrite: boolean): void {
  const old = statSync(path, { throwIfNoEntry: false });
  // A device or a pipe would be replaced by a file, for the whole machine.
  if (old !== undefined && !old.isFile()) throw new FileProblem(`${path}: is not a regular file; name another one`);
  if (old !== undefined && !overwrite) throw new FileProblem(existing(path));
}

/** The file that `--out` names, for whoever writes it elsewhere first; null where it is left out. @throws UsageError */
export function newFileOf(args: ParsedArgs): string | null {
  const out = args.text('out');
  if (out === undefined) return null;
  if (!existsSync(dirname(resolve(out)))) throw new FileProblem(`${out}: cannot be written: the folder does not exist`);
  refuseOld(out, args.on('force'));
  return resolve(out);
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
  refuseOld(path, overwrite);
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

/** writeNewFile for bytes in hand, over an existing file where the arguments say --force. @throws UsageError */
export async function writeBytes(path: string, bytes: Uint8Array, args: ParsedArgs): Promise<void> {
  await writeNewFile(path, { overwrite: args.on('force') }, async (out) => {
    await new Promise<void>((resolve, reject) => out.once('error', reject).end(bytes, resolve));
  });
}
