import { z } from 'zod';
import {
  fromBase64Url,
  isStrictPublicKey,
  ProtocolError,
  parseJsonBytes,
  thumbprint,
  withoutMark,
} from '../../protocol/index.ts';
import { TrustError } from './trust-error.ts';

/** A service key that somebody wants to trust: its name, and the key itself where it was given. */
export interface IssuerKey {
  readonly kid: string;
  /** 32 bytes in base64url; null where only the kid is known. */
  readonly public_key: string | null;
}

/** A service has one key after the other, not hundreds. */
const MAX_KEYS = 100;

const keySet = z.looseObject({
  keys: z
    .array(
      z.looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), kid: z.string().optional() }),
    )
    .min(1)
    .max(MAX_KEYS),
});

/**
 * A kid as it is written down or held in a QR code: 43 characters of base64url, in groups or not.
 * @returns null where the text is not valid
 */
export function readKid(text: string): string | null {
  const kid = text.replace(/\s+/g, '');
  try {
    fromBase64Url(kid, 32);
    return kid;
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
}

/**
 * The keys of a key set (JWKS, RFC 7517).
 * @throws TrustError KEY_INVALID
 */
export function readKeySet(bytes: Uint8Array): IssuerKey[] {
  try {
    return keySet.parse(parseJsonBytes(withoutMark(bytes))).keys.map(({ x, kid }) => {
      const publicKey = fromBase64Url(x, 32);
      if (!isStrictPublicKey(publicKey)) throw new TrustError('KEY_INVALID', 'holds a weak key');
      const name = thumbprint(publicKey);
      // The name people compared must be the one that counts.
      if (kid !== undefined && kid !== name) {
        throw new TrustError('KEY_INVALID', `the kid ${kid} does not belong to its key`);
      }
      return { kid: name, public_key: x };
    });
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof z.ZodError) {
      throw new TrustError('KEY_INVALID', 'is not a key set (JWKS) of Ed25519 keys');
    }
    throw error;
  }
}
