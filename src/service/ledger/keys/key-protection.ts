import { createHash, randomBytes, scrypt } from 'node:crypto';
import { z } from 'zod';
import { fromBase64Url, toBase64Url } from '../../../protocol/index.ts';
import { StartError } from '../../store/base/service-error.ts';
import { keySealer, SEALING_KEY_BYTES, SealBroken } from './sealing.ts';
import { readSecretFile, writeSecretFile } from './secret-file.ts';

/** In the data folder, where its key files are sealed: the wrapping key, itself wrapped. */
export const PROTECTION_FILE = 'key-protection.json';

/** RFC 7914. 128 MiB for each attempt, some half a second. */
const COST = { N: 131_072, r: 8, p: 1 } as const;
const SALT_BYTES = 16;
const CONTEXT = 'countersign.wrapping-key.v1';
/** Shorter ones are tried out by machines in an afternoon. */
export const PASSPHRASE_MIN = 12;
export const PASSPHRASE_MAX = 256;

const osWrap = z.strictObject({
  kind: z.literal('os'),
  /** Which key store, for people. */
  backend: z.string().max(64),
  wrapped: z.string().max(4096),
});
const passphraseWrap = z.strictObject({
  kind: z.literal('passphrase'),
  salt: z.string().max(64),
  // What a file demands is bounded: an altered one must not take the machine's memory.
  N: z.int().min(2).max(1_048_576),
  r: z.int().min(1).max(16),
  p: z.int().min(1).max(4),
  wrapped: z.string().max(256),
});
const keyProtection = z.strictObject({
  type: z.literal('countersign.key-protection.v1'),
  /** Tells wrapping keys apart, and says nothing of them. */
  key_id: z.string().max(64),
  wraps: z.array(z.discriminatedUnion('kind', [osWrap, passphraseWrap])).max(4),
});

export type PassphraseWrap = z.infer<typeof passphraseWrap>;
/** How a wrapping key is kept: by the operating system's key store, under a passphrase, or both. Each opens the same key. */
export type KeyProtection = z.infer<typeof keyProtection>;

/** A key that the files of the service's secrets are sealed with. */
export function newWrappingKey(): Uint8Array {
  return randomBytes(SEALING_KEY_BYTES);
}

export function wrappingKeyId(key: Uint8Array): string {
  return createHash('sha256').update(`${CONTEXT}\0`).update(key).digest('base64url').slice(0, 22);
}

export function makeProtection(key: Uint8Array, wraps: KeyProtection['wraps']): KeyProtection {
  return { type: 'countersign.key-protection.v1', key_id: wrappingKeyId(key), wraps };
}

/** @returns null where the key files are not sealed. @throws StartError KEY_UNREADABLE */
export function readProtection(path: string): KeyProtection | null {
  return readSecretFile(path, keyProtection, 'key protection');
}

export function writeProtection(path: string, protection: KeyProtection): void {
  writeSecretFile(path, protection);
}

function derive(passphrase: string, salt: Uint8Array, { N, r, p }: { N: number; r: number; p: number }) {
  return new Promise<Uint8Array>((resolve, reject) => {
    // Keyboards write the same letter in several ways (RFC 8265 §4.2.2 wants NFC; NFKC also takes typographic variants).
    const text = Buffer.from(passphrase.normalize('NFKC'), 'utf8');
    scrypt(text, salt, SEALING_KEY_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

/** Wraps a key under a passphrase: scrypt, then AES-256-GCM. */
export async function wrapWithPassphrase(key: Uint8Array, passphrase: string): Promise<PassphraseWrap> {
  const salt = randomBytes(SALT_BYTES);
  const wrapped = keySealer(await derive(passphrase, salt, COST)).seal(key, CONTEXT);
  return { kind: 'passphrase', salt: toBase64Url(salt), ...COST, wrapped: toBase64Url(wrapped) };
}

/** @returns the wrapping key; null where the passphrase is another one. @throws StartError KEY_UNREADABLE */
export async function unwrapWithPassphrase(wrap: PassphraseWrap, passphrase: string): Promise<Uint8Array | null> {
  try {
    const derived = await derive(passphrase, fromBase64Url(wrap.salt, SALT_BYTES), wrap);
    return keySealer(derived).open(Buffer.from(wrap.wrapped, 'base64url'), CONTEXT);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw new StartError('KEY_UNREADABLE', `${PROTECTION_FILE} is damaged`);
  }
}
