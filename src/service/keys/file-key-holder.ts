import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { nodeSigner } from '../../host/index.ts';
import { fromBase64Url, ProtocolError, publicKeyOf, thumbprint, toBase64Url } from '../../protocol/index.ts';
import { StartError } from '../errors.ts';
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

/**
 * The service's signing key in a file that only this user may read; made at the first start.
 * @param mayCreate false where the ledger has a key already: a new one would not be the one that signed it
 * @param seal what the file is sealed with; null for none
 * @throws StartError KEY_MISSING, KEY_UNREADABLE, KEY_LOCKED
 */
export function openKeyFile(path: string, mayCreate: boolean, seal: Sealer | null = null): KeyHolder {
  let stored = readSecret(path, keyFile, WHAT, seal);
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
    writeSecret(path, stored, WHAT, seal);
  }
  try {
    const seed = fromBase64Url(stored.seed, 32);
    const publicKey = publicKeyOf(seed);
    const kid = thumbprint(publicKey);
    if (kid !== stored.kid)
      throw new StartError('KEY_UNREADABLE', `the key in ${path} is damaged: its kid does not fit`);
    return { kid, publicKey, createdAt: stored.created_at, isNew, ...nodeSigner(seed) };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new StartError('KEY_UNREADABLE', `the key in ${path} is damaged`);
  }
}
