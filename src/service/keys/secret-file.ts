import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { StartError } from '../errors.ts';

/** Writes a file that only this user may read, and makes it and its name durable before anything relies on it. */
export function writeSecretFile(path: string, content: unknown): void {
  const temporary = `${path}.new`;
  // A file that is there already would keep its own mode, and who may have opened it.
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(file, `${JSON.stringify(content)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  // A crash before this line leaves a .new file that the next start overwrites; after it the whole secret.
  renameSync(temporary, path);
  syncFolderNow(dirname(path));
}

/** Makes the names in a folder durable, while everything waits: for the few files without which nothing may go on. */
export function syncFolderNow(path: string): void {
  // Windows neither can nor has to.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Reads such a file.
 * @param what how messages call it, such as "service key"
 * @returns its content, or null where there is no file
 * @throws StartError KEY_UNREADABLE
 */
export function readSecretFile<T>(path: string, schema: z.ZodType<T>, what: string): T | null {
  let text: string;
  try {
    // The mode is looked at before the content: others may have read, or replaced, a key that they can reach.
    const mode = statSync(path).mode & 0o077;
    if (mode !== 0 && process.platform !== 'win32') {
      throw new StartError('KEY_UNREADABLE', `other users can reach the ${what} ${path}: chmod 600 it`);
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new StartError('KEY_UNREADABLE', `the ${what} ${path} cannot be read`, { cause: error });
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    // The cause would quote the content, which is the secret.
    throw new StartError('KEY_UNREADABLE', `${path} is not a ${what} file`);
  }
}
