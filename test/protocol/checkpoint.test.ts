// Protocol F84 to F88, V120 to V122.
import { describe, expect, it } from 'vitest';
import {
  checkpointOrigin,
  checkpointText,
  consistencyPath,
  equivocationProofBytes,
  type FindingCode,
  formatCheckpoint,
  formatConsistencyProof,
  formatDigest,
  fromBase64Url,
  makeEquivocationProof,
  merkleRoot,
  organizationOf,
  ProtocolError,
  parseCheckpoint,
  parseEquivocationProof,
  publicKeyOf,
  receiptLeafHash,
  receiptSignedBytes,
  type SignedStatement,
  serviceKeySignedBytes,
  toBase64Url,
  utf8,
  verifyEquivocationProof,
} from '../../src/protocol/index.ts';
import { makeBundle, ORG_ID, START, serviceKid, serviceSeed, sign } from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import {
  anotherRoot,
  CHECKPOINT_TRUST,
  checkpointAt,
  keptCases,
  keptOtherwise,
  noCheckpoints,
  noted,
  noteText,
  rootAt,
  signatureLine,
} from '../support/checkpoints.ts';
import { honest, withContents } from '../support/dishonest.ts';
import { remembering } from '../support/hosts.ts';
import { hostCrypto } from '../support/signing.ts';
import { bundleTexts, checkpointVectors, serviceKids } from '../support/vectors.ts';
import { named, verifyFile } from '../support/verifying.ts';

const crypto = remembering(hostCrypto);
const given = (files: readonly (string | Uint8Array)[]) =>
  files.map((file, index) => named(`checkpoint ${index}`, file));
const verify = (files: readonly (string | Uint8Array)[], text = honest.text) =>
  verifyFile(text, { crypto, trustedKids: CHECKPOINT_TRUST, checkpoints: given(files) });

describe('protocol F87: the form of a checkpoint', () => {
  it('is that of the vectors, which other code wrote', () => {
    const { org_id, origin } = checkpointVectors;
    expect(checkpointOrigin(org_id)).toBe(origin);
    const parsed = parseCheckpoint(utf8(checkpointVectors.files['checkpoint.txt'] ?? ''));
    expect(parsed).toMatchObject({ origin, size: 31 });
    expect(checkpointText(parsed)).toBe(parsed.noteText);
  });

  it('is written with one signature line by the key in hand', () => {
    const statement = { origin: checkpointOrigin(ORG_ID), size: 5, root: formatDigest(rootAt(5)) };
    const signature = fromBase64Url(sign(serviceSeed(0), utf8(checkpointText(statement))), 64);
    expect(formatCheckpoint(statement, publicKeyOf(serviceSeed(0)), signature)).toBe(checkpointAt(5));
  });

  it('has an origin of one line without blanks, whatever the organization is called', () => {
    for (const orgId of ['a\nb', ' ', '+', '株式会社', "a!'()*~b", '%41', 'x'.repeat(256)]) {
      const origin = checkpointOrigin(orgId);
      expect(origin).toMatch(/^countersign\.v1\/(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+$/);
      expect(organizationOf(origin)).toBe(orgId);
    }
    expect(checkpointOrigin("org_7 é!'")).toBe('countersign.v1/org_7%20%C3%A9%21%27');
  });

  it.each([
    'countersign.v1/',
    'countersign.v1/a b',
    'countersign.v1/%41',
    'countersign.v1/%c3%a9',
    'countersign.v1/%FF',
    'countersign.v2/a',
    '',
  ])('tells the organization of no other origin: %j', (origin) => {
    expect(organizationOf(origin)).toBeNull();
  });

  it.each(noCheckpoints)('is no other: %s', (_, file) => {
    expect(() => parseCheckpoint(typeof file === 'string' ? utf8(file) : file)).toThrow(ProtocolError);
  });

  it.each(keptOtherwise)('is the text that was signed, with %s', (_, change) => {
    expect(parseCheckpoint(utf8(change(checkpointAt(5))))).toEqual(parseCheckpoint(utf8(checkpointAt(5))));
  });
});

describe('protocol V120: kept checkpoints', () => {
  it.each(keptCases)('$what', async ({ made, checkpoints, trust = [], verdict, codes, compared }) => {
    const trustedKids = [...CHECKPOINT_TRUST, ...trust];
    const options = { crypto, trustedKids, checkpoints: given(checkpoints) };
    const report = await verifyFile(makeBundle(made).text, options);
    expect([report.verdict, [...new Set(report.findings.map(({ code }) => code))].sort()]).toEqual([
      verdict,
      [...codes].sort(),
    ]);
    expect(report.checks.reconciliation.counts['compared'] ?? 0).toBe(compared ?? 0);
  });

  it.each(checkpointVectors.with_bundle_whole)('the vector $file: $verdict', async ({ file, verdict, codes }) => {
    const report = await verifyFile(bundleTexts['bundle-whole.json'], {
      crypto,
      trustedKids: serviceKids,
      checkpoints: given([checkpointVectors.files[file] ?? '']),
    });
    expect(report.verdict).toBe(verdict);
    expect(report.findings.map(({ code }) => code).sort()).toEqual([...codes].sort());
  });

  it.each(checkpointVectors.with_bundle_range)('the vectors $files with a range: $verdict', async (vector) => {
    const report = await verifyFile(bundleTexts['bundle-range.json'], {
      crypto,
      trustedKids: serviceKids,
      checkpoints: given(vector.files.map((file) => checkpointVectors.files[file] ?? '')),
    });
    expect(report.verdict).toBe(vector.verdict);
    expect(report.findings.map(({ code }) => code)).toEqual(vector.codes);
  });

  it('of any size are held against a bundle of any range and any moment by one consistency proof', async () => {
    const epochs = [2, 3, 2, 2];
    const receipts = makeBundle({ agents: 2, epochs }).receipts;
    const all = receipts.map((receipt) => receiptLeafHash(receiptSignedBytes(receipt)));
    const node = (height: number, index: number): Uint8Array =>
      merkleRoot(all.slice(index * 2 ** height, (index + 1) * 2 ** height));
    const noteAt = (size: number): string => checkpointAt(size, merkleRoot(all.slice(0, size)));
    const between = (from: number, to: number): string =>
      formatConsistencyProof({ oldSize: from, path: consistencyPath(from, to, node) }, noteAt(to));
    for (let sealed = 1; sealed <= epochs.length; sealed++) {
      const own = epochs.slice(0, sealed);
      const head = own.reduce((sum, leaves) => sum + leaves, 0);
      for (const [plan, first] of [
        ...Array.from({ length: head }, (_, n) => [{ range: [n + 1, head] as const }, n + 1] as const),
        [{ range: [head, head] as const, onlyAgent: (head - 1) % 2 }, head] as const,
      ]) {
        const { text } = makeBundle({ agents: 2, epochs: own, ...plan });
        for (let size = 1; size <= all.length; size++) {
          const link = size <= head ? between(size, head) : between(head, size);
          const report = await verify([noteAt(size), link], text);
          expect([first, size, report.verdict, report.findings.length]).toEqual([first, size, 'verified', 0]);
        }
      }
    }
  });

  it('do not make the key that signed them one that signed in the bundle', async () => {
    const [kid, public_key] = [serviceKid(7), toBase64Url(publicKeyOf(serviceSeed(7)))];
    const key = { kid, public_key, created_at: START, prev_kid: null };
    const self_signature = sign(serviceSeed(7), serviceKeySignedBytes(key));
    const unused = { ...key, algorithm: 'ed25519', status: 'active', retired_at: null, self_signature } as const;
    const plan = withContents(({ service_keys }) => ({
      service_keys: [...service_keys, { ...unused, prev_signature: null }],
    }));
    const report = await verify([checkpointAt(5, rootAt(5), { service: 7 })], makeBundle(plan).text);
    expect([report.verdict, report.checks.reconciliation.counts['compared']]).toEqual(['verified', 1]);
  });

  it('beyond 128 KiB are not read on', async () => {
    let chunks = 0;
    const endless = {
      name: 'endless',
      *source() {
        for (;;) {
          chunks++;
          yield new Uint8Array(65_536).fill(0x61);
        }
      },
    };
    const report = await verifyFile(honest.text, { crypto, trustedKids: CHECKPOINT_TRUST, checkpoints: [endless] });
    expect([report.verdict, chunks]).toEqual(['incomplete', 3]);
  });
});

describe('protocol V143: a checkpoint as evidence', () => {
  async function evidenceOf(files: readonly string[], text = honest.text): Promise<readonly SignedStatement[]> {
    const { findings } = await verify(files, text);
    const found = findings.find(({ code }) => code === 'EQUIVOCATION');
    return found?.evidence ?? expect.fail('no contradiction');
  }
  const proofOf = ([a, b]: readonly SignedStatement[]) => {
    if (a === undefined || b === undefined) expect.fail('two statements are needed');
    return makeEquivocationProof(a, b, ORG_ID, honest.bundle.service_keys);
  };
  const judge = (proof: ReturnType<typeof proofOf>) =>
    verifyEquivocationProof(proof, { trustedKids: CHECKPOINT_TRUST });

  it('is its text and the line of its signer, and the epoch stands beside it', async () => {
    const text = noteText(5, anotherRoot);
    const witness = `— witness.example/w1 ${btoa('\t'.repeat(76))}`;
    const [checkpoint, epoch] = await evidenceOf([noted(text, witness, signatureLine(text, { service: 1 }))]);
    expect(checkpoint).toEqual({
      checkpoint: noted(text, signatureLine(text, { service: 1 })),
      service_kid: serviceKid(1),
    });
    expect(epoch).toEqual({ epoch: at(honest.bundle.epochs, 1) });
  });

  it('proves the contradiction by itself, with the size as its number', async () => {
    for (const files of [
      [checkpointAt(5, anotherRoot)],
      [checkpointAt(9, rootAt(3)), checkpointAt(9, rootAt(4), { service: 1 })],
    ]) {
      const proof = proofOf(await evidenceOf(files));
      expect(proof).toMatchObject({ kind: 'checkpoint', number: files.length === 1 ? 5 : 9 });
      const read = parseEquivocationProof(equivocationProofBytes(proof));
      expect(read).toEqual(proof);
      expect(await judge(read)).toMatchObject({ verdict: 'verified', problems: [] });
    }
  });

  it('proves nothing for another organization, under another key, or where the two agree', async () => {
    const proof = proofOf(await evidenceOf([checkpointAt(9, rootAt(3)), checkpointAt(9, rootAt(4))]));
    const [one] = proof.statements;
    const other = { checkpoint: checkpointAt(9, rootAt(4)), service_kid: serviceKid(0) };
    const sound = { checkpoint: checkpointAt(9, rootAt(3)), service_kid: serviceKid(0) };
    expect(await judge({ ...proof, statements: [sound, other] })).toMatchObject({ verdict: 'verified' });
    expect(await judge({ ...proof, org_id: 'org_other' })).toMatchObject({ verdict: 'failed' });
    const byOther = { ...one, service_kid: serviceKid(1) } as SignedStatement;
    expect(await judge({ ...proof, statements: [byOther, other] })).toMatchObject({ verdict: 'failed' });
    expect(await judge({ ...proof, statements: [one, one] })).toMatchObject({ verdict: 'failed' });
    const text = noteText(9, rootAt(3));
    const misnamed = { checkpoint: noted(text, signatureLine(text, { type: 4 })), service_kid: serviceKid(0) };
    expect(await judge({ ...proof, statements: [misnamed, other] })).toMatchObject({ verdict: 'failed' });
    const unsigned = { checkpoint: checkpointAt(9, rootAt(3), { over: 'x' }), service_kid: serviceKid(0) };
    expect(await judge({ ...proof, statements: [unsigned, other] })).toMatchObject({ verdict: 'failed' });
  });

  it.each([
    ['a second signature line', noted(noteText(5, rootAt(5)), signatureLine(noteText(5, rootAt(5))), '— w AAAAAAA=')],
    ['a line of another name', checkpointAt(5, rootAt(5), { name: 'another' })],
    ['no checkpoint', 'text'],
  ])('is refused with %s', async (_, checkpoint) => {
    const proof = proofOf(await evidenceOf([checkpointAt(5, anotherRoot)]));
    const statement = { checkpoint, service_kid: serviceKid(0) };
    const bytes = utf8(JSON.stringify({ ...proof, statements: [statement, proof.statements[0]] }));
    expect(() => parseEquivocationProof(bytes)).toThrow(ProtocolError);
  });
});

it('the cases name every code that a checkpoint can give', () => {
  const codes: readonly FindingCode[] = [
    'EQUIVOCATION',
    'CONTRADICTION',
    'NOT_COMPARED',
    'MALFORMED',
    'RECEIPT_SIGNATURE_INVALID',
  ];
  for (const code of codes) expect(keptCases.some((one) => one.codes.includes(code))).toBe(true);
});
