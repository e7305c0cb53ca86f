// Key files sealed with a wrapping key, which is kept elsewhere or under a passphrase.
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeProtection,
  newWrappingKey,
  PROTECTION_FILE,
  readProtection,
  StartError,
  startService,
  unwrapWithPassphrase,
  verifyBackup,
  wrapWithPassphrase,
  writeBackup,
  writeProtection,
} from '../../src/service/index.ts';
import { temporaryFolder } from '../support/folders.ts';

const PASSPHRASE = 'four words and a Ünicode ﬁgure';
const SECRETS = ['service-key.json', 'sealing-key.json'] as const;

async function startOn(dataDir: string, settings: object = {}, wrappingKey?: Uint8Array): Promise<string> {
  try {
    const given = { port: 0, logLevel: 'silent', dataDir, ...settings };
    const service = await startService(given, wrappingKey === undefined ? {} : { wrappingKey });
    await service.close();
    return service.kid;
  } catch (error) {
    if (error instanceof StartError) return error.code;
    throw error;
  }
}

describe('protected keys', () => {
  const dataDir = join(temporaryFolder(), 'data');
  const path = join(dataDir, PROTECTION_FILE);
  const passphraseFile = join(temporaryFolder(), 'passphrase');
  const key = newWrappingKey();
  let kid: string;
  let plain: string[];

  beforeAll(async () => {
    kid = await startOn(dataDir);
    plain = SECRETS.map((name) => readFileSync(join(dataDir, name), 'utf8'));
    writeProtection(path, makeProtection(key, [{ kind: 'os', backend: 'a key store', wrapped: 'opaque' }]));
  });

  it('are sealed at the first start with a wrapping key, and nothing of them can be read any more', async () => {
    expect(await startOn(dataDir, {}, key)).toBe(kid);
    for (const [n, name] of SECRETS.entries()) {
      const text = readFileSync(join(dataDir, name), 'utf8');
      expect(JSON.parse(text)).toMatchObject({ type: 'countersign.sealed-secret.v1' });
      const secret = Object.values(JSON.parse(plain[n] ?? '') as Record<string, string>).filter(
        (value) => typeof value === 'string' && value.length === 43 && value !== kid,
      );
      expect(secret.length).toBe(1);
      expect(text).not.toContain(secret[0]);
    }
    expect(await startOn(dataDir, {}, key)).toBe(kid);
  });

  it('are not opened without the key, nor with another one, and are never replaced', async () => {
    const before = SECRETS.map((name) => readFileSync(join(dataDir, name), 'utf8'));
    expect(await startOn(dataDir)).toBe('KEY_LOCKED');
    expect(await startOn(dataDir, {}, newWrappingKey())).toBe('KEY_WRONG');
    rmSync(path);
    expect(await startOn(dataDir)).toBe('KEY_LOCKED');
    expect(await startOn(dataDir, {}, newWrappingKey())).toBe('KEY_UNREADABLE');
    expect(SECRETS.map((name) => readFileSync(join(dataDir, name), 'utf8'))).toEqual(before);
  });

  it('open on another machine with the passphrase that they were exported under', async () => {
    const wrap = await wrapWithPassphrase(key, PASSPHRASE);
    writeProtection(path, makeProtection(key, [wrap]));
    // The same letters, typed on another keyboard.
    writeFileSync(passphraseFile, `${PASSPHRASE.normalize('NFD')}\n`);
    expect(await startOn(dataDir)).toBe('KEY_LOCKED');
    expect(await startOn(dataDir, { keyPassphraseFile: passphraseFile })).toBe(kid);
    writeFileSync(passphraseFile, 'another passphrase');
    expect(await startOn(dataDir, { keyPassphraseFile: passphraseFile })).toBe('KEY_LOCKED');
    expect(await startOn(dataDir, { keyPassphraseFile: '/nowhere' })).toBe('SETTING_INVALID');
  });

  it('are not swapped with one another', async () => {
    const [service = '', sealing = ''] = SECRETS.map((name) => join(dataDir, name));
    const before = readFileSync(service);
    cpSync(sealing, service);
    expect(await startOn(dataDir, {}, key)).toBe('KEY_UNREADABLE');
    writeFileSync(service, before);
  });

  it('are copied into a backup as they are, which then has no signature', async () => {
    const to = join(temporaryFolder(), 'backup');
    const { signature, files } = await writeBackup({ dataDir, to, withoutKeys: false, now: Date.now });
    expect(signature).toBeNull();
    expect(files.map(({ name }) => name)).toContain(PROTECTION_FILE);
    expect(existsSync(join(to, PROTECTION_FILE))).toBe(true);
    await verifyBackup(to);
  });

  it('say what is wrong with a file that demands too much, is damaged, or can be reached by others', async () => {
    const wrap = await wrapWithPassphrase(key, PASSPHRASE);
    writeFileSync(path, JSON.stringify(makeProtection(key, [{ ...wrap, N: 2 ** 30 }])));
    expect(() => readProtection(path)).toThrow(expect.objectContaining({ code: 'KEY_UNREADABLE' }));
    await expect(unwrapWithPassphrase({ ...wrap, salt: 'short' }, PASSPHRASE)).rejects.toMatchObject({
      code: 'KEY_UNREADABLE',
    });
    writeProtection(path, makeProtection(key, [wrap]));
    chmodSync(path, 0o644);
    expect(() => readProtection(path)).toThrow(expect.objectContaining({ code: 'KEY_UNREADABLE' }));
  });
});
