import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from './app.ts';

/** `basic_text` as on a Linux without key store; `broken` as where the key store refuses; else a key store. */
const backend = process.env['ELECTRON_HOST_KEY_STORE'] ?? 'gnome_libsecret';

/** The key that an operating system's key store would keep, in a file of the user data. */
function key(): Buffer {
  const path = join(app.getPath('userData'), 'key-store-of-the-host');
  if (!existsSync(path)) writeFileSync(path, randomBytes(32), { mode: 0o600 });
  return readFileSync(path);
}

export const safeStorage = {
  isAsyncEncryptionAvailable: async (): Promise<boolean> => backend !== 'broken',
  getSelectedStorageBackend: (): string => (app.isReady() ? backend : 'unknown'),
  encryptStringAsync: async (text: string): Promise<Buffer> => {
    if (backend === 'broken') throw new Error('Error while encrypting the text provided to safeStorage');
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key(), nonce);
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  },
  decryptStringAsync: async (encrypted: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> => {
    const decipher = createDecipheriv('aes-256-gcm', key(), encrypted.subarray(0, 12));
    decipher.setAuthTag(encrypted.subarray(-16));
    const text = Buffer.concat([decipher.update(encrypted.subarray(12, -16)), decipher.final()]);
    return { result: text.toString('utf8'), shouldReEncrypt: false };
  },
};
