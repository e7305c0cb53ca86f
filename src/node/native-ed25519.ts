import type { SignatureCheck } from '../protocol/index.ts';

/** Signs with one key. */
export interface NodeSigner {
  /** The public half, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** @returns the 64-byte signature */
  sign(message: Uint8Array): Uint8Array;
}

/** A native Ed25519. Which one it is changes how long things take, and nothing else: the tests compare them all. */
export interface NativeEd25519 {
  /**
   * The cofactorless equation, R compared as bytes (RFC 8032 §5.1.7).
   * @param check with a key of 32 and a signature of 64 bytes that passed the strict rule of protocol F20
   */
  equationHolds(check: SignatureCheck): boolean;
  /** @param seed 32 bytes (RFC 8032 §5.1.5) */
  signer(seed: Uint8Array): NodeSigner;
}
