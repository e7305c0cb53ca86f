// docs/interface.md: GET /v1/operations/ID/proof and tlog-proof, and the proof of an operation of a case.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import {
  canonicalize,
  checkpointOrigin,
  fromBase64Url,
  makeRecordProof,
  makeTlogProof,
  parseJsonBytes,
  type Receipt,
  receiptSignedBytes,
  recordProofBytes,
  recordProofOf,
  saltPayload,
  utf8,
  verifyRecordProof,
} from '../../src/protocol/index.ts';
import { at } from '../support/bytes.ts';
import { enterWorkstation, importCase } from '../support/cases.ts';
import { expectError } from '../support/client.ts';
import { bundleOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import { readTlogProof } from '../support/tlog-proof-reader.ts';
import { sourceOf } from '../support/verifying.ts';

const service = await TestService.start();
const owner = await service.signUp();
const one = await registerAgent(owner, 'one');
const other = await registerAgent(owner, 'other');
const receipts: Receipt[] = [];
for (const count of [3, 1, 300]) {
  const first = receipts.length;
  if (count > 100) {
    const records = Array.from({ length: count }, () => one.next());
    for (const from of [0, 100, 200]) {
      const body = { records: records.slice(from, from + 100) };
      const { results } = await owner.client.ok('submitBatch', { body });
      for (const result of results) if ('receipt' in result) receipts.push(result.receipt);
    }
  } else for (let n = 0; n < count; n++) receipts.push(await submitNext(owner, n % 2 === 0 ? one : other));
  expect(receipts.length).toBe(first + count);
  await owner.client.ok('closeEpoch');
}
const [{ x = '' } = {}] = (await owner.client.ok('jwks')).keys;
const logKey = fromBase64Url(x, 32);
const trusted = { crypto: nodeCrypto, trustedKids: [`${service.kid}@${owner.orgId}`] };
const unsealed = await submitNext(owner, one);

function pathOf(receipt: Receipt) {
  return { params: { operation_id: receipt.operation_id } };
}

async function proofOf(receipt: Receipt): Promise<Buffer> {
  const { status, bytes } = await owner.client.call('operationProof', pathOf(receipt));
  expect(status).toBe(200);
  return bytes;
}

describe('GET /v1/operations/ID/proof', () => {
  it.each([1, 3, 4, 5, 200, 304])('answers a file that verifies, of record %i', async (seqNo) => {
    const bytes = await proofOf(at(receipts, seqNo - 1));
    const report = await verifyRecordProof(sourceOf(bytes), trusted);
    expect(report.findings).toEqual([]);
    expect(report.verdict).toBe('verified');
    expect(report.bundle).toMatchObject({ first_seq_no: seqNo, records: 1, org_id: owner.orgId });
  });

  it('is the canonical form of the proof that a bundle gives of the same record', async () => {
    const bytes = await proofOf(at(receipts, 3));
    expect(bytes.toString('utf8')).toBe(canonicalize(recordProofOf(parseJsonBytes(bytes)) as never));
    const made = await makeRecordProof(sourceOf(await bundleOf(owner)), [4]);
    expect(Buffer.from(recordProofBytes(made)).equals(bytes)).toBe(true);
  });

  it('is named by the organization and the number of the record', async () => {
    const { headers } = await owner.client.call('operationProof', pathOf(at(receipts, 4)));
    expect(headers['content-type']).toBe('application/vnd.countersign.record-proof+json');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="[A-Za-z0-9.-]+_record_5\.csproof"$/);
  });

  it('shows the members of a salted payload that are handed over, and none that was erased', async () => {
    const salted = saltPayload({ amount: 12, to: 'ada' }, () => crypto.getRandomValues(new Uint8Array(16)));
    if (salted === null) expect.fail('it can be salted');
    const body = { ...other.next({ payload: salted.payload }), disclosures: salted.disclosures };
    const receipt = await owner.client.ok('submitOperation', { body });
    await owner.client.ok('closeEpoch');
    const names = (bytes: Uint8Array): unknown =>
      Object.keys(recordProofOf(parseJsonBytes(bytes)).records[0]?.disclosures ?? {});
    expect(names(await proofOf(receipt))).toEqual(['amount', 'to']);
    await owner.client.ok('eraseOperation', { ...pathOf(receipt), body: { reason: 'asked for', members: ['to'] } });
    const after = await proofOf(receipt);
    expect(names(after)).toEqual(['amount']);
    expect((await verifyRecordProof(sourceOf(after), trusted)).verdict).toBe('verified');
    await owner.client.ok('eraseOperation', { ...pathOf(receipt), body: { reason: 'asked for' } });
    const last = await verifyRecordProof(sourceOf(await proofOf(receipt)), trusted);
    expect([last.verdict, last.bundle.redacted]).toEqual(['verified', 1]);
  });

  it('refuses an operation that is not there, of another organization, or not sealed yet', async () => {
    const nobody = { params: { operation_id: crypto.randomUUID() } };
    expectError(await owner.client.call('operationProof', nobody), 'NOT_FOUND');
    const stranger = await service.signUp('stranger');
    expectError(await stranger.client.call('operationProof', pathOf(at(receipts, 0))), 'NOT_FOUND');
    const waiting = await submitNext(owner, one);
    expect(unsealed.seq_no).toBeLessThan(waiting.seq_no);
    expectError(await owner.client.call('operationProof', pathOf(waiting)), 'CONFLICT');
    expectError(await owner.client.call('operationTlogProof', pathOf(waiting)), 'CONFLICT');
  });
});

describe('GET /v1/operations/ID/tlog-proof', () => {
  const tlogOf = async (receipt: Receipt, size?: number): Promise<string> => {
    const query = size === undefined ? {} : { query: { size: String(size) } };
    const { status, bytes } = await owner.client.call('operationTlogProof', { ...pathOf(receipt), ...query });
    expect(status).toBe(200);
    return bytes.toString('utf8');
  };
  const fromExtra = (extra: Buffer | null): Buffer => extra ?? expect.fail('there is no extra data');

  it.each([
    [1, 3],
    [3, 3],
    [2, 4],
    [4, 4],
    [1, 304],
    [257, 304],
    [304, 304],
  ])('answers a proof of record %i in the log of %i that a reader of C2SP accepts', async (seqNo, size) => {
    const receipt = at(receipts, seqNo - 1);
    const file = await tlogOf(receipt, size);
    const read = readTlogProof(file, logKey, () => receiptSignedBytes(receipt));
    expect(read).toMatchObject({ origin: checkpointOrigin(owner.orgId), size: BigInt(size), index: BigInt(seqNo - 1) });
    expect(read.extra?.equals(receiptSignedBytes(receipt))).toBe(true);
    expect(readTlogProof(file, logKey, fromExtra)).toEqual(read);
  });

  it('is refused by that reader where anything is altered', async () => {
    const file = await tlogOf(at(receipts, 4), 304);
    for (const [from, to] of [
      ['index 4', 'index 5'],
      ['\n304\n', '\n303\n'],
      ['c2sp.org/tlog-proof@v1', 'c2sp.org/tlog-proof@v2'],
      [/\n([A-Za-z0-9+/]{43}=)\n/, `\n${Buffer.alloc(32).toString('base64')}\n`],
    ] as const) {
      expect(file.replace(from, to)).not.toBe(file);
      expect(() => readTlogProof(file.replace(from, to), logKey, fromExtra)).toThrow();
    }
    const others = () => receiptSignedBytes(at(receipts, 5));
    expect(() => readTlogProof(file, logKey, others)).toThrow('the path leads elsewhere');
    expect(() => readTlogProof(file, logKey.toReversed(), fromExtra)).toThrow();
  });

  it('refuses a size that no epoch ends at, and one that the record lies beyond', async () => {
    const beyond = { ...pathOf(at(receipts, 4)), query: { size: '4' } };
    expectError(await owner.client.call('operationTlogProof', beyond), 'VALIDATION_ERROR');
    const between = { ...pathOf(at(receipts, 4)), query: { size: '5' } };
    expectError(await owner.client.call('operationTlogProof', between), 'NOT_FOUND');
  });

  it('is the one that a bundle from the first record on and a checkpoint give', async () => {
    const bundle = await bundleOf(owner);
    const checkpoint = (await owner.client.call('checkpoint', { query: { size: '304' } })).bytes;
    for (const seqNo of [1, 4, 300]) {
      const made = await makeTlogProof(sourceOf(bundle), seqNo, checkpoint);
      expect(made).toBe(await tlogOf(at(receipts, seqNo - 1), 304));
    }
    await expect(makeTlogProof(sourceOf(bundle), 400, checkpoint)).rejects.toMatchObject({ code: 'NOT_PROVABLE' });
    const wrong = utf8(checkpoint.toString('utf8').replace('\n304\n', '\n303\n'));
    await expect(makeTlogProof(sourceOf(bundle), 4, wrong)).rejects.toMatchObject({ code: 'NOT_PROVABLE' });
  });
});

describe('GET /v1/cases/ID/operations/ID/proof', () => {
  it('answers the same file as the live ledger, with what the bundle shows', async () => {
    const desk = await enterWorkstation(service);
    const { case_id } = await importCase(desk, { name: 'bundle', bytes: await bundleOf(owner) });
    for (const seqNo of [2, 4, 250]) {
      const receipt = at(receipts, seqNo - 1);
      const params = { case_id, operation_id: receipt.operation_id };
      const { status, bytes } = await desk.call('caseOperationProof', { params });
      expect(status).toBe(200);
      expect(bytes.equals(await proofOf(receipt))).toBe(true);
    }
    const nobody = { case_id, operation_id: crypto.randomUUID() };
    expectError(await desk.call('caseOperationProof', { params: nobody }), 'NOT_FOUND');
  });

  it('refuses a record that the file does not lead to an epoch', async () => {
    const desk = await enterWorkstation(service);
    const bundle = JSON.parse((await bundleOf(owner)).toString('utf8')) as { epochs: unknown[] };
    const bytes = Buffer.from(JSON.stringify({ ...bundle, epochs: bundle.epochs.slice(1) }));
    const { case_id } = await importCase(desk, { name: 'bundle', bytes });
    const params = { case_id, operation_id: at(receipts, 0).operation_id };
    expectError(await desk.call('caseOperationProof', { params }), 'CONFLICT');
  });
});
