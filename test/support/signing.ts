import { publicKeyOf, signEd25519 } from '../../src/protocol/index.ts';

/** Makes keys and signatures: everywhere the protocol's own, and in Node the native one (native-signing.ts), which gives the same. */
export interface Signing {
  publicKey(seed: Uint8Array): Uint8Array;
  sign(seed: Uint8Array, message: Uint8Array): Uint8Array;
}

let current: Signing = { publicKey: publicKeyOf, sign: signEd25519 };

export function signWith(signing: Signing): void {
  current = signing;
}

export const signing: Signing = {
  publicKey: (seed) => current.publicKey(seed),
  sign: (seed, message) => current.sign(seed, message),
};
