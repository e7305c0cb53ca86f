/** Sealing of webhook secrets, and the file of its key. */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSealingKeyFile } from '../../src/service/ledger/keys/file-sealer.ts';
import { keySealer, SealBroken } from '../../src/service/ledger/keys/sealing.ts';

const secret = Buffer.from('correct horse battery staple');

describe('Sealing', () => {
  const sealer = keySealer(randomBytes(32));

  test('what is sealed opens in its context', () => {
    expect(Buffer.from(sealer.open(sealer.seal(secret, 'webhook 1'), 'webhook 1'))).toEqual(secret);
  });

  test('the same secret is never sealed to the same bytes', () => {
    expect(sealer.seal(secret, 'webhook 1')).not.toEqual(sealer.seal(secret, 'webhook 1'));
  });

  test('it opens in no other context and with no other key', () => {
    const sealed = sealer.seal(secret, 'webhook 1');
    expect(() => sealer.open(sealed, 'webhook 2')).toThrow(SealBroken);
    expect(() => keySealer(randomBytes(32)).open(sealed, 'webhook 1')).toThrow(SealBroken);
  });

  test('it opens with no bit changed and no byte missing', () => {
    const sealed = Buffer.from(sealer.seal(secret, 'webhook 1'));
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => sealer.open(changed, 'webhook 1'), `bit ${bit}`).toThrow(SealBroken);
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => sealer.open(sealed.subarray(0, length), 'webhook 1'), `${length} bytes`).toThrow(SealBroken);
    }
  });
});

describe('Sealing key file', () => {
  let folder = '';
  let path = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-sealing-'));
    path = join(folder, 'sealing-key.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function sealedWith(key: string) {
    return [{ sealed: openSealingKeyFile(key, []).seal(secret, 'webhook 1'), context: 'webhook 1' }];
  }

  test.skipIf(process.platform === 'win32')('is made for this user alone, and taken up again', () => {
    const sealed = sealedWith(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(`${path}.new`)).toBe(false);
    const [first] = sealed;
    expect(Buffer.from(openSealingKeyFile(path, sealed).open(first?.sealed ?? secret, 'webhook 1'))).toEqual(secret);
  });

  test('is needed once something is sealed', () => {
    const sealed = sealedWith(path);
    rmSync(path);
    expect(() => openSealingKeyFile(path, sealed)).toThrow(expect.objectContaining({ code: 'KEY_MISSING' }));
    expect(existsSync(path)).toBe(false);
  });

  test('is refused where it is the key of something else', () => {
    const sealed = sealedWith(join(folder, 'other.json'));
    openSealingKeyFile(path, []);
    expect(() => openSealingKeyFile(path, sealed)).toThrow(expect.objectContaining({ code: 'KEY_WRONG' }));
  });

  test('is right where any secret opens, though another one is damaged', () => {
    const sealed = sealedWith(path);
    const damaged = { sealed: new Uint8Array(60), context: 'webhook 2' };
    expect(() => openSealingKeyFile(path, [damaged, ...sealed])).not.toThrow();
  });

  test.each(['', '{}', 'not JSON', '{"type":"countersign.sealing-key-secret.v1","key":"c2hvcnQ","created_at":1}'])(
    'is refused where it holds %j, without quoting it, and replaced where nothing is sealed',
    (content) => {
      const sealed = sealedWith(path);
      writeFileSync(path, content);
      const unreadable = { code: 'KEY_UNREADABLE', message: expect.not.stringContaining('c2hvcnQ') };
      expect(() => openSealingKeyFile(path, sealed)).toThrow(expect.objectContaining(unreadable));
      expect(readFileSync(path, 'utf8')).toBe(content);
      const [again] = sealedWith(path);
      expect(again && openSealingKeyFile(path, [again])).toBeDefined();
    },
  );

  test.skipIf(process.platform === 'win32')('is refused where other users can reach it', () => {
    const sealed = sealedWith(path);
    chmodSync(path, 0o640);
    expect(() => openSealingKeyFile(path, sealed)).toThrow(expect.objectContaining({ code: 'KEY_UNREADABLE' }));
  });
});
