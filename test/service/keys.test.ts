import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  publicKeyOf,
  serviceKeySignedBytes,
  thumbprint,
  toBase64Url,
  verifyEd25519,
} from '../../src/protocol/index.ts';
import { openKeyFile } from '../../src/service/ledger/keys/file-key-holder.ts';
import { StartError } from '../../src/service/store/base/service-error.ts';
import { temporaryFolder } from '../support/folders.ts';
import { registerAgent, submitNext, TestService } from '../support/service.ts';
import { newKey } from '../support/signer.ts';

const folder = temporaryFolder();
let files = 0;
const newPath = (): string => join(folder, `key-${files++}.json`);

function refusal(act: () => unknown): StartError | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
}

function keyText(seed = newKey().seed, members: object = {}): string {
  const kid = thumbprint(publicKeyOf(seed));
  const type = 'countersign.service-key-secret.v1';
  return JSON.stringify({ type, kid, seed: toBase64Url(seed), created_at: 1_700_000_000_000, ...members });
}

function written(text: string, mode = 0o600): string {
  const path = newPath();
  writeFileSync(path, text, { mode });
  return path;
}

describe('the key file', () => {
  it('is made at the first start, for its user alone', () => {
    const path = newPath();
    const holder = openKeyFile(path, true);
    expect(holder.isNew).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(`${path}.new`)).toBe(false);
    expect(holder.kid).toBe(thumbprint(holder.publicKey));
    const again = openKeyFile(path, false);
    expect({ kid: again.kid, publicKey: again.publicKey, createdAt: again.createdAt }).toEqual({
      kid: holder.kid,
      publicKey: holder.publicKey,
      createdAt: holder.createdAt,
    });
    expect(again.isNew).toBe(false);
  });

  it('is made for its user alone, also where a crash left half of one that others could read', () => {
    const path = newPath();
    writeFileSync(`${path}.new`, 'half', { mode: 0o644 });
    openKeyFile(path, true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    openKeyFile(path, false);
  });

  it('signs with the key that it shows, and does not show the secret', () => {
    const { seed, publicKey } = newKey();
    const holder = openKeyFile(written(keyText(seed)), false);
    const message = Buffer.from('message');
    expect(holder.publicKey).toEqual(publicKey);
    expect(verifyEd25519({ publicKey, message, signature: holder.sign(message) })).toBe(true);
    expect(JSON.stringify(holder)).not.toContain(toBase64Url(seed));
  });

  it('that is not there is missed where the ledger has a key already', () => {
    const path = newPath();
    expect(refusal(() => openKeyFile(path, false))?.code).toBe('KEY_MISSING');
    expect(existsSync(path)).toBe(false);
  });

  it.each([0o640, 0o604, 0o660, 0o644, 0o620, 0o602, 0o666, 0o601])('with the mode %o is refused', (mode) => {
    const path = written(keyText());
    chmodSync(path, mode);
    expect(refusal(() => openKeyFile(path, false))).toMatchObject({ code: 'KEY_UNREADABLE' });
    chmodSync(path, 0o600);
    openKeyFile(path, false);
  });

  const { seed } = newKey();
  it.each<[string, string]>([
    ['empty', ''],
    ['cut short', keyText(seed).slice(0, -10)],
    ['no JSON', 'key'],
    ['of another type', keyText(seed, { type: 'countersign.service-key-secret.v2' })],
    ['with another kid', keyText(seed, { kid: thumbprint(newKey().publicKey) })],
    ['with a seed cut short', keyText(seed, { seed: toBase64Url(seed).slice(0, -1) })],
    ['with a seed with a stray character', keyText(seed, { seed: `${toBase64Url(seed).slice(0, -1)}!` })],
    ['with one character of the seed changed', keyText(seed, { seed: `B${toBase64Url(seed).slice(1)}` })],
    ['without a seed', keyText(seed, { seed: undefined })],
    ['with a time that is none', keyText(seed, { created_at: 'today' })],
    ['with a member too many', keyText(seed, { more: 1 })],
  ])('that is damaged is refused, and its secret not told: %s', (what, text) => {
    const path = written(text);
    // The one character that was changed may be the one that was there.
    if (what.startsWith('with one character') && text === keyText(seed)) return;
    const error = refusal(() => openKeyFile(path, true));
    expect(error?.code).toBe('KEY_UNREADABLE');
    expect(`${error?.message} ${error?.stack} ${String(error?.cause)}`).not.toContain(toBase64Url(seed).slice(0, 8));
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

describe('the key of a ledger', async () => {
  const service = await TestService.start();
  const { kid } = service;
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  await submitNext(owner, signer);
  await service.stop();
  const path = join(service.dataDir, 'service-key.json');
  const own = readFileSync(path);

  async function startCode(): Promise<string> {
    try {
      await service.restart();
      return 'started';
    } catch (error) {
      if (error instanceof StartError) return error.code;
      throw error;
    }
  }

  it('is for its user alone', () => {
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is missed where it is gone, and not replaced by a new one', async () => {
    rmSync(path);
    expect(await startCode()).toBe('KEY_MISSING');
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, own, { mode: 0o600 });
  });

  it('cannot be another', async () => {
    writeFileSync(path, keyText());
    expect(await startCode()).toBe('KEY_WRONG');
    writeFileSync(path, 'damaged');
    expect(await startCode()).toBe('KEY_UNREADABLE');
    writeFileSync(path, own);
  });

  it('must not be open to others', async () => {
    chmodSync(path, 0o640);
    expect(await startCode()).toBe('KEY_UNREADABLE');
    chmodSync(path, 0o600);
  });

  it('is taken again when it is right, and the folder was left free by every refusal', async () => {
    expect(await startCode()).toBe('started');
    expect(service.kid).toBe(kid);
    await submitNext({ ...owner, client: service.client(owner.client.token) }, signer);
  });

  it('is in the ledger with a statement that it signed itself (protocol F111)', () => {
    const row = service.sql.prepare('SELECT * FROM service_keys').get() as Record<string, string & number>;
    expect(row).toMatchObject({ kid, status: 'active', retired_at: null, prev_kid: null, prev_signature: null });
    const { public_key = '', created_at = 0, self_signature = '' } = row;
    const message = serviceKeySignedBytes({ kid, public_key, created_at: Number(created_at), prev_kid: null });
    const [publicKey, signature] = [public_key, self_signature].map((text) => Buffer.from(text, 'base64url'));
    expect(
      verifyEd25519({ publicKey: publicKey ?? new Uint8Array(), message, signature: signature ?? new Uint8Array() }),
    ).toBe(true);
  });
});
