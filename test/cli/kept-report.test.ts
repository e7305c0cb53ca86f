// countersign verify --report and --sign, and verify of what they wrote: a report as a file that another auditor can examine.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  canonicalize,
  fingerprintDigits,
  type Json,
  parseJson,
  publicKeyOf,
  sha256,
  thumbprint,
  toBase64Url,
  toHex,
  UNNAMED_WITNESSES,
  utf8,
} from '../../src/protocol/index.ts';
import { makeBundle, serviceKid } from '../support/bundle-maker.ts';
import { checkpointAt } from '../support/checkpoints.ts';
import { run } from '../support/command-line.ts';
import { WHOLE } from '../support/dishonest.ts';
import { temporaryFolder } from '../support/folders.ts';
import { newKey, pemOf } from '../support/signer.ts';
import { ALPHA, BETA, carriedCases, cosigned, policyOf, T } from '../support/witnessed.ts';

const folder = temporaryFolder();
let files = 0;
function file(content: string | Uint8Array, name = `file-${files++}`): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const kid = serviceKid(0);
const made = makeBundle({ agents: 2, epochs: [3, 2] });
const bundle = file(made.text);
const altered = file(made.text.replace('"file 4"', '"file 9"'));
const shorter = file(makeBundle({ agents: 2, epochs: [3, 1] }).text);
const receiptLines = made.receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');

interface Artifact {
  readonly type: string;
  readonly subject: { readonly sha256: string; readonly size: number };
  readonly trust: readonly string[];
  readonly report: { readonly verdict: string; readonly findings: readonly { where: { file?: string } }[] };
  readonly signature?: { readonly kid: string; readonly public_key: string; readonly value: string };
}

const { seed } = newKey();
const auditor = {
  key: file(pemOf(seed)),
  publicKey: toBase64Url(publicKeyOf(seed)),
  kid: thumbprint(publicKeyOf(seed)),
};

/** Keeps a report; the path of it, its text and what verify answered. */
async function keep(path: string, ...args: string[]): Promise<{ path: string; text: string; code: number }> {
  const out = join(folder, `report-${files++}.json`);
  const { code } = await run('verify', path, '--trust', kid, '--report', out, ...args);
  return { path: out, text: readFileSync(out, 'utf8'), code };
}

async function examine(path: string, ...args: string[]): Promise<{ code: number; answer: Record<string, unknown> }> {
  const { code, stdout } = await run('verify', path, '--json', ...args);
  return { code, answer: JSON.parse(stdout) as Record<string, unknown> };
}

/** The same artifact with something in it changed, canonical again. */
function changed(text: string, change: (artifact: Artifact) => object): string {
  return file(canonicalize(change(JSON.parse(text) as Artifact) as Json));
}

describe('verify --report', () => {
  it('keeps bundle, trust, verifier and report in canonical form', async () => {
    const { text, code } = await keep(bundle);
    expect(code).toBe(0);
    expect(text).toBe(canonicalize(parseJson(text)));
    const { stdout } = await run('verify', bundle, '--trust', kid, '--json');
    expect(JSON.parse(text)).toEqual({
      type: 'countersign.verification-artifact.v1',
      subject: { sha256: `sha256:${toHex(sha256(utf8(made.text)))}`, size: utf8(made.text).length },
      trust: [kid],
      verifier: { name: 'countersign', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      inputs: { receipts: [], against: [] },
      report: JSON.parse(stdout),
    });
  });

  it('gives the same bytes each time, wherever the files are and in whatever order keys are trusted', async () => {
    const other = join(folder, 'elsewhere');
    mkdirSync(other);
    const paths = ['bundle', 'receipts'].map((name) => join(other, name));
    const [copy = '', receipts = ''] = paths;
    writeFileSync(copy, readFileSync(shorter));
    writeFileSync(receipts, receiptLines);
    const second = serviceKid(1);
    const first = await keep(shorter, '--trust', second, '--receipts', file(receiptLines), '--sign', auditor.key);
    const again = await keep(copy, '--trust', second, '--trust', kid, '--receipts', receipts, '--sign', auditor.key);
    expect(first.code).toBe(1);
    expect(again.text).toBe(first.text);
    const artifact = JSON.parse(first.text) as Artifact;
    expect(artifact.trust).toEqual([kid, second].sort());
    expect(artifact.report.findings[0]?.where.file).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(first.text).not.toContain(folder);
  });

  it('says what failed', async () => {
    const { text, code } = await keep(altered);
    expect(code).toBe(1);
    expect((JSON.parse(text) as Artifact).report.verdict).toBe('failed');
  });

  it('is of the file as it lies there, compressed too', async () => {
    const packed = gzipSync(made.text);
    const { text } = await keep(file(packed));
    expect((JSON.parse(text) as Artifact).subject.size).toBe(packed.length);
  });

  it.each<[string, RegExp, () => string[]]>([
    ['of two bundles', /of one bundle/, () => [bundle, altered, '--report', join(folder, 'x')]],
    ['without a report to sign', /--sign goes with --report/, () => [bundle, '--sign', auditor.key]],
    ['with a key that is none', /not an Ed25519 key/, () => [bundle, '--report', join(folder, 'x'), '--sign', bundle]],
    [
      'with a missing key',
      /there is no such file/,
      () => [bundle, '--report', join(folder, 'x'), '--sign', join(folder, 'no')],
    ],
    ['into a folder', /is a folder, not a file/, () => [bundle, '--report', folder]],
    ['of a missing bundle', /there is no such file/, () => [join(folder, 'missing'), '--report', join(folder, 'x')]],
  ])('%s: exit code 2 and a sentence', async (_, sentence, args) => {
    const { code, stderr } = await run('verify', ...args(), '--trust', kid);
    expect(code).toBe(2);
    expect(stderr).toMatch(sentence);
    expect(existsSync(join(folder, 'x'))).toBe(false);
  });

  it('keeps none of a file that is no bundle', async () => {
    const out = join(folder, 'of-notes.json');
    expect((await run('verify', file('my notes\n'), '--report', out)).code).toBe(2);
    expect(existsSync(out)).toBe(false);
  });
});

describe('verify of a kept report', () => {
  it('knows a signature by a key that the reader named, by kid or fingerprint', async () => {
    const { path } = await keep(bundle, '--sign', auditor.key);
    for (const key of [fingerprintDigits(auditor.kid).join(' '), auditor.kid]) {
      const { code, answer } = await examine(path, '--examiner', `${key}=Ada`);
      expect(code).toBe(0);
      expect(answer).toMatchObject({
        type: 'countersign.artifact-judgement.v1',
        signature: 'named',
        verdict: 'verified',
        signed_by: auditor.kid,
      });
    }
  });

  it('leaves open what nobody vouches for', async () => {
    const signed = await keep(bundle, '--sign', auditor.key);
    const bare = await keep(bundle);
    expect(await examine(signed.path)).toMatchObject({ code: 3, answer: { signature: 'unnamed' } });
    expect(await examine(signed.path, '--examiner', `${kid}=Ada`)).toMatchObject({
      code: 3,
      answer: { signature: 'unnamed' },
    });
    expect(await examine(bare.path)).toMatchObject({ code: 3, answer: { signature: 'missing' } });
    // Whoever asks for a signature does not get along without.
    expect(await examine(bare.path, '--examiner', `${auditor.kid}=Ada`, '--bundle', bundle)).toMatchObject({ code: 3 });
  });

  it('verifies again and compares byte for byte', async () => {
    const receipts = file(receiptLines);
    const bare = await keep(bundle, '--receipts', receipts);
    expect(await examine(bare.path, '--bundle', bundle, '--receipts', receipts)).toMatchObject({
      code: 0,
      answer: { reproduction: 'same', verdict: 'verified' },
    });
    expect(await examine(bare.path, '--bundle', bundle)).toMatchObject({
      code: 1,
      answer: { reproduction: 'different', differs: 'inputs' },
    });
    expect(await examine(bare.path, '--bundle', altered, '--receipts', receipts)).toMatchObject({
      code: 1,
      answer: { differs: 'subject' },
    });
  });

  it.each<[string, (artifact: Artifact) => object]>([
    ['another verdict', (artifact) => ({ ...artifact, report: { ...artifact.report, verdict: 'verified' } })],
    [
      'another bundle',
      (artifact) => ({ ...artifact, subject: { ...artifact.subject, sha256: `sha256:${'0'.repeat(64)}` } }),
    ],
    ['other trust', (artifact) => ({ ...artifact, trust: [] })],
    ['another kid', (artifact) => ({ ...artifact, signature: { ...artifact.signature, kid } })],
    [
      'another key',
      (artifact) => ({
        ...artifact,
        signature: { ...artifact.signature, public_key: toBase64Url(newKey().publicKey) },
      }),
    ],
    ['a signature that is none', (artifact) => ({ ...artifact, signature: { ...artifact.signature, value: 'AA' } })],
  ])('finds %s', async (_, change) => {
    const { text } = await keep(altered, '--sign', auditor.key);
    const { code, answer } = await examine(changed(text, change), '--examiner', `${auditor.kid}=Ada`);
    expect(code).toBe(1);
    expect(answer).toMatchObject({ signature: 'invalid', verdict: 'failed' });
  });

  it('finds a report that says another verdict than the bundle gives', async () => {
    const { text } = await keep(altered);
    const forged = changed(text, (artifact) => ({ ...artifact, report: { ...artifact.report, verdict: 'verified' } }));
    expect(await examine(forged, '--bundle', altered)).toMatchObject({ code: 1, answer: { differs: 'report' } });
  });

  it('shows a person what it is of, who signed it and what it states', async () => {
    const { path } = await keep(altered, '--sign', auditor.key);
    const { code, stdout } = await run('verify', path, '--examiner', `${auditor.kid}=Ada`, '--bundle', altered);
    expect(code).toBe(0);
    expect(stdout).toContain((auditor.kid.match(/.{1,4}/g) ?? []).join(' '));
    expect(stdout).toMatch(/it states {6}failed: Record 4 .*\(SIGNATURE_INVALID\)/);
    expect(stdout).toContain('byte for byte');
    expect(stdout).toContain('Kept report: verified');
  });

  it.each<[string, RegExp, () => Promise<string[]>]>([
    ['what begins as one', /is not JSON/, async () => [file('{"inputs":{"against":[ and more')]],
    [
      'other members',
      /is not a verification report/,
      async () => [file('{"inputs":{"against":[],"receipts":[]},"type":"other"}')],
    ],
    [
      'trust in what is no key',
      /is not a verification report/,
      async () => [changed((await keep(bundle)).text, (artifact) => ({ ...artifact, trust: ['anybody'] }))],
    ],
    ['a bundle of a bundle', /is no kept report; --bundle/, async () => [bundle, '--bundle', bundle]],
    ['keys of services', /--trust goes with a bundle/, async () => [(await keep(bundle)).path, '--trust', kid]],
    ['another spelling', /canonical form/, async () => [file(`${(await keep(bundle)).text}\n`)]],
    ['an invalid key', /--examiner/, async () => [(await keep(bundle)).path, '--examiner', 'short']],
    ['receipts without a bundle', /go with --bundle/, async () => [(await keep(bundle)).path, '--receipts', bundle]],
    [
      'a missing bundle',
      /there is no such file/,
      async () => [(await keep(bundle)).path, '--bundle', join(folder, 'no')],
    ],
  ])('%s: exit code 2 and a sentence', async (_, sentence, args) => {
    const { code, stdout, stderr } = await run('verify', ...(await args()));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('a report that was kept by somebody who demands witnesses', async () => {
  const whole = file(makeBundle(WHOLE).text);
  const policy = file(JSON.stringify(policyOf(2)));
  const given = file(cosigned(checkpointAt(7), [ALPHA, T], [BETA, T]));
  const { path, text, code } = await keep(whole, '--witnesses', policy, '--checkpoint', given);

  it('states the policy and the checkpoints, and tells who stands behind the records', async () => {
    expect(code).toBe(0);
    const { trust, inputs } = JSON.parse(text) as Artifact & { inputs: { checkpoints: { sha256: string }[] } };
    expect(trust).toEqual([kid, canonicalize(policyOf(2))]);
    expect(inputs.checkpoints).toHaveLength(1);
    expect(text).not.toContain(given);
    const { stdout } = await run('verify', path);
    const words = stdout.replace(/\s+/g, ' ');
    expect(words).toContain('witnesses, 2 of Alpha Ltd, Beta, Gamma');
    expect(words).toContain('witnesses records up to No. 7 are witnessed by 2 of 3 witnesses (Alpha Ltd, Beta)');
  });

  it('is given again by its bundle with the checkpoint, and not without', async () => {
    const again = await examine(path, '--bundle', whole, '--checkpoint', given);
    expect(again).toMatchObject({ code: 0, answer: { reproduction: 'same' } });
    expect(await examine(path, '--bundle', whole)).toMatchObject({ code: 1, answer: { differs: 'inputs' } });
  });

  it('is refused where its policy is no policy', async () => {
    const none = changed(text, (artifact) => ({ ...artifact, trust: ['{"threshold":1}'] }));
    expect((await run('verify', none)).code).toBe(2);
  });

  it('says of cosignatures that travel along that nobody named a witness', async () => {
    const [{ made: carrying = WHOLE } = {}] = carriedCases;
    const one = await keep(file(makeBundle(carrying).text));
    const { stdout } = await run('verify', one.path);
    expect(stdout.replace(/\s+/g, ' ')).toContain(UNNAMED_WITNESSES);
  });
});
