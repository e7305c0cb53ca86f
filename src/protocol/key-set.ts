import { withoutMark } from './bytes.ts';
import { isStrictPublicKey } from './ed25519.ts';
import { fromBase64Url } from './encoding.ts';
import { isMembers } from './exact-numbers.ts';
import { thumbprint } from './fingerprint.ts';
import { parseJsonBytes } from './json.ts';
import { CodedError, ProtocolError } from './protocol-error.ts';

/** A service has one key after the other, not hundreds. */
const MAX_KEYS = 100;

/** Why a file is no key set that can be trusted. A closed set. */
export type KeySetErrorCode =
  /** It is no JWKS of 1 to 100 Ed25519 keys. */
  | 'KEY_SET_INVALID'
  /** It has the private part of a key, which nobody hands out with a purpose. */
  | 'KEY_SET_PRIVATE'
  /** A key is not the canonical encoding of a point of prime order. */
  | 'KEY_SET_WEAK'
  /** A kid is not that of its key: the name that people compare has to be the one that counts. */
  | 'KEY_SET_KID';

export class KeySetError extends CodedError<KeySetErrorCode> {
  override readonly name = 'KeySetError';
}

export interface PublishedKey {
  readonly kid: string;
  /** 32 bytes in base64url. */
  readonly x: string;
}

/**
 * The keys of a key set file (JWKS, RFC 7517 §5) of Ed25519 keys (RFC 8037 §2), whatever else it says.
 * @returns them, and the file's value as it stands
 * @throws KeySetError
 */
export function parseKeySet(bytes: Uint8Array): { readonly keys: readonly PublishedKey[]; readonly jwks: object } {
  let jwks: unknown;
  try {
    jwks = parseJsonBytes(withoutMark(bytes));
  } catch (error) {
    if (error instanceof ProtocolError) throw notOne(error);
    throw error;
  }
  const list: unknown = isMembers(jwks) ? jwks['keys'] : undefined;
  if (!isMembers(jwks) || !Array.isArray(list) || list.length === 0 || list.length > MAX_KEYS) throw notOne();
  return { keys: list.map(publishedKey), jwks };
}

function publishedKey(key: unknown): PublishedKey {
  if (!isMembers(key)) throw notOne();
  const { kty, crv, x, kid } = key;
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') throw notOne();
  if (Object.hasOwn(key, 'd')) throw new KeySetError('KEY_SET_PRIVATE', 'contains a private key');
  const bytes = keyBytes(x);
  if (!isStrictPublicKey(bytes)) throw new KeySetError('KEY_SET_WEAK', 'holds a weak key');
  const name = thumbprint(bytes);
  if (kid !== undefined && kid !== name) {
    throw new KeySetError('KEY_SET_KID', `the kid ${JSON.stringify(kid).slice(0, 80)} does not belong to its key`);
  }
  return { kid: name, x };
}

function keyBytes(x: string): Uint8Array {
  try {
    return fromBase64Url(x, 32);
  } catch (error) {
    if (error instanceof ProtocolError) throw notOne(error);
    throw error;
  }
}

function notOne(cause?: unknown): KeySetError {
  return new KeySetError('KEY_SET_INVALID', 'is not a key set (JWKS) of Ed25519 keys', { cause });
}
