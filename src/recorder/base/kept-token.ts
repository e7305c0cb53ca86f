import { randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeDurablyNow } from '../../node/light.ts';
import { readOwnFile } from './own-files.ts';
import { RecordError } from './record-error.ts';

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * A token of this user: made when it is first asked for, and kept, so that configurations may hold it.
 * @throws RecordError FOLDER_UNUSABLE
 */
export function keptToken(path: string): string {
  if (!existsSync(path)) writeDurablyNow(path, `${newToken()}\n`);
  const token = readOwnFile(path).trim();
  if (/^[A-Za-z0-9_-]{43}$/.test(token)) return token;
  throw new RecordError('FOLDER_UNUSABLE', `${path} holds no token: remove the file, and the next start makes one`);
}

/** Whether what was shown is what has to be, in a time that tells nothing of it. */
export function isShown(given: string, expected: string): boolean {
  const [shown, wanted] = [Buffer.from(given), Buffer.from(expected)];
  return shown.length === wanted.length && timingSafeEqual(shown, wanted);
}
