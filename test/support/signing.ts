import { type HostCrypto, nobleCrypto, publicKeyOf, signEd25519 } from '../../src/protocol/index.ts';

/**
 * Makes keys and signatures, and checks them: everywhere the protocol's own, and in Node the native one (native-signing.ts), which gives
 * the same in a fifteenth of the time.
 */
export interface Signing {
  publicKey(seed: Uint8Array): Uint8Array;
  sign(seed: Uint8Array, message: Uint8Array): Uint8Array;
  readonly host: HostCrypto;
}

let current: Signing = { publicKey: publicKeyOf, sign: signEd25519, host: nobleCrypto };

export function signWith(signing: Signing): void {
  current = signing;
}

export const signing: Omit<Signing, 'host'> = {
  publicKey: (seed) => current.publicKey(seed),
  sign: (seed, message) => current.sign(seed, message),
};

/** For what is tested by whole files with many signatures; of the protocol's own, ed25519.test.ts says what it takes and refuses. */
export const hostCrypto: HostCrypto = {
  sha256: (data) => current.host.sha256(data),
  verifyEquations: (checks) => current.host.verifyEquations(checks),
};
