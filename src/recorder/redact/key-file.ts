import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { writeDurablyNow } from '../../node/light.ts';
import { hasCode } from '../../protocol/light.ts';
import { RecordError } from '../base/record-error.ts';
import { RecorderKeys } from './recorder-keys.ts';

const KEY_BYTES = 32;

function unusable(path: string, what: string, cause?: unknown): RecordError {
  return new RecordError('FOLDER_UNUSABLE', `${path} ${what}`, { cause });
}

function openKey(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw unusable(path, 'cannot be opened, or is a symbolic link', error);
  }
}

function readKey(path: string): Uint8Array | null {
  const file = openKey(path);
  if (file === null) return null;
  try {
    const { mode, uid, size } = fstatSync(file);
    const own = process.geteuid?.();
    if (own !== undefined && ((mode & 0o077) !== 0 || uid !== own)) {
      throw unusable(path, 'can be read by others: only its user may (chmod 600)');
    }
    const key = Buffer.alloc(KEY_BYTES);
    if (size !== KEY_BYTES || readSync(file, key) !== KEY_BYTES) throw unusable(path, 'is not a key of 32 bytes');
    return key;
  } finally {
    closeSync(file);
  }
}

/**
 * The recorder's secret key, from its file; a new one where there is none. The caller holds the folder, so that there are never two.
 * @param path of the key file (`secretsKey` of the recorder's folder)
 * @throws RecordError FOLDER_UNUSABLE where the file is no key, a symbolic link, or others can read it
 */
export function openRecorderKeys(path: string): RecorderKeys {
  const known = readKey(path);
  if (known !== null) return new RecorderKeys(known);
  const fresh = randomBytes(KEY_BYTES);
  writeDurablyNow(path, fresh);
  return new RecorderKeys(fresh);
}
