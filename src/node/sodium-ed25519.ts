import { createRequire } from 'node:module';
import type { NativeEd25519 } from './native-ed25519.ts';

/** What is used of the package, which brings no types: https://sodium-friends.github.io/docs/docs/signing */
interface Sodium {
  crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void;
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void;
  crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

const PUBLIC_KEY = 32;
const SECRET_KEY = 64;
const SIGNATURE = 64;

/** Ed25519 of libsodium, or null where this machine has no binary of it that can be loaded. */
export function loadSodium(): NativeEd25519 | null {
  let sodium: Sodium;
  try {
    sodium = createRequire(import.meta.url)('sodium-native') as Sodium;
  } catch {
    // No binary for the platform, or one for a newer C library: what is slower gives the same answers.
    return null;
  }
  return {
    equationHolds: ({ publicKey, message, signature }) =>
      sodium.crypto_sign_verify_detached(signature, message, publicKey),

    signer(seed) {
      const publicKey = new Uint8Array(PUBLIC_KEY);
      const secretKey = new Uint8Array(SECRET_KEY);
      sodium.crypto_sign_seed_keypair(publicKey, secretKey, seed);
      return {
        publicKey,
        sign(message) {
          const signature = new Uint8Array(SIGNATURE);
          sodium.crypto_sign_detached(signature, message, secretKey);
          return signature;
        },
      };
    },
  };
}
