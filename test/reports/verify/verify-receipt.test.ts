import { describe, expect, it } from 'vitest';
import {
  formatDigest,
  parseStoredRecord,
  publicKeyOf,
  type Receipt,
  receiptLeafHash,
  receiptSignedBytes,
  toBase64Url,
} from '../../../src/protocol/index.ts';
import {
  type Judgement,
  type ReceiptProof,
  verifyReceipt,
  verifyReceiptOf,
  verifyReceiptProof,
} from '../../../src/reports/verify/index.ts';
import { inclusionPath } from '../../support/audit-path.ts';
import {
  makeBundle,
  otherDigest,
  otherSignature,
  serviceKid,
  serviceSeed,
  signEpoch,
  signReceipt,
} from '../../support/bundle-maker.ts';
import { at } from '../../support/bytes.ts';

const { bundle } = makeBundle({ epochs: [5, 4], range: [3, 9] });
const { eor, ear } = at(bundle.records, 0);
const epoch = at(bundle.epochs, 0);
const leaves = makeBundle({ epochs: [5, 4] }).receipts.map((receipt) => receiptLeafHash(receiptSignedBytes(receipt)));
const inclusion = { leaf_index: 2, path: inclusionPath(leaves.slice(0, 5), 2).map(formatDigest) };
const proof: ReceiptProof = { receipt: ear, epoch, inclusion };
const trusted = [toBase64Url(publicKeyOf(serviceSeed(0)))];
const another = [toBase64Url(publicKeyOf(serviceSeed(1)))];
const HOLDS: Judgement = { valid: true, problems: [] };

describe('a receipt by itself', () => {
  it('holds under the service key that signed it, among others', () => {
    expect(verifyReceipt(ear, trusted)).toEqual(HOLDS);
    expect(verifyReceipt(ear, [...another, ...trusted])).toEqual(HOLDS);
  });

  it('does not hold under another key, none, or a key of the right name that did not sign it', () => {
    const unknown = `The receipt is signed by the service key ${serviceKid(0)}, which is not among those given.`;
    expect(verifyReceipt(ear, another)).toEqual({ valid: false, problems: [unknown] });
    expect(verifyReceipt(ear, [])).toEqual({ valid: false, problems: [unknown] });
    const wrong = { valid: false, problems: ['The signature on the receipt does not verify.'] };
    expect(verifyReceipt({ ...ear, service_signature: otherSignature() }, trusted)).toEqual(wrong);
    expect(verifyReceipt({ ...ear, seq_no: ear.seq_no + 1 }, trusted)).toEqual(wrong);
  });

  it('is for the record whose hash it has, and for no other', () => {
    const record = parseStoredRecord(eor);
    expect(verifyReceiptOf(record, ear)).toEqual(HOLDS);
    expect(verifyReceiptOf({ ...record, action: 'delete' }, ear).problems).toEqual([
      'The receipt is for another form of the record: its chain_hash differs.',
    ]);
    expect(verifyReceiptOf(record, { ...ear, agent_id: 'somebody' }).problems).toEqual([
      'The receipt names another agent_id.',
    ]);
  });
});

describe('the proof of a single receipt', () => {
  it('holds as the bundle has it', () => {
    expect(verifyReceiptProof(proof, trusted)).toEqual(HOLDS);
  });

  const signed = (change: Partial<Receipt>): Receipt => signReceipt({ ...ear, ...change });
  const place = 'The proof is for another place in the log.';
  const path = 'The path does not lead from the receipt to the root of the log that the epoch sealed.';
  it.each<[string, Partial<ReceiptProof>, string[]]>([
    ['another receipt', { receipt: signed({ chain_hash: otherDigest() }) }, [path]],
    ['a receipt of another number', { receipt: signed({ seq_no: 5 }) }, [place, path]],
    [
      'an epoch that nobody signed',
      { epoch: { ...epoch, signature_by_service: otherSignature() } },
      ['The signature on the epoch does not verify.'],
    ],
    [
      'an epoch of another organization',
      { epoch: signEpoch({ ...epoch, org_id: 'org_x' }) },
      ['The epoch is of another organization.'],
    ],
    ['another place', { inclusion: { ...proof.inclusion, leaf_index: 3 } }, [place, path]],
    ['another root', { epoch: signEpoch({ ...epoch, log_root: otherDigest() }) }, [path]],
    ['a path cut short', { inclusion: { ...proof.inclusion, path: proof.inclusion.path.slice(1) } }, [path]],
  ])('does not hold for %s', (_, change, problems) => {
    expect(verifyReceiptProof({ ...proof, ...change }, trusted)).toEqual({ valid: false, problems });
  });
});
