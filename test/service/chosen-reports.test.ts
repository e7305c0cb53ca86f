// docs/report.md, Chosen records: reports of an organization's own ledger and of cases, over HTTP.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeChosenReport, parseChosenReport } from '../../src/protocol/index.ts';
import { readChosenFile } from '../../src/report/index.ts';
import { nodeCrypto } from '../../src/runtime/index.ts';
import { importCase } from '../support/cases.ts';
import { expectError } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { bundleOf, registerAgent, submitNext, TestService } from '../support/service.ts';

const service = await TestService.start();
const owner = await service.signUp();
const { client } = owner;
const signer = await registerAgent(owner, 'agent-1');
for (let left = 6; left > 0; left--) await submitNext(owner, signer);
await client.ok('closeEpoch');
// These two lie in an epoch that is open.
for (let left = 2; left > 0; left--) await submitNext(owner, signer);

const folder = temporaryFolder();
const body = {
  title: 'What was done',
  question: 'Who asked for it?',
  examiner: 'Ada',
  entries: [{ seq_no: 7 }, { seq_no: 2, comment: 'Look at the time.' }],
};

/** What is in a report that was downloaded, judged by who trusts the service's key. */
async function judged(bytes: Buffer) {
  const path = join(folder, 'report');
  writeFileSync(path, bytes);
  const file = (await readChosenFile(path, bytes.subarray(0, 64))) ?? expect.fail('no report of chosen records');
  const report = parseChosenReport(file.data);
  return { report, judgement: await judgeChosenReport(report, { crypto: nodeCrypto, trustedKids: [service.kid] }) };
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

  it('belongs to one organization alone', async () => {
    const other = await service.signUp('other');
    expectError(await other.client.call('reportOfRecords', { body }), 'CONFLICT');
  });
});

describe('POST /v1/cases/{case_id}/reports', () => {
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
