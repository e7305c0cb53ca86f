import * as ed from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { concatBytes, equalBytes } from './bytes.ts';
import { toHex } from './encoding.ts';
import { ProtocolError } from './protocol-error.ts';

ed.hashes.sha512 = sha512;

/** Order of the prime-order subgroup, L of RFC 8032 §5.1. */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

/** One signature to check: 32-byte key, any message, 64-byte signature (RFC 8032 §5.1.6). */
export interface SignatureCheck {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * The canonical encodings of the eight points of small order (y = 1, -1, 0, and the two of order eight, with either
 * sign of x). As R they would let one signature fit many messages; F20 refuses them.
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '00'.repeat(32),
  `${'00'.repeat(31)}80`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
]);

/** Little-endian integer (RFC 8032 §5.1.2). */
function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(Uint8Array.from(bytes).reverse())}`);
}

function decodeStrict(publicKey: Uint8Array): ed.Point | null {
  if (publicKey.length !== 32) return null;
  try {
    // The second argument refuses y >= p and the sign bit on x = 0 (RFC 8032 §5.1.3).
    const point = ed.Point.fromBytes(publicKey, false);
    return !point.isSmallOrder() && point.isTorsionFree() ? point : null;
  } catch {
    return null;
  }
}

const MOST_KNOWN_KEYS = 10_000;
/** Which keys were looked at, by all 32 bytes: the torsion check costs a scalar multiplication, and one bundle after another has the same. */
const knownKeys = new Map<string, boolean>();

/**
 * Whether 32 bytes are a key under the strict rule (protocol F20): the canonical encoding of a point of prime order. With
 * such a key the cofactored and the cofactorless equation agree on every signature, so all hosts give one answer.
 */
export function isStrictPublicKey(publicKey: Uint8Array): boolean {
  if (publicKey.length !== 32) return false;
  const name = toHex(publicKey);
  let strict = knownKeys.get(name);
  if (strict === undefined) {
    strict = decodeStrict(publicKey) !== null;
    // Whoever writes a bundle chooses how many keys it names: the memory for them must not grow without end.
    if (knownKeys.size >= MOST_KNOWN_KEYS) knownKeys.clear();
    knownKeys.set(name, strict);
  }
  return strict;
}

/** @throws ProtocolError KEY_WEAK unless isStrictPublicKey */
export function assertStrictPublicKey(publicKey: Uint8Array): void {
  if (!isStrictPublicKey(publicKey)) {
    throw new ProtocolError('KEY_WEAK', 'the public key is not the canonical encoding of a point of prime order');
  }
}

/**
 * Whether a signature can be valid at all, from its encoding alone: 64 bytes, S < L, and R not of small order. Cheap, and
 * done here even where a host checks the equation, so that no host's leniency matters.
 */
export function isStrictSignatureEncoding(signature: Uint8Array): boolean {
  if (signature.length !== 64) return false;
  // L has its top bits at 2^252: nearly every valid S is decided by the last byte.
  const top = signature[63] as number;
  if (top > 0x10 || (top === 0x10 && littleEndian(signature.subarray(32)) >= L)) return false;
  // Only encodings whose second byte is one of these can be of small order: spares the rest the hexadecimal form.
  const second = signature[1] as number;
  if (second !== 0x00 && second !== 0xff && second !== 0xe8 && second !== 0x17) return true;
  return !SMALL_ORDER.has(toHex(signature.subarray(0, 32)));
}

/**
 * Verifies one signature under the strict rule of protocol F20, with noble's arithmetic: A and R canonical encodings of
 * points of prime order, S < L, and [S]B = R + [k]A (RFC 8032 §5.1.7, cofactorless).
 * @returns false for anything else, wrong lengths included; never throws
 */
export function verifyEd25519({ publicKey, message, signature }: SignatureCheck): boolean {
  if (!isStrictSignatureEncoding(signature)) return false;
  const a = decodeStrict(publicKey);
  return a !== null && equationHolds(a, { publicKey, message, signature });
}

function equationHolds(a: ed.Point, { publicKey, message, signature }: SignatureCheck): boolean {
  const r = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  const k = littleEndian(sha512(concatBytes(r, publicKey, message))) % L;
  // R is computed and compared as bytes: a non-canonical encoding of R never matches, and since A has prime order the
  // result lies in the prime-order subgroup, so R needs no separate torsion check.
  const expected = ed.Point.BASE.multiply(s, false).subtract(a.multiply(k, false));
  return equalBytes(expected.toBytes(), r);
}

/**
 * Signs with a 32-byte seed (RFC 8032 §5.1.6).
 * @returns the 64-byte signature
 */
export function signEd25519(seed: Uint8Array, message: Uint8Array): Uint8Array {
  return ed.sign(message, seed);
}

/** The 32-byte public key of a 32-byte seed (RFC 8032 §5.1.5). */
export function publicKeyOf(seed: Uint8Array): Uint8Array {
  return ed.getPublicKey(seed);
}

/** For noble as host: the equation alone, key and encoding having been checked by the caller. */
export function verifyEquation(check: SignatureCheck): boolean {
  try {
    return equationHolds(ed.Point.fromBytes(check.publicKey, false), check);
  } catch {
    return false;
  }
}
