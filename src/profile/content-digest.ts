import { canonicalBytes, formatDigest, type Json, type Sha256, sha256 } from '../protocol/records.ts';

/**
 * The digest by which the profile names a value, `H(JCS([salt, value]))`.
 * @param saltText base64url, or the empty text where the content has no salt: then a short value can be guessed from it
 * @throws ProtocolError NOT_CANONICAL where the value has no canonical form
 */
export function contentDigest(saltText: string, value: Json, hash: Sha256 = sha256): string {
  return formatDigest(hash(canonicalBytes([saltText, value])));
}
