// protocol R40 to R50: an HTML report of chosen records before the implementation in Python, which judges what ours judges.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import {
  type ChosenReport,
  canonicalize,
  chosenReportDigest,
  fingerprintDigits,
  type Json,
  judgeChosenReport,
  parseChosenReport,
  parseExaminerKeys,
  sha256,
} from '../../src/protocol/index.ts';
import { writtenBy } from '../../src/reports/chosen/index.ts';
import { looksLikeHtml, readHtmlReport } from '../../src/reports/reading/index.ts';
import { ISSUER, reportBy } from '../support/case-evidence.ts';
import { hasPython, printedBy } from '../support/fuzz/verifier-process.ts';
import { inFile, VERDICTS } from '../support/two-verifiers.ts';

const singleFile = new URL('../../resources/verifier/verify-bundle.mjs', import.meta.url).href;
const report = (await reportBy('Ada', [{ seq_no: 3, comment: 'Is 12 < 13?' }, { seq_no: 1 }])).toString();

interface Judged {
  readonly verdict: string;
  /** The verdict on the data inside. */
  readonly data?: string;
  readonly codes: readonly string[];
}

async function inPython(file: string, ...args: readonly string[]): Promise<Judged> {
  const { status, stdout, stderr } = await printedBy('python', inFile(file), '--json', ...args);
  if (status === 2 && !stderr.includes('Traceback')) return { verdict: 'unreadable', codes: [] };
  if (stdout === '') return { verdict: stderr, codes: [] };
  const { verdict, data, problems } = JSON.parse(stdout) as Omit<Judged, 'codes'> & { problems: { code: string }[] };
  expect(verdict).toBe(VERDICTS[status]);
  return { verdict, ...(data && { data }), codes: problems.map(({ code }) => code).sort() };
}

interface FoundInOneFile {
  readonly data: string;
  readonly report: { readonly problems: readonly (readonly [code: string, message: string])[] };
}

async function inOneFile(file: string): Promise<FoundInOneFile> {
  const options = { trust: [ISSUER], receipts: [], against: [], checkpoint: [] };
  const { verifyBundleFile } = (await import(singleFile)) as {
    verifyBundleFile: (path: string, options: object) => FoundInOneFile;
  };
  return verifyBundleFile(inFile(file), options);
}

async function here(file: string, trustedKids: readonly string[]): Promise<Judged> {
  const chosen = parseChosenReport(readHtmlReport(Buffer.from(file)).data);
  const { verdict, problems } = await judgeChosenReport(chosen, { crypto: nodeCrypto, trustedKids });
  return { verdict, codes: problems.map(({ code }) => code).sort() };
}

const changed = (from: string | RegExp, to: string | ((all: string, digit: string) => string)): string => {
  const file = report.replace(from, to as string);
  expect(file).not.toBe(report);
  return file;
};

/** The report, with a value of an agent's key in it that nests up to this level of all its data. */
function nestingTo(level: number): string {
  // The data, the proof, its agents, one of them, its keys, and one of these.
  const depth = level - 6;
  return changed('"status":"active"', `"status":${'['.repeat(depth)}${']'.repeat(depth)}`);
}

/** The report as somebody without a key writes it anew: its digest fits, and nobody signed it. */
function writtenAnew(change: (report: ChosenReport) => object): string {
  const data = Buffer.from(readHtmlReport(Buffer.from(report)).data).toString();
  const { signature: _, ...content } = change(JSON.parse(data) as ChosenReport) as ChosenReport;
  const digest = chosenReportDigest(content, sha256);
  const file = report.replace(data, () =>
    canonicalize({ ...content, digest } as unknown as Json).replaceAll('<', '\\u003c'),
  );
  expect(file).not.toBe(report);
  return file;
}

interface OpenProof {
  readonly agents: readonly object[];
  readonly records: readonly object[];
}
const withProof = (change: (proof: OpenProof) => object): string =>
  writtenAnew((all) => ({ ...all, proof: { ...all.proof, ...change(all.proof as unknown as OpenProof) } }));

const marked = (clock_corrected_at: unknown): string =>
  writtenAnew(({ entries: [first, ...others], ...all }) => ({
    ...all,
    entries: [{ ...first, clock_corrected_at }, ...others],
  }));

describe('protocol R50: a file that another program changed', () => {
  it.each([
    ['at its first tag', '<!doctype html>', '<!docvype html>'],
    ['by something before it', '<!doctype html>', '\u{feff} \n<?xml version="1.0"?>'],
  ])('%s is judged by its data', async (_, from, to) => {
    const file = changed(from, to);
    const judged = [(await here(file, [ISSUER])).verdict, (await inPython(file, '--trust', ISSUER)).data];
    expect([...judged, (await inOneFile(file)).data]).toEqual(['verified', 'verified', 'verified']);
    expect(looksLikeHtml(Buffer.from(file))).toBe(true);
  });
});

describe('protocol R45: what a report says of the clock', () => {
  it('is read by every verifier, told, and covered by the digest', async () => {
    const at = '2026-03-01T09:03:20.000Z';
    const file = marked(at);
    const corrected = [{ seq_no: 3, clock_corrected_at: at }];
    const chosen = parseChosenReport(readHtmlReport(Buffer.from(file)).data);
    const { verdict, report: said } = await judgeChosenReport(chosen, { crypto: nodeCrypto, trustedKids: [ISSUER] });
    expect([verdict, said.corrected_times]).toEqual(['verified', corrected]);
    expect(await inOneFile(file)).toMatchObject({
      data: 'verified',
      report: { problems: [], corrected_times: corrected },
    });
    if (hasPython()) expect(await inPython(file, '--trust', ISSUER)).toMatchObject({ data: 'verified', codes: [] });
    const later = file.replace(at, at.replace('09:03', '09:04'));
    expect(await here(later, [ISSUER])).toEqual({ verdict: 'failed', codes: ['REPORT_DIGEST_MISMATCH'] });
  });

  it.each([
    ['no time', 'yesterday'],
    ['a number', 1],
    ['null', null],
  ])('is refused as %s', async (_, value) => {
    const file = marked(value);
    expect(() => parseChosenReport(readHtmlReport(Buffer.from(file)).data)).toThrow('clock_corrected_at');
    await expect(inOneFile(file)).rejects.toThrow();
    if (hasPython()) expect(await inPython(file)).toMatchObject({ verdict: 'unreadable' });
  });
});

const SUMS = {
  unit: 'actions',
  measure: 'sum',
  of: 'amount',
  by: ['payee'],
  zone: 'Europe/Berlin',
  groups: [
    { keys: ['中山医疗'], amounts: [{ value: '-12.30', currency: 'EUR' }], without: 0, records: [1, 3] },
    { keys: [null], amounts: [], without: 1, records: [3] },
  ],
  all: { amounts: [{ value: '-12.30', currency: 'EUR' }], without: 1 },
};
const [FIRST_GROUP] = SUMS.groups;
const withSums = (sums: object): string => writtenAnew((all) => ({ ...all, sums: { ...SUMS, ...sums } }));

describe('protocol R46: what the records of a report come to', () => {
  it('is read by every verifier, and covered by the digest', async () => {
    const file = withSums({});
    expect(await here(file, [ISSUER])).toEqual({ verdict: 'verified', codes: [] });
    expect(await inOneFile(file)).toMatchObject({ data: 'verified', report: { problems: [] } });
    if (hasPython()) expect(await inPython(file, '--trust', ISSUER)).toMatchObject({ data: 'verified', codes: [] });
    const more = file.replace('"-12.30"', '"-12.31"');
    expect(await here(more, [ISSUER])).toEqual({ verdict: 'failed', codes: ['REPORT_DIGEST_MISMATCH'] });
  });

  it('counts no record that the report does not show', async () => {
    const file = withSums({ groups: [{ ...FIRST_GROUP, records: [1, 2] }] });
    const codes = ['REPORT_ENTRY_UNKNOWN'];
    expect(await here(file, [ISSUER])).toEqual({ verdict: 'failed', codes });
    const { data, report } = await inOneFile(file);
    expect([data, report.problems.map(([code]) => code)]).toEqual(['failed', codes]);
    if (hasPython()) expect(await inPython(file, '--trust', ISSUER)).toMatchObject({ data: 'failed', codes });
  });

  it.each<[string, object]>([
    ['no number', { all: { amounts: [{ value: '1e3', currency: null }], without: 0 } }],
    ['a number that is no text', { all: { amounts: [{ value: 1, currency: null }], without: 0 } }],
    ['less than none without', { all: { amounts: [], without: -1 } }],
    ['a count of something', { measure: 'count' }],
    ['a sum of nothing', { of: null }],
    ['another measure', { measure: 'mean' }],
    ['a value too many', { groups: [{ ...FIRST_GROUP, keys: ['a', 'b'] }] }],
    ['a group of no record', { groups: [{ ...FIRST_GROUP, records: [] }] }],
    ['no group', { groups: [] }],
    ['a currency of no character', { all: { amounts: [{ value: '1', currency: '' }], without: 0 } }],
    ['a stranger', { more: 1 }],
  ])('is refused with %s', async (_, sums) => {
    const file = withSums(sums);
    expect(() => parseChosenReport(readHtmlReport(Buffer.from(file)).data)).toThrow('sums');
    await expect(inOneFile(file)).rejects.toThrow();
    if (hasPython()) expect(await inPython(file)).toMatchObject({ verdict: 'unreadable' });
  });
});

describe.skipIf(!hasPython())('an HTML report in Python (skipped where Python is missing)', () => {
  it('is incomplete, for its page is not looked at, with data verified for whoever trusts its issuer', async () => {
    expect(await inPython(report, '--trust', ISSUER)).toEqual({ verdict: 'incomplete', data: 'verified', codes: [] });
    expect(await inPython(report)).toEqual({ verdict: 'incomplete', data: 'incomplete', codes: [] });
  });

  it.each([
    [
      'a digit of a payload',
      changed('"amount":12', '"amount":13'),
      ['REPORT_DIGEST_MISMATCH', 'REPORT_SIGNATURE_INVALID'],
    ],
    ['a digit of a comment', changed('Is 12 ', 'Is 15 '), ['REPORT_DIGEST_MISMATCH', 'REPORT_SIGNATURE_INVALID']],
    [
      'a digit of its time',
      changed('2026-11-23T10:00', '2026-11-23T11:00'),
      ['REPORT_DIGEST_MISMATCH', 'REPORT_SIGNATURE_INVALID'],
    ],
    [
      'a digit of the digest',
      changed(/"digest":"sha256:(.)/, (_: string, digit: string) => `"digest":"sha256:${digit === '0' ? '1' : '0'}`),
      ['REPORT_DIGEST_MISMATCH', 'REPORT_SIGNATURE_INVALID'],
    ],
    [
      'a character of the kid that signed it, which no kid has,',
      changed(/"algorithm":"ed25519","kid":"./, '"algorithm":"ed25519","kid":"!'),
      ['REPORT_SIGNATURE_INVALID'],
    ],
    [
      'a character of the key that signed it, which no key has,',
      changed(/("algorithm":"ed25519","kid":"[^"]*","public_key":")./, (_: string, before: string) => `${before}!`),
      ['REPORT_SIGNATURE_INVALID'],
    ],
    [
      'the number of a record',
      changed(
        '"entries":[{"comment":"Is 12 \\u003c 13?","seq_no":3}',
        '"entries":[{"comment":"Is 12 \\u003c 13?","seq_no":4}',
      ),
      ['REPORT_DIGEST_MISMATCH', 'REPORT_ENTRY_UNKNOWN', 'REPORT_RECORD_NOT_SHOWN', 'REPORT_SIGNATURE_INVALID'],
    ],
    [
      'the number of a record, and of its proof what it cannot be read whole without,',
      changed('"entries":[{"comment":"Is 12 \\u003c 13?","seq_no":3}', '"entries":[{"seq_no":4}').replace(
        '"status":"active"',
        '"status":" "',
      ),
      ['REPORT_DIGEST_MISMATCH', 'REPORT_SIGNATURE_INVALID'],
    ],
  ])('is failed where %s is another, as it is here', async (_, file, codes) => {
    const expected = { verdict: 'failed', codes };
    expect(await here(file, [ISSUER])).toEqual(expected);
    expect(await inPython(file, '--trust', ISSUER)).toEqual({ ...expected, data: 'failed' });
    const { data, report } = await inOneFile(file);
    expect([data, report.problems.map(([code]) => code).sort()]).toEqual(['failed', codes]);
  });

  it.each([
    [
      'its agents are given a name',
      withProof(({ agents }) => ({
        agents: agents.map((agent) => ({ ...agent, display_name: 'Ada Lovelace (CFO)' })),
      })),
    ],
    [
      'its agents are said to be persons',
      withProof(({ agents }) => ({ agents: agents.map((agent) => ({ ...agent, integration_type: 'person' })) })),
    ],
    ['its organization is given a name', withProof(() => ({ org: { org_id: 'org_1', name: 'Example Bank' } }))],
    ['a receipt is a number', withProof(({ records }) => ({ records: records.map((one) => ({ ...one, ear: 5 })) }))],
  ])('is failed everywhere where %s and the digest is made again', async (_, file) => {
    expect((await here(file, [ISSUER])).verdict).toBe('failed');
    expect(await inPython(file, '--trust', ISSUER)).toMatchObject({ verdict: 'failed', data: 'failed' });
    const { verifyBundleFile } = (await import(singleFile)) as {
      verifyBundleFile: (path: string, options: object) => object;
    };
    const options = { trust: [ISSUER], receipts: [], against: [], checkpoint: [] };
    expect(verifyBundleFile(inFile(file), options)).toMatchObject({ verdict: 'failed', data: 'failed' });
  });

  it('says nothing of a name in its proof, and whose words the rest is where nobody signed it', async () => {
    const file = writtenAnew((all) => ({ ...all, title: 'Ada Lovelace (CFO) paid' }));
    expect(await here(file, [ISSUER])).toEqual({ verdict: 'verified', codes: [] });
    expect(writtenBy('Title', 'none')).toBe('Title of whoever made this report, signed by nobody');
    expect(JSON.stringify(parseChosenReport(readHtmlReport(Buffer.from(file)).data).proof)).not.toContain('"name"');
  });

  it.each([
    ['a blank before it', ` ${report}`],
    ['a byte order mark', `\ufeff${report}`],
    ['other line ends', report.replaceAll('\n', '\r\n')],
    ['a comment of a browser', changed('<html', '<!-- saved from url=(0014)about:internet -->\n<html')],
  ])('has the same data with %s', async (_, file) => {
    expect(await inPython(file, '--trust', ISSUER)).toEqual({ verdict: 'incomplete', data: 'verified', codes: [] });
    expect(await here(file, [ISSUER])).toEqual({ verdict: 'verified', codes: [] });
    expect(await inOneFile(file)).toMatchObject({ verdict: 'incomplete', data: 'verified' });
  });

  it('is made by the person whose key the reader named, by nobody known, or by somebody else', async () => {
    const { signature, examiner } = parseChosenReport(readHtmlReport(Buffer.from(report)).data);
    const kid = signature?.kid ?? '';
    const { verifyBundleFile } = (await import(singleFile)) as {
      verifyBundleFile: (path: string, options: object) => { readonly data: string; readonly verdict: string };
    };
    const cases = [
      [`${kid}=${examiner}`, 'verified', []],
      [`${ISSUER}=${examiner}`, 'incomplete', []],
      [`${kid}=Eve`, 'failed', ['REPORT_EXAMINER_MISMATCH']],
      // Protocol R65: a name and an address of one person.
      [`${kid}=${examiner} <ada@example.com>`, 'verified', []],
      [`${kid}=Eve <eve@example.com> of ${examiner}`, 'failed', ['REPORT_EXAMINER_MISMATCH']],
    ] as const;
    for (const [named, data, codes] of cases) {
      const chosen = parseChosenReport(readHtmlReport(Buffer.from(report)).data);
      const examiners = parseExaminerKeys([named]);
      const judged = await judgeChosenReport(chosen, { crypto: nodeCrypto, trustedKids: [ISSUER], examiners });
      expect([judged.verdict, judged.problems.map(({ code }) => code)]).toEqual([data, codes]);
      expect(await inPython(report, '--trust', ISSUER, '--examiner', named)).toMatchObject({ data, codes });
      expect(verifyBundleFile(inFile(report), { trust: [ISSUER], examiners: [named] })).toMatchObject({ data });
    }
    expect((await inPython(report, '--examiner', kid)).verdict).toBe('unreadable');
  });

  it.each([
    ['the same spelling', [`${ISSUER}=Ada`, `${ISSUER}=Eve`]],
    ['two spellings', [`${ISSUER}=Ada`, `${fingerprintDigits(ISSUER).join(' ')}=Eve`]],
    ['a spelling with an organization', [`${ISSUER}@org_0123456789abcdef0123=Ada`]],
  ])('takes no key of an examiner for two persons, in %s', async (_, named) => {
    const args = named.flatMap((one) => ['--examiner', one]);
    expect(() => parseExaminerKeys(named)).toThrow(expect.objectContaining({ code: 'SHAPE_INVALID' }));
    expect((await inPython(report, ...args)).verdict).toBe('unreadable');
    const { status, stderr } = await printedBy('single-file', inFile(report), ...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining('is not KEY=PERSON')]);
  });

  it.each([
    [
      'two elements with data',
      `${report}${report.slice(report.indexOf('<script type'), report.indexOf('</script>'))}</script>`,
    ],
    ['another page', '<!doctype html><p>12</p>'],
    ['a second element with data at its head', changed('countersign-report">', 'countersign-report"><script>')],
    ['a member that nobody knows', changed('"entries":', '"entrees":')],
    ['an upper-case escape', changed('\\u003c 13', '\\u003C 13')],
    ['values that nest a level too deep within it, though not within its proof', nestingTo(257)],
  ])('is no report with %s', async (_, file) => {
    expect((await inPython(file, '--trust', ISSUER)).verdict).toBe('unreadable');
    await expect(here(file, [ISSUER])).rejects.toThrow();
    await expect(inOneFile(file)).rejects.toThrow('is not a report as Countersign writes it');
  });

  it('is one with values that nest as deep as they may, and is failed', async () => {
    const file = nestingTo(256);
    expect((await inPython(file, '--trust', ISSUER)).data).toBe('failed');
    expect((await here(file, [ISSUER])).verdict).toBe('failed');
    expect((await inOneFile(file)).data).toBe('failed');
  });
});
