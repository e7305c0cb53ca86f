import { ProtocolError } from './protocol-error.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 bytes of a string. A lone surrogate would become U+FFFD: callers refuse those first. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

const POOL_BYTES = 8192;
const POOLED_CHARACTERS = 1024;
let pool = new Uint8Array(POOL_BYTES);
let used = 0;

/**
 * utf8 for bytes that are hashed, signed or checked and then let go: short ones share an array of some kilobytes, which
 * lives as long as the last of them. An array for each would cost several times the encoding, in time and in memory.
 */
export function pooledUtf8(text: string): Uint8Array {
  if (text.length > POOLED_CHARACTERS) return encoder.encode(text);
  // A UTF-16 code unit takes at most three bytes.
  if (used + text.length * 3 > POOL_BYTES) {
    pool = new Uint8Array(POOL_BYTES);
    used = 0;
  }
  const { written } = encoder.encodeInto(text, pool.subarray(used));
  const bytes = pool.subarray(used, used + written);
  used += written;
  return bytes;
}

/**
 * Strict UTF-8 decoding: an ill-formed sequence is refused and a byte order mark is kept as the character it is.
 * @throws ProtocolError JSON_INVALID
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ProtocolError('JSON_INVALID', 'the bytes are not well-formed UTF-8');
  }
}

/** What programs put at the beginning of a text in UTF-8; readers of files pass over it (protocol F2). */
export const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

/** The bytes of a file without a byte order mark at their beginning. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  const isMarked = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
  return isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

/** The parts, one after the other, in a new array. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

const scratch = new Uint8Array(POOL_BYTES);

/**
 * concatBytes for bytes that are hashed at once and then let go: the next call writes over them. An array for each record and each
 * node of a tree costs about as much as hashing it.
 */
export function joinedForHashing(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) {
    if (length + part.length > scratch.length) return concatBytes(...parts);
    scratch.set(part, length);
    length += part.length;
  }
  return scratch.subarray(0, length);
}

/** Whether two byte strings are the same. Not constant-time: for public values only. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
