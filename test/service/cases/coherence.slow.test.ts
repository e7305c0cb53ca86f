// docs/interface.md, Cases: coherence of a case stands next to its verdict, and changes nothing of it.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { AGENT_ACTION_PROFILE } from '../../../src/actions/profile/index.ts';
import { approvedPayloads, bundleOfPayloads } from '../../support/agent-actions.ts';
import { serviceKid } from '../../support/bundle-maker.ts';
import { enterWorkstation, importCase, settled } from '../../support/cases.ts';
import { expectError } from '../../support/client.ts';
import { TestService } from '../../support/service.ts';

const service = await TestService.start();
let desk = await enterWorkstation(service);
const trusted_kids = [serviceKid(0)];
const incoherent = Buffer.from(bundleOfPayloads(approvedPayloads(1, 2)));
const pathOf = (caseId: string, name: string): string => join(service.dataDir, 'cases', caseId, name);

it.each([
  ['plain', incoherent],
  ['compressed', gzipSync(incoherent)],
])('names what contradicts itself, and leaves the verdict as it is: %s', async (name, bytes) => {
  const { case_id, verdict, report, coherence } = await importCase(desk, { name, bytes }, { trusted_kids });
  expect({ verdict, findings: report?.findings }).toEqual({ verdict: 'verified', findings: 0 });
  const counts = { records: 4, calls: 1, decisions: 1, sessions: 0, contradictions: 1, open: 1, notes: 0 };
  expect(coherence).toEqual({ status: 'incoherent', counts });
  const whole = await desk.ok('caseCoherence', { params: { case_id } });
  expect(whole).toMatchObject({
    type: 'countersign.coherence.v1',
    ...coherence,
    findings: [
      { code: 'EXECUTED_OTHER_THAN_APPROVED', where: { seq_no: 3, other_seq_no: 2 } },
      { code: 'DECIDED_BY_NO_PERSON', where: { seq_no: 2 } },
    ],
  });
  const operation_id = whole.findings[0]?.where.operation_id ?? '';
  expect((await desk.ok('caseOperation', { params: { case_id, operation_id } })).ear.seq_no).toBe(3);
  expect(await desk.ok('caseReport', { params: { case_id } })).not.toHaveProperty('coherence');
  const saved = await desk.call('caseReportJson', { params: { case_id } });
  expect(JSON.parse(saved.bytes.toString()).coherence).toEqual(whole);
  // The pages say it as well, and can be made again from what is attached to them.
  const pdf = await desk.call('caseReportPdf', { params: { case_id } });
  const again = await importCase(desk, { name: 'report.pdf', bytes: pdf.bytes }, { trusted_kids });
  expect(again).toMatchObject({ kind: 'report-pdf', pages: { status: 'match' }, coherence: { status: 'incoherent' } });
});

it('does not apply to a bundle without the profile', async () => {
  const bytes = Buffer.from(bundleOfPayloads([{ n: 1 }, { n: 2 }]));
  const { case_id, coherence } = await importCase(desk, { name: 'plain', bytes });
  expect(coherence?.status).toBe('not_applicable');
  expect(await desk.ok('caseCoherence', { params: { case_id } })).toMatchObject({
    findings: [],
    counts: { records: 0 },
  });
  const saved = await desk.call('caseReportJson', { params: { case_id } });
  expect(JSON.parse(saved.bytes.toString())).not.toHaveProperty('coherence');
});

it('does not apply where the name of the profile is in something else', async () => {
  const bytes = Buffer.from(bundleOfPayloads([{ about: AGENT_ACTION_PROFILE }, { n: 2 }]));
  expect((await importCase(desk, { name: 'about', bytes })).coherence?.status).toBe('not_applicable');
});

it('is saved with the report where a long name is cut within a character', async () => {
  const names = ['', 'x'].map((before) => `${before}${'\u{1f600}'.repeat(1100)}`);
  const payloads = names.flatMap((name) =>
    approvedPayloads(1, 1)
      .slice(0, 1)
      .map((payload) => ({ ...payload, [name]: 1 })),
  );
  const { case_id } = await importCase(desk, { name: 'long', bytes: Buffer.from(bundleOfPayloads(payloads)) });
  const saved = await desk.call('caseReportJson', { params: { case_id } });
  expect(saved.status).toBe(200);
  const { coherence } = JSON.parse(saved.bytes.toString());
  expect(coherence.codes).toEqual({ PROFILE_INVALID: 2 });
  expect(coherence.findings.some(({ message }: { message: string }) => message.includes('\ufffd'))).toBe(true);
});

it('survives a restart, and comes to a case of an older version by verifying it again', async () => {
  const { case_id, coherence } = await importCase(desk, { name: 'older', bytes: incoherent }, { trusted_kids });
  await service.stop();
  const { coherence: kept, ...older } = JSON.parse(readFileSync(pathOf(case_id, 'case.json'), 'utf8'));
  expect(kept).toEqual(coherence);
  writeFileSync(pathOf(case_id, 'case.json'), JSON.stringify(older));
  rmSync(pathOf(case_id, 'coherence.json'));
  await service.restart();
  desk = await enterWorkstation(service);
  expect(await desk.ok('getCase', { params: { case_id } })).toMatchObject({ verdict: 'verified', coherence: null });
  expectError(await desk.call('caseCoherence', { params: { case_id } }), 'NOT_FOUND');
  await desk.ok('verifyCase', { params: { case_id }, body: {} });
  expect((await settled(desk, case_id)).coherence).toEqual(coherence);
  expect(existsSync(pathOf(case_id, 'coherence.json'))).toBe(true);
  expect((await desk.ok('caseCoherence', { params: { case_id } })).codes).toEqual({
    EXECUTED_OTHER_THAN_APPROVED: 1,
    DECIDED_BY_NO_PERSON: 1,
  });
});

it('is not there for a file that is no bundle', async () => {
  const { case_id, coherence } = await importCase(desk, { name: 'none', bytes: Buffer.from('{"records": []}') });
  expect(coherence).toBeNull();
  expectError(await desk.call('caseCoherence', { params: { case_id } }), 'CONFLICT');
});
