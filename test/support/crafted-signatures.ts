/** Signatures that test the strict rule of protocol F20: sound ones, damaged ones, and ones crafted at its edges. */
import { Point } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { concatBytes, publicKeyOf, type SignatureCheck, sha256, signEd25519 } from '../../src/protocol/index.ts';
import { flipBit, fromLittleEndian, hexBytes, littleEndian } from './bytes.ts';

/** Order of the prime-order subgroup (RFC 8032 §5.1). */
export const L = 2n ** 252n + 27742317777372353535851937790883648493n;
export const P = 2n ** 255n - 19n;

const OF_ORDER_EIGHT = Point.fromBytes(
  hexBytes('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
  false,
);

/** The eight points of small order: multiples of one of order eight, the identity first. */
export const torsion: readonly Point[] = [
  Point.ZERO,
  ...[1n, 2n, 3n, 4n, 5n, 6n, 7n].map((n) => OF_ORDER_EIGHT.multiplyUnsafe(n)),
];

/** Every 32 bytes that a lenient decoder might read as a point of small order: the canonical ones, and those that are not. */
export const smallOrderEncodings: readonly Uint8Array[] = [
  ...torsion.map((point) => point.toBytes()),
  ...[1n, P - 1n, P, P + 1n].flatMap((y) => [littleEndian(y), littleEndian(y | (1n << 255n))]),
];

function scalarOf(seed: Uint8Array): bigint {
  const half = sha512(seed).slice(0, 32);
  half[0] = (half[0] ?? 0) & 248;
  half[31] = ((half[31] ?? 0) & 63) | 64;
  return fromLittleEndian(half);
}

function challenge(r: Uint8Array, publicKey: Uint8Array, message: Uint8Array): bigint {
  return fromLittleEndian(sha512(concatBytes(r, publicKey, message))) % L;
}

/** Where a crafted signature leaves the path of RFC 8032 §5.1.6; all zero is an honest one. */
export interface Craft {
  /** Multiples of the point of order eight added to A and to R. */
  readonly keyTorsion: number;
  readonly nonceTorsion: number;
  /** R is the point of small order alone. */
  readonly noNonce: boolean;
  /** A is the point of small order alone. */
  readonly noKey: boolean;
  /** Multiples of L added to S. */
  readonly excess: number;
}

export const honest: Craft = { keyTorsion: 0, nonceTorsion: 0, noNonce: false, noKey: false, excess: 0 };

/** Signs as the craft says, S always solving [8][S]B = [8]R + [8][k]A. */
export function craftSignature(seed: Uint8Array, message: Uint8Array, craft: Craft): SignatureCheck {
  const a = craft.noKey ? 0n : scalarOf(seed) % L;
  const r = craft.noNonce ? 0n : fromLittleEndian(sha512(concatBytes(sha256(seed), message))) % L;
  const point = (scalar: bigint, order: number): Uint8Array =>
    (scalar === 0n ? Point.ZERO : Point.BASE.multiply(scalar)).add(torsion[order % 8] ?? Point.ZERO).toBytes();
  const publicKey = point(a, craft.keyTorsion);
  const bigR = point(r, craft.nonceTorsion);
  const s = ((r + challenge(bigR, publicKey, message) * a) % L) + BigInt(craft.excess) * L;
  return { publicKey, message, signature: concatBytes(bigR, littleEndian(s)) };
}

/** What the strict rule says of a crafted signature. */
export function isStrict({ keyTorsion, nonceTorsion, noNonce, noKey, excess }: Craft): boolean {
  return keyTorsion % 8 === 0 && nonceTorsion % 8 === 0 && !noNonce && !noKey && excess === 0;
}

const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
const messages = fc.uint8Array({ maxLength: 200 });

export const craftedCases: fc.Arbitrary<{ craft: Craft; check: SignatureCheck }> = fc
  .tuple(
    seeds,
    messages,
    fc.record({
      keyTorsion: fc.oneof(fc.constant(0), fc.nat(7)),
      nonceTorsion: fc.oneof(fc.constant(0), fc.nat(7)),
      noNonce: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.boolean() }),
      noKey: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.boolean() }),
      excess: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(15) }),
    }),
  )
  .map(([seed, message, craft]) => ({ craft, check: craftSignature(seed, message, craft) }));

const replacedHalf: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc.constantFrom(...smallOrderEncodings),
  fc.bigInt({ min: P - 2n, max: 2n ** 255n - 1n }).map((y) => littleEndian(y)),
  fc.bigInt({ min: L - 3n, max: L + 3n }).map((s) => littleEndian(s)),
);

/** Honest signatures, then damaged in one place, or not. */
export const damagedCases: fc.Arbitrary<SignatureCheck> = fc
  .tuple(seeds, messages, fc.oneof(fc.nat({ max: 8 * 96 - 1 }), fc.constant(null)), replacedHalf, fc.nat(4))
  .map(([seed, message, bit, other, kind]) => {
    const publicKey = publicKeyOf(seed);
    const signature = signEd25519(seed, message);
    if (kind === 1) return { publicKey, message, signature: concatBytes(other, signature.subarray(32)) };
    if (kind === 2) return { publicKey, message, signature: concatBytes(signature.subarray(0, 32), other) };
    if (kind === 3) return { publicKey: other, message, signature };
    if (bit === null) return { publicKey, message, signature };
    if (bit < 512) return { publicKey, message, signature: flipBit(signature, bit) };
    return { publicKey: flipBit(publicKey, bit - 512), message, signature };
  });
