import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { nodeSigner, putInPlaceNow } from '../../../node/index.ts';
import { fromBase64Url, ProtocolError, thumbprint, toBase64Url } from '../../../protocol/index.ts';
import { StartError } from '../../store/base/service-error.ts';
import type { KeyHolder } from './key-holder.ts';
import type { Sealer } from './sealing.ts';
import { readSecret, writeSecret } from './secret-file.ts';

const WHAT = 'service key';

const keyFile = z.strictObject({
  type: z.literal('countersign.service-key-secret.v1'),
  kid: z.string(),
  seed: z.string(),
  created_at: z.int(),
});
type KeyFile = z.infer<typeof keyFile>;

/** Where the key is that a rotation continues with, until it takes the place of the old one. */
export function nextKeyPath(path: string): string {
  return path.replace(/\.json$/, '-next.json');
}

/**
 * A new key in a file that only this user may read, on disk before anything relies on it.
 * @param createdAt milliseconds since the Unix epoch
 */
export function makeKeyFile(path: string, seal: Sealer | null, createdAt: number): KeyHolder {
  const seed = randomBytes(32);
  const stored: KeyFile = {
    type: 'countersign.service-key-secret.v1',
    kid: thumbprint(nodeSigner(seed).publicKey),
    seed: toBase64Url(seed),
    created_at: createdAt,
  };
  writeSecret(path, stored, WHAT, seal);
  return holderOf(path, stored, true);
}

/**
 * The service's signing key in a file that only this user may read; made at the first start.
 * @param mayCreate false where the ledger has a key already: a new one would not be the one that signed it
 * @param seal what the file is sealed with; null for none
 * @throws StartError KEY_MISSING, KEY_UNREADABLE, KEY_LOCKED
 */
export function openKeyFile(path: string, mayCreate: boolean, seal: Sealer | null = null): KeyHolder {
  const stored = readSecret(path, keyFile, WHAT, seal);
  if (stored !== null) return holderOf(path, stored, false);
  if (!mayCreate) {
    throw new StartError('KEY_MISSING', `the ledger was signed with a key that is not there: ${path} is missing`);
  }
  return makeKeyFile(path, seal, Date.now());
}

/**
 * The key that a ledger is signed with, also where a crash came in the middle of a rotation: the ledger says which of the
 * two keys counts. Before its commit the new one has signed nothing, and is dropped; after it the new one takes its place.
 * @param activeKid the key that the ledger names as its own; null where it has none yet
 * @param seal what the files are sealed with; null for none
 * @throws StartError KEY_MISSING, KEY_UNREADABLE, KEY_LOCKED
 */
export function openLedgerKey(path: string, activeKid: string | null, seal: Sealer | null): KeyHolder {
  const nextPath = nextKeyPath(path);
  if (existsSync(nextPath)) {
    const present = existsSync(path) ? openKeyFile(path, false, seal) : null;
    if (activeKid !== null && present?.kid !== activeKid && openKeyFile(nextPath, false, seal).kid === activeKid) {
      promoteNextKey(path);
    } else rmSync(nextPath);
  }
  return openKeyFile(path, activeKid === null, seal);
}

/** Puts the new key in the place of the old one, whose secret is gone then. */
export function promoteNextKey(path: string): void {
  // A crash before this line leaves both files, and the next start comes here again.
  putInPlaceNow(nextKeyPath(path), path);
}

function holderOf(path: string, stored: KeyFile, isNew: boolean): KeyHolder {
  try {
    const seed = fromBase64Url(stored.seed, 32);
    const signer = nodeSigner(seed);
    const kid = thumbprint(signer.publicKey);
    if (kid !== stored.kid)
      throw new StartError('KEY_UNREADABLE', `the key in ${path} is damaged: its kid does not fit`);
    return { kid, createdAt: stored.created_at, isNew, ...signer };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new StartError('KEY_UNREADABLE', `the key in ${path} is damaged`);
  }
}
