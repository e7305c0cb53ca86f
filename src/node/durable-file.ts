import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes the names in a folder durable: a file that was renamed is found after a power cut only once this is done. */
export async function syncFolder(path: string): Promise<void> {
  // Windows neither can nor has to.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** Makes the content of a file durable that something else has written. */
export async function syncFile(path: string): Promise<void> {
  // Windows flushes only what could be written too.
  const file = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  await file.sync().finally(() => file.close());
}

/**
 * Gives a file that is whole and on the disk its name, over whatever has that name. A crash before it leaves a whole file under
 * a name that is nothing yet.
 */
export async function putInPlace(temporary: string, path: string): Promise<void> {
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** What fails leaves nothing behind: on a full disk the part that fitted would stay in the way. */
async function orRemove<T>(temporary: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Writes a file that only this user may read, whole or not at all, and makes it and its name durable.
 * @param path what stands there already is replaced
 * @param temporary where the content is until it is whole; a separate one for each program where several write the file
 */
export async function writeDurably(path: string, text: string, temporary = `${path}.new`): Promise<void> {
  const put = await prepareDurably(path, text, temporary);
  await put();
}

/**
 * The same in two steps, for what may take its place only after something else was done: the content is on disk, beside.
 * @returns puts it into its place
 */
export async function prepareDurably(
  path: string,
  text: string,
  temporary = `${path}.new`,
): Promise<() => Promise<void>> {
  // What a crash left would keep its own mode.
  await rm(temporary, { force: true });
  await orRemove(temporary, async () => {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  });
  // A crash before that leaves what was there, and a .new file that the next one overwrites.
  return () => orRemove(temporary, () => putInPlace(temporary, path));
}

/** putInPlace, while everything waits: for the few files without which nothing may go on. */
export function putInPlaceNow(temporary: string, path: string): void {
  renameSync(temporary, path);
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** writeDurably, while everything waits. */
export function writeDurablyNow(path: string, content: string | Uint8Array, temporary = `${path}.new`): void {
  // A file that is there already would keep its own mode, and who may have opened it.
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  putInPlaceNow(temporary, path);
}
