import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { putInPlace, syncFolder } from '../../../node/index.ts';
import { hasCode } from '../../../protocol/light.ts';
import { BackupError } from './backup-errors.ts';

function refuseLeftover(temporary: string): never {
  throw new BackupError(
    'TARGET_EXISTS',
    `${temporary} is left from one that was interrupted, or belongs to one that is being made: remove it if it is not`,
  );
}

/** An empty folder may be there: it is where the whole one goes. */
async function isFree(target: string): Promise<boolean> {
  if (!existsSync(target)) return true;
  try {
    return (await readdir(target)).length === 0;
  } catch {
    // A file, or a folder that cannot be looked into: taken in any case.
    return false;
  }
}

/** Has something made in its own folder, which a failure removes. @throws BackupError TARGET_EXISTS, TARGET_UNUSABLE */
async function inTemporary<T>(temporary: string, make: () => Promise<T>): Promise<T> {
  try {
    await mkdir(dirname(temporary), { recursive: true });
    await mkdir(temporary, { mode: 0o700 });
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return refuseLeftover(temporary);
    throw new BackupError('TARGET_UNUSABLE', `${temporary} cannot be made`, { cause: error });
  }
  try {
    return await make();
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Makes a folder that is there whole or not at all: everything is written into `TARGET.part`, whose name says what it is,
 * and that is renamed once all of it is on disk. A failure removes it; a crash leaves it.
 * @param fill writes the content, each file durably
 * @throws BackupError TARGET_EXISTS, TARGET_UNUSABLE
 */
export async function makeFolder<T>(target: string, fill: (folder: string) => Promise<T>): Promise<T> {
  const path = resolve(target);
  const temporary = `${path}.part`;
  if (!(await isFree(path))) throw new BackupError('TARGET_EXISTS', `${target} exists already and is not empty`);
  return inTemporary(temporary, async () => {
    const result = await fill(temporary);
    await syncFolder(temporary);
    if (existsSync(path)) await rmdir(path);
    // A crash before this line leaves the .part folder, which nothing takes for a whole one; after it the whole folder.
    await putInPlace(temporary, path);
    return result;
  });
}

/**
 * Makes a file and the manifest beside it, in the same way. The manifest gets its name first: a file without one is no
 * whole backup, and a manifest without its file does not look like one.
 * @param fill writes the two, durably
 * @throws BackupError TARGET_EXISTS, TARGET_UNUSABLE
 */
export async function makeFileWithManifest<T>(
  target: string,
  manifestTarget: string,
  fill: (file: string, manifest: string) => Promise<T>,
): Promise<T> {
  const path = resolve(target);
  for (const taken of [target, manifestTarget]) {
    if (existsSync(taken)) throw new BackupError('TARGET_EXISTS', `${taken} exists already`);
  }
  const temporary = `${path}.part`;
  return inTemporary(temporary, async () => {
    const [file, manifest] = [join(temporary, 'file'), join(temporary, 'manifest')];
    const result = await fill(file, manifest);
    await rename(manifest, resolve(manifestTarget));
    // A crash before this line leaves a manifest without its file; after it both are there.
    await rename(file, path);
    await rmdir(temporary);
    await syncFolder(dirname(path));
    return result;
  });
}
