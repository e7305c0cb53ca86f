// A PDF report whose pages say something else than the bundle attached to it: the bundle verifies, the pages lie.
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { nodeCrypto, resourcePath } from '../../src/node/index.ts';
import { verifyBundle } from '../../src/protocol/index.ts';
import { comparePages, verifierAttachment, writePdfReport } from '../../src/reports/pdf/index.ts';
import { makeBundle, serviceKid } from '../support/bundle-maker.ts';
import { enterWorkstation, importCase } from '../support/cases.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { writePdfWith } from '../support/reports.ts';
import { TestService } from '../support/service.ts';

const folder = temporaryFolder();
const kid = serviceKid(0);
const made = makeBundle({ agents: 2, epochs: [3, 2] });
const bundle = join(folder, 'bundle.json');
const good = join(folder, 'good.pdf');
const means = { crypto: nodeCrypto, version: packageJson.version };
let files = 0;

function keep(bytes: Uint8Array): string {
  const path = join(folder, `file-${files++}.pdf`);
  writeFileSync(path, bytes);
  return path;
}

const statusOf = async (path: string): Promise<string> => (await comparePages(path, means)).status;

/** How the verifier in one file ends, which looks at no pages. */
function singleFileExit(path: string): Promise<number> {
  const script = resourcePath('verifier', 'verify-bundle.mjs');
  return new Promise((resolve) => {
    execFile(process.execPath, [script, path, `--trust=${kid}`], (error) =>
      resolve(error === null ? 0 : Number(error.code)),
    );
  });
}

/** Where the compressed streams of a file are, but for the attached files. */
function pageStreams(pdf: Buffer): { start: number; length: number }[] {
  const found: { start: number; length: number }[] = [];
  const text = pdf.toString('latin1');
  const end = text.indexOf('/EmbeddedFile');
  for (const match of text.matchAll(/\/Length (\d+)[^>]*>>\nstream\n/g)) {
    if (match.index > end) break;
    found.push({ start: match.index + match[0].length, length: Number(match[1]) });
  }
  return found;
}

/** Takes everything that is drawn off the pages, without moving a byte of the rest of the file. */
function blanked(pdf: Buffer): Buffer {
  const altered = Buffer.from(pdf);
  let pages = 0;
  for (const { start, length } of pageStreams(pdf)) {
    let content: Buffer;
    try {
      content = inflateSync(pdf.subarray(start, start + length));
    } catch {
      continue;
    }
    if (!content.includes('BT')) continue;
    const empty = deflateSync(Buffer.alloc(content.length, ' '));
    if (empty.length > length) continue;
    // What is behind the end of a stream's data is read by no viewer.
    altered.fill(0, start, start + length);
    empty.copy(altered, start);
    pages++;
  }
  expect(pages).toBeGreaterThan(3);
  return altered;
}

describe('the pages of a PDF report', () => {
  beforeAll(async () => {
    writeFileSync(bundle, made.text);
    expect((await run('report', bundle, '--trust', kid, '-o', good)).code).toBe(0);
  });

  it('match what this version renders from the attached bundle, where nobody changed them', async () => {
    const told: [number, number][] = [];
    const onCompared = (done: number, total: number): number => told.push([done, total]);
    const found = await comparePages(good, { ...means, onCompared });
    expect(found).toEqual({ status: 'match', reason: null, version: packageJson.version });
    // The bundle is verified, then the whole file compared; the count never goes back.
    const total = made.text.length + readFileSync(good).length;
    expect(told.at(-1)).toEqual([total, total]);
    expect(told.map(([done]) => done)).toEqual(told.map(([done]) => done).toSorted((a, b) => a - b));
  });

  it('differ once their text is blanked, though the length of the file and its bundle are the same', async () => {
    const altered = blanked(readFileSync(good));
    expect(altered.length).toBe(readFileSync(good).length);
    expect(await statusOf(keep(altered))).toBe('differ');
  });

  it('never match with a single byte changed, wherever it is', async () => {
    const original = readFileSync(good);
    for (let at = 20; at < original.length; at += Math.floor(original.length / 40)) {
      const altered = Buffer.from(original);
      altered[at] = (altered[at] ?? 0) ^ 1;
      const status = await statusOf(keep(altered)).catch(() => 'refused');
      expect(status, `byte ${at}`).not.toBe('match');
    }
  });

  it('are not called the same where they say nothing of how they were made, or another version made them', async () => {
    const source = () => createReadStream(bundle);
    const report = await verifyBundle(source, { crypto: nodeCrypto, trustedKids: [kid] });
    const path = join(folder, 'bare.pdf');
    const out = createWriteStream(path);
    await writePdfReport({ source, report, maker: 'reader', version: packageJson.version, out });
    expect(await comparePages(path, means)).toMatchObject({ status: 'not_comparable', reason: 'options_missing' });
    const other = await comparePages(good, { ...means, version: '99' });
    expect(other).toMatchObject({ status: 'not_comparable', reason: 'other_version', version: packageJson.version });
  });

  it('differ where the attached options claim more trust than the pages were made with', async () => {
    const source = () => createReadStream(bundle);
    const report = await verifyBundle(source, { crypto: nodeCrypto });
    const path = join(folder, 'claims.pdf');
    const madeWith = { trustedKeys: [kid], receiptFiles: 0, otherFiles: 0 };
    const attachments = [await verifierAttachment()];
    const common = { source, report, maker: 'reader', version: packageJson.version } as const;
    await writePdfReport({ ...common, out: createWriteStream(path), attachments, madeWith });
    expect(await statusOf(path)).toBe('differ');
  });

  it('do not tell whom else their maker trusts', async () => {
    const [stranger, path] = [serviceKid(5), join(folder, 'private.pdf')];
    await run('report', bundle, '--trust', kid, '--trust', stranger, '-o', path);
    expect(await statusOf(path)).toBe('match');
    expect(readFileSync(path).equals(readFileSync(good))).toBe(true);
  });
});

describe('countersign verify', () => {
  it('says that the pages match', async () => {
    const { code, stdout } = await run('verify', good, '--trust', kid);
    expect(code).toBe(0);
    expect(stdout).toContain('The pages of this PDF match its bundle');
  });

  it('ends with 1 and says not to read pages that differ, also as JSON', async () => {
    const path = keep(blanked(readFileSync(good)));
    const { code, stdout } = await run('verify', path, '--trust', kid);
    expect(code).toBe(1);
    expect(stdout).toContain('The pages of this PDF differ: do not read them');
    const { verdict, pages } = JSON.parse((await run('verify', path, '--trust', kid, '--json')).stdout);
    expect([verdict, pages.status]).toEqual(['failed', 'differ']);
  });

  it('ends with 3 where the options say that another version made the pages, or nothing at all', async () => {
    const source = () => createReadStream(bundle);
    const report = await verifyBundle(source, { crypto: nodeCrypto, trustedKids: [kid] });
    const made: string[] = [];
    for (const [name, madeWith] of [
      ['other-version.pdf', { trustedKeys: [kid], receiptFiles: 0, otherFiles: 0 }],
      ['no-options.pdf', undefined],
    ] as const) {
      const path = join(folder, name);
      const out = createWriteStream(path);
      await writePdfReport({ source, report, maker: 'reader', version: '99.0.0', out, ...(madeWith && { madeWith }) });
      made.push(path);
    }
    for (const path of made) {
      const { code, stdout } = await run('verify', path, '--trust', kid);
      expect([code, stdout.includes('Verdict: verified')]).toEqual([3, false]);
      expect(stdout).toContain('Only the data inside this file are proven');
      const printed = JSON.parse((await run('verify', path, '--trust', kid, '--json')).stdout);
      expect(printed).toMatchObject({ verdict: 'incomplete', pages: { status: 'not_comparable' } });
      expect(await singleFileExit(path)).toBe(3);
    }
  });

  it('reads options that lie about their size as none, and prints the report of each file', async () => {
    const path = join(folder, 'hostile-options.pdf');
    await writePdfWith(path, made.text, [{}, { name: 'countersign-report-options.json', size: 1_000_000 }]);
    const { code, stdout } = await run('verify', path, good, '--trust', kid, '--json');
    const [one, other] = JSON.parse(stdout);
    expect([code, one.verdict, one.pages.reason, other.verdict]).toEqual([
      3,
      'incomplete',
      'options_missing',
      'verified',
    ]);
  });

  it.each([
    [
      'a line break at its end',
      (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('\n')]),
      'added or taken away at its end',
    ],
    [
      'the head of another program',
      (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('%\xff\xff', '%\xe2\xe3'), 'latin1'),
      'saved the file again',
    ],
  ])('names what was changed around the bundle, which gets its verdict: %s', async (_, change, named) => {
    const path = keep(change(readFileSync(good)));
    const { code, stdout } = await run('verify', path, '--trust', kid);
    expect([code, stdout.includes(named)]).toEqual([3, true]);
    expect((await run('verify', path)).code).toBe(3);
    expect(await singleFileExit(path)).toBe(3);
  });

  it('keeps a report on such a file that says incomplete, and makes it again', async () => {
    const [kept, path] = [join(folder, 'kept.json'), join(folder, 'other-version.pdf')];
    expect((await run('verify', path, '--trust', kid, '--report', kept)).code).toBe(3);
    expect(JSON.parse(readFileSync(kept, 'utf8')).report.verdict).toBe('incomplete');
    expect((await run('verify', kept, '--bundle', path)).code).toBe(0);
  });

  it('ends with 3 where an HTML page was replaced whole, and its version raised', async () => {
    const html = join(folder, 'report.html');
    expect((await run('report', bundle, '--records', '1,2', '--title', 'T', '--trust', kid, '-o', html)).code).toBe(0);
    expect((await run('verify', html, '--trust', kid)).code).toBe(0);
    const text = readFileSync(html, 'utf8');
    const end = text.indexOf('</script>');
    const lie = `${text.slice(0, end)}</script>\n<meta name="generator" content="Countersign 99.0.0">\n<p>paid 1,000,000</p>\n`;
    const path = join(folder, 'lie.html');
    writeFileSync(path, lie);
    const { code, stdout } = await run('verify', path, '--trust', kid);
    expect(code).toBe(3);
    expect(stdout).toContain('Report: incomplete');
    expect(stdout).not.toMatch(/(?:Verdict|Report): verified/);
    expect(JSON.parse((await run('verify', path, '--trust', kid, '--json')).stdout).verdict).toBe('incomplete');
    expect(await singleFileExit(path)).toBe(3);
  });

  it('says that pages made with receipts are not verified', async () => {
    const receipts = join(folder, 'receipts.jsonl');
    writeFileSync(receipts, made.receipts.map((receipt) => JSON.stringify(receipt)).join('\n'));
    const path = join(folder, 'receipts.pdf');
    await run('report', bundle, '--trust', kid, '--receipts', receipts, '-o', path);
    const { code, stdout } = await run('verify', path, '--trust', kid);
    expect(code).toBe(3);
    expect(stdout).toContain('The pages of this PDF are not verified');
    expect(stdout).toContain('receipts, other bundles or fonts');
  });
});

describe('a case made of a PDF', async () => {
  const service = await TestService.start();
  const desk = await enterWorkstation(service);
  const imported = (bytes: Buffer) => importCase(desk, { name: 'report.pdf', bytes }, { trusted_kids: [kid] });
  const reportOf = async (case_id: string) =>
    JSON.parse((await desk.send({ path: `/v1/cases/${case_id}/report.json` })).bytes.toString('utf8'));

  it('says whether the pages match, in the case and in its saved report', async () => {
    const found = await imported(readFileSync(good));
    expect(found).toMatchObject({ verdict: 'verified', kind: 'report-pdf', pages: { status: 'match' } });
    expect((await reportOf(found.case_id)).pages).toMatchObject({ status: 'match' });
  });

  it('is failed by altered pages, which it says are not to be read, though the bundle is verified', async () => {
    const found = await imported(blanked(readFileSync(good)));
    expect(found).toMatchObject({ verdict: 'failed', verdict_code: 'PAGES_DIFFER', pages: { status: 'differ' } });
    expect(found.report?.verdict).toBe('verified');
    expect((await reportOf(found.case_id)).pages.title).toContain('do not read them');
  });

  it('has nothing to say of pages where the file is a bundle', async () => {
    const found = await importCase(desk, { name: 'bundle', bytes: Buffer.from(made.text) });
    expect(found.pages).toBeNull();
    expect(await reportOf(found.case_id)).not.toHaveProperty('pages');
  });

  it('gives a PDF report whose own pages can be compared, tags and notes included', async () => {
    const found = await imported(blanked(readFileSync(good)));
    const params = { case_id: found.case_id, operation_id: made.receipts[0]?.operation_id ?? '' };
    await desk.ok('annotate', { params, body: { note: 'seen', tags: ['one'] } });
    const { bytes } = await desk.send({ path: `/v1/cases/${found.case_id}/report.pdf` });
    expect(await statusOf(keep(bytes))).toBe('match');
  });
});
