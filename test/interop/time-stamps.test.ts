// countersign timestamp, and verify --timestamp (protocol F116, V178 to V181, V189), with OpenSSL as the authority.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { judgeStamps, readRoots } from '../../src/node/time-stamps/index.ts';
import type { HeldStamps } from '../../src/protocol/index.ts';
import { run } from '../support/command-line.ts';
import { share } from '../support/extent.ts';
import { temporaryFolder } from '../support/folders.ts';
import { SeededRandom } from '../support/random.ts';
import { TimeAuthority, withTime } from '../support/time-authority.ts';
import { serviceKids } from '../support/vectors.ts';

const vector = (name: string): string => fileURLToPath(new URL(`../vectors/${name}`, import.meta.url));
const [bundle, checkpoint, other] = ['bundle-whole.json', 'checkpoint.txt', 'checkpoint-earlier.txt'].map(vector) as [
  string,
  string,
  string,
];
const trust = serviceKids.flatMap((kid) => ['--trust', kid]);
const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

let authority: TimeAuthority;
let stranger: TimeAuthority;
/** The first request, and its honest answer. */
const [query, answer] = [at('first.tsq'), at('first.tsr')];

async function request(of: string, name: string, ...args: readonly string[]): Promise<string> {
  expect(await run('timestamp', 'request', of, '-o', at(name), '--force', ...args)).toMatchObject({ code: 0 });
  return at(name);
}

interface Importing {
  readonly query?: string;
  readonly of?: string;
  readonly out?: string;
  readonly roots?: readonly string[];
}

/** What importing an answer ends with, and what it prints. */
async function imported(
  file: string,
  { query: asked = query, of = checkpoint, out = at('out.stamps'), roots = [authority.root] }: Importing = {},
): Promise<{ code: number; text: string }> {
  const tsa = roots.flatMap((root) => ['--tsa', root]);
  const { code, stdout, stderr } = await run(
    'timestamp',
    'import',
    file,
    '--request',
    asked,
    '--checkpoint',
    of,
    '-o',
    out,
    '--force',
    ...tsa,
  );
  return { code, text: stdout + stderr };
}

/** A file of stamps whose first one is of a time. */
async function stampedAt(time: string, name: string): Promise<string> {
  const forged = authority.forged(answer, at('timed.tsr'), withTime(time));
  expect(await imported(forged, { out: at(name) })).toMatchObject({ code: 0 });
  return at(name);
}

type Stamped = { readonly verdict: string; readonly times?: { readonly stamps: readonly HeldStamps[] } };

async function verified(
  ...args: readonly string[]
): Promise<{ code: number; stamps: HeldStamps | undefined; verdict: string }> {
  const { code, stdout } = await run('verify', bundle, ...trust, '--json', ...args);
  const { times, verdict } = JSON.parse(stdout) as Stamped;
  return { code, stamps: times?.stamps[0], verdict };
}

beforeAll(async () => {
  authority = new TimeAuthority(folder, 'authority');
  stranger = new TimeAuthority(folder, 'stranger', 'ECDSA P-256');
  await request(checkpoint, 'first.tsq');
  authority.answer(query, answer);
});

describe('roots for time in the trust store', () => {
  it('count for a stamp until they are removed, and until the time that they are trusted', async () => {
    const stamps = await stampedAt('20270101000000', 'kept-root.stamps');
    const store = ['--trust-store', at('trust.json')];
    const verify = () => verified('--timestamp', stamps, ...store);
    expect(await verify()).toMatchObject({ code: 3, verdict: 'incomplete' });
    expect((await run('trust', 'add', authority.root, ...store)).code).toBe(0);
    expect(await verify()).toMatchObject({ code: 0, stamps: { verdict: 'verified', reaches: 31 } });
    const { stdout } = await run('trust', 'list', ...store);
    const [, sha256 = ''] = /SHA-256 +(sha256:[0-9a-f]{64})/.exec(stdout) ?? [];
    expect((await run('trust', 'add', authority.root, '--until', '2026-01-01T00:00:00Z', ...store)).code).toBe(0);
    expect(await verify()).toMatchObject({ code: 3, stamps: { tokens: [{ code: 'ROOT_ENDED' }] } });
    expect((await run('trust', 'remove', sha256, ...store)).code).toBe(0);
    expect(await verify()).toMatchObject({ code: 3, stamps: { tokens: [{ code: 'ROOT_UNKNOWN' }] } });
  });
});

describe('countersign timestamp', () => {
  it.each(['RSA 2048', 'ECDSA P-256', 'ECDSA P-384'] as const)('keeps a stamp by %s', async (kind) => {
    const one = kind === 'RSA 2048' ? authority : new TimeAuthority(folder, `by ${kind}`, kind);
    const found = await imported(one.answer(query, at(`${kind}.tsr`)), { roots: [one.root] });
    expect(found).toMatchObject({ code: 0, text: expect.stringContaining('existed before') as string });
  });

  it('keeps a stamp by RSA with PSS', async () => {
    const pss = ['-keyopt', 'rsa_padding_mode:pss'];
    const signed = authority.forged(answer, at('pss.tsr'), (info) => info, 'signer', ...pss);
    expect(await imported(signed)).toMatchObject({ code: 0 });
  });

  it('keeps a stamp under a root with a key in Ed25519', async () => {
    const one = new TimeAuthority(folder, 'by Ed25519', 'Ed25519');
    const file = one.answer(query, at('ed25519.tsr'));
    expect(await imported(file, { roots: [one.root] })).toMatchObject({ code: 0 });
    const damaged = at('ed25519-damaged.pem');
    const der = Buffer.from(readFileSync(one.root, 'utf8').replace(/-----.*-----|\s/g, ''), 'base64');
    // The last byte is of the signature of the root over itself, which nobody needs.
    der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
    writeFileSync(damaged, der);
    expect(await imported(file, { roots: [damaged] })).toMatchObject({ code: 0 });
    const foreign = new TimeAuthority(folder, 'by Ed25519', 'Ed25519');
    expect(await imported(file, { roots: [foreign.root] })).toMatchObject({ code: 3 });
  });

  it('keeps a stamp that leads to its root through an intermediate certificate, as far as that may issue others', async () => {
    const one = new TimeAuthority(folder, 'with intermediates', 'ECDSA P-256');
    one.certify('below', 'intermediate', 'below', { by: 'root' });
    one.certify('unit', 'signer', 'unit', { by: 'below' });
    one.certify('deeper', 'intermediate', 'deeper', { by: 'below' });
    one.certify('deepest', 'signer', 'deepest', { by: 'deeper' });
    one.certify('sub-signer', 'signer', 'by a signer', { by: 'unit' });
    one.answer(query, at('intermediates.tsr'));
    const same = (info: Buffer): Buffer => info;
    const by = async (signer: string) => {
      const file = one.forged(at('intermediates.tsr'), at(`${signer}.tsr`), same, signer);
      const { code, text } = await imported(file, { roots: [one.root] });
      return [code, /ROOT_UNKNOWN|existed before/.exec(text)?.[0]];
    };
    expect(await by('unit')).toEqual([0, 'existed before']);
    // Its pathLenConstraint is 0.
    expect(await by('deepest')).toEqual([3, 'ROOT_UNKNOWN']);
    // What signs stamps issues nothing.
    expect(await by('sub-signer')).toEqual([3, 'ROOT_UNKNOWN']);
  });

  it('asks for what the note text of the checkpoint is the digest of, with a nonce, and for the certificates', async () => {
    const asked = await request(checkpoint, 'again.tsq', '--hash', 'sha512');
    expect(readFileSync(asked)).not.toEqual(readFileSync(await request(checkpoint, 'third.tsq', '--hash', 'sha512')));
    authority.answer(asked, at('again.tsr'));
    expect((await imported(at('again.tsr'), { query: asked })).code).toBe(0);
  });

  it('says each thing that is wrong by its own code', async () => {
    const later = await request(checkpoint, 'later.tsq');
    const elsewhere = await request(other, 'other.tsq');
    authority.answer(elsewhere, at('other.tsr'));
    authority.certify('other', 'other', 'for code as well');
    authority.certify('uncritical', 'uncritical', 'not critical');
    authority.certify('restricted', 'restricted', 'restricted');
    const weak = new TimeAuthority(folder, 'weak', 'RSA 1024');
    const long = new TimeAuthority(folder, 'long', 'ECDSA P-521');
    const same = (info: Buffer): Buffer => info;
    const cut = at('cut.tsr');
    writeFileSync(cut, readFileSync(answer).subarray(0, -1));
    const refused = at('refused.tsr');
    writeFileSync(refused, Uint8Array.of(0x30, 5, 0x30, 3, 2, 1, 2));
    const altered = at('altered.tsr');
    writeFileSync(
      altered,
      readFileSync(answer).map((byte, n, all) => (n === all.length - 1 ? byte ^ 1 : byte)),
    );
    const cases: [string, string, Importing, number][] = [
      ['IMPRINT', at('other.tsr'), {}, 1],
      ['IMPRINT', answer, { of: other }, 1],
      ['NONCE', answer, { query: later }, 1],
      ['USAGE', authority.forged(answer, at('usage.tsr'), same, 'other'), {}, 1],
      ['USAGE', authority.forged(answer, at('uncritical.tsr'), same, 'uncritical'), {}, 1],
      ['CHAIN', authority.forged(answer, at('chain.tsr'), same, 'restricted'), {}, 1],
      ['HASH', authority.forged(answer, at('hash.tsr'), same, 'signer', '-md', 'sha1'), {}, 1],
      ['SIGNER', authority.forged(answer, at('signer.tsr'), same, 'signer', '-nocerts'), {}, 1],
      ['EXPIRED', authority.forged(answer, at('expired.tsr'), withTime('20450101000000')), {}, 1],
      [
        'VERSION',
        authority.forged(answer, at('version.tsr'), (info) =>
          Buffer.from(info.toString('latin1').replace('\x02\x01\x01', '\x02\x01\x02'), 'latin1'),
        ),
        {},
        1,
      ],
      ['MALFORMED', authority.forged(answer, at('time.tsr'), withTime('20261341000000')), {}, 1],
      ['MALFORMED', cut, {}, 1],
      ['SIGNATURE', altered, {}, 1],
      ['REFUSED', refused, {}, 1],
      ['ALGORITHM', weak.forged(answer, at('weak.tsr'), same), { roots: [weak.root] }, 1],
      ['ALGORITHM', long.forged(answer, at('long.tsr'), same), { roots: [long.root] }, 1],
      ['ROOT_UNKNOWN', answer, { roots: [stranger.root] }, 3],
      ['ROOT_UNKNOWN', answer, { roots: [] }, 3],
      ['ROOT_ENDED', answer, { roots: [`${authority.root}@2039-01-01T00:00:00Z`] }, 3],
    ];
    const found: [string, number][] = [];
    for (const [code, file, importing] of cases) {
      const { code: ended, text } = await imported(file, importing);
      found.push([text.includes(code) ? code : text, ended]);
    }
    expect(found).toEqual(cases.map(([code, , , ended]) => [code, ended]));
  });

  it('writes nothing where the stamp does not hold', async () => {
    const out = at('nothing.stamps');
    await imported(authority.forged(answer, at('expired.tsr'), withTime('20450101000000')), { out });
    expect(() => readFileSync(out)).toThrow('ENOENT');
  });
});

describe('verify --timestamp', () => {
  it('says before when the records of a bundle existed, and who says so', async () => {
    const stamps = await stampedAt('20270101000000', 'in-2027.stamps');
    const { code, stamps: one } = await verified('--timestamp', stamps, '--tsa', authority.root);
    expect([code, one]).toMatchObject([
      0,
      {
        verdict: 'verified',
        reaches: 31,
        late: null,
        existed_before: '2027-01-01T00:00:01.500Z',
        said_by: 'CN=authority',
      },
    ]);
    const { stdout } = await run('verify', bundle, ...trust, '--timestamp', stamps, '--tsa', authority.root);
    expect(stdout).toContain('existed before 2027-01-01T00:00:01.500Z, said by CN=authority');
  });

  it('says that times are those of the own clock where nothing stands behind them', async () => {
    const { stdout } = await run('verify', bundle, ...trust);
    // Once.
    expect(stdout.split('Times are those of the service’s own clock')).toHaveLength(2);
  });

  it('finds records that state a later time than that before which they existed', async () => {
    const { code, verdict, stamps } = await verified(
      '--timestamp',
      await stampedAt('20210101000000', 'in-2021.stamps'),
      '--tsa',
      authority.root,
    );
    // 31 records, and the 17 events that their epochs seal.
    expect([code, verdict, stamps?.late?.count]).toEqual([1, 'failed', 48]);
  });

  it('is incomplete where no trusted root stands behind a stamp', async () => {
    const stamps = await stampedAt('20270101000000', 'in-2027.stamps');
    expect(await verified('--timestamp', stamps, '--tsa', stranger.root)).toMatchObject({
      code: 3,
      verdict: 'incomplete',
      stamps: { existed_before: null },
    });
  });

  it('finds records that were rewritten behind a stamp, with the key of the service', async () => {
    const wrong = vector('checkpoint-wrong.txt');
    const asked = await request(wrong, 'wrong.tsq');
    authority.answer(asked, at('wrong.tsr'));
    await imported(at('wrong.tsr'), { query: asked, of: wrong, out: at('wrong.stamps') });
    expect(await verified('--timestamp', at('wrong.stamps'), '--tsa', authority.root)).toMatchObject({
      code: 1,
      verdict: 'failed',
      stamps: { verdict: 'verified', reaches: 0 },
    });
  });

  it('proves the first date by a stamp over it, once the first root is distrusted', async () => {
    const first = await stampedAt('20270101000000', 'first.stamps');
    const asked = await request(first, 'renewal.tsq');
    stranger.answer(asked, at('now.tsr'));
    const renewal = stranger.forged(at('now.tsr'), at('renewal.tsr'), withTime('20290101000000'));
    const roots = [`${authority.root}@2030-01-01T00:00:00Z`, stranger.root];
    const renewed = at('renewed.stamps');
    expect(await imported(renewal, { query: asked, of: first, out: renewed, roots })).toMatchObject({ code: 0 });
    const tsa = roots.flatMap((root) => ['--tsa', root]);
    const judged = async (file: string) => {
      const { code, stamps } = await verified('--timestamp', file, ...tsa);
      return [code, stamps?.existed_before, stamps?.tokens.map(({ code: found, hash }) => [found, hash])];
    };
    expect(await judged(first)).toEqual([3, null, [['ROOT_ENDED', 'sha256']]]);
    expect(await judged(renewed)).toEqual([
      0,
      '2027-01-01T00:00:01.500Z',
      [
        [null, 'sha256'],
        [null, 'sha512'],
      ],
    ]);
    // Distrusted before it was renewed: what stands is the date of the renewal.
    const early = [`${authority.root}@2028-01-01T00:00:00Z`, stranger.root].flatMap((root) => ['--tsa', root]);
    const { code, stamps } = await verified('--timestamp', renewed, ...early);
    expect([code, stamps?.existed_before]).toEqual([3, '2029-01-01T00:00:01.500Z']);
    const back = stranger.forged(at('now.tsr'), at('back.tsr'), withTime('20260601000000'));
    expect(await imported(back, { query: asked, of: first, roots })).toMatchObject({
      code: 1,
      text: expect.stringContaining('ORDER') as string,
    });
  });

  it('never takes an altered file for more than it says, and never breaks down', async () => {
    const stamps = readFileSync(await stampedAt('20270101000000', 'in-2027.stamps'), 'utf8');
    const {
      type,
      checkpoint: text,
      tokens,
    } = JSON.parse(stamps) as { type: string; checkpoint: string; tokens: [string] };
    const token = Buffer.from(tokens[0], 'base64');
    const roots = readRoots(readFileSync(authority.root), null);
    /** But for the digest, by which a ledger would know it. */
    const said = (file: string) => {
      const { tokens: judged, ...of } = judgeStamps(Buffer.from(file), roots);
      return { ...of, tokens: judged.map(({ digest, ...one }) => one) };
    };
    const honest = said(stamps);
    const random = new SeededRandom(7);
    const verdicts = new Set<string>();
    for (let n = 0; n < share(10_000); n++) {
      const altered = Buffer.from(token);
      for (let m = random.below(3); m >= 0; m--) altered[random.below(altered.length)] = random.below(256);
      const cut = random.below(4) === 0 ? altered.subarray(0, random.below(altered.length)) : altered;
      const file = JSON.stringify({ type, checkpoint: text, tokens: [cut.toString('base64')] });
      const judged = said(file);
      verdicts.add(judged.verdict);
      // What is not signed, such as a certificate that is not needed, may be altered: then it says what it said.
      if (judged.existed_before !== null) expect(judged).toEqual(honest);
    }
    expect([...verdicts]).toContain('failed');
  });

  it('refuses what nests deeper, or is longer, than anything honest, before it is parsed', () => {
    const nested = Buffer.alloc(60_000, Uint8Array.of(0x30, 0x80));
    for (const token of [nested, Buffer.alloc(2 ** 20, 0x30), Buffer.alloc(0)]) {
      const file = JSON.stringify({
        type: 'countersign.time-stamps.v1',
        checkpoint: readFileSync(checkpoint, 'utf8'),
        tokens: [token.toString('base64')],
      });
      expect(judgeStamps(Buffer.from(file), []).tokens[0]?.code).toBe('MALFORMED');
    }
  });
});
