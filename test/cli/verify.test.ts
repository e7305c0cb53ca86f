import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  CHECKS,
  publicKeyOf,
  receiptSignedBytes,
  toBase64Url,
  type VerificationReport,
} from '../../src/protocol/index.ts';
import { makeBundle, only, otherDigest, serviceKid, serviceSeed, sign } from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { CommandProcess, PATIENCE_MS } from '../support/processes.ts';
import { newKey } from '../support/signer.ts';

const folder = temporaryFolder();
function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const made = makeBundle({ agents: 2, epochs: [3, 2] });
const kid = serviceKid(0);
const bundle = file('bundle.json', made.text);
const altered = file('altered.json', made.text.replace('"file 4"', '"file 9"'));
const empty = file('empty.json', '');
const groups = (kid.match(/.{1,4}/g) ?? []).join(' ');

const jwk = (seed: Uint8Array, members: object = {}) => {
  const x = toBase64Url(publicKeyOf(seed));
  return { kty: 'OKP', crv: 'Ed25519', x, ...members };
};
const keySet = (...keys: object[]): string => JSON.stringify({ keys });

function reportOf(stdout: string): VerificationReport {
  return JSON.parse(stdout) as VerificationReport;
}

describe('the exit code', () => {
  it.each<[number, string, string[]]>([
    [0, 'verified', [bundle, '--trust', kid]],
    [1, 'failed', [altered, '--trust', kid]],
    [1, 'failed, whoever is trusted', [altered]],
    [3, 'incomplete: nobody is trusted', [bundle]],
    [3, 'incomplete: another is trusted', [bundle, '--trust', serviceKid(1)]],
    [2, 'not readable', [empty, '--trust', kid]],
    [0, 'verified, options first', ['--trust', kid, bundle]],
    [0, 'verified, with an equals sign', [`--trust=${kid}`, bundle]],
    [0, 'verified, after two hyphens', ['--trust', kid, '--', bundle]],
    [0, 'several, all verified', [bundle, bundle, '--trust', kid]],
    [1, 'several, one failed', [bundle, altered, bundle, '--trust', kid]],
    [1, 'several, one failed and the others incomplete', [bundle, altered]],
    [2, 'several, one not readable', [altered, empty, bundle, '--trust', kid]],
  ])('%i: %s', async (code, _, args) => {
    expect((await run('verify', ...args)).code).toBe(code);
  });

  it('is 1 where a key of a trusted key set signed a receipt, and the bundle, made later, lacks that key', async () => {
    const { service_signature: _, ...receipt } = { ...at(made.receipts, 2), service_kid: serviceKid(7) };
    const signed = { ...receipt, service_signature: sign(serviceSeed(7), receiptSignedBytes(receipt)) };
    const receipts = file('of-another-key.jsonl', JSON.stringify(signed));
    const keys = file('two-keys.json', keySet(jwk(serviceSeed(0)), jwk(serviceSeed(7))));
    const { code, stdout } = await run('verify', bundle, '--trust', keys, '--receipts', receipts, '--json');
    expect(code).toBe(1);
    expect(reportOf(stdout).findings.map(({ code: finding }) => finding)).toEqual(['CONTRADICTION']);
    // By its kid alone nobody can tell whether the key signed it.
    const named = await run('verify', bundle, '--trust', kid, '--trust', serviceKid(7), '--receipts', receipts);
    expect(named.code).toBe(3);
    // A report on the same files has the same verdict.
    const out = ['-o', join(folder, 'of-another-key.pdf')];
    expect((await run('report', bundle, '--trust', keys, '--receipts', receipts, ...out)).code).toBe(1);
  });

  it('is that of the process', { timeout: PATIENCE_MS }, async () => {
    const [good, bad] = await Promise.all([
      new CommandProcess(['verify', bundle, '--trust', kid]).ended,
      new CommandProcess(['verify', altered, '--trust', kid]).ended,
    ]);
    expect([good.code, bad.code]).toEqual([0, 1]);
    expect(good.stderr).toBe('');
    // Colours and moving bars are for terminals.
    for (const { stdout } of [good, bad]) expect(stdout).not.toContain('\u001b');
  });
});

describe('the report for people', () => {
  it('has the verdict, every check, each claim of completeness, and the issuer in groups', async () => {
    const { stdout, stderr } = await run('verify', bundle, '--trust', kid);
    expect(stderr).toBe('');
    expect(stdout).toContain('Verdict: verified');
    expect(stdout).toContain(groups);
    expect(stdout).toContain(bundle);
    const lines = stdout.split('\n').filter((line) => /^ {2}[✓✗?–] /.test(line));
    expect(lines.slice(CHECKS.length).map((line) => line.slice(2, 36).replace(/ {2,}/g, ' ').trim())).toEqual([
      '✓ pass Within the range',
      '✓ pass Of the log',
      '? not checked Witnessed',
    ]);
  });

  it('names what was altered, where, and the cause before what follows from it', async () => {
    const { stdout } = await run('verify', altered, '--trust', kid);
    expect(stdout).toContain('Verdict: failed');
    const [first = ''] = stdout.split('\n').filter((line) => /^ +\d+ {2}[A-Z_]+/.test(line));
    expect(first).toContain('SIGNATURE_INVALID');
    expect(stdout).toContain('seq_no 4');
  });

  it('says that the issuer is not pinned', async () => {
    const { stdout } = await run('verify', bundle);
    expect(stdout).toContain('Verdict: incomplete');
    expect(stdout).toContain('not trusted');
  });

  it('names each of several files', async () => {
    const { stdout } = await run('verify', bundle, altered, '--trust', kid);
    for (const name of [bundle, altered]) expect(stdout.split('\n')).toContain(name);
  });
});

describe('--json', () => {
  it.each([
    [bundle, 'verified'],
    [altered, 'failed'],
  ])('prints the report of one file', async (path, verdict) => {
    const { stdout, stderr } = await run('verify', path, '--trust', kid, '--json');
    expect(stderr).toBe('');
    const report = reportOf(stdout);
    expect(report.verdict).toBe(verdict);
    expect(Object.keys(report.checks)).toEqual([...CHECKS]);
    for (const { status } of Object.values(report.checks)) {
      expect(['pass', 'fail', 'not_checked', 'not_applicable']).toContain(status);
    }
    for (const finding of report.findings) {
      expect(finding).toMatchObject({ code: expect.any(String), severity: expect.any(String), where: {} });
    }
    expect(report.findings.length > 0).toBe(verdict === 'failed');
    expect(report.issuer).toMatchObject({ kid, pinned: true });
  });

  it('prints a list for several files, in their order, errors among them', async () => {
    const { code, stdout } = await run('verify', bundle, empty, altered, '--json', '--trust', kid);
    expect(code).toBe(2);
    const reports = JSON.parse(stdout) as (VerificationReport & { error?: string })[];
    expect(reports.map(({ verdict, error }) => (error === undefined ? verdict : 'error'))).toEqual([
      'verified',
      'error',
      'failed',
    ]);
  });

  it('prints an error as JSON, too', async () => {
    const { code, stdout } = await run('verify', empty, '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({ error: expect.stringContaining(empty) });
  });
});

describe('a file that is no bundle', () => {
  const random = Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * n * 31 + n * 7) % 256));
  const directory = join(folder, 'directory');
  mkdirSync(directory);
  const gzipped = gzipSync(made.text);
  const damaged = Buffer.from(gzipped);
  damaged.fill(0x55, 200, 220);

  it.each<[string, string]>([
    ['missing', join(folder, 'missing.json')],
    ['empty', empty],
    ['a folder', directory],
    ['a PDF without a bundle', file('report.pdf', '%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n')],
    ['random bytes', file('random.bin', random)],
    ['text', file('notes.txt', 'my notes\n')],
    ['other JSON', file('other.json', '{"name":"countersign","version":"1"}')],
    ['a JSON list', file('list.json', '[1,2,3]')],
    ['a receipts file', file('receipts-only.jsonl', `${JSON.stringify(made.receipts[0])}\n`)],
    ['a gzip that is cut short', file('cut.json.gz', gzipped.subarray(0, gzipped.length - 100))],
    ['a gzip that is damaged', file('damaged.json.gz', damaged)],
    ['a gzip of something else', file('notes.gz', gzipSync('my notes'))],
    ['a gzip that ends with its header', file('header.gz', gzipped.subarray(0, 10))],
    ['a single byte', file('byte.json', '{')],
    ['zeros', file('zeros.json', new Uint8Array(100_000))],
    ['UTF-16', file('utf16.json', Buffer.from(`\ufeff${made.text}`, 'utf16le'))],
  ])('%s: exit code 2 and a sentence that names it', async (_, path) => {
    const { code, stdout, stderr } = await run('verify', path, '--trust', kid);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^countersign verify: /);
    expect(stderr).toContain(path);
    if (path.endsWith('.pdf')) expect(stderr).toContain('PDF');
    expect(stderr).not.toMatch(/\n\s+at |Error:|[^\x20-\x7e\n…“”’–]/);
    expect(stderr.trim().split('\n').length).toBeLessThan(4);
  });
});

describe('a bundle', () => {
  it('may be compressed, whatever its name', async () => {
    for (const name of ['bundle.json.gz', 'bundle.bin']) {
      const { code } = await run('verify', file(name, gzipSync(made.text)), '--trust', kid);
      expect(code).toBe(0);
    }
  });

  it('may be named like an option after two hyphens', async () => {
    const { code, stderr } = await run('verify', '--trust', kid, '--', '--missing.json');
    expect(code).toBe(2);
    expect(stderr).toContain('--missing.json');
  });

  it.each([0.2, 0.5, 0.9, 0.999])('cut after %f of it has failed, and is never more than that', async (part) => {
    const path = file('truncated.json', made.text.slice(0, Math.floor(made.text.length * part)));
    const { code, stdout } = await run('verify', path, '--trust', kid, '--json');
    expect(code).toBe(1);
    expect(reportOf(stdout)).toMatchObject({ verdict: 'failed' });
    expect(reportOf(stdout).findings.map(({ code: found }) => found)).toContain('MALFORMED');
  });
});

describe('--trust', () => {
  const { seed } = newKey();
  it.each<[string, () => string[]]>([
    ['in groups', () => ['--trust', groups]],
    ['over several lines', () => ['--trust', `${kid.slice(0, 20)}\n  ${kid.slice(20)}\n`]],
    ['a key set', () => ['--trust', file('jwks.json', keySet(jwk(serviceSeed(0), { kid, use: 'sig', alg: 'EdDSA' })))]],
    ['a key set without names', () => ['--trust', file('nameless.json', keySet(jwk(serviceSeed(0))))]],
    ['a key set with others', () => ['--trust', file('others.json', keySet(jwk(seed), jwk(serviceSeed(0))))]],
    ['several times', () => ['--trust', serviceKid(1), '--trust', kid]],
    ['beside one that begins with a hyphen', () => ['--trust', `-${'A'.repeat(42)}`, '--trust', kid]],
    ['beside one that begins with two', () => ['--trust', `--${'A'.repeat(41)}`, `--trust=${kid}`]],
  ])('takes the kid %s', async (_, args) => {
    const { code, stderr } = await run('verify', bundle, ...args());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('takes a kid that begins with a hyphen for a kid', async () => {
    const hyphen = `-${'A'.repeat(42)}`;
    for (const args of [['--trust', hyphen], [`--trust=${hyphen}`]]) {
      expect((await run('verify', bundle, ...args)).code).toBe(3);
    }
  });

  it.each<[string, () => string]>([
    ['nonsense', () => 'nonsense'],
    ['a kid cut short', () => kid.slice(0, -1)],
    ['a kid with something after it', () => `${kid}A`],
    ['a kid with non-zero trailing bits', () => `${'A'.repeat(42)}B`],
    ['nothing', () => ''],
    ['a folder', () => folder],
    ['a bundle', () => bundle],
    ['an empty key set', () => file('no-keys.json', '{"keys":[]}')],
    ['a key set of another kind', () => file('rsa.json', '{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}')],
    ['a key set with a key cut short', () => file('short.json', keySet({ kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }))],
    [
      'a key set with a weak key',
      () => file('weak.json', keySet({ kty: 'OKP', crv: 'Ed25519', x: `AQ${'A'.repeat(41)}` })),
    ],
    ['a key set that gives a key the name of another', () => file('liar.json', keySet(jwk(newKey().seed, { kid })))],
    ['a key set with a member twice', () => file('twice.json', `{"keys":[],${keySet(jwk(serviceSeed(0))).slice(1)}`)],
  ])('refuses %s: exit code 2 and a sentence', async (_, value) => {
    const { code, stdout, stderr } = await run('verify', bundle, `--trust=${value()}`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^countersign verify: /);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('--receipts', () => {
  const lines = (receipts: readonly object[]): string =>
    receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
  const kept = file('receipts.jsonl', lines(made.receipts));

  it('finds all of them', async () => {
    const { code, stdout } = await run('verify', bundle, '--trust', kid, '--receipts', kept, '--json');
    expect(code).toBe(0);
    expect(reportOf(stdout).checks.reconciliation).toMatchObject({ status: 'pass' });
  });

  it('finds a record that the service acknowledged and left out', async () => {
    // The service makes its ledger again without the last record, as if that had never been.
    const shorter = file('shorter.json', makeBundle({ agents: 2, epochs: [3, 1] }).text);
    expect((await run('verify', shorter, '--trust', kid)).code).toBe(0);
    const { code, stdout } = await run('verify', shorter, '--trust', kid, '--receipts', kept, '--json');
    expect(code).toBe(1);
    const report = reportOf(stdout);
    expect(report.finding_counts).toEqual({ RECORD_OMITTED: 1 });
    expect(report.findings[0]?.where).toMatchObject({ file: kept, line: 5, seq_no: 5 });
  });

  it.each<[string, () => string]>([
    ['missing', () => join(folder, 'no-receipts.jsonl')],
    ['a folder', () => folder],
  ])('that is %s: exit code 2', async (_, path) => {
    const { code, stderr } = await run('verify', bundle, '--trust', kid, '--receipts', path());
    expect(code).toBe(2);
    expect(stderr).toContain(path());
  });

  it('that is no receipts file leaves the verdict open', async () => {
    const notes = file('notes.jsonl', 'my notes\n');
    const { code, stdout } = await run('verify', bundle, '--trust', kid, '--receipts', notes, '--json');
    expect(code).toBe(3);
    expect(reportOf(stdout).checks.reconciliation.status).toBe('not_checked');
  });
});

describe('--against', () => {
  it('is not readable where it is no bundle', async () => {
    const path = join(temporaryFolder(), 'notes.txt');
    writeFileSync(path, 'hello');
    const { code, stderr } = await run('verify', bundle, '--trust', kid, '--against', path);
    expect(code).toBe(2);
    expect(stderr).toContain(path);
  });

  it('agrees with a part of the same ledger', async () => {
    const part = file('part.json', makeBundle({ agents: 2, epochs: [3, 2], range: [2, 4] }).text);
    expect((await run('verify', bundle, '--trust', kid, '--against', part)).code).toBe(0);
    expect((await run('verify', part, '--trust', kid, '--against', bundle)).code).toBe(0);
  });

  it('finds a service that told two stories', async () => {
    const other = makeBundle({
      agents: 2,
      epochs: [3, 2],
      record: only(3, (draft) => ({ ...draft, subject: 'another story' })),
    });
    const path = file('other-story.json', other.text);
    expect((await run('verify', path, '--trust', kid)).code).toBe(0);
    const { code, stdout } = await run('verify', bundle, '--trust', kid, '--against', path, '--json');
    expect(code).toBe(1);
    expect(at(reportOf(stdout).findings, 0)).toMatchObject({ code: 'EQUIVOCATION', where: { seq_no: 4 } });
  });
});

describe('a defect', () => {
  it('is not shown for what a hostile file can hold', async () => {
    const hostile = [
      made.text.replace(/"root_hash":"[^"]*"/, `"root_hash":"${otherDigest()}"`),
      made.text.replace('"records":[', `"records":[${'['.repeat(5000)}`),
      made.text.replace('"org":{', `"org":{"__proto__":{"org_id":1},`),
      made.text.replace(/"leaf_count":\d+/, '"leaf_count":9007199254740991'),
      made.text.replace(/"seq_no":\d+/, '"seq_no":-1'),
    ];
    for (const [index, text] of hostile.entries()) {
      const { code } = await run('verify', file(`hostile-${index}.json`, text), '--trust', kid);
      expect(text).not.toBe(made.text);
      expect([1, 2]).toContain(code);
    }
  });
});
