import { assertStrictPublicKey } from './ed25519.ts';
import { fromBase64, fromBase64Url, fromHex } from './encoding.ts';
import { ProtocolError } from './protocol-error.ts';

/** SubjectPublicKeyInfo of an Ed25519 key is this and the 32 bytes (RFC 8410 §4). */
const SPKI_PREFIX = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00);

function fromSpki(base64: string): Uint8Array {
  const der = fromBase64(base64, SPKI_PREFIX.length + 32);
  if (!SPKI_PREFIX.every((byte, index) => der[index] === byte)) {
    throw new ProtocolError('ENCODING_INVALID', 'the SPKI structure is not that of an Ed25519 key (RFC 8410)');
  }
  return der.slice(SPKI_PREFIX.length);
}

function decodeAny(text: string): Uint8Array {
  const pem = /^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*$/.exec(text);
  if (pem) return fromSpki((pem[1] as string).replace(/\s+/g, ''));
  if (/^[0-9a-fA-F]{64}$/.test(text)) return fromHex(text.toLowerCase(), 32);
  if (text.length >= 59) return fromSpki(text);
  return /[+/=]/.test(text) ? fromBase64(text, 32) : fromBase64Url(text, 32);
}

/**
 * A public key as people paste it (protocol F8): base64url or standard base64 of the raw 32 bytes, 64 hexadecimal digits,
 * SPKI DER in base64, or SPKI PEM; then checked by the strict rule of F20.
 * @returns the raw 32 bytes
 * @throws ProtocolError ENCODING_INVALID, KEY_WEAK
 */
export function publicKeyFromInput(text: string): Uint8Array {
  const key = decodeAny(text);
  assertStrictPublicKey(key);
  return key;
}
