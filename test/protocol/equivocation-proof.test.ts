import { describe, expect, it } from 'vitest';
import {
  canonicalBytes,
  type EquivocationProof,
  equivocationProofBytes,
  type Finding,
  type Json,
  makeEquivocationProof,
  ProtocolError,
  parseEquivocationProof,
  type SignedStatement,
  utf8,
  verifyEquivocationProof,
} from '../../src/protocol/index.ts';
import {
  later,
  makeBundle,
  ORG_ID,
  only,
  otherDigest,
  otherSignature,
  serviceKid,
  signEpoch,
  signReceipt,
} from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { honest, WHOLE } from '../support/dishonest.ts';
import { named, verifyFile } from '../support/verifying.ts';

const trustedKids = [serviceKid(0)];
const third = at(honest.receipts, 2);
const contradicting = signReceipt({ ...third, chain_hash: otherDigest() });

function evidenceOf(findings: readonly Finding[], code: Finding['code']): readonly SignedStatement[] {
  return findings.find((finding) => finding.code === code)?.evidence ?? expect.fail(`no evidence for ${code}`);
}

async function evidenceAgainst(other: string, kind: string): Promise<readonly SignedStatement[]> {
  const { findings } = await verifyFile(honest.text, { trustedKids, against: [named('other', other)] });
  const found = findings.find(({ code, evidence }) => code === 'EQUIVOCATION' && evidence?.some((one) => kind in one));
  return found?.evidence ?? expect.fail(`no contradiction of ${kind}`);
}

function proofOf([a, b]: readonly SignedStatement[], keys = honest.bundle.service_keys): EquivocationProof {
  if (a === undefined || b === undefined) expect.fail('two statements are needed');
  return makeEquivocationProof(a, b, ORG_ID, keys);
}

const receiptProof = proofOf([{ receipt: contradicting }, { receipt: third }]);

/** What somebody says to be a proof, whether it is one or not. */
function claim([a, b]: readonly SignedStatement[], keys = honest.bundle.service_keys): EquivocationProof {
  if (a === undefined || b === undefined) expect.fail('two statements are needed');
  return { ...receiptProof, statements: [a, b], service_keys: keys };
}

describe('protocol V143: the evidence of a finding', () => {
  it('of RECORD_OMITTED is the kept receipt and the manifest that lists the records without it', async () => {
    const hidden = signReceipt({ ...at(honest.receipts, 3), seq_no: 9, receipt_id: 'hidden' });
    const { findings } = await verifyFile(honest.text, {
      trustedKids,
      receipts: [named('kept', JSON.stringify(hidden))],
    });
    const { manifest, manifest_signature } = honest.bundle;
    expect(evidenceOf(findings, 'RECORD_OMITTED')).toEqual([{ receipt: hidden }, { manifest, manifest_signature }]);
  });

  it('has no manifest where it does not list what the bundle holds: whoever removed the record may not be the service', async () => {
    const removed = makeBundle({ ...WHOLE, bundle: (bundle) => ({ ...bundle, records: bundle.records.slice(0, 6) }) });
    const receipts = [named('kept', JSON.stringify(at(honest.receipts, 6)))];
    const { findings } = await verifyFile(removed.text, { trustedKids, receipts });
    expect(evidenceOf(findings, 'RECORD_OMITTED')).toEqual([{ receipt: at(honest.receipts, 6) }]);
  });

  it('of EQUIVOCATION is both statements, the kept one first', async () => {
    const { findings } = await verifyFile(honest.text, {
      trustedKids,
      receipts: [named('kept', JSON.stringify(contradicting))],
    });
    expect(evidenceOf(findings, 'EQUIVOCATION')).toEqual([{ receipt: contradicting }, { receipt: third }]);
  });

  it('stands with two receipts side by side in a bundle', async () => {
    const { findings } = await verifyFile(
      makeBundle({
        ...WHOLE,
        contents: (contents) => ({
          ...contents,
          records: contents.records.toSpliced(3, 0, { ...at(contents.records, 2), ear: contradicting }),
        }),
      }).text,
      { trustedKids },
    );
    expect(evidenceOf(findings, 'EQUIVOCATION')).toEqual([{ receipt: third }, { receipt: contradicting }]);
  });
});

describe('protocol V119: --against, a longer bundle must extend a shorter one', () => {
  const shorter = makeBundle({ ...WHOLE, epochs: [2, 3], rotation: false });
  /** The same service, which forgot its records from the sixth on and made a bundle after them. */
  const cut = makeBundle({ ...WHOLE, epochs: [2, 3], rotation: false });
  const whole = makeBundle({ ...WHOLE, rotation: false });

  it('does, where the shorter one was made before', async () => {
    const early = makeBundle({
      ...WHOLE,
      epochs: [2, 3],
      rotation: false,
      manifest: (manifest) => ({ ...manifest, created_at: '2026-05-01T10:00:05.600Z' }),
    });
    for (const [bundle, other] of [
      [whole, early],
      [early, whole],
    ] as const) {
      const report = await verifyFile(bundle.text, { trustedKids, against: [named('other', other.text)] });
      expect(report.findings).toEqual([]);
      expect(report.verdict).toBe('verified');
    }
  });

  it.each([
    ['the bundle', cut, whole],
    ['the other one', whole, cut],
  ])('does not, where %s lacks records that were there before it was made', async (_, bundle, other) => {
    expect(shorter.text).toBe(cut.text);
    const report = await verifyFile(bundle.text, { trustedKids, against: [named('other', other.text)] });
    const omitted = report.findings.filter(({ code }) => code === 'RECORD_OMITTED');
    expect(omitted.map(({ where }) => [where.file, where.seq_no])).toEqual([
      ['other', 6],
      ['other', 7],
    ]);
    for (const { evidence } of omitted)
      expect(evidence?.map((one) => Object.keys(one)[0])).toEqual(['receipt', 'manifest']);
  });

  it('does not blame the service for what somebody took out of the other file', async () => {
    const tampered = makeBundle({
      ...WHOLE,
      rotation: false,
      bundle: (b) => ({ ...b, records: b.records.slice(0, 6) }),
    });
    const report = await verifyFile(whole.text, { trustedKids, against: [named('other', tampered.text)] });
    expect(report.finding_counts.RECORD_OMITTED).toBeUndefined();
  });
});

describe('protocol V151: a proof of equivocation', () => {
  const otherRecord = makeBundle({ ...WHOLE, record: only(6, (record) => ({ ...record, subject: 'another file' })) });
  const otherEpoch = makeBundle({
    ...WHOLE,
    epoch: only(2, (epoch) => ({ ...epoch, end_time: later(epoch.end_time, 1) })),
  });

  it.each([
    ['receipt', otherRecord.text, 7],
    ['epoch', otherEpoch.text, 3],
    ['manifest', otherRecord.text, 7],
  ])('verifies by itself, of two statements of kind %s', async (kind, other, number) => {
    const proof = proofOf(await evidenceAgainst(other, kind));
    const again = parseEquivocationProof(equivocationProofBytes(proof));
    expect(again).toEqual(proof);
    const judgement = await verifyEquivocationProof(again, { trustedKids });
    expect(judgement).toMatchObject({ verdict: 'verified', number, org_id: honest.bundle.org.org_id, problems: [] });
    // Signed with the second key, which only the rotation links with the trusted one.
    expect(judgement.issuer).toEqual([{ kid: serviceKid(1), trusted: true }]);
  });

  it('is the same file whoever finds it', () => {
    const turned = proofOf([{ receipt: third }, { receipt: contradicting }]);
    expect(equivocationProofBytes(turned)).toEqual(equivocationProofBytes(receiptProof));
  });

  it.each([
    ['nobody is trusted', []],
    ['another is trusted', [serviceKid(7)]],
  ])('is incomplete where %s', async (_, kids) => {
    expect((await verifyEquivocationProof(receiptProof, { trustedKids: kids })).verdict).toBe('incomplete');
  });

  const second = signReceipt({ ...third, service_kid: serviceKid(1), chain_hash: otherDigest() }, 1);
  it.each<[string, EquivocationProof]>([
    ['the same statement twice', claim([{ receipt: third }, { receipt: third }])],
    ['the same statement, signed again', claim([{ receipt: third }, { receipt: signReceipt(third) }])],
    ['a statement of another number', claim([{ receipt: third }, { receipt: at(honest.receipts, 3) }])],
    ['a number that it is not about', { ...receiptProof, number: 4 }],
    ['another organization', { ...receiptProof, org_id: 'org_other' }],
    ['another kind', { ...receiptProof, kind: 'epoch' }],
    ['statements of two kinds', claim([{ receipt: third }, { epoch: at(honest.bundle.epochs, 2) }])],
    [
      'a forged statement',
      claim([{ receipt: third }, { receipt: { ...contradicting, service_signature: otherSignature() } }]),
    ],
    ['an altered statement', claim([{ receipt: third }, { receipt: { ...third, receipt_id: 'another' } }])],
    [
      'epochs of two organizations',
      claim([
        { epoch: at(honest.bundle.epochs, 0) },
        { epoch: signEpoch({ ...at(honest.bundle.epochs, 0), org_id: 'org_other' }) },
      ]),
    ],
    [
      'manifests over two heads of the ledger',
      claim(
        [
          WHOLE,
          {
            ...WHOLE,
            manifest: (m: typeof honest.bundle.manifest) => ({
              ...m,
              record_count: 9,
              log_head: { ...m.log_head, seq_no: 9 },
            }),
          },
        ].map((plan) => {
          const { manifest, manifest_signature } = makeBundle(plan).bundle;
          return { manifest, manifest_signature };
        }),
      ),
    ],
    [
      'a key that is not there',
      claim([{ receipt: third }, { receipt: second }], honest.bundle.service_keys.slice(0, 1)),
    ],
    [
      'two sound keys that no rotation links',
      claim(
        [{ receipt: third }, { receipt: second }],
        [
          at(honest.bundle.service_keys, 0),
          at(makeBundle({ ...WHOLE, rotation: false, serviceOffset: 1 }).bundle.service_keys, 0),
        ],
      ),
    ],
  ])('fails with %s', async (_, proof) => {
    const kids = [serviceKid(0), serviceKid(1)];
    const { verdict, problems } = await verifyEquivocationProof(proof, { trustedKids: kids });
    expect(verdict).toBe('failed');
    expect(problems.length).toBeGreaterThan(0);
  });

  it('takes two keys that a rotation links', async () => {
    const proof = proofOf([{ receipt: third }, { receipt: second }]);
    expect((await verifyEquivocationProof(proof, { trustedKids })).verdict).toBe('verified');
  });

  it.each<[string, (proof: Record<string, Json>) => Json]>([
    ['a member too many', (proof) => ({ ...proof, extra: 1 })],
    ['one statement', (proof) => ({ ...proof, statements: (proof['statements'] as Json[]).slice(1) })],
    ['no keys', (proof) => ({ ...proof, service_keys: [] })],
    ['another type', (proof) => ({ ...proof, type: 'countersign.equivocation-proof.v2' })],
    ['a statement that is none', (proof) => ({ ...proof, statements: [{}, {}] })],
  ])('is refused with %s', (_, change) => {
    const value = JSON.parse(new TextDecoder().decode(equivocationProofBytes(receiptProof))) as Record<string, Json>;
    expect(() => parseEquivocationProof(canonicalBytes(change(value)))).toThrow(ProtocolError);
    expect(() => parseEquivocationProof(utf8('{'))).toThrow(ProtocolError);
  });
});
