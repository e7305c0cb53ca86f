import { describe, expect, it } from 'vitest';
import { ARTIFACT_TYPE, makeVerificationArtifact, type VerifiedFiles } from '../../src/protocol/index.ts';
import { makeBundle, otherDigest, serviceKid } from '../support/bundle-maker.ts';
import { named, verifyFile } from '../support/verifying.ts';

const VERIFIER = { name: 'countersign', version: '0.1.0' };
const KEPT = { sha256: otherDigest('kept'), size: 300 };
const OTHER = { sha256: otherDigest('other'), size: 4000 };

describe('a verification as a file to keep', () => {
  it('names files by their digests, and says who was trusted once and in order', async () => {
    const made = makeBundle({ epochs: [2] });
    // A receipt of a record that the bundle does not have.
    const further = makeBundle({ epochs: [3] }).receipts.slice(2);
    const receipts = named('a name on this machine.jsonl', further.map((one) => JSON.stringify(one)).join('\n'));
    const report = await verifyFile(made.text, { trustedKids: [serviceKid(0)], receipts: [receipts] });
    expect(report.findings.map(({ where }) => where.file)).toContain(receipts.name);
    const files: VerifiedFiles = {
      subject: { sha256: otherDigest('subject'), size: made.text.length },
      receipts: [{ name: receipts.name, ...KEPT }],
      against: [{ name: 'another.json', ...OTHER }],
      checkpoints: [],
    };
    const artifact = makeVerificationArtifact(report, ['b', 'a', 'b'], files, VERIFIER);
    expect(artifact).toMatchObject({
      type: ARTIFACT_TYPE,
      subject: files.subject,
      trust: ['a', 'b'],
      verifier: VERIFIER,
      inputs: { receipts: [KEPT], against: [OTHER] },
    });
    expect(artifact.report.findings.map(({ where }) => where.file)).toContain(KEPT.sha256);
    expect(JSON.stringify(artifact)).not.toContain('on this machine');
    // A file that is not among those given is not named either.
    const without = makeVerificationArtifact(report, [], { ...files, receipts: [] }, VERIFIER);
    expect(without.report.findings.map(({ where }) => where.file)).toContain('another file');
  });
});
