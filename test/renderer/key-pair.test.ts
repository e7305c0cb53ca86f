import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSeed } from '../../src/agent/index.ts';
import { fromHex, publicKeyFromInput, publicKeyOf, toBase64Url, toHex } from '../../src/protocol/index.ts';
import { makeKeyPair } from '../../src/renderer/screens/agents/key-pair.ts';

/** RFC 8032 §7.1, test 1. */
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

describe('a key made in the window', () => {
  it('is the key of its random bytes, in the form of PKCS #8 that Node writes (RFC 8410)', () => {
    const { publicKey, privateKeyPem } = makeKeyPair((bytes) => bytes.set(fromHex(SEED, 32)));
    expect(toHex(publicKeyFromInput(publicKey))).toBe(PUBLIC_KEY);
    const key = createPrivateKey(privateKeyPem);
    expect(key.asymmetricKeyType).toBe('ed25519');
    expect(key.export({ format: 'pem', type: 'pkcs8' })).toBe(privateKeyPem);
    expect(createPublicKey(key).export({ format: 'jwk' }).x).toBe(publicKey);
    expect(toHex(readSeed(privateKeyPem))).toBe(SEED);
  });

  it('is another one each time, and fits together', () => {
    const pairs = Array.from({ length: 20 }, () => makeKeyPair());
    expect(new Set(pairs.map(({ publicKey }) => publicKey)).size).toBe(pairs.length);
    for (const { publicKey, privateKeyPem } of pairs)
      expect(publicKey).toBe(toBase64Url(publicKeyOf(readSeed(privateKeyPem))));
  });
});
