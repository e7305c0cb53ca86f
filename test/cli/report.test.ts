import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openAttachedBundle } from '../../src/reports/pdf/index.ts';
import { makeBundle, serviceKid } from '../support/bundle-maker.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { textOf } from '../support/reports.ts';

const folder = temporaryFolder();
const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const made = makeBundle({ agents: 2, epochs: [3, 2] });
const kid = serviceKid(0);
const bundle = file('bundle.json', made.text);
const altered = file('altered.json', made.text.replace('"file 4"', '"file 9"'));
const receipts = file('receipts.jsonl', made.receipts.map((receipt) => JSON.stringify(receipt)).join('\n'));
let reports = 0;
const fresh = (): string => join(folder, `report-${reports++}.pdf`);

describe('countersign report', () => {
  it.each<[number, string, string[]]>([
    [0, 'verified', [bundle, '--trust', kid]],
    [1, 'failed', [altered, '--trust', kid]],
    [3, 'incomplete', [bundle]],
    [0, 'verified, packed', [file('bundle.json.gz', gzipSync(made.text)), '--trust', kid]],
    [
      0,
      'verified, with receipts and another bundle',
      [bundle, '--trust', kid, '--receipts', receipts, '--against', bundle],
    ],
  ])('ends with %i and leaves a report: %s', async (code, _, args) => {
    const path = fresh();
    const ended = await run('report', ...args, '-o', path);
    expect(ended.code).toBe(code);
    expect(ended.stdout).toContain('the bundle attached');
    expect(existsSync(`${path}.part`)).toBe(false);
    const again = await run('verify', path, ...args.slice(1));
    const comparable = !args.includes('--receipts');
    expect(again.code).toBe(comparable ? code : 3);
    expect(again.stdout).toContain(
      comparable ? 'The pages of this PDF match its bundle' : 'The pages of this PDF are not verified',
    );
    expect(await textOf((await openAttachedBundle(path)).source)).toBe(
      args[0] === altered ? readFileSync(altered, 'utf8') : made.text,
    );
  });

  it('makes a report of the bundle in a report', async () => {
    const [first, second] = [fresh(), fresh()];
    await run('report', bundle, '--trust', kid, '--out', first);
    expect((await run('report', first, '--trust', kid, '--out', second)).code).toBe(0);
    expect(readFileSync(second).equals(readFileSync(first))).toBe(true);
  });

  it('overwrites nothing unless told so, and never the bundle', async () => {
    const path = file('precious.pdf', 'precious');
    const refused = await run('report', bundle, '-o', path);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--force');
    expect(readFileSync(path, 'utf8')).toBe('precious');
    expect((await run('report', bundle, '-o', path, '--force')).code).toBe(3);
    expect(readFileSync(path, 'latin1').startsWith('%PDF-1.7')).toBe(true);
    expect((await run('report', bundle, '-o', bundle, '--force')).code).toBe(2);
    expect(readFileSync(bundle, 'utf8')).toBe(made.text);
  });

  it.each<[string, () => string[], string]>([
    ['without a bundle', () => ['-o', fresh()], 'name one bundle'],
    ['without a place to write to', () => [bundle], '-o FILE.pdf'],
    ['of two bundles', () => [bundle, altered, '-o', fresh()], 'name one bundle'],
    ['of a file that is not there', () => [join(folder, 'no'), '-o', fresh()], 'there is no such file'],
    ['of something else', () => [file('else.txt', 'hello'), '-o', fresh()], 'is not a bundle'],
    ['of a PDF without a bundle', () => [file('else.pdf', '%PDF-1.7\n%%EOF\n'), '-o', fresh()], 'is a PDF that'],
    ['into a folder that is not there', () => [bundle, '-o', join(folder, 'no', 'report.pdf')], 'cannot be written'],
  ])('ends with 2 and leaves nothing %s', async (_, args, sentence) => {
    const given = args();
    const before = readdirSync(folder).length;
    const { code, stderr } = await run('report', ...given);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(readdirSync(folder).length).toBe(before);
  });
});

describe('countersign verify of a PDF', () => {
  it('whose bundle is damaged ends with 2 and a sentence', async () => {
    const path = fresh();
    await run('report', bundle, '-o', path);
    const bytes = readFileSync(path);
    const at = bytes.indexOf('stream', bytes.indexOf('/EmbeddedFile')) + 40;
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    const { code, stderr } = await run('verify', file('damaged.pdf', bytes));
    expect(code).toBe(2);
    expect(stderr).toContain('the attached bundle is damaged');
  });

  it('that is cut off ends with 2 and a sentence', async () => {
    const path = fresh();
    await run('report', bundle, '-o', path);
    const { code, stderr } = await run('verify', file('cut.pdf', readFileSync(path).subarray(0, -200)));
    expect(code).toBe(2);
    expect(stderr).toContain('ends too early');
  });
});
