import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { SignatureCheck } from '../protocol/index.ts';
import type { NativeEd25519 } from './native-ed25519.ts';

/** DER around a raw key: SubjectPublicKeyInfo and OneAsymmetricKey of RFC 8410 §4 and §7. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

const MAX_REMEMBERED_KEYS = 10_000;
const remembered = new Map<string, KeyObject>();

/** Making a KeyObject costs as much as half a verification; the same few keys come again and again. */
function publicKeyObject(raw: Uint8Array): KeyObject {
  const name = Buffer.from(raw).toString('latin1');
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: 'der', type: 'spki' });
  if (remembered.size >= MAX_REMEMBERED_KEYS) remembered.clear();
  remembered.set(name, key);
  return key;
}

/** Ed25519 of node:crypto: OpenSSL in Node, BoringSSL in Electron. */
export const opensslEd25519: NativeEd25519 = {
  equationHolds: ({ publicKey, message, signature }: SignatureCheck) =>
    verify(null, message, publicKeyObject(publicKey), signature),

  signer(seed) {
    const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
    return {
      publicKey: new Uint8Array(spki.subarray(SPKI_PREFIX.length)),
      sign: (message) => sign(null, message, key),
    };
  },
};
