import { canonicalize, formatDigest, type Json, type Sha256, sha256, utf8 } from '../../protocol/light.ts';

/**
 * The digest by which the profile names a value, `H(JCS([salt, value]))`.
 * @param saltText base64url, or the empty text where the content has no salt: then a short value can be guessed from it
 * @throws ProtocolError NOT_CANONICAL where the value has no canonical form
 */
export function contentDigest(saltText: string, value: Json, hash: Sha256 = sha256): string {
  return contentDigestOf(saltText, canonicalize(value), hash);
}

/** The same where the canonical form of the value is at hand. */
export function contentDigestOf(saltText: string, canonical: string, hash: Sha256 = sha256): string {
  return formatDigest(hash(utf8(`[${JSON.stringify(saltText)},${canonical}]`)));
}
