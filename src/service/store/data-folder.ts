import { chmodSync, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './base/service-error.ts';

/** What the service makes in its folder and goes into by name: in its place nothing may lead elsewhere. */
const OWN = [
  'ledger.sqlite',
  'index.sqlite',
  'content.sqlite',
  'content',
  'lock.sqlite',
  'exports',
  'cases',
  'backups',
  'witness',
];

/** What group and others may do, and what of that is writing. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/**
 * Makes the data folder, for this user alone, or looks whether it is: keys, passwords' hashes and everybody's records are in it.
 * Whatever the process makes from now on is for this user alone too.
 *
 * A folder that others can only read is closed to them. One that others can write to, or that is another user's, is refused: what
 * is in it may be theirs.
 * @throws StartError DATA_DIR_UNUSABLE
 */
export function prepareDataFolder(dataDir: string): void {
  // Files that SQLite and others make say nothing of their mode.
  process.umask(OTHERS);
  let folder: Stats;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    folder = statSync(dataDir);
  } catch (error) {
    throw new StartError('DATA_DIR_UNUSABLE', `the data folder ${dataDir} cannot be made`, { cause: error });
  }
  // Windows has other rights, which a user's own folders inherit from their profile.
  const user = process.getuid?.();
  if (user === undefined) return;
  if (folder.uid !== user) {
    throw unusable(
      dataDir,
      `belongs to another user (uid ${folder.uid}, this is ${user}): start as that user, or chown it`,
    );
  }
  if ((folder.mode & OTHERS_WRITE) !== 0) {
    const mode = (folder.mode & 0o777).toString(8);
    throw unusable(
      dataDir,
      `can be written by other users (mode ${mode}): look at what is in it, then close it with chmod 700`,
    );
  }
  if ((folder.mode & OTHERS) !== 0) close(dataDir);
  for (const name of OWN) checkOwn(dataDir, name, user);
}

function unusable(dataDir: string, why: string, cause?: unknown): StartError {
  return new StartError('DATA_DIR_UNUSABLE', `the data folder ${dataDir} ${why}`, { cause });
}

function close(dataDir: string): void {
  try {
    chmodSync(dataDir, 0o700);
  } catch (error) {
    throw unusable(dataDir, 'is open to other users, and cannot be closed to them', error);
  }
}

function checkOwn(dataDir: string, name: string, user: number): void {
  const entry = lstatSync(join(dataDir, name), { throwIfNoEntry: false });
  if (entry === undefined) return;
  if (entry.isSymbolicLink()) throw unusable(dataDir, `has a symbolic link in place of ${name}: remove it`);
  if (entry.uid !== user) throw unusable(dataDir, `has ${name} of another user (uid ${entry.uid}): remove or chown it`);
}
