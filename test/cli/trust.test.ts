import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseTrustStore, type TrustStore } from '../../src/node/trust/index.ts';
import {
  fingerprintDigits,
  orgFingerprint,
  publicKeyOf,
  toBase64Url,
  type VerificationReport,
} from '../../src/protocol/index.ts';
import { makeBundle, ORG_ID, otherDigest, serviceKid, serviceSeed, signReceipt } from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { CHECKPOINT_TRUST, checkpointAt } from '../support/checkpoints.ts';
import { type Output, run } from '../support/command-line.ts';
import { WHOLE } from '../support/dishonest.ts';
import { temporaryFolder } from '../support/folders.ts';
import { ALPHA, ALPHA_PQ, BETA, cosigned, GAMMA, policyOf, T } from '../support/witnessed.ts';

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
/** Another organization under the same service key, of the same name. */
const second = file('second.json', makeBundle({ agents: 2, epochs: [3, 2], orgId: 'org_second' }).text);
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
    ['a kid', [`${kid}@${ORG_ID}`], 'kid'],
    ['a kid in its groups', [`${(kid.match(/.{1,4}/g) ?? []).join(' ')}@${ORG_ID}`], 'kid'],
    ['digits of a key that was met', [`${fingerprintDigits(kid).join(' ')}@${ORG_ID}`], 'digits'],
    ['the text of a QR code', [kid, '--qr', '--organization', ORG_ID], 'qr'],
    ['a key set file', [kids, '--organization', ORG_ID], 'jwks'],
  ])('adds %s, which verify then trusts', async (_, args, by) => {
    const own = store();
    expect((await own.run('verify', bundle)).code).toBe(3);
    expect((await own.run('trust', 'add', ...args, '--label', 'Example Ltd')).code).toBe(0);
    const [key] = own.read().trusted;
    const pinned_by = { how: 'command', user_id: null, user_name: null };
    expect(key).toMatchObject({ kid, label: 'Example Ltd', added_by: by, pinned_by, verified_on: null });
    expect(key?.organizations).toMatchObject([{ org_id: ORG_ID, pinned_by }]);
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
    expect(shown.stdout).toContain('Example, ');
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
    ['digits of a key that was never met', ['add', fingerprintDigits(serviceKid(8)).join(' ')]],
    ['a key for an organization without an id', ['add', `${kid}@`]],
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

describe('a trusted key without the organization', () => {
  it('leaves a bundle incomplete, says for whom else the key signs, and how to confirm this one', async () => {
    const own = store();
    await own.run('trust', 'add', `${kid}@${ORG_ID}`);
    expect((await own.run('verify', bundle)).code).toBe(0);
    const { code, stdout } = await own.run('verify', second);
    expect(code).toBe(3);
    expect(stdout).toContain('ORGANIZATION_NOT_CONFIRMED');
    expect(stdout).toContain('This key also signs for:');
    expect(stdout).toContain(`Example, ${orgFingerprint(ORG_ID)} (${ORG_ID})`);
    expect(stdout).toContain(`countersign trust add ${kid}@org_second`);
    expect((await own.run('trust', 'list')).stdout).toContain('which you have not confirmed');
    await own.run('trust', 'add', `${kid}@org_second`);
    expect((await own.run('verify', second)).code).toBe(0);
    await own.run('trust', 'remove', `${kid}@org_second`);
    expect((await own.run('verify', second)).code).toBe(3);
    expect((await own.run('verify', bundle)).code).toBe(0);
  });

  it('is kept as known and confirms nobody', async () => {
    const own = store();
    const { stdout } = await own.run('trust', 'add', kid);
    expect(stdout).toContain('no organization yet');
    expect((await own.run('verify', bundle)).stdout).toContain('ORGANIZATION_NOT_CONFIRMED');
  });

  it('tells who pinned a pair and when, beside the verdict', async () => {
    const own = store();
    await own.run('trust', 'add', `${kid}@${ORG_ID}`);
    const { stdout } = await own.run('verify', bundle);
    expect(stdout).toMatch(/Trusted for this organization since \d{4}-.*Z, on the command line\./);
    const json = JSON.parse((await own.run('verify', bundle, '--json')).stdout);
    expect(json.trust.pinned).toMatchObject({ kid, org_id: ORG_ID, pinned_by: { how: 'command' } });
  });
});

describe('--trust', () => {
  it('KEY alone counts for whatever organization the file names, which is said aloud', async () => {
    for (const key of [kid, fingerprintDigits(kid).join(' ')]) {
      const { code, stdout } = await run('verify', second, '--trust', key);
      expect(code).toBe(0);
      expect(stdout).toContain('whatever organization the file names');
      expect(stdout).toContain(`Example, ${orgFingerprint('org_second')} (org_second)`);
    }
  });

  it('KEY@ORG_ID counts for that organization alone', async () => {
    const right = await run('verify', bundle, '--trust', `${kid}@${ORG_ID}`);
    expect(right.code).toBe(0);
    expect(right.stdout).not.toContain('whatever organization');
    expect((await run('verify', second, '--trust', `${kid}@${ORG_ID}`)).code).toBe(3);
    expect((await run('verify', bundle, '--trust', `${kid}@`)).code).toBe(2);
  });

  it('shows the issuer in digits, and the verdict of a file whose issuer alone is open', async () => {
    const { stdout } = await run('verify', bundle);
    expect(stdout).toContain(`issuer        ${fingerprintDigits(kid).join(' ')}  (not trusted)`);
    expect(stdout).toContain('Verdict: incomplete – consistent, issuer not confirmed');
  });

  it('of a backup is refused with an organization', async () => {
    const { code, stderr } = await run('backup', '--verify', folder, '--trust', `${kid}@${ORG_ID}`);
    expect(code).toBe(2);
    expect(stderr).toContain('without an organization');
  });
});

describe('the warning that an issuer changed', () => {
  /** The organization's records, set up again by somebody with another key. */
  const foreign = file('foreign.json', makeBundle({ agents: 2, epochs: [3, 2], serviceOffset: 5 }).text);

  it('is loud, appears in the JSON, and ends when the key is trusted', async () => {
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
    await own.run('trust', 'add', `${serviceKid(5)}@${ORG_ID}`);
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
    expect(proven.stdout).toContain('The proof speaks against the service');
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

describe('countersign trust and witnesses', () => {
  const signed = file('seven.json', makeBundle(WHOLE).text);
  const checkpoint = file('cosigned.checkpoint', cosigned(checkpointAt(7), [ALPHA, T], [BETA, T]));
  const alpha = file('alpha.vkeys', `${ALPHA.vkey}\n${ALPHA_PQ.vkey}\n`);
  const said = (stdout: string) => JSON.parse(stdout) as VerificationReport;

  it('demands all witnesses that were added, until fewer are', async () => {
    const own = store();
    const verify = (...args: string[]) => own.run('verify', signed, '--json', ...args);
    for (const key of CHECKPOINT_TRUST) await own.run('trust', 'add', `${key}@${ORG_ID}`);
    expect((await verify()).code).toBe(0);
    expect((await own.run('trust', 'add', alpha, '--label', 'Alpha Ltd')).stdout).toContain(
      '1 of 1 witnesses demanded',
    );
    expect((await own.run('trust', 'add', GAMMA.vkey)).stdout).toContain('2 of 2 witnesses demanded');
    const open = await verify('--checkpoint', checkpoint);
    expect([open.code, said(open.stdout).findings.map(({ code }) => code)]).toEqual([3, ['NOT_WITNESSED']]);
    expect((await own.run('trust', 'witnesses', '1')).code).toBe(0);
    expect(own.read().witnesses).toMatchObject({
      threshold: 1,
      organizations: [
        { name: 'Alpha Ltd', keys: [ALPHA.vkey, ALPHA_PQ.vkey], pinned_by: { how: 'command' } },
        { name: GAMMA.key.name, keys: [GAMMA.vkey] },
      ],
    });
    const closed = await verify('--checkpoint', checkpoint);
    expect([closed.code, said(closed.stdout).witnessed?.size]).toEqual([0, 7]);
    expect((await own.run('verify', signed, '--checkpoint', checkpoint)).stdout).toMatch(
      /✓ pass +Witnessed +records up to No\. 7/,
    );
    // A demand holds for bundles without a checkpoint too.
    expect((await verify()).code).toBe(3);
    expect((await own.run('trust', 'list')).stdout).toContain('Alpha Ltd');
    expect((await own.run('trust', 'remove', 'Alpha Ltd')).code).toBe(0);
    expect((await own.run('trust', 'remove', GAMMA.key.name)).code).toBe(0);
    expect(own.read().witnesses).toBeUndefined();
    const none = await own.run('verify', signed);
    expect([none.code, none.stdout]).toEqual([
      0,
      expect.stringMatching(/\? not checked +Witnessed +no witnesses were named/),
    ]);
  });

  it('takes witnesses from a file in place of those of the store', async () => {
    const own = store();
    await own.run('trust', 'add', GAMMA.vkey);
    const trust = CHECKPOINT_TRUST.flatMap((key) => ['--trust', key]);
    const policy = file('policy.json', JSON.stringify(policyOf(2)));
    const args = ['verify', signed, ...trust, '--checkpoint', checkpoint];
    expect((await own.run(...args)).code).toBe(3);
    expect((await own.run(...args, '--witnesses', policy)).code).toBe(0);
    // A kept report states whose cosignatures were demanded.
    const kept = ['verify', signed, ...trust, '--report', join(folder, 'kept.json')];
    expect((await own.run(...kept)).code).toBe(3);
    expect((await run('verify', join(folder, 'kept.json'))).stdout).toContain(`1 of ${GAMMA.key.name}`);
    expect((await run(...kept, '--no-trust-store')).code).toBe(0);
  });

  it('demands other witnesses of one ledger, and of that alone', async () => {
    const own = store();
    for (const key of CHECKPOINT_TRUST) await own.run('trust', 'add', `${key}@${ORG_ID}`);
    await own.run('trust', 'add', GAMMA.vkey);
    const code = async () => (await own.run('verify', signed, '--checkpoint', checkpoint)).code;
    expect(await code()).toBe(3);
    const scoped = await own.run('trust', 'add', ALPHA.vkey, '--label', 'Alpha Ltd', '--organization', ORG_ID);
    expect(scoped.stdout).toContain(`1 of 1 witnesses demanded of the ledger of ${ORG_ID}`);
    expect(await code()).toBe(0);
    await own.run('trust', 'add', BETA.vkey, '--label', 'Beta', '--organization', ORG_ID);
    await own.run('trust', 'witnesses', '1', '--organization', ORG_ID);
    expect(own.read().witnesses_of).toMatchObject([
      { org_id: ORG_ID, threshold: 1, organizations: [{ name: 'Alpha Ltd' }, { name: 'Beta' }] },
    ]);
    expect((await own.run('trust', 'list')).stdout).toContain(`of the ledger of ${ORG_ID}`);
    expect((await own.run('trust', 'remove', `Beta@${ORG_ID}`)).code).toBe(0);
    expect((await own.run('trust', 'remove', 'Alpha Ltd')).code).toBe(0);
    expect(own.read()).toMatchObject({ witnesses: { organizations: [{ name: GAMMA.key.name }] } });
    expect(own.read().witnesses_of).toBeUndefined();
    expect(await code()).toBe(3);
  });

  it.each([
    ['a key of two organizations', ['trust', 'add', GAMMA.vkey, '--label', 'Other']],
    ['a threshold above their number', ['trust', 'witnesses', '2']],
    ['a threshold that is none', ['trust', 'witnesses', '0']],
    ['a key whose id is another', ['trust', 'add', GAMMA.vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+')]],
    ['a threshold of a ledger of which no witness is demanded', ['trust', 'witnesses', '1', '--organization', ORG_ID]],
    ['an organization without a name', ['trust', 'add', BETA.vkey, '--organization', '']],
    ['a time until when a witness is trusted', ['trust', 'add', BETA.vkey, '--until', '2026-01-01T00:00:00Z']],
  ])('refuses %s', async (_, args) => {
    const own = store();
    await own.run('trust', 'add', GAMMA.vkey);
    const before = own.read();
    expect((await own.run(...args)).code).toBe(2);
    expect(own.read()).toEqual(before);
  });
});
