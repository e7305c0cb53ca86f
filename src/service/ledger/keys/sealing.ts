import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Whoever keeps secrets that the service must be able to read again: a key in a file here, the operating system's key store
 * in the desktop. `context` says what a secret belongs to; sealed under one it opens under no other, so that nobody with the
 * database in hand can give a webhook another one's secret.
 */
export interface Sealer {
  seal(plaintext: Uint8Array, context: string): Uint8Array;
  /** @throws SealBroken where it was altered, belongs to another context, or was sealed with another key */
  open(sealed: Uint8Array, context: string): Uint8Array;
}

/** A secret as it is stored, and what it belongs to. */
export interface SealedSecret {
  readonly sealed: Uint8Array;
  readonly context: string;
}

/** A sealed secret does not open. The message says nothing of its content. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** First byte of what is sealed: the form of the rest, nonce ‖ ciphertext ‖ tag. */
const FORM = 1;
/** 96 bits at random: with the few secrets of a service, two never meet (NIST SP 800-38D §8.3 allows 2^32). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const SEALING_KEY_BYTES = 32;

/** Seals with AES-256-GCM under a key of 32 bytes. */
export function keySealer(key: Uint8Array): Sealer {
  return {
    seal: (plaintext, context) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context, 'utf8'));
      const ciphertext = [cipher.update(plaintext), cipher.final()];
      return Buffer.concat([Buffer.of(FORM), nonce, ...ciphertext, cipher.getAuthTag()]);
    },
    open: (sealed, context) => {
      if (sealed[0] !== FORM || sealed.length < 1 + NONCE_BYTES + TAG_BYTES) {
        throw new SealBroken('the sealed secret has no form that is known');
      }
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context, 'utf8'));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const start = decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES));
      try {
        // Only this compares the tag: nothing of the plaintext leaves before.
        return Buffer.concat([start, decipher.final()]);
      } catch {
        throw new SealBroken('the sealed secret was altered, or sealed for something else or with another key');
      }
    },
  };
}
