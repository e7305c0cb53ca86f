// docs/report.md, Chosen records: data, digest and signature, pages as PDF and HTML, and what is refused.
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeCrypto, nodeSigner } from '../../../src/node/index.ts';
import {
  type ChosenReport,
  chosenReportBytes,
  judgeChosenReport,
  parseChosenReport,
  publicKeyOf,
  type ReportSums,
  utf8,
} from '../../../src/protocol/index.ts';
import { outlineOf } from '../../../src/reports/chosen/index.ts';
import {
  type ChosenRequest,
  chooseRecords,
  chosenHtml,
  compareChosenPages,
  readChosenFile,
  writeChosenPdf,
} from '../../../src/reports/pdf/index.ts';
import { makeBundle, serviceKid } from '../../support/bundle-maker.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { sourceOf } from '../../support/reports.ts';

const folder = temporaryFolder();
const VERSION = '1.2.3';
const kid = serviceKid(0);
const bundle = makeBundle({ agents: 2, epochs: [3, 4] }).text;
const seed = new Uint8Array(32).fill(7);
const signer = { publicKey: publicKeyOf(seed), sign: (message: Uint8Array) => nodeSigner(seed).sign(message) };
const request: ChosenRequest = {
  title: 'What was done </script><!-- \u202e',
  question: 'Who asked?\nWhen?',
  examiner: 'Ada',
  madeAt: '2026-01-02T03:04:05.000Z',
  entries: [{ seq_no: 6, comment: 'First this.' }, { seq_no: 2 }],
  sums: {
    unit: 'actions',
    measure: 'sum',
    of: 'amount',
    by: ['payee', 'month'],
    zone: 'Europe/Berlin',
    groups: [
      { keys: ['محمد </td>', '2026-01'], amounts: [{ value: '12.30', currency: 'EUR' }], without: 0, records: [2, 6] },
      { keys: [null, '2026-01'], amounts: [], without: 1, records: [6] },
    ],
    all: { amounts: [{ value: '12.30', currency: 'EUR' }], without: 1 },
  },
  trustedKids: [kid],
};

const choose = (more: Partial<ChosenRequest> = {}) =>
  chooseRecords(sourceOf(bundle), { ...request, ...more }, nodeCrypto);
const judge = (report: ChosenReport) => judgeChosenReport(report, { crypto: nodeCrypto, trustedKids: [kid] });
const problems = async (report: ChosenReport): Promise<string[]> =>
  (await judge(report)).problems.map(({ code }) => code);

/** What a file is found to be, as `countersign verify` reads it. */
async function examined(path: string) {
  const file = (await readChosenFile(path, readFileSync(path).subarray(0, 64))) ?? expect.fail('no such report');
  const report = parseChosenReport(file.data);
  return { report, pages: await compareChosenPages(path, file, report, { crypto: nodeCrypto, version: VERSION }) };
}

async function writtenPdf(name: string, more: Partial<Parameters<typeof writeChosenPdf>[0]> = {}): Promise<string> {
  const path = join(folder, name);
  const { report } = await choose();
  await writeChosenPdf({ report, crypto: nodeCrypto, version: VERSION, out: createWriteStream(path), ...more });
  return path;
}

describe('the data of a report', () => {
  it('are verified with the keys that their maker trusts, and read back as they are', async () => {
    const { report, judgement } = await choose({ signer });
    expect(judgement).toMatchObject({ verdict: 'verified', problems: [], report: { signature: 'valid', records: 2 } });
    expect(parseChosenReport(chosenReportBytes(report))).toEqual(report);
    expect(report.trusted_keys).toEqual([kid]);
  });

  it('name nobody as trusted where their maker does not trust the issuer', async () => {
    const { report, judgement } = await choose({ trustedKids: [serviceKid(1)] });
    expect(judgement.verdict).toBe('incomplete');
    expect(report.trusted_keys).toEqual([]);
  });

  it('fail where a comment, the order, the title or the examiner was changed', async () => {
    const { report } = await choose({ signer });
    const [first, second] = report.entries;
    if (first === undefined || second === undefined) expect.fail('two entries');
    const changed: Partial<ChosenReport>[] = [
      { title: 'Another' },
      { examiner: null },
      { entries: [second, first] },
      { entries: [{ ...first, comment: 'Then this.' }, second] },
    ];
    for (const part of changed) {
      expect(await problems({ ...report, ...part })).toEqual(['REPORT_DIGEST_MISMATCH', 'REPORT_SIGNATURE_INVALID']);
    }
  });

  it('fail where what is shown is not what is proven, also with a digest to match', async () => {
    const { report } = await choose();
    expect(await problems({ ...report, entries: [{ seq_no: 6 }] })).toContain('REPORT_RECORD_NOT_SHOWN');
    expect(await problems({ ...report, entries: [{ seq_no: 6 }, { seq_no: 6 }] })).toContain('REPORT_ENTRY_UNKNOWN');
    const counted = { ...report.sums, groups: report.sums?.groups.map((group) => ({ ...group, records: [3] })) };
    expect(await problems({ ...report, sums: counted as ReportSums })).toContain('REPORT_ENTRY_UNKNOWN');
  });

  it('are refused where a member is not as it should be', async () => {
    const { report } = await choose();
    const { sums } = request;
    const wrongSums = [
      { ...sums, of: null },
      { ...sums, groups: [] },
      { ...sums, by: ['payee'] },
      { ...sums, all: { amounts: [{ value: '1e3', currency: null }], without: 0 } },
      { ...sums, measure: 'mean' },
    ].map((each) => ({ sums: each }));
    for (const part of [
      ...wrongSums,
      { title: '' },
      { entries: [] },
      { more: 1 },
      { made_at: 'today' },
      { taken_from: {} },
    ]) {
      const bytes = utf8(JSON.stringify({ ...report, ...part }));
      expect(() => parseChosenReport(bytes)).toThrow(expect.objectContaining({ code: 'SHAPE_INVALID' }));
    }
  });

  it.each([
    ['NO_SUCH_RECORD', [{ seq_no: 99 }]],
    ['COUNT_INVALID', []],
  ])('are not made: %s', async (code, entries) => {
    await expect(choose({ entries })).rejects.toMatchObject({ code });
  });
});

describe('a PDF of chosen records', () => {
  it('is made again from what is attached, byte for byte', async () => {
    const path = await writtenPdf('sound.pdf', { wholeBundle: sourceOf(bundle) });
    const { report, pages } = await examined(path);
    expect(pages?.status).toBe('match');
    expect((await judge(report)).verdict).toBe('verified');
  });

  it('shows where a page was altered', async () => {
    const path = await writtenPdf('altered.pdf');
    const bytes = readFileSync(path);
    const at = bytes.indexOf('/Title');
    bytes[at + 8] = (bytes[at + 8] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    expect((await examined(path)).pages?.status).toBe('differ');
  });

  it('is not made with another bundle than that of its records', async () => {
    const other = makeBundle({ agents: 1, epochs: [2] }).text;
    await expect(writtenPdf('other.pdf', { wholeBundle: sourceOf(other) })).rejects.toMatchObject({
      code: 'BUNDLE_CHANGED',
    });
  });

  it('is a summary of many records, and shows all of them where details are asked for', async () => {
    const few = await writtenPdf('short.pdf', { details: false });
    const whole = await writtenPdf('whole.pdf', { details: true });
    expect(readFileSync(few).length).toBeLessThan(readFileSync(whole).length);
    expect((await examined(few)).pages?.status).toBe('match');
  });

  it('has at most 8 pages for 5 records, whatever they hold, and says how much it left out', async () => {
    const lines = Array.from({ length: 1400 }, (_, n) => `line ${n} of what was read from a long file`).join('\n');
    const payload = { tool: 'read', input: 'x'.repeat(65_536), output: lines.slice(0, 65_536) };
    const large = makeBundle({ agents: 1, epochs: [5], payload }).text;
    const entries = [1, 2, 3, 4, 5].map((seq_no) => ({ seq_no, comment: 'Read this.' }));
    const { report } = await chooseRecords(sourceOf(large), { ...request, entries }, nodeCrypto);
    const made = async (name: string, options: { details?: boolean } = {}) => {
      const path = join(folder, name);
      const out = createWriteStream(path);
      const { pages } = await writeChosenPdf({ report, crypto: nodeCrypto, version: VERSION, out, ...options });
      return { path, pages };
    };
    const short = await made('large.pdf');
    expect(short.pages).toBeLessThanOrEqual(8);
    expect((await examined(short.path)).pages?.status).toBe('match');
    const whole = await made('large-whole.pdf', { details: true });
    expect(whole.pages).toBeGreaterThan(20);
    expect((await examined(whole.path)).pages?.status).toBe('match');
  });
});

describe('an HTML report', () => {
  const written = async (name: string, change: (text: string) => string = (text) => text): Promise<string> => {
    const { report } = await choose();
    const path = join(folder, name);
    writeFileSync(path, change(await chosenHtml(report, VERSION)));
    return path;
  };

  it('is made again from the data in it, byte for byte, whatever texts it holds', async () => {
    const { report, pages } = await examined(await written('sound.html'));
    expect(report.title).toBe(request.title);
    expect(pages).toMatchObject({ status: 'match', version: VERSION });
  });

  it('shows where the page around the data was altered, or another version made it', async () => {
    const differing = await written('differing.html', (text) => text.replace('<main>', '<main> '));
    expect((await examined(differing)).pages?.status).toBe('differ');
    const older = await written('older.html', (text) => text.replace(`Countersign ${VERSION}`, 'Countersign 1.0.0'));
    expect((await examined(older)).pages).toMatchObject({ status: 'not_comparable', reason: 'other_version' });
  });

  it.each<[string, (text: string) => string]>([
    ['line_ends', (text) => text.replaceAll('\n', '\r\n')],
    ['byte_order_mark', (text) => `\ufeff${text}`],
    ['byte_order_mark', (text) => `\ufeff${text.replaceAll('\n', '\r\n')}`],
    ['rewritten', (text) => ` ${text}`],
    ['rewritten', (text) => text.replace('\n', '\n<!-- saved from url=(0026)https://example.com/report -->\n')],
    [
      'rewritten',
      (text) =>
        text.replace('<meta charset="utf-8">', '<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">'),
    ],
    ['rewritten', (text) => text.replace('</script>\n<meta', '</script><meta')],
    ['rewritten', (text) => text.replace('<script type', '<script type="application/json">{}</script><script type')],
  ])(
    'has data and pages that cannot be compared where another program changed the page: %s',
    async (reason, change) => {
      const { report, pages } = await examined(await written('changed.html', change));
      expect(report).toEqual((await choose()).report);
      expect(pages).toMatchObject({ status: 'not_comparable', reason });
    },
  );

  it.each<[string, (text: string) => string]>([
    [
      'two elements with data',
      (text) => `${text}${text.slice(text.indexOf('<script type'), text.indexOf('</script>'))}</script>`,
    ],
    ['data that an element ends', (text) => text.replace('"question"', '<b></b>"question"')],
    ['no data', () => '<!doctype html><title>Report</title>'],
  ])('is refused with %s', async (name, change) => {
    const path = await written(`${name}.html`, change);
    await expect(examined(path)).rejects.toMatchObject({ name: 'ExtractError', code: 'NOT_A_REPORT' });
  });
});

describe('the outline of a payload', () => {
  it('puts what is short on one line, and what is nested below', () => {
    const value = {
      who: 'Mia',
      trips: [{ to: 'SEA', price: 76, seats: { left: [1, 2] } }],
      note: 'one\ntwo',
      none: [],
    };
    expect(outlineOf(value, { lines: 100, characters: 1000 })).toEqual({
      cut: false,
      leftOut: 0,
      lines: [
        { depth: 0, name: 'who', value: 'Mia' },
        { depth: 0, name: 'trips', value: null },
        { depth: 1, name: '1.', value: 'to: SEA, price: 76' },
        { depth: 2, name: 'seats', value: null },
        { depth: 3, name: 'left', value: '1, 2' },
        { depth: 0, name: 'note', value: 'one\ntwo' },
        { depth: 0, name: 'none', value: '(none)' },
      ],
    });
  });

  it('says where its bounds left something out', () => {
    const outline = outlineOf({ a: 'x'.repeat(50), b: 1 }, { lines: 10, characters: 20 });
    const lines = [{ name: 'a', value: `${'x'.repeat(20)} …` }];
    // Of a 30 characters, and b with its 1.
    expect(outline).toMatchObject({ cut: true, leftOut: 32, lines });
  });

  it('leaves out what takes more lines of a page than it may, and counts it', () => {
    const text = 'y\n'.repeat(100);
    const { lines, leftOut } = outlineOf({ text }, { lines: 400, characters: 24_000, rows: 10 });
    const [only] = lines;
    expect(only?.value?.split('\n')).toHaveLength(10);
    expect(leftOut).toBe(text.length - ((only?.value?.length ?? 0) - ' …'.length));
  });
});
