// docs/report.md, Chosen records: reports of an organization's own ledger and of cases, over HTTP.
import { describe, expect, it } from 'vitest';
import {
  chosenReportSignedBytes,
  type ExaminerSignature,
  examinerSignature,
  parseChosenReport,
  publicKeyOf,
  signEd25519,
  thumbprint,
} from '../../src/protocol/index.ts';
import { importCase } from '../support/cases.ts';
import { expectError } from '../support/client.ts';
import { judgeChosen } from '../support/reports.ts';
import { bundleOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();
const { client } = owner;
const signer = await registerAgent(owner, 'agent-1');
for (let left = 6; left > 0; left--) await submitNext(owner, signer);
await client.ok('closeEpoch');
// These two lie in an epoch that is open.
for (let left = 2; left > 0; left--) await submitNext(owner, signer);

const body = {
  title: 'What was done',
  question: 'Who asked for it?',
  examiner: 'Ada',
  entries: [{ seq_no: 7 }, { seq_no: 2, comment: 'Look at the time.' }],
};

/** What is in a report that was downloaded, judged by who trusts the service's key. */
const judged = (bytes: Buffer) => judgeChosen(bytes, service.kid);

const seed = new Uint8Array(32).fill(7);
const key = publicKeyOf(seed);

/** A draft as a window signs it. */
function signedOf(bytes: Buffer) {
  const draft = parseChosenReport(bytes);
  const { made_at, digest } = draft;
  return { made_at, digest, signature: examinerSignature(key, signEd25519(seed, chosenReportSignedBytes(draft))) };
}

describe('POST /v1/reports', () => {
  it.each([
    ['pdf', 'application/pdf'],
    ['html', 'text/html; charset=utf-8'],
  ])('answers with a report as %s that verifies', async (format, type) => {
    const { status, headers, bytes } = await client.call('reportOfRecords', { body: { ...body, format } });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(type);
    expect(headers['content-disposition']).toBe(`attachment; filename="report_What-was-done.${format}"`);
    const { report, judgement } = await judged(bytes);
    expect(judgement.verdict).toBe('verified');
    expect(report).toMatchObject({ ...body, taken_from: null, trusted_keys: [] });
  });

  it('refuses a record that is not there, one that is named twice, and none', async () => {
    const of = (entries: readonly object[]) => client.call('reportOfRecords', { body: { ...body, entries } });
    expectError(await of([{ seq_no: 99 }]), 'CONFLICT');
    expectError(await of([{ seq_no: 1 }, { seq_no: 1 }]), 'VALIDATION_ERROR');
    expectError(await of([]), 'VALIDATION_ERROR');
    expectError(await of(Array.from({ length: 1001 }, (_, n) => ({ seq_no: n + 1 }))), 'VALIDATION_ERROR');
  });

  it('says what its records come to, of them and no others, in exact decimals and each currency by itself', async () => {
    const paid = [
      ['Medisan', '0.10', 'EUR'],
      ['Medisan', '0.20', 'EUR'],
      ['Medisan', '5', 'CHF'],
      ['中山医疗', '7.5', 'EUR'],
    ];
    const seqNos: number[] = [];
    for (const [payee = '', amount = '', currency = ''] of paid) {
      seqNos.push((await submitNext(owner, signer, { payload: { payee, amount, currency } })).seq_no);
    }
    const [one = 0, two = 0, three = 0] = seqNos;
    await until('the payments to be indexed', async () => {
      return (await client.ok('facets', { body: { fields: ['agent'] } })).coverage.pending === 0;
    });
    const sums = { by: ['payee'], measure: { op: 'sum', of: 'amount' }, zone: 'Europe/Berlin' };
    const entries = [{ seq_no: 1 }, { seq_no: one }, { seq_no: two }, { seq_no: three }];
    const made = await client.call('reportOfRecords', { body: { ...body, entries, sums, format: 'html' } });
    const { report, judgement } = await judged(made.bytes);
    expect(judgement.verdict).toBe('verified');
    expect(report.sums).toEqual({
      unit: 'actions',
      measure: 'sum',
      of: 'amount',
      by: ['payee'],
      zone: 'Europe/Berlin',
      groups: [
        {
          keys: ['Medisan'],
          amounts: [
            { value: '5', currency: 'CHF' },
            { value: '0.30', currency: 'EUR' },
          ],
          without: 0,
          records: [one, two, three],
        },
        { keys: [null], amounts: [], without: 1, records: [1] },
      ],
      all: {
        amounts: [
          { value: '5', currency: 'CHF' },
          { value: '0.30', currency: 'EUR' },
        ],
        without: 1,
      },
    });
    const total = { measure: { op: 'max', of: 'amount' } };
    const without = await client.call('draftReport', { body: { ...body, entries: [{ seq_no: one }], sums: total } });
    expect((await judged(without.bytes)).report.sums?.groups).toEqual([
      { keys: [], amounts: [{ value: '0.10', currency: 'EUR' }], without: 0, records: [one] },
    ]);
    const wrong = { measure: { op: 'sum', of: 'agent' } };
    expectError(await client.call('draftReport', { body: { ...body, sums: wrong } }), 'VALIDATION_ERROR');
  });

  it('belongs to one organization alone', async () => {
    const other = await service.signUp('other');
    expectError(await other.client.call('reportOfRecords', { body }), 'CONFLICT');
  });
});

describe('a report that its examiner signs', () => {
  const draftOf = async (words = body): Promise<Buffer> => (await client.call('draftReport', { body: words })).bytes;
  const made = (signed: object, words: object = body) => client.call('reportOfRecords', { body: { ...words, signed } });

  it('is drafted as data that verify by themselves, of nobody yet', async () => {
    const { headers, bytes } = await client.call('draftReport', { body });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    const { report, judgement } = await judged(bytes);
    expect(report).toMatchObject(body);
    expect(judgement).toMatchObject({ verdict: 'verified', report: { signature: 'none' } });
  });

  it.each(['pdf', 'html'])('holds the signature as %s, whatever was done since the draft', async (format) => {
    const signed = signedOf(await draftOf());
    await submitNext(owner, signer);
    const { status, bytes } = await made(signed, { ...body, format });
    expect(status).toBe(200);
    const { report, judgement } = await judged(bytes);
    expect(judgement.verdict).toBe('verified');
    expect(judgement.report).toMatchObject({ signature: 'valid', examiner_kid: thumbprint(key) });
    expect(report).toMatchObject({ made_at: signed.made_at, digest: signed.digest });
    const [event] = (await client.ok('listAdminEvents', { query: { action: 'report.create' } })).events;
    expect(event?.details).toEqual({ format, records: 2, signed_by: thumbprint(key) });
  });

  it('is refused with a signature that was altered, of another report, or by another key than it names', async () => {
    const signed = signedOf(await draftOf());
    const other = signedOf(await draftOf({ ...body, title: 'Another' }));
    const of = (part: Partial<ExaminerSignature>) => made({ ...signed, signature: { ...signed.signature, ...part } });
    const { value, kid } = signed.signature;
    expectError(await of({ value: (value.startsWith('A') ? 'B' : 'A') + value.slice(1) }), 'INVALID_SIGNATURE');
    expectError(await of({ value: other.signature.value }), 'INVALID_SIGNATURE');
    expectError(await of({ kid: (kid.startsWith('A') ? 'B' : 'A') + kid.slice(1) }), 'INVALID_SIGNATURE');
    expectError(await made(other), 'CONFLICT');
  });

  it('is refused where words, records or the time are not those of the draft', async () => {
    const signed = signedOf(await draftOf());
    expectError(await made(signed, { ...body, question: 'Who did not?' }), 'CONFLICT');
    expectError(await made(signed, { ...body, entries: body.entries.toReversed() }), 'CONFLICT');
    const at = (ms: number) => ({ ...signed, made_at: new Date(Date.parse(signed.made_at) + ms).toISOString() });
    expectError(await made(at(-3_700_000)), 'CONFLICT');
    expectError(await made(at(3_600_000)), 'CONFLICT');
  });
});

describe('POST /v1/cases/{case_id}/reports', () => {
  it('answers with a signed report, which the custody log names with its key', async () => {
    const { case_id } = await importCase(client, { name: 'b', bytes: await bundleOf(owner) });
    const params = { case_id };
    const signed = signedOf((await client.call('draftCaseReport', { params, body })).bytes);
    const { bytes } = await client.call('caseReportOfRecords', { params, body: { ...body, format: 'html', signed } });
    expect((await judged(bytes)).judgement.report).toMatchObject({ signature: 'valid' });
    const { data } = await client.ok('custody', { params });
    expect(data.map(({ entry }) => [entry?.action, entry?.details])).toEqual([
      ['report.make', { format: 'html', title: body.title, records: 2, signed_by: thumbprint(key) }],
    ]);
    const altered = { ...signed, signature: { ...signed.signature, value: 'A'.repeat(86) } };
    const refused = await client.call('caseReportOfRecords', { params, body: { ...body, signed: altered } });
    expectError(refused, 'INVALID_SIGNATURE');
  });

  it('answers with a report of records of the case, which names its bundle and whom it trusts', async () => {
    const bundle = await bundleOf(owner);
    const { case_id, sha256 } = await importCase(client, { name: 'a', bytes: bundle }, { trusted_kids: [service.kid] });
    const { status, bytes } = await client.call('caseReportOfRecords', { params: { case_id }, body });
    expect(status).toBe(200);
    const { report, judgement } = await judged(bytes);
    expect(judgement.verdict).toBe('verified');
    expect(report.taken_from).toEqual({ sha256, size: bundle.length });
    expect(report.trusted_keys.length).toBe(1);
    const missing = { ...body, entries: [{ seq_no: 99 }] };
    expectError(await client.call('caseReportOfRecords', { params: { case_id }, body: missing }), 'CONFLICT');
  });
});
