import { sha512 } from '@noble/hashes/sha2.js';
import { canonicalBytes } from './canonical.ts';
import { type Sha256, sha256 } from './digest.ts';
import { toBase64Url } from './encoding.ts';

const GROUP_DIGITS = 5;
const BYTES_PER_GROUP = 5;
const KEY_GROUPS = 12;
const ORG_GROUPS = 3;

/** Five bytes to a group of five decimal digits: of 2^40 values 10^5, so that no group is noticeably likelier. */
function digitGroups(hash: Uint8Array, count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const bytes = hash.subarray(n * BYTES_PER_GROUP, (n + 1) * BYTES_PER_GROUP);
    const value = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
    return String(value % 10 ** GROUP_DIGITS).padStart(GROUP_DIGITS, '0');
  });
}

/**
 * The fingerprint of a service key as people read it out: 12 groups of 5 decimal digits (protocol F115). 60 digits hold
 * 199 bits, so nobody finds a second key with the digits of a given one.
 * @param kid RFC 7638 thumbprint of the key
 */
export function fingerprintDigits(kid: string): string[] {
  return digitGroups(sha512(canonicalBytes({ kid, type: 'countersign.key-fingerprint.v1' })), KEY_GROUPS);
}

/**
 * A fingerprint in digits as somebody typed or pasted it, with blanks and hyphens between groups or without.
 * @returns the 60 digits, or null where the text is no such fingerprint
 */
export function readFingerprintDigits(text: string): string | null {
  const digits = text.replace(/[\s-]/g, '');
  return digits.length === KEY_GROUPS * GROUP_DIGITS && /^[0-9]+$/.test(digits) ? digits : null;
}

/**
 * A label for people that tells organizations of one name apart: 3 groups of 5 decimal digits (protocol F115). 50 bits are
 * too few to decide anything by; code compares the org_id.
 */
export function orgFingerprint(orgId: string): string {
  const hash = sha256(canonicalBytes({ org_id: orgId, type: 'countersign.org-fingerprint.v1' }));
  return digitGroups(hash, ORG_GROUPS).join(' ');
}

/** The kid of a service key in groups of four characters: the exact form, for copying and for a QR code. */
export function fingerprintGroups(kid: string): string[] {
  return kid.match(/.{1,4}/g) ?? [];
}

/** The kid of a service key: RFC 7638 thumbprint of its JWK (RFC 8037 §2), base64url. */
export function thumbprint(publicKey: Uint8Array, hash: Sha256 = sha256): string {
  return toBase64Url(hash(canonicalBytes({ crv: 'Ed25519', kty: 'OKP', x: toBase64Url(publicKey) })));
}
