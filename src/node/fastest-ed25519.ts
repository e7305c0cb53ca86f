import type { NativeEd25519 } from './native-ed25519.ts';
import { opensslEd25519 } from './openssl-ed25519.ts';
import { loadSodium } from './sodium-ed25519.ts';

let chosen: NativeEd25519 | null = null;

/**
 * The fastest there is, chosen at first use: libsodium, which OpenSSL's arithmetic of 32-bit limbs takes nearly twice as
 * long as; OpenSSL where there is no libsodium. Electron has BoringSSL, whose arithmetic is one of 64 bits too.
 */
export function nativeEd25519(): NativeEd25519 {
  chosen ??= (process.versions['electron'] === undefined ? loadSodium() : null) ?? opensslEd25519;
  return chosen;
}
