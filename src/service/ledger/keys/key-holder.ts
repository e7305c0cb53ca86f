/**
 * Whoever keeps the service's signing key: a file here, the operating system's key store in the desktop. The rest of the
 * service can sign with it and cannot read it.
 */
export interface KeyHolder {
  /** RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  /** Raw 32 bytes. */
  readonly publicKey: Uint8Array;
  /** When the key was made, in milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** Whether this start made the key. */
  readonly isNew: boolean;
  /** @returns the 64-byte Ed25519 signature */
  sign(message: Uint8Array): Uint8Array;
}
