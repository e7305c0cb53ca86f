import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  addKeys,
  EMPTY_STORE,
  formatTrustStore,
  kidOfDigits,
  noticeIssuer,
  organizationsOf,
  parseTrustStore,
  readKeySet,
  removeKey,
  removeOrganization,
  type Sighting,
  TrustError,
  type TrustStore,
  TrustStoreFile,
  trustEntriesOf,
  trustStorePath,
} from '../../../src/node/trust/index.ts';
import {
  fingerprintDigits,
  publicKeyOf,
  type ServiceKey,
  serviceKeySignedBytes,
  toBase64Url,
  type VerificationReport,
} from '../../../src/protocol/index.ts';
import { makeBundle, ORG_ID, only, serviceKid, serviceSeed, sign } from '../../support/bundle-maker.ts';
import { WHOLE } from '../../support/dishonest.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { verifyFile } from '../../support/verifying.ts';

const folder = temporaryFolder();
const sighting = (day: number, digit = 'a'): Sighting => ({
  at: `2026-05-0${day}T10:00:00.000Z`,
  bundle: `sha256:${digit.repeat(64)}`,
});
const pinnedBy = { how: 'command', user_id: null, user_name: null } as const;
const organizations = [{ org_id: ORG_ID, org_name: 'Example' }];
const adding = { label: null, at: '2026-05-01T09:00:00.000Z', by: 'kid', pinnedBy, organizations } as const;

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof TrustError) return error.code;
    throw error;
  }
  return 'none';
}

async function codeOfAsync(act: Promise<unknown>): Promise<string> {
  return act.then(
    () => 'none',
    (error: unknown) => (error instanceof TrustError ? error.code : String(error)),
  );
}

const honest = await verifyFile(makeBundle(WHOLE).text, { trustedKids: [serviceKid(0)] });
const unpinned = await verifyFile(makeBundle(WHOLE).text);
const failed = await verifyFile(makeBundle(WHOLE).text.replace('"file 4"', '"file 9"'), {
  trustedKids: [serviceKid(0)],
});
/** The same organization, signed by a key that has nothing to do with the one before. */
const stranger = (report: VerificationReport, pinned = false): VerificationReport => ({
  ...report,
  verdict: pinned ? 'verified' : 'incomplete',
  issuer: {
    kid: serviceKid(7),
    pinned,
    service_keys: [{ kid: serviceKid(7), trusted: pinned }],
    linked: [serviceKid(7)],
  },
});

describe('keys', () => {
  it('are trusted once, and get what they lacked', () => {
    const key = toBase64Url(publicKeyOf(serviceSeed(0)));
    const once = addKeys(EMPTY_STORE, [{ kid: serviceKid(0), public_key: null }], adding);
    const twice = addKeys(once, [{ kid: serviceKid(0), public_key: key }], {
      ...adding,
      label: 'mine',
      at: 'later',
      by: 'jwks',
    });
    expect(twice.trusted).toEqual([{ ...once.trusted[0], public_key: key, label: 'mine' }]);
  });

  it('are removed by their kid, and what was seen stays', () => {
    const { store } = noticeIssuer(
      addKeys(EMPTY_STORE, [{ kid: serviceKid(0), public_key: null }], adding),
      honest,
      sighting(1),
    );
    const without = removeKey(store, serviceKid(0));
    expect(without.trusted).toEqual([]);
    expect(without.seen).toEqual(store.seen);
    expect(codeOf(() => removeKey(without, serviceKid(0)))).toBe('KEY_UNKNOWN');
  });

  it('of a key set are read however an editor saved it', () => {
    const x = toBase64Url(publicKeyOf(serviceSeed(0)));
    const text = `\ufeff{"keys":[\r\n{"kty":"OKP","crv":"Ed25519","x":"${x}"}\r\n]}`;
    expect(readKeySet(Buffer.from(text))).toEqual([{ kid: serviceKid(0), public_key: x }]);
  });

  it.each([
    ['not JSON', 'nothing'],
    [
      'a private key',
      `{"keys":[{"kty":"OKP","crv":"Ed25519","d":"AA","x":"${toBase64Url(publicKeyOf(serviceSeed(0)))}"}]}`,
    ],
    ['no keys', '{"keys":[]}'],
    ['another kind of key', '{"keys":[{"kty":"EC","crv":"P-256","x":"AA"}]}'],
    [
      'a weak key',
      `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"${toBase64Url(Uint8Array.of(1, ...new Uint8Array(31)))}"}]}`,
    ],
    [
      'a kid of another key',
      `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"${serviceKid(1)}","x":"${toBase64Url(publicKeyOf(serviceSeed(0)))}"}]}`,
    ],
  ])('of a key set are refused: %s', (_, text) => {
    expect(codeOf(() => readKeySet(Buffer.from(text)))).toBe('KEY_INVALID');
  });
});

describe('pairs of key and organization', () => {
  const keys = [{ kid: serviceKid(0), public_key: null }];
  const key = serviceKid(0);
  const second = { org_id: 'org_second', org_name: null };

  it('are what the verifier is given: one entry for each', () => {
    const one = addKeys(EMPTY_STORE, keys, adding);
    const two = addKeys(one, keys, { ...adding, at: '2026-06-01T00:00:00.000Z', organizations: [second] });
    expect(trustEntriesOf(two)).toEqual([`${key}@${ORG_ID}`, `${key}@org_second`]);
    expect(two.trusted[0]?.organizations.map(({ added_at, pinned_by }) => [added_at, pinned_by])).toEqual([
      [adding.at, pinnedBy],
      ['2026-06-01T00:00:00.000Z', pinnedBy],
    ]);
  });

  it('keep the date and the name of whoever confirmed one first', () => {
    const one = addKeys(EMPTY_STORE, keys, adding);
    const again = addKeys(one, keys, {
      ...adding,
      at: '2027-01-01T00:00:00.000Z',
      pinnedBy: { ...pinnedBy, how: 'account' },
    });
    expect(again).toEqual(one);
  });

  it('are none for a key alone: it is known and speaks for nobody', () => {
    expect(trustEntriesOf(addKeys(EMPTY_STORE, keys, { ...adding, organizations: [] }))).toEqual([`${key}@`]);
  });

  it('are removed one by one, and the key stays known', () => {
    const both = addKeys(EMPTY_STORE, keys, { ...adding, organizations: [...organizations, second] });
    const left = removeOrganization(both, key, ORG_ID);
    expect(trustEntriesOf(left)).toEqual([`${key}@org_second`]);
    expect(trustEntriesOf(removeOrganization(left, key, 'org_second'))).toEqual([`${key}@`]);
    expect(codeOf(() => removeOrganization(left, key, ORG_ID))).toBe('KEY_UNKNOWN');
  });

  it('are not made of what an older version kept: its keys alone, and what was seen under them', () => {
    const { store } = noticeIssuer(addKeys(EMPTY_STORE, keys, adding), honest, sighting(1));
    const trusted = store.trusted.map(({ pinned_by: _, organizations: __, ...old }) => old);
    const read = parseTrustStore(Buffer.from(formatTrustStore({ ...store, trusted } as unknown as TrustStore)));
    expect(read.seen).toEqual(store.seen);
    expect(read.trusted).toMatchObject([{ kid: key, pinned_by: null, organizations: [] }]);
    expect(trustEntriesOf(read)).toEqual([`${key}@`]);
  });

  it('are found by the digits of a key that is trusted or was seen, and by no others', () => {
    const { store } = noticeIssuer(addKeys(EMPTY_STORE, keys, adding), honest, sighting(1));
    for (const known of [serviceKid(0), serviceKid(1)]) {
      expect(kidOfDigits(store, fingerprintDigits(known).join(' '))).toBe(known);
    }
    expect(codeOf(() => kidOfDigits(store, fingerprintDigits(serviceKid(7)).join(' ')))).toBe('KEY_UNKNOWN');
    expect(codeOf(() => kidOfDigits(store, serviceKid(0)))).toBe('KEY_UNKNOWN');
  });
});

describe('what is seen', () => {
  it('is remembered with the first and the newest bundle', () => {
    const trusting = addKeys(EMPTY_STORE, [{ kid: serviceKid(0), public_key: null }], adding);
    const once = noticeIssuer(trusting, honest, sighting(1)).store;
    const { store, change } = noticeIssuer(once, honest, sighting(2, 'b'));
    expect(change).toBeNull();
    // The issuer signs with its second key; a signed rotation leads to it from the trusted one.
    expect(store.seen).toMatchObject([
      { keys: [{ kid: serviceKid(1), first_seen: sighting(1), last_seen: sighting(2, 'b') }] },
    ]);
    expect(store.trusted).toMatchObject([{ first_seen: sighting(1), verified_on: sighting(2, 'b') }]);
    expect(organizationsOf(store, serviceKid(1))).toEqual([{ org_id: honest.bundle.org_id, name: 'Example' }]);
  });

  it('is not what failed, and not verified is what nobody vouches for', () => {
    const trusting = addKeys(EMPTY_STORE, [{ kid: serviceKid(0), public_key: null }], adding);
    expect(failed.verdict).toBe('failed');
    expect(noticeIssuer(trusting, failed, sighting(1)).store).toBe(trusting);
    const { store } = noticeIssuer(EMPTY_STORE, unpinned, sighting(1));
    expect(store.seen).toHaveLength(1);
    expect(store.trusted).toEqual([]);
  });

  it('warns of another key each time, and remembers it only once it is trusted', () => {
    const before = noticeIssuer(EMPTY_STORE, honest, sighting(1)).store;
    for (const day of [2, 3]) {
      const { store, change } = noticeIssuer(before, stranger(honest), sighting(day));
      expect(store).toBe(before);
      expect(change).toMatchObject({
        code: 'ISSUER_CHANGED',
        org_id: honest.bundle.org_id,
        kid: serviceKid(7),
        known: [{ kid: serviceKid(1), last_seen: sighting(1).at }],
      });
    }
    const accepted = noticeIssuer(before, stranger(honest, true), sighting(4));
    expect(accepted.change).toBeNull();
    // Who signed before the reader confirmed a key may have been anybody.
    expect(accepted.store.seen[0]?.keys.map(({ kid }) => kid)).toEqual([serviceKid(7)]);
    expect(noticeIssuer(accepted.store, unpinned, sighting(5)).change).toMatchObject({ code: 'ISSUER_CHANGED' });
  });

  it('warns of the key that was met first, once another one was confirmed', () => {
    const first = noticeIssuer(EMPTY_STORE, stranger(honest), sighting(1)).store;
    const confirmed = addKeys(first, [{ kid: serviceKid(0), public_key: null }], adding);
    expect(noticeIssuer(confirmed, stranger(honest), sighting(2))).toMatchObject({
      store: confirmed,
      change: { code: 'ISSUER_CHANGED', kid: serviceKid(7), known: [] },
    });
    const { store, change } = noticeIssuer(confirmed, honest, sighting(3));
    expect(change).toBeNull();
    expect(noticeIssuer(store, stranger(honest), sighting(4)).change).toMatchObject({
      code: 'ISSUER_CHANGED',
      known: [serviceKid(1), serviceKid(0)].map((kid) => ({ kid, last_seen: sighting(3).at })),
    });
  });

  it('warns of a failed bundle too', () => {
    const before = noticeIssuer(EMPTY_STORE, honest, sighting(1)).store;
    const { change } = noticeIssuer(before, { ...stranger(honest), verdict: 'failed' }, sighting(2));
    expect(change?.code).toBe('ISSUER_CHANGED');
  });

  it('takes a signed rotation, and no other link', async () => {
    const first = await verifyFile(makeBundle({ ...WHOLE, rotation: false }).text);
    const before = noticeIssuer(EMPTY_STORE, first, sighting(1)).store;
    expect(first.issuer.linked).toEqual([serviceKid(0)]);
    // The second key, whose bundle holds the first one and its signature over the second.
    expect(unpinned.issuer).toMatchObject({ kid: serviceKid(1), linked: [serviceKid(0), serviceKid(1)] });
    const rotated = noticeIssuer(before, unpinned, sighting(2));
    expect(rotated.change).toBeNull();
    expect(rotated.store.seen[0]?.keys).toHaveLength(2);
    // The first key stands in the bundle, but never signed the second.
    const forged = makeBundle({
      ...WHOLE,
      serviceKey: only(1, (key) => ({ ...key, prev_signature: key.self_signature })),
    });
    const report = await verifyFile(forged.text);
    expect(report.issuer.linked).not.toContain(serviceKid(0));
    expect(noticeIssuer(before, report, sighting(2)).change?.code).toBe('ISSUER_CHANGED');
  });
});

describe('a rotation that the old key did not sign', () => {
  /** A service key that says which one came before it, signed by whoever has the seeds. */
  function serviceKey(index: number, previous: number | null, signer = previous): ServiceKey {
    const public_key = toBase64Url(publicKeyOf(serviceSeed(index)));
    const prev_kid = previous === null ? null : serviceKid(previous);
    const statement = { kid: serviceKid(index), public_key, created_at: 1, prev_kid };
    const message = serviceKeySignedBytes(statement);
    return {
      ...statement,
      algorithm: 'ed25519',
      status: 'active',
      retired_at: null,
      self_signature: sign(serviceSeed(index), message),
      prev_signature: signer === null ? null : sign(serviceSeed(signer), message),
    };
  }

  it.each([
    ['links through a key that it did sign', serviceKey(5, 0), [serviceKid(0), serviceKid(5), serviceKid(6)]],
    ['does not link through a key in between', serviceKey(5, 0, 6), [serviceKid(6)]],
  ])('%s', async (_, between, linked) => {
    const { text } = makeBundle({
      ...WHOLE,
      rotation: false,
      serviceOffset: 6,
      contents: (contents) => ({ ...contents, service_keys: [serviceKey(0, null), between, serviceKey(6, 5)] }),
    });
    expect((await verifyFile(text)).issuer).toMatchObject({ kid: serviceKid(6), linked });
  });
});

describe('the file', () => {
  it('is for its user alone, whole, with its lock and nothing else beside it', async () => {
    const path = join(folder, 'deep', 'er', 'trust.json');
    const file = new TrustStoreFile(path);
    expect(await file.read()).toEqual(EMPTY_STORE);
    await file.update((store) => ({ store: addKeys(store, [{ kid: serviceKid(0), public_key: null }], adding) }));
    const names = readdirSync(join(folder, 'deep', 'er'));
    expect(names.sort()).toEqual(['trust.json', 'trust.json.lock']);
    const modes = names.map((name) => statSync(join(folder, 'deep', 'er', name)).mode & 0o777);
    if (process.platform !== 'win32') expect(modes).toEqual([0o600, 0o600]);
    const store = parseTrustStore(readFileSync(path));
    expect(store.trusted.map(({ kid }) => kid)).toEqual([serviceKid(0)]);
    expect(readFileSync(path, 'utf8')).toBe(formatTrustStore(store));
  });

  it('is not written where nothing changes', async () => {
    const path = join(folder, 'untouched.json');
    await new TrustStoreFile(path).update((store) => ({ store }));
    expect(readdirSync(folder)).not.toContain('untouched.json');
  });

  it('keeps both of two changes that two programs make at the same moment: a key taken out stays out', async () => {
    const path = join(folder, 'two-programs.json');
    const [one, other] = [new TrustStoreFile(path), new TrustStoreFile(path)];
    const key = (n: number) => [{ kid: serviceKid(n), public_key: null }];
    await one.update((store) => ({ store: addKeys(store, key(0), adding) }));
    for (let n = 0; n < 20; n++) {
      await one.update((store) => ({ store: addKeys(store, key(1), adding) }));
      await Promise.all([
        one.update((store) => ({ store: { ...store, seen: [...store.seen] } })),
        other.update((store) => ({ store: removeKey(store, serviceKid(1)) })),
      ]);
      expect((await one.read()).trusted.map(({ kid }) => kid)).toEqual([serviceKid(0)]);
    }
  });

  it.each([
    ['is cut short', '{"type":"countersign.trust-store.v1","trusted":['],
    ['is another file', '{"type":"countersign.bundle.v1"}'],
    ['has a member too many', '{"type":"countersign.trust-store.v1","trusted":[],"seen":[],"extra":1}'],
    ['has a member twice', '{"type":"countersign.trust-store.v1","trusted":[],"trusted":[],"seen":[]}'],
  ])('is refused whole where it %s, and not overwritten', async (_, text) => {
    const path = join(folder, 'bad.json');
    writeFileSync(path, text);
    const change = new TrustStoreFile(path).update((store) => ({ store: addKeys(store, [], adding) }));
    expect(await codeOfAsync(change)).toBe('STORE_INVALID');
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('says where it cannot be reached', async () => {
    writeFileSync(join(folder, 'plain'), '');
    expect(await codeOfAsync(new TrustStoreFile(join(folder, 'plain', 'trust.json')).read())).toBe('STORE_UNREACHABLE');
    mkdirSync(join(folder, 'a folder'));
    expect(await codeOfAsync(new TrustStoreFile(join(folder, 'a folder')).read())).toBe('STORE_INVALID');
    symlinkSync('loop', join(folder, 'loop'));
    expect(await codeOfAsync(new TrustStoreFile(join(folder, 'loop')).read())).toBe('STORE_UNREACHABLE');
  });
});

describe('its place', () => {
  it.each<[NodeJS.Platform, Record<string, string>, string | null]>([
    ['linux', {}, '/home/ada/.config/countersign/trust.json'],
    ['linux', { XDG_CONFIG_HOME: '/xdg' }, '/xdg/countersign/trust.json'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/ada/.config/countersign/trust.json'],
    ['darwin', { XDG_CONFIG_HOME: '/xdg' }, '/home/ada/Library/Application Support/countersign/trust.json'],
    ['win32', { APPDATA: '/roaming' }, '/roaming/countersign/trust.json'],
    ['linux', { COUNTERSIGN_TRUST_STORE: '/else/mine.json' }, '/else/mine.json'],
    ['linux', { COUNTERSIGN_TRUST_STORE: '' }, null],
  ])('%s %j', (platform, environment, expected) => {
    expect(trustStorePath({ platform, environment, home: '/home/ada' })).toBe(expected);
  });
});
