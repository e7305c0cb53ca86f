import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publicKeyOf, toBase64Url } from '../../src/protocol/index.ts';
import { parseTrustStore, type TrustStore } from '../../src/trust/index.ts';
import { makeBundle, otherDigest, serviceKid, serviceSeed, signReceipt } from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { type Output, run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';

const folder = temporaryFolder();
const made = makeBundle({ agents: 2, epochs: [3, 2] });
const kid = serviceKid(0);
let count = 0;

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const bundle = file('bundle.json', made.text);
const kids = file(
  'keys.json',
  JSON.stringify({ keys: [{ kty: 'OKP', crv: 'Ed25519', x: toBase64Url(publicKeyOf(serviceSeed(0))) }] }),
);

/** A trust store of its own, and commands that use it. */
function store(): { path: string; run: (...args: string[]) => Promise<Output>; read: () => TrustStore } {
  const path = join(folder, `trust-${count++}.json`);
  return {
    path,
    run: (...args) => run(...args, '--trust-store', path),
    read: () => parseTrustStore(readFileSync(path)),
  };
}

describe('countersign trust', () => {
  it.each([
    ['a kid', [kid], 'kid'],
    ['a kid in its groups', [(kid.match(/.{1,4}/g) ?? []).join(' ')], 'kid'],
    ['the text of a QR code', [kid, '--qr'], 'qr'],
    ['a key set file', [kids], 'jwks'],
  ])('adds %s, which verify then trusts', async (_, args, by) => {
    const own = store();
    expect((await own.run('verify', bundle)).code).toBe(3);
    expect((await own.run('trust', 'add', ...args, '--label', 'Example Ltd')).code).toBe(0);
    const [key] = own.read().trusted;
    expect(key).toMatchObject({ kid, label: 'Example Ltd', added_by: by, verified_on: null });
    expect((await own.run('verify', bundle)).code).toBe(0);
    expect(own.read().trusted[0]?.verified_on?.bundle).toMatch(/^sha256:/);
    expect((await own.run('verify', bundle, '--no-trust-store')).code).toBe(2);
    expect((await run('verify', bundle)).code).toBe(3);
  });

  it('lists, shows with a QR code, and removes', async () => {
    const own = store();
    expect((await own.run('trust', 'list')).stdout).toContain('You trust no key yet');
    await own.run('verify', bundle);
    expect((await own.run('trust', 'list')).stdout).toContain('Seen, not trusted');
    await own.run('trust', 'add', kid);
    const listed = await own.run('trust', 'list', '--json');
    expect(JSON.parse(listed.stdout)).toEqual(own.read());
    const shown = await own.run('trust', 'show', kid);
    expect(shown.stdout).toContain('Example (');
    expect(shown.stdout.split('\n').filter((line) => /^ {2}[█▀▄ ]{30,}$/.test(line)).length).toBeGreaterThan(15);
    expect((await own.run('trust', 'remove', kid)).code).toBe(0);
    expect(own.read().trusted).toEqual([]);
    expect((await own.run('trust', 'show', kid)).code).toBe(2);
  });

  it.each([
    ['nothing', []],
    ['an action that is none', ['frobnicate', kid]],
    ['add without a key', ['add']],
    ['a kid cut short', ['add', kid.slice(0, 40)]],
    ['a key set file called a QR code', ['add', kids, '--qr']],
    ['a bundle as a key set', ['add', bundle]],
    ['list with a key', ['list', kid]],
    ['a key that is not trusted', ['remove', kid]],
  ])('refuses %s in a sentence', async (_, args) => {
    const { code, stderr, stdout } = await store().run('trust', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
  });

  it('takes a kid that begins with a hyphen', async () => {
    const own = store();
    const hyphened = `-${kid.slice(1)}`;
    expect((await own.run('trust', 'add', hyphened, '--label', 'one')).code).toBe(0);
    expect(own.read().trusted).toMatchObject([{ kid: hyphened, label: 'one' }]);
    expect((await own.run('trust', 'remove', hyphened)).code).toBe(0);
  });

  it('is refused, and verify with it, where the store is damaged', async () => {
    const own = store();
    writeFileSync(own.path, '{');
    for (const args of [
      ['verify', bundle],
      ['trust', 'list'],
      ['trust', 'add', kid],
    ]) {
      expect((await own.run(...args)).code).toBe(2);
    }
    expect(readFileSync(own.path, 'utf8')).toBe('{');
  });

  it('does not keep a verification from its verdict where the store cannot be written', async () => {
    const { code, stderr } = await run(
      'verify',
      bundle,
      '--trust',
      kid,
      '--trust-store',
      join(folder, 'x'.repeat(250)),
    );
    expect(code).toBe(0);
    expect(stderr).toContain('nothing was remembered');
  });
});

describe('the warning that an issuer changed', () => {
  /** The organization's records, set up anew by somebody with another key. */
  const foreign = file('foreign.json', makeBundle({ agents: 2, epochs: [3, 2], serviceOffset: 5 }).text);

  it('is loud, stands in the JSON, and ends when the key is trusted', async () => {
    const own = store();
    const before = await own.run('verify', bundle);
    expect(before.stdout).not.toContain('ISSUER CHANGED');
    for (const _ of [1, 2]) {
      const { code, stdout } = await own.run('verify', foreign);
      expect(code).toBe(3);
      expect(stdout).toContain('THE ISSUER CHANGED');
    }
    const json = JSON.parse((await own.run('verify', foreign, '--json')).stdout);
    expect(json.trust).toMatchObject({ kids: [], warnings: [{ code: 'ISSUER_CHANGED', kid: serviceKid(5) }] });
    await own.run('trust', 'add', serviceKid(5));
    expect((await own.run('verify', foreign)).stdout).not.toContain('ISSUER CHANGED');
  });

  it('is no part of the report that is kept', async () => {
    const own = store();
    await own.run('verify', bundle);
    const [one, other] = [join(folder, 'with.json'), join(folder, 'without.json')];
    await own.run('verify', foreign, '--report', one);
    await run('verify', foreign, '--report', other);
    expect(readFileSync(one)).toEqual(readFileSync(other));
  });
});

describe('--proof', () => {
  const third = at(made.receipts, 2);
  const kept = file('kept.jsonl', JSON.stringify(signReceipt({ ...third, chain_hash: otherDigest() })));

  it('writes a contradiction to a file that itself verifies', async () => {
    const path = join(folder, 'proof.json');
    const found = await run('verify', bundle, '--trust', kid, '--receipts', kept, '--proof', path);
    expect(found.code).toBe(1);
    expect(found.stdout).toContain(`signature ${third.service_signature}`);
    expect(found.stderr).toContain('proves the contradiction');
    const proven = await run('verify', path, '--trust', kid);
    expect(proven.code).toBe(0);
    expect(proven.stdout).toContain('It speaks against the service');
    expect((await run('verify', path)).code).toBe(3);
    expect(JSON.parse((await run('verify', path, '--json')).stdout)).toMatchObject({ kind: 'receipt', number: 3 });
    const forged = file('forged.json', readFileSync(path, 'utf8').replace(otherDigest(), otherDigest('another one')));
    expect((await run('verify', forged, '--trust', kid)).code).toBe(1);
    const cut = file('cut.json', readFileSync(path, 'utf8').replace('"number":3,', ''));
    expect((await run('verify', cut, '--trust', kid)).code).toBe(2);
    expect((await run('verify', bundle, '--trust', kid, '--receipts', kept, '--proof', path)).code).toBe(2);
  });

  it('writes nothing where there is no contradiction', async () => {
    const path = join(folder, 'no-proof.json');
    const { code, stderr } = await run('verify', bundle, '--trust', kid, '--proof', path);
    expect(code).toBe(0);
    expect(stderr).toContain('no proof written');
    expect(() => readFileSync(path)).toThrow('ENOENT');
  });
});

describe('what is damaged', () => {
  it('is shown as a map and in ranges', async () => {
    const damaged = file('damaged.json', made.text.replace('"file 4"', '"file 9"'));
    const { stdout } = await run('verify', damaged, '--trust', kid);
    expect(stdout).toContain('███✗█');
    expect(stdout).toMatch(/proven +1 to 3\n.*damaged +4\n.*proven +5\n/);
    expect((await run('verify', bundle, '--trust', kid)).stdout).not.toContain('███');
  });

  it('is told without letting a file write on the terminal', async () => {
    const sly = file('sly.json', made.text.replace('"name":"Example"', '"name":"\\u001b[2J\\u202eExample"'));
    const { stdout } = await run('verify', sly);
    for (const character of ['\u001b', '\u202e']) expect(stdout).not.toContain(character);
    expect(stdout).toContain('⟨U+001B⟩');
  });
});
