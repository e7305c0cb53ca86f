import { generateKeyPairSync } from 'node:crypto';
import { toBase64Url } from '../protocol/light.ts';
import { readSeed } from './private-key.ts';

/** A new Ed25519 key pair. The private half is in memory alone until its owner has stored it. */
export interface KeyPair {
  /** base64url of the raw 32 bytes: what an agent is registered with. */
  readonly publicKey: string;
  /** The same as SubjectPublicKeyInfo in PEM. */
  readonly publicKeyPem: string;
  /** base64url of the 32-byte seed. */
  readonly privateKey: string;
  /** The same as PKCS #8 in PEM, as `countersign keygen --out` writes it. */
  readonly privateKeyPem: string;
}

/** Makes an agent's key pair. */
export function generateKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const privateKeyPem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64url'),
    publicKeyPem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    privateKey: toBase64Url(readSeed(privateKeyPem)),
    privateKeyPem,
  };
}
