import {
  fromBase64Url,
  ProtocolError,
  serviceKeySignedBytes,
  thumbprint,
  verifyEd25519,
} from '../../../protocol/index.ts';
import type { Store } from '../../store/open.ts';
import type { KeyHolder } from './key-holder.ts';
import { listServiceKeys } from './service-keys.ts';

/**
 * The public keys that may have signed a ledger, by kid: the one in hand and those it came from. Each names the key before
 * it in its own statement, so that nobody who can write to the database, and has no key, can add one of theirs.
 */
export function keyLineage(store: Store, holder: KeyHolder): ReadonlyMap<string, Uint8Array> {
  const rows = new Map(listServiceKeys(store).map((row) => [row.kid, row]));
  const lineage = new Map<string, Uint8Array>();
  let kid: string | null = holder.kid;
  let publicKey: Uint8Array | null = holder.publicKey;
  while (kid !== null && publicKey !== null && !lineage.has(kid)) {
    lineage.set(kid, publicKey);
    const row = rows.get(kid);
    if (row === undefined || row.prev_kid === null) break;
    const statement = { kid, public_key: row.public_key, created_at: row.created_at, prev_kid: row.prev_kid };
    const signature = bytesOf(row.self_signature, 64);
    const message = serviceKeySignedBytes(statement);
    if (signature === null || !verifyEd25519({ publicKey, message, signature })) break;
    kid = row.prev_kid;
    publicKey = bytesOf(rows.get(kid)?.public_key ?? '', 32);
    if (publicKey !== null && thumbprint(publicKey) !== kid) break;
  }
  return lineage;
}

function bytesOf(text: string, length: number): Uint8Array | null {
  try {
    return fromBase64Url(text, length);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return null;
  }
}
