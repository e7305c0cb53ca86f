import { hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { fromBase64Url, ProtocolError, toBase64Url } from '../../../protocol/index.ts';
import { StartError } from '../../store/base/service-error.ts';
import { keySealer, SEALING_KEY_BYTES, type SealedSecret, type Sealer } from './sealing.ts';
import { readSecret, writeSecret } from './secret-file.ts';

const WHAT = 'sealing key';

const keyFile = z.strictObject({
  type: z.literal('countersign.sealing-key-secret.v1'),
  key: z.string(),
  created_at: z.int(),
});

function readKey(path: string, seal: Sealer | null): Uint8Array | null {
  const stored = readSecret(path, keyFile, WHAT, seal);
  if (stored === null) return null;
  try {
    return fromBase64Url(stored.key, SEALING_KEY_BYTES);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new StartError('KEY_UNREADABLE', `the ${WHAT} in ${path} is damaged`);
  }
}

function makeKey(path: string, seal: Sealer | null): Uint8Array {
  const key = randomBytes(SEALING_KEY_BYTES);
  // A crash after this leaves a key that has sealed nothing yet: the next start takes it.
  const stored = { type: 'countersign.sealing-key-secret.v1', key: toBase64Url(key), created_at: Date.now() };
  writeSecret(path, stored, WHAT, seal);
  return key;
}

function opens(sealer: Sealer, { sealed, context }: SealedSecret): boolean {
  try {
    sealer.open(sealed, context);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes sure that a sealer is the one that sealed what there is. One secret that opens is enough: a single damaged one must
 * not keep the service from starting.
 * @throws StartError KEY_WRONG
 */
export function checkSealer(sealer: Sealer, secrets: readonly SealedSecret[]): Sealer {
  if (secrets.length > 0 && !secrets.some((secret) => opens(sealer, secret))) {
    throw new StartError('KEY_WRONG', `no secret in the database opens with the ${WHAT}: it is not the one they need`);
  }
  return sealer;
}

/**
 * The sealing key in a file that only this user may read; made where nothing is sealed yet.
 * @param secrets what is sealed already. Where that is nothing, a file that can't be used is replaced: nothing needs its key
 * @param seal what the file is sealed with; null for none
 * @throws StartError KEY_MISSING, KEY_UNREADABLE, KEY_WRONG, each only where something is sealed; KEY_LOCKED
 */
export function openSealingKeyFile(path: string, secrets: readonly SealedSecret[], seal: Sealer | null = null): Sealer {
  let key: Uint8Array | null = null;
  try {
    key = readKey(path, seal);
  } catch (error) {
    if (secrets.length > 0 || !(error instanceof StartError) || error.code === 'KEY_LOCKED') throw error;
  }
  if (key === null && secrets.length > 0) {
    throw new StartError('KEY_MISSING', `webhook secrets were sealed with a key that is not there: ${path} is missing`);
  }
  return checkSealer(keySealer(key ?? makeKey(path, seal)), secrets);
}

/**
 * A key for one purpose out of the sealing key, which every copy of a data folder has.
 * @param purpose another one for each use
 * @param seal what the file is sealed with; null for none
 * @returns 32 bytes. @throws StartError KEY_MISSING, KEY_UNREADABLE, KEY_LOCKED
 */
export function keyFor(purpose: string, path: string, seal: Sealer | null): Uint8Array {
  const key = readKey(path, seal);
  if (key === null) throw new StartError('KEY_MISSING', `the ${WHAT} ${path} is missing`);
  return new Uint8Array(hkdfSync('sha256', key, '', purpose, SEALING_KEY_BYTES));
}
