import { createPrivateKey } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSeed } from '../../src/agent/index.ts';
import { publicKeyFromInput, publicKeyOf, toBase64Url } from '../../src/protocol/index.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';

const folder = temporaryFolder();

describe('keygen', () => {
  it('prints a key pair that fits together', async () => {
    const { code, stdout, stderr } = await run('keygen');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const key = JSON.parse(stdout) as Record<string, string>;
    expect(Object.keys(key)).toEqual(['algorithm', 'public_key', 'private_key']);
    expect(key['algorithm']).toBe('ed25519');
    const publicKey = publicKeyFromInput(key['public_key'] ?? '');
    expect(publicKeyOf(readSeed(key['private_key'] ?? ''))).toEqual(publicKey);
  });

  it('makes another one each time', async () => {
    const outputs = [await run('keygen'), await run('keygen')];
    expect(outputs[0]?.stdout).not.toBe(outputs[1]?.stdout);
  });

  it('writes the private key to a file for its user alone, and prints only the public one', async () => {
    const path = join(folder, 'agent.pem');
    const { code, stdout } = await run('keygen', '--out', path);
    expect(code).toBe(0);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const pem = readFileSync(path, 'utf8');
    const seed = readSeed(pem);
    expect(createPrivateKey(pem).asymmetricKeyType).toBe('ed25519');
    const shown = /^public key {3}(\S+)$/m.exec(stdout)?.[1] ?? '';
    expect(shown).toBe(toBase64Url(publicKeyOf(seed)));
    const spki = /-----BEGIN PUBLIC KEY-----[\s\S]+-----END PUBLIC KEY-----/.exec(stdout)?.[0] ?? '';
    expect(toBase64Url(publicKeyFromInput(spki))).toBe(shown);
    expect(stdout).not.toContain(toBase64Url(seed));
    expect(stdout).not.toContain('PRIVATE');
  });

  it('never overwrites: exit code 2, and the file stays', async () => {
    const path = join(folder, 'taken.pem');
    writeFileSync(path, 'a key');
    const { code, stdout, stderr } = await run('keygen', '--out', path);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(path);
    expect(readFileSync(path, 'utf8')).toBe('a key');
  });

  it.each(['a folder', 'a file in a folder that is not there'])('cannot write to %s: exit code 2', async (what) => {
    const path = what === 'a folder' ? join(folder, 'sub') : join(folder, 'missing', 'agent.pem');
    if (what === 'a folder') mkdirSync(path);
    const { code, stdout, stderr } = await run('keygen', '--out', path);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^countersign keygen: /);
  });
});
