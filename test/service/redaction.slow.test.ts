import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import { type Receipt, utf8, verifyBundle } from '../../src/protocol/index.ts';
import { openAttachedBundle } from '../../src/reports/pdf/index.ts';
import { NO_REDACTION, withholder } from '../../src/service/evidence/exports/redaction.ts';
import { expectError } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { ALWAYS, bundleOf, exportOf, registerAgent, submitNext, TestService, verifyWith } from '../support/service.ts';
import { until } from '../support/until.ts';
import type { Bundle } from '../support/vectors.ts';

const service = await TestService.start({ epochMaxLeaves: 4 });
const owner = await service.signUp();
const one = await registerAgent(owner, 'one');
const two = await registerAgent(owner, 'two');
const PAYLOADS = [
  { customer: { email: 'a@example.org' }, n: 1 },
  { customer: { name: 'A' }, n: 2 },
  { 'a/b': { '~': null }, n: 3 },
  { list: [{ secret: false }], n: 4 },
];
const receipts: Receipt[] = [];
for (const payload of PAYLOADS) {
  receipts.push(
    await submitNext(owner, one, { payload, operation_type: payload.n === 2 ? 'mail.send' : 'file.write' }),
  );
  receipts.push(await submitNext(owner, two, { payload }));
}
const kept = {
  name: 'receipts',
  source: () => [utf8(receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join(''))],
};

const fileOf = (name: string): Buffer => readFileSync(join(service.dataDir, name));
const parse = (bytes: Uint8Array): Bundle => JSON.parse(Buffer.from(bytes).toString('utf8')) as Bundle;
const withheld = (bytes: Uint8Array): number[] =>
  parse(bytes)
    .records.filter(({ eor }) => eor.payload === undefined)
    .map(({ ear }) => ear.seq_no);

describe('an export with payloads withheld', () => {
  it.each<[string, object, number[]]>([
    ['of an agent', { agent_ids: ['two'] }, [2, 4, 6, 8]],
    ['of an operation type', { operation_types: ['mail.send'] }, [3]],
    ['that have a value at a pointer', { pointers: ['/customer/email'] }, [1, 2]],
    ['that have null at a pointer with escapes', { pointers: ['/a~1b/~0'] }, [5, 6]],
    ['that have a value within a list', { pointers: ['/list/0/secret'] }, [7, 8]],
    ['at a pointer that nothing has', { pointers: ['/list/00/secret', '/list/-', '/toString'] }, []],
    ['at the pointer to the whole', { pointers: [''] }, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['for any of several reasons', { agent_ids: ['two'], operation_types: ['mail.send'] }, [2, 3, 4, 6, 8]],
    ['for no reason', {}, []],
  ])('%s still verifies, and says how many', async (_, redact, expected) => {
    const exportId = await exportOf(owner, { ...ALWAYS, redact });
    const params = { export_id: exportId };
    const { bytes } = await owner.client.call('downloadExport', { params });
    expect(withheld(bytes)).toEqual(expected);
    expect(parse(bytes).manifest.redacted_count).toBe(expected.length);
    expect(await owner.client.ok('getExport', { params })).toMatchObject({
      redactedCount: expected.length,
      progress: 1,
    });
    const report = await verifyWith(service.kid, bytes, [kept]);
    expect({ verdict: report.verdict, redacted: report.bundle.redacted }).toEqual({
      verdict: 'verified',
      redacted: expected.length,
    });
    if (expected.length > 0) expect(report.summary).toContain(`${expected.length} payload`);
  });

  it('withholds what somebody made unreadable', () => {
    const show = withholder({ ...NO_REDACTION, pointers: ['/a'] });
    const record = {
      seqNo: 1,
      agentId: 'one',
      operationType: 'file.write',
      subject: 's',
      action: 'a',
      disclosures: null,
    };
    expect(show({ ...record, payload: 'not JSON' })).toMatchObject({ payload: null, whole: false });
    expect(show({ ...record, payload: '{"b":1}' })).toMatchObject({ payload: '{"b":1}', whole: true });
    const salted = JSON.stringify({ _sd: { a: Buffer.alloc(32).toString('base64url') } });
    const shown = show({ ...record, payload: salted, disclosures: 'not JSON' });
    expect(shown).toEqual({ payload: salted, disclosures: {}, whole: false });
  });

  it('is recorded with what it withholds', async () => {
    await exportOf(owner, { ...ALWAYS, redact: { agent_ids: ['one'] } });
    const { events } = await owner.client.ok('listAdminEvents');
    expect(events[0]).toMatchObject({
      action: 'export.create',
      details: { redact: { agent_ids: ['one'], operation_types: [], pointers: [] } },
    });
  });

  it.each<[string, object]>([
    ['redact.pointers[0]', { pointers: ['customer'] }],
    ['redact.pointers[0]', { pointers: ['/a~2'] }],
    ['redact.agent_ids[0]', { agent_ids: ['not an id'] }],
    ['redact.other', { other: [] }],
  ])('is refused where %s is wrong', async (member, redact) => {
    expectError(await owner.client.call('createExport', { body: { ...ALWAYS, redact } }), 'VALIDATION_ERROR', member);
  });
});

describe('a download', () => {
  it('comes compressed on the way where the caller takes that, and as a compressed file on request', async () => {
    const params = { export_id: await exportOf(owner) };
    const plain = await owner.client.call('downloadExport', { params });
    expect(plain.headers).toMatchObject({ 'content-length': String(plain.bytes.length), vary: 'Accept-Encoding' });
    const packed = await owner.client.call('downloadExport', { params, headers: { 'accept-encoding': 'br, gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    const file = await owner.client.call('downloadExport', { params, query: { encoding: 'gzip' } });
    expect(file.headers['content-encoding']).toBeUndefined();
    expect(file.headers['content-disposition']).toMatch(/\.csbundle\.gz"$/);
    expect(gunzipSync(file.bytes).equals(plain.bytes)).toBe(true);
    expectError(
      await owner.client.call('downloadExport', { params, query: { encoding: 'zip' } }),
      'VALIDATION_ERROR',
      'encoding',
    );
  });

  it('has a verifier to go with it, for everybody', async () => {
    const answer = await service.client().call('verifier');
    expect(answer.status).toBe(200);
    expect(answer.bytes.toString('utf8')).toContain("from 'node:crypto'");
  });
});

describe('POST /v1/operations/:operation_id/erase', () => {
  it('erases the payload and leaves every proof valid', async () => {
    const guest = await service.signUp('eraser');
    const signer = await registerAgent(guest);
    const before = [];
    for (let n = 0; n < 6; n++)
      before.push(await submitNext(guest, signer, { payload: { secret: `hidden-${n}-value` } }));
    const operation_id = before[2]?.operation_id ?? '';
    const params = { operation_id };
    expect(await guest.client.ok('eraseOperation', { params, body: { reason: 'asked for by the person' } })).toEqual({
      operation_id,
      seq_no: 3,
      erased: true,
    });
    const { eor } = await guest.client.ok('getOperation', { params });
    expect(eor.payload).toBeUndefined();
    expect(await guest.client.ok('verifyOperation', { params })).toMatchObject({ valid: true });
    const bytes = await bundleOf(guest);
    expect(withheld(bytes)).toEqual([3]);
    expect(bytes.includes('hidden-2-value')).toBe(false);
    expect(await verifyWith(service.kid, bytes)).toMatchObject({ verdict: 'verified', bundle: { redacted: 1 } });
    expectError(await guest.client.call('eraseOperation', { params, body: { reason: 'again' } }), 'CONFLICT');

    await guest.client.ok('verifyLedger');
    const state = await until('the verification', async () => {
      const now = await guest.client.ok('ledgerVerification');
      return now.status === 'running' ? undefined : now;
    });
    expect(state).toMatchObject({ status: 'completed', valid: true });
    // Nor is it left anywhere in the files.
    for (const name of ['ledger.sqlite', 'ledger.sqlite-wal']) {
      expect(fileOf(name).includes('hidden-2-value')).toBe(false);
      expect(name.endsWith('-wal') || fileOf(name).includes('hidden-3-value')).toBe(true);
    }
  });

  it.each([
    ['reason', {}],
    ['reason', { reason: ' ' }],
    ['other', { reason: 'x', other: 1 }],
  ])('is refused without %s', async (member, body) => {
    const params = { operation_id: receipts[0]?.operation_id ?? '' };
    expectError(await owner.client.call('eraseOperation', { params, body }), 'VALIDATION_ERROR', member);
  });

  it('is the only change that the database takes to an operation', () => {
    const change = (assignment: string) => () =>
      service.sql.exec(`UPDATE operations SET ${assignment} WHERE seq_no = 1`);
    for (const assignment of [
      "payload = '{}'",
      "payload = NULL, subject = 'x'",
      'payload = NULL, leaf_hash = zeroblob(32)',
      "payload = NULL, prev_chain_hash = x'00'",
      'ttl_ms = 1',
    ]) {
      expect(change(assignment)).toThrow('operations are evidence');
    }
  });
});

describe('an export as a PDF report', () => {
  it('is the issuer’s own word, with the bundle and a verifier attached', async () => {
    const params = { export_id: await exportOf(owner, { ...ALWAYS, format: 'pdf' }) };
    const { bytes, headers } = await owner.client.call('downloadExport', { params });
    expect(headers).toMatchObject({ 'content-type': 'application/pdf' });
    expect(headers['content-disposition']).toMatch(/\.pdf"$/);
    expect(bytes.subarray(0, 7).toString('latin1')).toBe('%PDF-1.');
    expect(bytes.includes('verify-bundle.mjs')).toBe(true);
    const path = join(temporaryFolder(), 'report.pdf');
    writeFileSync(path, bytes);
    const { source } = await openAttachedBundle(path);
    const report = await verifyBundle(source, { crypto: nodeCrypto, trustedKids: [service.kid], receipts: [kept] });
    expect(report).toMatchObject({ verdict: 'verified', bundle: { export_id: params.export_id, records: 8 } });
  });
});
