import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { toHex } from './encoding.ts';
import { ProtocolError } from './errors.ts';

/** SHA-256 as a function of bytes; the host may pass a faster one than noble's. */
export type Sha256 = (data: Uint8Array) => Uint8Array;

/** SHA-256 by @noble/hashes: the default everywhere. */
export const sha256: Sha256 = (data) => nobleSha256(data);

/** What every digest in JSON looks like: the algorithm's label and 64 lowercase hexadecimal digits. */
export const DIGEST_PATTERN = /^sha256:[0-9a-f]{64}$/;

/** A digest as it stands in JSON: `sha256:` and 64 lowercase hexadecimal digits (protocol §1). */
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
  for (let i = 0; i < 32; i++) hash[i] = Number.parseInt(text.slice(7 + i * 2, 9 + i * 2), 16);
  return hash;
}
