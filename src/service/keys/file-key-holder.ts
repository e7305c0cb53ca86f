import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { nodeSigner } from '../../host/index.ts';
import { fromBase64Url, ProtocolError, publicKeyOf, thumbprint, toBase64Url } from '../../protocol/index.ts';
import { StartError } from '../errors.ts';
import type { KeyHolder } from './key-holder.ts';

const keyFile = z.strictObject({
  type: z.literal('countersign.service-key-secret.v1'),
  kid: z.string(),
  seed: z.string(),
  created_at: z.int(),
});

/** Makes a file and its name durable before anything relies on it. */
function writeDurably(path: string, text: string): void {
  const temporary = `${path}.new`;
  // A file that is there already would keep its own mode, and who may have opened it.
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  // A crash before this line leaves a .new file that the next start overwrites; after it the whole key.
  renameSync(temporary, path);
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function readKey(path: string): z.infer<typeof keyFile> | null {
  let text: string;
  try {
    // The mode is looked at before the content: others may have read, or replaced, a key that they can reach.
    const mode = statSync(path).mode & 0o077;
    if (mode !== 0 && process.platform !== 'win32') {
      throw new StartError('KEY_UNREADABLE', `other users can reach the service key ${path}: chmod 600 it`);
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new StartError('KEY_UNREADABLE', `the service key ${path} cannot be read`, { cause: error });
  }
  try {
    return keyFile.parse(JSON.parse(text));
  } catch {
    // The cause would quote the content, which is the secret.
    throw new StartError('KEY_UNREADABLE', `${path} is not a service key file`);
  }
}

/**
 * The service's signing key in a file that only this user may read; made at the first start.
 * @param mayCreate false where the ledger has a key already: a new one would not be the one that signed it
 * @throws StartError KEY_MISSING, KEY_UNREADABLE
 */
export function openKeyFile(path: string, mayCreate: boolean): KeyHolder {
  let stored = readKey(path);
  const isNew = stored === null;
  if (stored === null) {
    if (!mayCreate) {
      throw new StartError('KEY_MISSING', `the ledger was signed with a key that is not there: ${path} is missing`);
    }
    const seed = randomBytes(32);
    stored = {
      type: 'countersign.service-key-secret.v1',
      kid: thumbprint(publicKeyOf(seed)),
      seed: toBase64Url(seed),
      created_at: Date.now(),
    };
    writeDurably(path, `${JSON.stringify(stored)}\n`);
  }
  try {
    const seed = fromBase64Url(stored.seed, 32);
    const publicKey = publicKeyOf(seed);
    const kid = thumbprint(publicKey);
    if (kid !== stored.kid)
      throw new StartError('KEY_UNREADABLE', `the key in ${path} is damaged: its kid does not fit`);
    return { kid, publicKey, createdAt: stored.created_at, isNew, sign: nodeSigner(seed) };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new StartError('KEY_UNREADABLE', `the key in ${path} is damaged`);
  }
}
