import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { writeDurablyNow } from '../../../node/index.ts';
import { hasCode, toBase64Url } from '../../../protocol/index.ts';
import { StartError } from '../../store/base/service-error.ts';
import { SealBroken, type Sealer } from './sealing.ts';

/** A secret as the file holds it where the folder's keys are protected (key-protection.ts). */
const sealedFile = z.strictObject({ type: z.literal('countersign.sealed-secret.v1'), sealed: z.string() });

/** What a sealed file belongs to, by the name of its secret: none can be put in another's place. */
function contextOf(what: string): string {
  return `countersign.secret-file.v1 ${what}`;
}

/**
 * Writes a secret into a file that only this user may read, sealed where the folder's keys are.
 * @param what how messages call it, such as "service key"
 */
export function writeSecret(path: string, content: unknown, what: string, seal: Sealer | null): void {
  if (seal === null) {
    writeSecretFile(path, content);
    return;
  }
  const sealed = seal.seal(Buffer.from(JSON.stringify(content), 'utf8'), contextOf(what));
  writeSecretFile(path, { type: 'countersign.sealed-secret.v1', sealed: toBase64Url(sealed) });
}

/** Writes a file that only this user may read, and makes it and its name durable before anything relies on it. */
export function writeSecretFile(path: string, content: unknown): void {
  writeDurablyNow(path, `${JSON.stringify(content)}\n`);
}

/**
 * Reads a secret that writeSecret wrote. One that was written before the folder's keys were protected is sealed now.
 * @returns its content, or null where there is no file
 * @throws StartError KEY_UNREADABLE, KEY_LOCKED where it is sealed and nothing to open it with was given
 */
export function readSecret<T>(path: string, schema: z.ZodType<T>, what: string, seal: Sealer | null): T | null {
  const content = readSecretFile(path, z.union([sealedFile, schema]), what);
  if (content === null) return null;
  const stored = sealedFile.safeParse(content);
  if (!stored.success) {
    // The old blocks stay on the disk until they are written over: no program can promise more.
    if (seal !== null) writeSecret(path, content, what, seal);
    return content as T;
  }
  if (seal === null) {
    throw new StartError('KEY_LOCKED', `the ${what} ${path} is sealed: its key-protection.json is needed beside it`);
  }
  try {
    const bytes = seal.open(Buffer.from(stored.data.sealed, 'base64url'), contextOf(what));
    return schema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch (error) {
    if (error instanceof SealBroken) {
      throw new StartError('KEY_UNREADABLE', `the ${what} ${path} does not open: it is damaged, or of another folder`);
    }
    // The cause would quote the content, which is the secret.
    throw new StartError('KEY_UNREADABLE', `${path} is not a ${what} file`);
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
    if (hasCode(error, 'ENOENT')) return null;
    throw new StartError('KEY_UNREADABLE', `the ${what} ${path} cannot be read`, { cause: error });
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    // The cause would quote the content, which is the secret.
    throw new StartError('KEY_UNREADABLE', `${path} is not a ${what} file`);
  }
}
