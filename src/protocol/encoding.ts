import { ProtocolError } from './protocol-error.ts';

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const ALPHABET_URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const ALPHABET_STD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function inverse(alphabet: string): Int8Array {
  const table = new Int8Array(128).fill(-1);
  for (let i = 0; i < alphabet.length; i++) table[alphabet.charCodeAt(i)] = i;
  return table;
}
const INVERSE_URL = inverse(ALPHABET_URL);
const INVERSE_STD = inverse(ALPHABET_STD);

/** Lowercase hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += HEX[bytes[i] as number];
  return text;
}

/**
 * Lowercase hexadecimal of a known length, and nothing else.
 * @throws ProtocolError ENCODING_INVALID
 */
export function fromHex(text: string, length: number): Uint8Array {
  if (text.length !== length * 2 || !/^[0-9a-f]*$/.test(text)) {
    throw new ProtocolError('ENCODING_INVALID', `expected ${length * 2} lowercase hexadecimal digits`);
  }
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = Number.parseInt(text.slice(i * 2, i * 2 + 2), 16);
  return bytes;
}

/** base64url without padding (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
  return ASCII.decode(base64UrlBytes(bytes));
}

const ASCII = new TextDecoder();
const CODES_URL = Uint8Array.from(ALPHABET_URL, (letter) => letter.charCodeAt(0));

/** The letters of `toBase64Url` as bytes of ASCII, for what is hashed: without the text in between it takes a fraction of the time. */
export function base64UrlBytes(bytes: Uint8Array): Uint8Array {
  const letters = new Uint8Array(Math.ceil((bytes.length * 4) / 3));
  let at = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    // What is beyond the end counts as 0 in either array.
    const group = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    letters[at++] = CODES_URL[(group >> 18) & 63] as number;
    letters[at++] = CODES_URL[(group >> 12) & 63] as number;
    if (at < letters.length) letters[at++] = CODES_URL[(group >> 6) & 63] as number;
    if (at < letters.length) letters[at++] = CODES_URL[group & 63] as number;
  }
  return letters;
}

function decodeWith(table: Int8Array, text: string, length: number, what: string): Uint8Array {
  const refuse = (why: string): ProtocolError =>
    new ProtocolError('ENCODING_INVALID', `expected ${length} bytes in ${what}: ${why}`);
  if (text.length !== Math.ceil((length * 4) / 3)) throw refuse('wrong length');
  const bytes = new Uint8Array(length);
  let buffer = 0;
  let bits = 0;
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const value = code < 128 ? (table[code] as number) : -1;
    if (value < 0) throw refuse('stray character');
    buffer = ((buffer << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (buffer >> bits) & 0xff;
    }
  }
  // Non-zero trailing bits would give one byte string several spellings (RFC 4648 §3.5).
  if ((buffer & ((1 << bits) - 1)) !== 0) throw refuse('non-zero trailing bits');
  return bytes;
}

/**
 * base64url without padding, of a known length: the one spelling that statements and bundles use (protocol F7).
 * @throws ProtocolError ENCODING_INVALID
 */
export function fromBase64Url(text: string, length: number): Uint8Array {
  return decodeWith(INVERSE_URL, text, length, 'unpadded base64url');
}

/**
 * Standard base64 (RFC 4648 §4) of a known length, padded or not; accepted on input only.
 * @throws ProtocolError ENCODING_INVALID
 */
export function fromBase64(text: string, length: number): Uint8Array {
  const padding = (3 - (length % 3)) % 3;
  const padded = padding > 0 && text.endsWith('='.repeat(padding));
  return decodeWith(INVERSE_STD, padded ? text.slice(0, -padding) : text, length, 'base64');
}

/** Standard base64 with padding (RFC 4648 §4): what checkpoints are written in. */
export function toBase64(bytes: Uint8Array): string {
  const text = toBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/');
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}

/**
 * Standard base64 with padding, of any length.
 * @throws ProtocolError ENCODING_INVALID
 */
export function fromPaddedBase64(text: string): Uint8Array {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (text.length % 4 !== 0) throw new ProtocolError('ENCODING_INVALID', 'expected base64 with its padding');
  return fromBase64(text, (text.length / 4) * 3 - padding);
}

/**
 * A signature as the service takes it on input: base64url, or standard base64 with or without padding (protocol F8).
 * @throws ProtocolError ENCODING_INVALID
 */
export function signatureFromInput(text: string): Uint8Array {
  return /[+/=]/.test(text) ? fromBase64(text, 64) : fromBase64Url(text, 64);
}

/** 16 bytes as a UUID of version 4, by its form (RFC 9562 §5.4): drawn ones, where crypto.randomUUID is missing, or those of a digest. */
export function uuidOf(bytes: Uint8Array): string {
  const own = Uint8Array.from(bytes.subarray(0, 16), (byte, n) =>
    n === 6 ? (byte & 0x0f) | 0x40 : n === 8 ? (byte & 0x3f) | 0x80 : byte,
  );
  return toHex(own).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
