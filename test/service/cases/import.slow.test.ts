// docs/interface.md, Cases: what an upload shows, and what becomes of it.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeRecordProof, recordProofBytes } from '../../../src/protocol/index.ts';
import { enterWorkstation, importCase, uploadOf } from '../../support/cases.ts';
import { expectError } from '../../support/client.ts';
import { ALWAYS, bundleOf, registerAgent, submitNext, TestService } from '../../support/service.ts';

const service = await TestService.start({ epochMaxLeaves: 4 });
const owner = await service.signUp('issuer');
const signer = await registerAgent(owner, 'agent-1');
const receipts = [];
for (let n = 0; n < 6; n++) receipts.push(await submitNext(owner, signer, { subject: `subject-${n}` }));
const bundle = await bundleOf(owner);
const proof = recordProofBytes(await makeRecordProof(() => [bundle], [2]));
const pdf = await bundleOf(owner, { ...ALWAYS, format: 'pdf' });
const keptReceipts = Buffer.from(receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join(''));
const desk = await enterWorkstation(service);
const trusted_kids = [service.kid];

describe('an upload', () => {
  it.each([
    ['bundle', 'bundle', bundle],
    ['bundle-gzip', 'compressed', gzipSync(bundle)],
    ['report-pdf', 'report', pdf],
  ])('of kind %s shows what it claims', async (kind, name, bytes) => {
    const upload = await uploadOf(desk, { name, bytes });
    expect(upload).toMatchObject({ kind, name, bytes: bytes.length, issuer: 'own' });
    expect(upload.claims).toMatchObject({
      org_id: owner.orgId,
      issuer_kid: service.kid,
      records: 6,
      first_seq_no: 1,
      last_seq_no: 6,
    });
  });

  it.each([
    ['receipts', keptReceipts],
    ['record-proof', proof],
    ['unknown', Buffer.from('not a bundle at all')],
    ['unknown', Buffer.alloc(0)],
  ])('of kind %s claims nothing, and is no case', async (kind, bytes) => {
    const upload = await uploadOf(desk, { name: 'x', bytes });
    expect(upload).toMatchObject({ kind, claims: null, issuer: null });
    const { upload_id } = upload;
    expectError(await desk.call('createCase', { body: { upload_id } }), 'VALIDATION_ERROR', 'upload_id');
  });
});

describe('a case', () => {
  it.each([
    ['a plain bundle', bundle],
    ['a compressed bundle', gzipSync(bundle)],
    ['a report', pdf],
  ])('of %s is verified with the kept receipts', async (name, bytes) => {
    const given = { trusted_kids, receipts: [{ name: 'kept.jsonl', bytes: keptReceipts }] };
    const found = await importCase(desk, { name, bytes }, given);
    expect(found).toMatchObject({ state: 'ready', verdict: 'verified', scope: 'workstation', failure: null });
    expect(found.report?.checks.reconciliation).toBe('pass');
    expect(found.report?.bundle.records).toBe(6);
  });
});
