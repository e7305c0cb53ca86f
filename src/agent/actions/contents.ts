import { randomBytes } from 'node:crypto';
import { contentDigest } from '../../profile/content-digest.ts';
import { canonicalBytes, type Json, SALT_BYTES } from '../../protocol/index.ts';
import { nodeCrypto } from '../../runtime/node-crypto.ts';

/** What of inputs and outputs goes into the records: everything, the inputs, or digests alone. */
export type Capture = 'full' | 'input' | 'digest';

/** A content of the profile (docs/agent-actions.md, Content). */
export type Content = { readonly [member: string]: Json };

/** A longer value is cut, and its digest tells the whole of it, as the profile advises. */
export const MAX_CONTENT_BYTES = 65_536;

/** What all contents of what was told in one record may have together: a payload has at most 262,144 bytes. */
export const MAX_TOLD_BYTES = 160_000;

/** A salt for the contents of one action. */
export function drawSalt(): string {
  return randomBytes(SALT_BYTES).toString('base64url');
}

export function digestOf(salt: string, value: Json): string {
  return contentDigest(salt, value, nodeCrypto.sha256);
}

/**
 * A value as the profile states it, with its salt.
 * @param shown false for the digest alone
 * @param maxBytes the canonical form of a longer value is cut; of what is no text, the JSON text is what remains
 */
export function contentOf(value: Json, salt: string, shown = true, maxBytes = MAX_CONTENT_BYTES): Content {
  const { length: bytes } = canonicalBytes(value);
  if (!shown) return { salt, digest: digestOf(salt, value), bytes };
  if (bytes <= maxBytes) return { salt, value };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { salt, value: cutTo(text, maxBytes), digest: digestOf(salt, value), bytes, truncated: true };
}

/** The beginning of a text, cut so that its canonical form has at most this many bytes. */
function cutTo(text: string, maxBytes: number): string {
  let part = text.slice(0, maxBytes);
  for (;;) {
    part = part.toWellFormed();
    const { length } = canonicalBytes(part);
    if (length <= maxBytes) return part;
    part = part.slice(0, Math.floor((part.length * maxBytes) / length) - 1);
  }
}
