import { fromBase64Url, KeySetError, parseKeySet, unlessRefused } from '../../protocol/index.ts';
import { TrustError } from './trust-error.ts';

/** A service key that somebody wants to trust: its name, and the key itself where it was given. */
export interface IssuerKey {
  readonly kid: string;
  /** 32 bytes in base64url; null where only the kid is known. */
  readonly public_key: string | null;
}

/**
 * A kid as it is written down or held in a QR code: 43 characters of base64url, in groups or not.
 * @returns null where the text is not valid
 */
export function readKid(text: string): string | null {
  const kid = text.replace(/\s+/g, '');
  return unlessRefused(() => fromBase64Url(kid, 32), null) === null ? null : kid;
}

/**
 * The keys of a key set (JWKS, RFC 7517).
 * @throws TrustError KEY_INVALID
 */
export function readKeySet(bytes: Uint8Array): IssuerKey[] {
  try {
    return parseKeySet(bytes).keys.map(({ kid, x }) => ({ kid, public_key: x }));
  } catch (error) {
    if (error instanceof KeySetError) throw new TrustError('KEY_INVALID', error.message, { cause: error });
    throw error;
  }
}
