import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync, type Stats } from 'node:fs';
import { hasCode } from '../../protocol/light.ts';
import { RecordError } from './record-error.ts';

/** What members of group and others may do: nothing. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/**
 * Makes a folder for this user alone, or looks whether it is.
 * @throws RecordError FOLDER_UNUSABLE
 */
export function prepareOwnFolder(path: string): void {
  let folder: Stats;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    folder = lstatSync(path);
  } catch (error) {
    throw new RecordError('FOLDER_UNUSABLE', `the folder ${path} cannot be made`, { cause: error });
  }
  if (!folder.isDirectory()) throw new RecordError('FOLDER_UNUSABLE', `${path} is a symbolic link: put a folder there`);
  checkOwn(path, folder, '700');
}

/**
 * Reads a file that nobody but this user may be able to read, such as one with a key. The file that was looked at is the one that is
 * read.
 * @throws RecordError FOLDER_UNUSABLE; what the file system says, where it cannot be opened
 */
export function readOwnFile(path: string): string {
  return readChecked(path, (info) => checkOwn(path, info, '600'));
}

/**
 * Reads a file that root alone may have written.
 * @throws RecordError FOLDER_UNUSABLE; what the file system says, where it cannot be opened
 */
export function readSystemFile(path: string): string {
  return readChecked(path, ({ uid, mode }) => {
    if (uid === 0 && (mode & OTHERS_WRITE) === 0) return;
    throw new RecordError('FOLDER_UNUSABLE', `${path} can be changed by others than root: install again`);
  });
}

function readChecked(path: string, check: (info: Stats) => void): string {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (!hasCode(error, 'ELOOP')) throw error;
    throw new RecordError('FOLDER_UNUSABLE', `${path} is a symbolic link: put the file itself there`);
  }
  try {
    check(fstatSync(file));
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function checkOwn(path: string, { uid, mode }: Stats, closed: string): void {
  // Windows has other rights, which a user's own folders inherit from their profile.
  const user = process.geteuid?.();
  if (user === undefined) return;
  if (uid !== user) throw new RecordError('FOLDER_UNUSABLE', `${path} belongs to another user (uid ${uid})`);
  if ((mode & OTHERS) !== 0) {
    throw new RecordError('FOLDER_UNUSABLE', `${path} is open to other users: close it with chmod ${closed}`);
  }
}
