import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import type { NativeEd25519 } from '../../src/node/native-ed25519.ts';
import { opensslEd25519 } from '../../src/node/openssl-ed25519.ts';
import { loadSodium } from '../../src/node/sodium-ed25519.ts';
import {
  type HostCrypto,
  nobleCrypto,
  publicKeyOf,
  StrictVerifier,
  sha256,
  signEd25519,
  verifyEd25519,
} from '../../src/protocol/index.ts';
import { hexBytes } from '../support/bytes.ts';
import { craftedCases, damagedCases, isStrict } from '../support/crafted-signatures.ts';
import { runs } from '../support/extent.ts';
import { ed25519Vectors } from '../support/vectors.ts';

vi.setConfig({ testTimeout: 60_000 });

const sodium = loadSodium();

/** Every native Ed25519 that a host may choose, by its name. */
const natives: [string, NativeEd25519][] = [
  ['node:crypto', opensslEd25519],
  ...(sodium === null ? [] : [['libsodium', sodium] satisfies [string, NativeEd25519]]),
];

it('libsodium is there, where the tests run', () => {
  expect(sodium).not.toBeNull();
});

describe.each(natives)('protocol F20 with %s as host', (_, native) => {
  const host: HostCrypto = { ...nobleCrypto, verifyEquations: (checks) => checks.map(native.equationHolds) };
  const verifier = new StrictVerifier(host);

  it.each(ed25519Vectors)('vector: $name', async (vector) => {
    const check = {
      publicKey: hexBytes(vector.public_key),
      message: hexBytes(vector.message),
      signature: hexBytes(vector.signature),
    };
    expect(await verifier.verify([check])).toEqual([vector.valid]);
  });

  it('is of the same opinion as noble: damaged signatures', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(damagedCases, { maxLength: 4 }), async (checks) => {
        expect(await verifier.verify(checks)).toEqual(checks.map(verifyEd25519));
      }),
      runs(200),
    );
  });

  it('is of the same opinion as noble, the right one: crafted signatures', async () => {
    await fc.assert(
      fc.asyncProperty(craftedCases, async ({ craft, check }) => {
        expect(await verifier.verify([check])).toEqual([isStrict(craft)]);
        expect(verifyEd25519(check)).toBe(isStrict(craft));
      }),
      runs(300),
    );
  });

  it('gives the bare equation the same answer as noble does, wherever the strict rule lets it be asked', async () => {
    const noble = new StrictVerifier(nobleCrypto);
    await fc.assert(
      fc.asyncProperty(fc.array(craftedCases, { minLength: 1, maxLength: 6 }), async (cases) => {
        const checks = cases.map(({ check }) => check);
        expect(await verifier.verify(checks)).toEqual(await noble.verify(checks));
      }),
      runs(40),
    );
  });

  it('signs as noble does (RFC 8032 §5.1.6)', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array({ maxLength: 200 }),
        (seed, message) => {
          const { publicKey, sign } = native.signer(seed);
          expect(new Uint8Array(sign(message))).toEqual(signEd25519(seed, message));
          expect(publicKey).toEqual(publicKeyOf(seed));
        },
      ),
      runs(50),
    );
  });
});

describe('node:crypto', () => {
  it('hashes as noble does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(new Uint8Array(nodeCrypto.sha256(bytes))).toEqual(sha256(bytes));
      }),
      runs(),
    );
  });
});
