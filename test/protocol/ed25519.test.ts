import { Point } from '@noble/ed25519';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  assertStrictPublicKey,
  type HostCrypto,
  isStrictPublicKey,
  isStrictSignatureEncoding,
  nobleCrypto,
  publicKeyOf,
  StrictVerifier,
  sha256,
  signEd25519,
  toHex,
  utf8,
  verifyEd25519,
} from '../../src/protocol/index.ts';
import { hexBytes, littleEndian } from '../support/bytes.ts';
import {
  craftedCases,
  craftSignature,
  damagedCases,
  honest,
  isStrict,
  L,
  smallOrderEncodings,
  torsion,
} from '../support/crafted-signatures.ts';
import { runs } from '../support/extent.ts';
import { webCrypto } from '../support/hosts.ts';
import { outcome } from '../support/refusals.ts';
import { ed25519Vectors } from '../support/vectors.ts';

vi.setConfig({ testTimeout: 60_000 });

const hosts: readonly (readonly [string, HostCrypto])[] = [
  ['noble', nobleCrypto],
  ['WebCrypto', webCrypto],
];
const seed = sha256(utf8('ed25519 test'));
const message = utf8('message');

describe('RFC 8032 §7.1: Ed25519', () => {
  it.each([
    [
      'TEST 1',
      '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ],
    [
      'TEST 2',
      '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
    [
      'TEST 3',
      'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      'af82',
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ],
  ])('%s', (_, seedHex, publicKey, text, signature) => {
    expect(toHex(publicKeyOf(hexBytes(seedHex)))).toBe(publicKey);
    expect(toHex(signEd25519(hexBytes(seedHex), hexBytes(text)))).toBe(signature);
    const check = { publicKey: hexBytes(publicKey), message: hexBytes(text), signature: hexBytes(signature) };
    expect(verifyEd25519(check)).toBe(true);
  });
});

describe('protocol F20: the strict rule', () => {
  const checks = ed25519Vectors.map((vector) => ({
    name: vector.name,
    publicKey: hexBytes(vector.public_key),
    message: hexBytes(vector.message),
    signature: hexBytes(vector.signature),
    valid: vector.valid,
  }));

  it('has vectors of both kinds', () => {
    expect(checks.filter(({ valid }) => valid).length).toBeGreaterThan(15);
    expect(checks.filter(({ valid }) => !valid).length).toBeGreaterThan(150);
  });

  it.each(checks)('vector: $name', async ({ valid, ...check }) => {
    expect(verifyEd25519(check)).toBe(valid);
    for (const [, host] of hosts) expect(await new StrictVerifier(host).verify([check])).toEqual([valid]);
  });

  it.each(hosts)('answers a batch in its order: %s', async (_, host) => {
    expect(await new StrictVerifier(host).verify(checks)).toEqual(checks.map(({ valid }) => valid));
    expect(await new StrictVerifier(host).verify([])).toEqual([]);
  });

  it('never asks the host about what the rule refuses before the equation', async () => {
    const asked: string[] = [];
    const yes: HostCrypto = {
      sha256,
      verifyEquations: (given) => given.map(({ publicKey }) => asked.push(toHex(publicKey)) > 0),
    };
    const refused = [
      craftSignature(seed, message, { ...honest, keyTorsion: 4 }),
      craftSignature(seed, message, { ...honest, noKey: true }),
      craftSignature(seed, message, { ...honest, noNonce: true }),
      craftSignature(seed, message, { ...honest, excess: 1 }),
    ];
    expect(await new StrictVerifier(yes).verify(refused)).toEqual([false, false, false, false]);
    expect(asked).toEqual([]);
  });

  it('takes a host that answers too little for one that says no', async () => {
    const mute: HostCrypto = { sha256, verifyEquations: () => [] };
    const check = craftSignature(seed, message, honest);
    expect(await new StrictVerifier(mute).verify([check, check])).toEqual([false, false]);
  });

  it('is of the same opinion in noble and in the native crypto: damaged signatures', async () => {
    const [noble, native] = [new StrictVerifier(nobleCrypto), new StrictVerifier(webCrypto)];
    await fc.assert(
      fc.asyncProperty(damagedCases, async (check) => {
        const answer = verifyEd25519(check);
        expect(await noble.verify([check])).toEqual([answer]);
        expect(await native.verify([check])).toEqual([answer]);
      }),
      runs(300),
    );
  });

  it('is of the same opinion in noble and in the native crypto, the right one: crafted signatures', async () => {
    const [noble, native] = [new StrictVerifier(nobleCrypto), new StrictVerifier(webCrypto)];
    await fc.assert(
      fc.asyncProperty(craftedCases, async ({ craft, check }) => {
        const answer = isStrict(craft);
        expect(verifyEd25519(check)).toBe(answer);
        expect(await noble.verify([check])).toEqual([answer]);
        expect(await native.verify([check])).toEqual([answer]);
      }),
      runs(300),
    );
  });
});

describe('protocol F20: public keys', () => {
  it('has all eight points of small order', () => {
    expect(new Set(torsion.map((point) => point.toHex())).size).toBe(8);
    for (const point of torsion) expect(point.isSmallOrder()).toBe(true);
    expect(smallOrderEncodings).toHaveLength(16);
  });

  it.each(smallOrderEncodings.map((bytes) => [toHex(bytes)]))('are not of small order, however spelled: %s', (hex) => {
    expect(isStrictPublicKey(hexBytes(hex))).toBe(false);
    expect(outcome(() => assertStrictPublicKey(hexBytes(hex)))).toBe('KEY_WEAK');
  });

  it('have no torsion component', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(7), (anySeed, order) => {
        const { publicKey } = craftSignature(anySeed, message, { ...honest, keyTorsion: order });
        expect(isStrictPublicKey(publicKey)).toBe(order === 0);
      }),
      runs(60),
    );
  });

  it('are canonical encodings: no y of p or more, and no sign for x = 0', () => {
    for (let y = 2n ** 255n - 19n; y < 2n ** 255n; y++) {
      expect(isStrictPublicKey(littleEndian(y))).toBe(false);
      expect(isStrictPublicKey(littleEndian(y | (1n << 255n)))).toBe(false);
    }
    expect(isStrictPublicKey(hexBytes(`01${'00'.repeat(30)}80`))).toBe(false);
  });

  it.each([0, 31, 33, 64])('are not of %i bytes', (length) => {
    expect(isStrictPublicKey(new Uint8Array(length))).toBe(false);
  });

  it('are points of the curve of prime order', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        let strict = false;
        try {
          const point = Point.fromBytes(bytes, false);
          strict = !point.is0() && point.multiplyUnsafe(L - 1n).equals(point.negate());
        } catch {
          strict = false;
        }
        expect(isStrictPublicKey(bytes)).toBe(strict);
        expect(isStrictPublicKey(publicKeyOf(bytes))).toBe(true);
      }),
      runs(40),
    );
  });

  it('are remembered by what they are, not by where they are', () => {
    const strong = publicKeyOf(seed);
    const weak = littleEndian(1n);
    const key = new Uint8Array(32);
    for (let round = 0; round < 2; round++) {
      key.set(strong);
      expect(isStrictPublicKey(key)).toBe(true);
      key.set(weak);
      expect(isStrictPublicKey(key)).toBe(false);
    }
  });
});

describe('protocol F20: signatures by their encoding alone', () => {
  const r = signEd25519(seed, message).subarray(0, 32);
  const withS = (s: bigint): Uint8Array => Uint8Array.from([...r, ...littleEndian(s)]);

  it.each([
    ['0', 0n, true],
    ['L - 1', L - 1n, true],
    ['L', L, false],
    ['L + 1', L + 1n, false],
    ['2^252', 2n ** 252n, true],
    ['2^252 + 2^248', 2n ** 252n + 2n ** 248n, false],
    ['2^253', 2n ** 253n, false],
    ['2^256 - 1', 2n ** 256n - 1n, false],
  ])('have S < L: S = %s', (_, s, accepted) => {
    expect(isStrictSignatureEncoding(withS(s))).toBe(accepted);
  });

  it.each(torsion.map((point) => [point.toHex()]))('have no R of small order: %s', (hex) => {
    expect(isStrictSignatureEncoding(Uint8Array.from([...hexBytes(hex), ...littleEndian(5n)]))).toBe(false);
  });

  it.each([0, 32, 63, 65, 128])('are not of %i bytes', (length) => {
    expect(isStrictSignatureEncoding(new Uint8Array(length).fill(2))).toBe(false);
  });

  it('refuse no honest one', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array({ maxLength: 40 }), (any, text) => {
        expect(isStrictSignatureEncoding(signEd25519(any, text))).toBe(true);
      }),
      runs(),
    );
  });
});
