import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { toHex } from './encoding.ts';
import { ProtocolError } from './protocol-error.ts';

/** SHA-256 as a function of bytes; the host may pass a faster one than noble's. */
export type Sha256 = (data: Uint8Array) => Uint8Array;

/** SHA-256 by @noble/hashes: the default everywhere. */
export const sha256: Sha256 = (data) => nobleSha256(data);

/** SHA-256 of bytes that come in pieces. */
export function sha256InPieces(): { update(piece: Uint8Array): void; digest(): Uint8Array } {
  const hash = nobleSha256.create();
  return { update: (piece) => void hash.update(piece), digest: () => hash.digest() };
}

/** What every digest in JSON looks like: the algorithm's label and 64 lowercase hexadecimal digits. */
export const DIGEST_PATTERN = /^sha256:[0-9a-f]{64}$/;

/** A digest in its JSON form: `sha256:` and 64 lowercase hexadecimal digits (protocol F6). */
export function formatDigest(hash: Uint8Array): string {
  return `sha256:${toHex(hash)}`;
}

/**
 * The 32 bytes of a digest in JSON.
 * @throws ProtocolError ENCODING_INVALID
 */
export function parseDigest(text: string): Uint8Array {
  if (!DIGEST_PATTERN.test(text)) throw new ProtocolError('ENCODING_INVALID', 'expected sha256: and 64 hex digits');
  const hash = new Uint8Array(32);
  for (let i = 0; i < 32; i++) hash[i] = byteAt(text, 7 + i * 2);
  return hash;
}

/** Value of the lowercase hexadecimal digit of a character code. */
function digitOf(code: number): number {
  return code < 0x3a ? code - 0x30 : code - 0x57;
}

function byteAt(text: string, at: number): number {
  return (digitOf(text.charCodeAt(at)) << 4) | digitOf(text.charCodeAt(at + 1));
}

/**
 * Whether a digest of JSON is that of a hash: formatDigest(hash) === text, without making the text.
 * @param text of DIGEST_PATTERN
 * @param hash 32 bytes
 */
export function isDigestOf(text: string, hash: Uint8Array): boolean {
  for (let i = 0; i < 32; i++) if (byteAt(text, 7 + i * 2) !== hash[i]) return false;
  return true;
}
