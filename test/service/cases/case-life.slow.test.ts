// docs/interface.md, Cases: damaged and hostile files, what a stop and a crash leave, cancel, rename, delete, tags and notes.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeBundle, otherDigest, serviceKid } from '../../support/bundle-maker.ts';
import { flipBit } from '../../support/bytes.ts';
import { beginCase, enterWorkstation, importCase, settled, uploadOf } from '../../support/cases.ts';
import { expectError } from '../../support/client.ts';
import { cutAfter } from '../../support/damage.ts';
import { TestService } from '../../support/service.ts';

const service = await TestService.start({ caseMaxBytes: 4_000_000 });
const folder = join(service.dataDir, 'cases');
let desk = await enterWorkstation(service);
const trusted_kids = [serviceKid(0)];
const made = makeBundle({ agents: 2, epochs: [3, 2] });
const bundle = Buffer.from(made.text);
const third = made.bundle.records[2] ?? expect.fail();

describe('a damaged bundle', () => {
  it('is browsed like a sound one; findings lead to the record and back', async () => {
    const text = made.text.replace(`"subject":"${third.eor.subject}"`, '"subject":"altered"');
    const seq_no = made.bundle.records.findIndex(({ eor }) => eor.subject === third.eor.subject) + 1;
    const { case_id, verdict, report } = await importCase(desk, { name: 'altered', bytes: Buffer.from(text) });
    expect(verdict).toBe('failed');
    expect(report?.checks.agent_signatures).toBe('fail');
    const { data } = await desk.ok('caseFindings', { params: { case_id }, query: { seq_no: String(seq_no) } });
    expect(data.map(({ code }) => code)).toContain('SIGNATURE_INVALID');
    const found = await desk.ok('caseAuditQuery', { params: { case_id }, body: { subject: 'altered' } });
    expect(found.data).toMatchObject([{ seq_no, findings: data.length }]);
    const params = { case_id, operation_id: found.data[0]?.operation_id ?? '' };
    expect((await desk.ok('caseOperation', { params })).eor.subject).toBe('altered');
    const query = { operation_id: params.operation_id };
    expect((await desk.ok('caseFindings', { params: { case_id }, query })).data).toEqual(
      data.filter(({ where }) => where.operation_id === params.operation_id),
    );
    const whole = await desk.ok('caseReport', { params: { case_id } });
    expect(whole.findings.length).toBe(report?.findings);
  });

  it('shows the records before the place where it breaks off', async () => {
    const cut = made.text.indexOf(made.bundle.records[3]?.eor.operation_id ?? 'none');
    const { bytes } = cutAfter(made.text, cut);
    const { case_id, verdict } = await importCase(desk, { name: 'cut', bytes });
    expect(verdict).toBe('failed');
    expect((await desk.ok('caseSummary', { params: { case_id } })).records).toBe(3);
    expect((await desk.ok('caseAuditQuery', { params: { case_id }, body: {} })).data.length).toBe(3);
  });

  it('counts the records that cannot be read', async () => {
    const text = made.text.replace(/"op_version":1/, '"op_version":"one"');
    const { case_id } = await importCase(desk, { name: 'unreadable', bytes: Buffer.from(text) });
    expect(await desk.ok('caseSummary', { params: { case_id } })).toMatchObject({ records: 4, unreadable: 1 });
  });

  it('tells two records of one operation_id apart by their seq_no', async () => {
    const [first, second] = [made.bundle.records[0], made.bundle.records[1]];
    const operation_id = first?.eor.operation_id ?? '';
    const text = made.text.replaceAll(second?.eor.operation_id ?? 'none', operation_id);
    const { case_id } = await importCase(desk, { name: 'twice', bytes: Buffer.from(text) });
    const params = { case_id, operation_id };
    expect((await desk.ok('caseOperation', { params })).ear.seq_no).toBe(1);
    expect((await desk.ok('caseOperation', { params, query: { seq_no: '2' } })).ear.seq_no).toBe(2);
    expectError(await desk.call('caseOperation', { params, query: { seq_no: '3' } }), 'NOT_FOUND');
  });

  it('gives no proof where the epoch has another root', async () => {
    const text = made.text.replaceAll(made.bundle.epochs[0]?.root_hash ?? 'none', otherDigest());
    const { case_id } = await importCase(desk, { name: 'root', bytes: Buffer.from(text) });
    const params = { case_id, operation_id: made.bundle.records[0]?.eor.operation_id ?? '' };
    expect((await desk.ok('caseOperation', { params })).epoch?.inclusion).toBeNull();
  });
});

describe('a hostile file', () => {
  it.each([
    ['nested deeply', made.text.replace('"records":[', `"records":[${'['.repeat(5000)}`)],
    ['with __proto__', made.text.replace('"org":{', '"org":{"__proto__":{"org_id":1},')],
    ['with an epoch of any number of leaves', made.text.replace(/"leaf_count":\d+/, '"leaf_count":9007199254740991')],
    ['with a negative seq_no', made.text.replace(/"seq_no":\d+/, '"seq_no":-1')],
    ['of another version', made.text.replace('countersign.bundle.v1', 'countersign.bundle.v9')],
    ['with SQL for a subject', made.text.replace(/"subject":"[^"]*"/, `"subject":"'; DROP TABLE records; --"`)],
  ])('%s fails the verdict and harms nothing', async (name, text) => {
    expect(text).not.toBe(made.text);
    const { case_id, state, verdict } = await importCase(desk, { name, bytes: Buffer.from(text) });
    expect({ state, verdict }).toEqual({ state: 'ready', verdict: 'failed' });
    for (const route of ['caseSummary', 'caseAgents', 'caseEpochs', 'caseHistogram', 'caseJwks'] as const) {
      await desk.ok(route, { params: { case_id } });
    }
    const { data } = await desk.ok('caseAuditQuery', { params: { case_id }, body: {} });
    for (const { operation_id } of data) await desk.ok('caseOperation', { params: { case_id, operation_id } });
  });

  it.each([
    ['is no bundle', Buffer.from('{"hello": "world"}'), 'NOT_A_BUNDLE'],
    ['is damaged in the middle of its compression', flipBit(gzipSync(bundle), 900 * 8), 'FILE_DAMAGED'],
    ['is a PDF of something else', Buffer.from('%PDF-1.7\nnothing'), 'FILE_DAMAGED'],
    ['unpacks to more than the disk is meant for', gzipSync(Buffer.alloc(70_000_000, 0x20)), 'FILE_TOO_LARGE'],
  ])('that %s is a failed case that says so', async (name, bytes, code) => {
    const { state, failure, case_id } = await importCase(desk, { name, bytes });
    expect({ state, code: failure?.code }).toEqual({ state: 'failed', code });
    expect(failure?.message).not.toContain(service.dataDir);
    const left = readdirSync(join(folder, case_id)).filter((name) => !name.startsWith('case.json'));
    expect(left).toEqual(['original']);
    expectError(await desk.call('caseSummary', { params: { case_id } }), 'CONFLICT');
    expectError(await desk.call('caseReport', { params: { case_id } }), 'CONFLICT');
  });

  it.each([
    ['before its first record', 400, /no whole record\b.* the signed manifest/],
    ['among its records', -600, /\b4 whole records \(seq_no 1 to 4\).* the signed manifest/],
    ['in its last byte', -1, /\b5 whole records \(seq_no 1 to 5\).* its checksum/],
  ])('that is compressed and cut off %s says what arrived, and what is missing', async (name, at, records) => {
    const packed = gzipSync(bundle);
    const bytes = packed.subarray(0, at < 0 ? packed.length + at : at);
    const { state, failure } = await importCase(desk, { name, bytes });
    expect({ state, code: failure?.code }).toEqual({ state: 'failed', code: 'FILE_CUT_OFF' });
    expect(failure?.message).toContain(`${bytes.length.toLocaleString('en')} bytes of it arrived`);
    expect(failure?.message).toMatch(records);
  });

  it('that is larger than the setting is refused, and nothing of it stays', async () => {
    const before = readdirSync(join(folder, 'uploads')).length;
    const answer = await desk.inspect({ name: 'large', bytes: Buffer.alloc(4_000_001) });
    expectError(answer, 'PAYLOAD_TOO_LARGE');
    const chunked = await desk.send({
      method: 'POST',
      path: '/v1/cases/inspect',
      body: Buffer.alloc(4_000_001),
      headers: { 'transfer-encoding': 'chunked' },
    });
    expectError(chunked, 'PAYLOAD_TOO_LARGE');
    expect(readdirSync(join(folder, 'uploads')).length).toBe(before);
  });
});

describe('a case', () => {
  const file = { name: 'file.json', bytes: bundle };

  it('is renamed, listed newest first page by page, and deleted with all that belongs to it', async () => {
    const { case_id } = await importCase(desk, file);
    const params = { case_id };
    expect((await desk.ok('renameCase', { params, body: { name: 'Branch office' } })).name).toBe('Branch office');
    const second = await importCase(desk, file, { name: 'newer' });
    const { data, nextCursor } = await desk.ok('listCases', { query: { limit: '1' } });
    expect(data.map(({ name }) => name)).toEqual(['newer']);
    const next = await desk.ok('listCases', { query: { limit: '1', cursor: nextCursor ?? '' } });
    expect(next.data.map(({ name }) => name)).toEqual(['Branch office']);
    await desk.ok('caseSummary', { params });
    await desk.ok('deleteCase', { params });
    expectError(await desk.call('getCase', { params }), 'NOT_FOUND');
    expect(readdirSync(folder).filter((name) => name.startsWith(case_id))).toEqual([]);
    await desk.ok('deleteCase', { params: { case_id: second.case_id } });
  });

  it('is cancelled or deleted as soon as it has begun', async () => {
    for (const route of ['cancelCase', 'deleteCase'] as const) {
      const { case_id } = await beginCase(desk, file);
      await desk.ok(route, { params: { case_id } });
      const left = readdirSync(folder, { recursive: true }).filter((name) => String(name).startsWith(case_id));
      expect(left).toEqual(route === 'deleteCase' ? [] : [case_id, join(case_id, 'case.json')]);
      if (route === 'cancelCase') expect((await settled(desk, case_id)).state).toBe('cancelled');
    }
  });

  it('is changed by many at once', async () => {
    const { case_id } = await importCase(desk, file);
    const names = Array.from({ length: 10 }, (_, n) => `name ${n}`);
    const params = { case_id };
    await Promise.all(names.map((name) => desk.ok('renameCase', { params, body: { name } })));
    expect(readFileSync(join(folder, case_id, 'case.json'), 'utf8')).toContain(
      (await desk.ok('getCase', { params })).name,
    );
  });

  it('is cancelled while it waits, and deleted', async () => {
    const first = await beginCase(desk, file);
    const waiting = await beginCase(desk, file);
    const params = { case_id: waiting.case_id };
    expect(await desk.ok('cancelCase', { params })).toMatchObject({ state: 'cancelled', progress: null });
    expect(readdirSync(join(folder, waiting.case_id))).toEqual(['case.json']);
    await settled(desk, first.case_id);
    const after = await settled(desk, waiting.case_id);
    expect(after).toMatchObject({ state: 'cancelled', report: null });
    expectError(await desk.call('cancelCase', { params }), 'CONFLICT');
    expectError(await desk.call('verifyCase', { params, body: {} }), 'CONFLICT');
    await desk.ok('deleteCase', { params });
  });

  it('survives a restart, and is imported again where the stop came in between', async () => {
    const whole = await importCase(desk, file, { trusted_kids });
    const begun = await beginCase(desk, file, { trusted_kids, name: 'begun' });
    const cancelled = await beginCase(desk, file);
    await desk.ok('cancelCase', { params: { case_id: cancelled.case_id } });
    writeFileSync(join(folder, cancelled.case_id, 'original'), 'what a crash left');
    // What a crash in the middle of making or removing a case leaves.
    mkdirSync(join(folder, '8a1b0000-0000-4000-8000-000000000000.new'));
    writeFileSync(join(folder, `${whole.case_id}`, 'case.sqlite.part'), 'half');
    await uploadOf(desk, file);
    await service.restart();
    desk = await enterWorkstation(service);
    expect(await settled(desk, begun.case_id)).toMatchObject({ state: 'ready', verdict: 'verified', name: 'begun' });
    expect(readdirSync(join(folder, begun.case_id))).not.toContain('index.new');
    const { progress, ...same } = await desk.ok('getCase', { params: { case_id: whole.case_id } });
    expect(same).toEqual({ ...whole, progress: undefined });
    expect(await desk.ok('caseSummary', { params: { case_id: whole.case_id } })).toMatchObject({ records: 5 });
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
    expect(readdirSync(join(folder, cancelled.case_id))).toEqual(['case.json']);
    expect(readdirSync(join(folder, 'uploads'))).toEqual([]);
  });

  it('is not there where its description cannot be read', async () => {
    const { case_id } = await importCase(desk, file);
    const path = join(folder, case_id, 'case.json');
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 100));
    await service.restart();
    desk = await enterWorkstation(service);
    expectError(await desk.call('getCase', { params: { case_id } }), 'NOT_FOUND');
    expect(existsSync(path)).toBe(true);
  });
});

describe('tags and notes', async () => {
  const { case_id } = await importCase(desk, { name: 'annotated', bytes: bundle }, { trusted_kids });
  const [one, two] = made.bundle.records.map(({ eor }) => ({ case_id, operation_id: eor.operation_id }));
  const [first, second] = [one ?? expect.fail(), two ?? expect.fail()];

  it('are set apart from each other, found by tag, and taken away', async () => {
    await desk.ok('annotate', { params: first, body: { tags: ['draft'] } });
    await desk.ok('annotate', { params: first, body: { note: 'Ask the branch.\n' } });
    await desk.ok('annotate', { params: first, body: { tags: ['fraud', 'urgent', 'fraud'] } });
    await desk.ok('annotate', { params: second, body: { tags: ['fraud'] } });
    expect(await desk.ok('getAnnotation', { params: first })).toMatchObject({
      tags: ['fraud', 'urgent'],
      note: 'Ask the branch.\n',
    });
    const all = await desk.ok('listAnnotations', { params: { case_id } });
    expect(all.tags).toEqual([
      { tag: 'fraud', count: 2 },
      { tag: 'urgent', count: 1 },
    ]);
    const search = async (tag: string): Promise<unknown[]> =>
      (await desk.ok('caseAuditQuery', { params: { case_id }, body: { tag } })).data.map(({ seq_no, tags }) => [
        seq_no,
        tags,
      ]);
    expect(await search('fraud')).toEqual([
      [2, ['fraud']],
      [1, ['fraud', 'urgent']],
    ]);
    expect(await search('none')).toEqual([]);
    expect((await desk.ok('caseHistogram', { params: { case_id }, query: { tag: 'urgent' } })).total).toBe(1);
    await desk.ok('removeAnnotation', { params: second });
    expectError(await desk.call('getAnnotation', { params: second }), 'NOT_FOUND');
    expectError(await desk.call('removeAnnotation', { params: second }), 'NOT_FOUND');
    // Said nothing any more: gone.
    await desk.ok('annotate', { params: second, body: { note: 'x' } });
    await desk.ok('annotate', { params: second, body: { note: '' } });
    expectError(await desk.call('getAnnotation', { params: second }), 'NOT_FOUND');
  });

  it.each([
    [{ tags: Array.from({ length: 21 }, (_, n) => `tag ${n}`) }, 'tags'],
    [{ tags: ['x'.repeat(65)] }, 'tags'],
    [{ tags: ['  '] }, 'tags'],
    [{ note: 'x'.repeat(10_001) }, 'note'],
    [{ other: 1 }, 'other'],
  ])('are refused beyond their bounds: %#', async (body, member) => {
    expectError(await desk.call('annotate', { params: first, body }), 'VALIDATION_ERROR', member);
  });

  it('belong to a record of the case', async () => {
    const params = { case_id, operation_id: '00000000-0000-4000-8000-000000000000' };
    expectError(await desk.call('annotate', { params, body: { note: 'x' } }), 'NOT_FOUND');
  });

  it('stay when the case is verified again, and stand in both reports as what they are', async () => {
    await desk.ok('annotate', { params: first, body: { tags: ['fraud'], note: 'Ask the branch.' } });
    await desk.ok('verifyCase', { params: { case_id }, body: { trusted_kids: [] } });
    expect((await settled(desk, case_id)).verdict).toBe('incomplete');
    expect(await desk.ok('getAnnotation', { params: first })).toMatchObject({ tags: ['fraud'] });
    const json = await desk.call('caseReportJson', { params: { case_id } });
    expect(json.headers['content-disposition']).toBe('attachment; filename="case_annotated_report.json"');
    const value = JSON.parse(json.bytes.toString('utf8'));
    expect(value.type).toBe('countersign.case-report.v1');
    expect(value.verification).toMatchObject({
      type: 'countersign.verification-artifact.v1',
      subject: { size: bundle.length },
      trust: [],
      report: await desk.ok('caseReport', { params: { case_id } }),
    });
    expect(value.investigator.annotations).toEqual([
      { operation_id: first.operation_id, tags: ['fraud'], note: 'Ask the branch.' },
    ]);
    const pdf = await desk.call('caseReportPdf', { params: { case_id } });
    expect(pdf.headers['content-type']).toBe('application/pdf');
    const whole = await desk.call('caseReportPdf', { params: { case_id }, query: { details: 'true' } });
    expect(whole.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const [entry] = (await desk.ok('custody', { params: { case_id } })).data;
    expect(entry?.entry).toMatchObject({ action: 'report.make', details: { format: 'pdf', details: true } });
    // The report carries the bundle: it is a case again.
    const again = await importCase(desk, { name: 'report', bytes: pdf.bytes }, { trusted_kids });
    expect(again).toMatchObject({ kind: 'report-pdf', verdict: 'verified' });
    expect(readdirSync(join(folder, 'uploads'))).toEqual([]);
  });
});
