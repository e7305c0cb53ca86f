import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { safeStorage } from 'electron';
import {
  type KeyProtection,
  makeProtection,
  newWrappingKey,
  type PassphraseWrap,
  PROTECTION_FILE,
  readProtection,
  unwrapWithPassphrase,
  wrappingKeyId,
  wrapWithPassphrase,
  writeProtection,
} from '../service/index.ts';

/** Asks the person for a passphrase. @returns null where they leave */
export type AskPassphrase = (
  purpose: 'open' | 'choose',
  /** @returns what is wrong with it, or null where it is taken */
  check: (passphrase: string) => Promise<string | null>,
) => Promise<boolean>;

/** A real key store of the operating system, and how it is called; null where there is none. */
async function keyStore(): Promise<string | null> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return null;
  if (process.platform !== 'linux') return process.platform === 'darwin' ? 'Keychain' : 'DPAPI';
  // Without one, Chromium encrypts with a password that is in its sources: that protects nothing.
  const backend = safeStorage.getSelectedStorageBackend();
  return backend === 'basic_text' || backend === 'unknown' ? null : backend;
}

async function osWrap(key: Uint8Array, backend: string): Promise<KeyProtection['wraps'][number]> {
  const wrapped = await safeStorage.encryptStringAsync(Buffer.from(key).toString('base64url'));
  return { kind: 'os', backend, wrapped: wrapped.toString('base64url') };
}

/**
 * The key that the service's secrets are sealed with: kept by the key store of the operating system, or under a passphrase
 * where there is none. Made at the first start; key files of an earlier version are sealed then.
 * @returns null where the person does not give the passphrase
 */
export async function openVault(dataDir: string, ask: AskPassphrase): Promise<Uint8Array | null> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, PROTECTION_FILE);
  const protection = readProtection(path);
  const store = await keyStore();
  if (protection === null) return makeVault(path, store, ask);
  const byOs = await unwrapByOs(protection);
  if (byOs !== null) {
    if (byOs.renew && store !== null) writeProtection(path, await rewrapped(protection, byOs.key, store));
    return byOs.key;
  }
  const wrap = protection.wraps.find((one): one is PassphraseWrap => one.kind === 'passphrase');
  let key: Uint8Array | null = null;
  const opened = await ask('open', async (passphrase) => {
    if (wrap === undefined) {
      return (
        'These keys were sealed by the key store of another machine or user. Export them there, under a passphrase, ' +
        `and put the exported file here as ${path}.`
      );
    }
    key = await unwrapWithPassphrase(wrap, passphrase);
    return key === null ? 'Wrong passphrase.' : null;
  });
  if (!opened || key === null) return null;
  // Come from another machine: from now on this one's key store opens it.
  if (store !== null) writeProtection(path, await rewrapped(protection, key, store));
  return key;
}

async function makeVault(path: string, store: string | null, ask: AskPassphrase): Promise<Uint8Array | null> {
  const key = newWrappingKey();
  if (store !== null) {
    writeProtection(path, makeProtection(key, [await osWrap(key, store)]));
    return key;
  }
  const chosen = await ask('choose', async (passphrase) => {
    writeProtection(path, makeProtection(key, [await wrapWithPassphrase(key, passphrase)]));
    return null;
  });
  return chosen ? key : null;
}

async function rewrapped(protection: KeyProtection, key: Uint8Array, store: string): Promise<KeyProtection> {
  const others = protection.wraps.filter(({ kind }) => kind !== 'os');
  return makeProtection(key, [await osWrap(key, store), ...others]);
}

/** @returns null where this machine's key store does not open it */
async function unwrapByOs({ wraps, key_id }: KeyProtection): Promise<{ key: Uint8Array; renew: boolean } | null> {
  const wrap = wraps.find(({ kind }) => kind === 'os');
  if (wrap === undefined) return null;
  try {
    const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(wrap.wrapped, 'base64url'));
    const key = Buffer.from(result, 'base64url');
    return wrappingKeyId(key) === key_id ? { key, renew: shouldReEncrypt } : null;
  } catch {
    // Another machine's, another user's, or a key store that was emptied: the passphrase is asked for.
    return null;
  }
}

/** Writes the wrapping key under a passphrase, as a file for another machine; it opens nothing without the data folder. */
export async function exportKeys(key: Uint8Array, passphrase: string, to: string): Promise<void> {
  writeProtection(to, makeProtection(key, [await wrapWithPassphrase(key, passphrase)]));
}
