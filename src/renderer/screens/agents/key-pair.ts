import { concatBytes, fromHex, publicKeyOf, toBase64Url } from '../../../protocol/index.ts';

/** A new key pair of an agent. The private half exists in this window alone until its person has saved it. */
export interface KeyPair {
  /** base64url of the raw 32 bytes, as the service takes it. */
  readonly publicKey: string;
  /** PKCS #8 PEM, byte for byte the form that `countersign keygen --out` writes. */
  readonly privateKeyPem: string;
}

/** PrivateKeyInfo of an Ed25519 key is this and the 32 bytes of the seed (RFC 8410 §7). */
const PKCS8_PREFIX = fromHex('302e020100300506032b657004220420', 16);

/**
 * Makes a key pair from 32 random bytes of the browser. Not by crypto.subtle: that is missing where the page comes over
 * plain HTTP from another machine, and in browsers without Ed25519.
 * @param random fills an array with random bytes
 */
export function makeKeyPair(
  random: (bytes: Uint8Array<ArrayBuffer>) => unknown = (bytes) => crypto.getRandomValues(bytes),
): KeyPair {
  const seed = new Uint8Array(32);
  random(seed);
  const base64 = btoa(String.fromCharCode(...concatBytes(PKCS8_PREFIX, seed)));
  return {
    publicKey: toBase64Url(publicKeyOf(seed)),
    privateKeyPem: `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n`,
  };
}
