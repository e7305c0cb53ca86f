// Protocol V147, R45: records that were received by a wrong clock, in the case room and in every report.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/node/index.ts';
import {
  type ChosenReport,
  clockNote,
  judgeChosenReport,
  makeChosenReport,
  parseChosenReport,
} from '../../../src/protocol/index.ts';
import { chosenHtml, readChosenFile } from '../../../src/reports/pdf/index.ts';
import { addItem, itemsOf } from '../../support/case-items.ts';
import { importCase } from '../../support/cases.ts';
import { run } from '../../support/command-line.ts';
import { correctedLedger, RIGHT_RECORDS, WRONG_RECORDS } from '../../support/corrected-ledger.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { bundleOf, TestService } from '../../support/service.ts';

const service = await TestService.start({ epochIntervalSeconds: 3600 });
const { owner, correctedAt } = await correctedLedger(service, await service.signUp());
const { client } = owner;
const bundle = await bundleOf(owner);
const { case_id } = await importCase(client, { name: 'case', bytes: bundle }, { trusted_kids: [service.kid] });
const params = { case_id };
const folder = temporaryFolder();

const TIMES = [{ corrected_at: correctedAt, after: { seq_no: 1 }, until: { seq_no: 3 } }];
const entries = [{ seq_no: 3, comment: 'When?' }, { seq_no: 2 }];
const MARKED = entries.map(({ seq_no }) => ({ seq_no, clock_corrected_at: correctedAt }));
const body = { title: 'What was done', entries };

function saved(name: string, bytes: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

async function readBack(name: string, bytes: Buffer): Promise<ChosenReport> {
  const file = (await readChosenFile(saved(name, bytes), bytes.subarray(0, 64))) ?? expect.fail('no report');
  return parseChosenReport(file.data);
}

describe('a record that was received by a wrong clock', () => {
  it('is told by the summary of the ledger, of the case, and by the report of the case', async () => {
    expect(await client.ok('ledgerSummary')).toMatchObject({ corrected_times: TIMES });
    expect(await client.ok('caseSummary', { params })).toMatchObject({ corrected_times: TIMES });
    expect(await client.ok('caseReport', { params })).toMatchObject({ verdict: 'verified', corrected_times: TIMES });
    const { bytes } = await client.call('caseReportJson', { params });
    expect(JSON.parse(bytes.toString())).toMatchObject({ verification: { report: { corrected_times: TIMES } } });
  });

  it.each([
    ['the ledger as HTML', () => client.call('reportOfRecords', { body: { ...body, format: 'html' } })],
    ['the ledger as PDF', () => client.call('reportOfRecords', { body })],
    ['the case as HTML', () => client.call('caseReportOfRecords', { params, body: { ...body, format: 'html' } })],
    ['the case as PDF', () => client.call('caseReportOfRecords', { params, body })],
  ])('is marked in a report of chosen records of %s, as its maker’s word', async (name, make) => {
    const report = await readBack(name.replaceAll(' ', '-'), (await make()).bytes);
    expect(report.entries).toEqual([{ ...MARKED[0], comment: 'When?' }, MARKED[1]]);
    const judgement = await judgeChosenReport(report, { crypto: nodeCrypto, trustedKids: [service.kid] });
    expect(judgement).toMatchObject({ verdict: 'verified', report: { corrected_times: MARKED } });
    expect(judgement.proof.corrected_times).toBeNull();
  });

  it('is marked in the draft that an examiner signs', async () => {
    expect(parseChosenReport((await client.call('draftReport', { body })).bytes).entries[1]).toEqual(MARKED[1]);
  });

  it('leaves every other record without a mark', async () => {
    for (const seq_no of RIGHT_RECORDS) {
      const { bytes } = await client.call('draftReport', { body: { ...body, entries: [{ seq_no }] } });
      expect(parseChosenReport(bytes).entries).toEqual([{ seq_no }]);
    }
  });

  it('is told apart from the same record in a report that leaves the note out', async () => {
    const marked = (await client.call('caseReportOfRecords', { params, body: { ...body, format: 'html' } })).bytes;
    const { digest: _, type: __, signature: ___, ...content } = await readBack('marked', marked);
    const bare = makeChosenReport({ ...content, entries });
    await addItem(client, case_id, { name: 'marked.html', bytes: marked });
    await addItem(client, case_id, { name: 'bare.html', bytes: Buffer.from(await chosenHtml(bare, '0.1.0')) });
    await itemsOf(client, case_id);
    const compared = await client.ok('compareItems', { params, body: { item_no: 2, with: 3 } });
    expect(compared).toMatchObject({ same_records: true, same_verdict: true, clocks_differ: [3, 2] });
  });

  it('is named by the commands verify, report and proof', async () => {
    const path = saved('export.csbundle', bundle);
    const trust = ['--trust', service.kid];
    const verified = await run('verify', path, ...trust);
    expect(verified.stdout).toContain(`set back at ${correctedAt}: the times of records 2 to 3, epoch 2,`);
    const json = JSON.parse((await run('verify', path, '--json', ...trust)).stdout) as unknown;
    expect(json).toMatchObject({ corrected_times: TIMES });
    const whole = await run('report', path, ...trust, '-o', join(folder, 'whole.pdf'));
    expect(whole.stdout).toContain(`set back at ${correctedAt}: the times of records 2 to 3`);
    const html = join(folder, 'made.html');
    const numbers = WRONG_RECORDS.join(',');
    const note = clockNote(correctedAt);
    const flat = (text: string) => text.replaceAll(/\s+/g, ' ');
    const made = await run('report', path, '--records', numbers, ...trust, '-o', html);
    expect(flat(made.stdout)).toContain(`No. 2: ${note}`);
    expect(flat((await run('verify', html, ...trust)).stdout)).toContain(`No. 3: ${note}`);
    const proof = await run('proof', path, '--records', numbers, '-o', join(folder, 'two.json'));
    expect(proof.stderr).toContain(`No. 2: the time of receipt may be wrong`);
    const shown = await run('verify', join(folder, 'two.json'), ...trust);
    expect(flat(shown.stdout)).toContain('nor whether the clock that they were received by was right');
  });
});
