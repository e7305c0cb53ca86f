import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import type { HostCrypto, SignatureCheck } from '../protocol/index.ts';

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

function verifyEquation({ publicKey, message, signature }: SignatureCheck): boolean {
  return verify(null, message, publicKeyObject(publicKey), signature);
}

const POOL_BYTES = 4096;
let pool = new Uint8Array(POOL_BYTES);
let used = 0;

/** SHA-256 whose results share arrays: one of its own for each costs more than hashing a record, in time and memory. */
function sha256(data: Uint8Array): Uint8Array {
  const text = hash('sha256', data, 'binary');
  if (used === POOL_BYTES) {
    pool = new Uint8Array(POOL_BYTES);
    used = 0;
  }
  const bytes = pool.subarray(used, used + 32);
  used += 32;
  for (let i = 0; i < 32; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/**
 * node:crypto as the host of the protocol layer: OpenSSL in Node, BoringSSL in Electron. Both check the cofactorless
 * equation and compare R as bytes, which is all the protocol layer asks of a host.
 */
export const nodeCrypto: HostCrypto = {
  sha256,
  verifyEquations: (checks) => checks.map(verifyEquation),
};

/** Signs with one key. */
export interface NodeSigner {
  /** The public half, 32 bytes. */
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

/**
 * A signer with one 32-byte seed (RFC 8032 §5.1.6), some fifty times faster than noble.
 * @returns signatures of 64 bytes
 */
export function nodeSigner(seed: Uint8Array): NodeSigner {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { publicKey: new Uint8Array(spki.subarray(SPKI_PREFIX.length)), sign: (message) => sign(null, message, key) };
}
