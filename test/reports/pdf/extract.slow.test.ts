import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedFile } from '../../../src/reports/pdf/document/attachment.ts';
import { ExtractError, MAX_BUNDLE_BYTES, openAttachedBundle } from '../../../src/reports/pdf/index.ts';
import { makeBundle } from '../../support/bundle-maker.ts';
import { runs } from '../../support/extent.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { textOf, writePdfWith, writeReport } from '../../support/reports.ts';

const folder = temporaryFolder();
const bundle = makeBundle({ epochs: [3] }).text;
const path = join(folder, 'report.pdf');
let pdf: Buffer;

beforeAll(async () => {
  await writeReport(path, bundle);
  pdf = readFileSync(path);
});

let files = 0;
function file(bytes: Uint8Array | string): string {
  const name = join(folder, `hostile-${files++}.pdf`);
  writeFileSync(name, bytes);
  return name;
}

async function extract(name: string): Promise<string> {
  const { source } = await openAttachedBundle(name);
  return textOf(source);
}

/** A PDF that is not a report, with these attachments. */
async function pdfWith(attachments: readonly Partial<EmbeddedFile>[]): Promise<string> {
  const name = join(folder, `attachments-${files++}.pdf`);
  await writePdfWith(name, bundle, attachments);
  return name;
}

/** Replaces text where it stands last, by text of the same length, so that the table of objects stays right. */
function lastPatched(from: string, to: string): string {
  const at = pdf.lastIndexOf(from);
  expect(at).toBeGreaterThan(0);
  const changed = Buffer.from(pdf);
  changed.write(to.padEnd(from.length), at, 'latin1');
  return file(changed);
}

/** The same, where the text stands first. */
function firstPatched(from: string, to: string): string {
  const at = pdf.indexOf(from);
  expect(at).toBeGreaterThan(0);
  const changed = Buffer.from(pdf);
  changed.write(to.padEnd(from.length), at, 'latin1');
  return file(changed);
}

/** `/UF` of the bundle's specification names another object than `/F`. */
async function otherForUnicode(): Promise<string> {
  const [whole = '', number = ''] = /\/UF (\d+) 0 R/.exec(pdf.toString('latin1')) ?? [];
  return firstPatched(whole, `/UF ${Number(number) - 1} 0 R`);
}

/** A member of the first page's dictionary becomes one that hides a file. */
async function pageWithFile(): Promise<string> {
  const found = /\/MediaBox \[[^\]]*\]/.exec(pdf.toString('latin1'))?.[0] ?? expect.fail('a page has a media box');
  return firstPatched(found, '/A[<</EF 1>>]');
}

describe('a bundle is taken out of', () => {
  it('a report', async () => {
    expect(await extract(path)).toBe(bundle);
  });

  it('any PDF that carries it under its name, for the pages do not count', async () => {
    expect(await extract(await pdfWith([{ name: 'other.txt', read: () => [Buffer.from('x')] }, {}]))).toBe(bundle);
  });
});

describe('a bundle is taken out of a report that another program changed, which is named:', () => {
  /** An update at the end of the file (ISO 32000-1 §7.5.6): the object with the producer once more, and a table with it alone. */
  const updated = (): Buffer => {
    const text = pdf.toString('latin1');
    const [, info = ''] = /\/Info (\d+) 0 R/.exec(text) ?? [];
    const [trailer = ''] = /(?<=trailer\n)<<[\s\S]*?>>(?=\nstartxref)/.exec(text) ?? [];
    const [, table = ''] = /startxref\n(\d+)\n/.exec(text) ?? [];
    const object = `${info} 0 obj\n<< /Producer (Another) >>\nendobj\n`;
    const entries = `xref\n${info} 1\n${String(pdf.length).padStart(10, '0')} 00000 n \n`;
    const at = pdf.length + object.length;
    const end = `trailer\n${trailer.slice(0, -2)}/Prev ${table} >>\nstartxref\n${at}\n%%EOF\n`;
    return Buffer.concat([pdf, Buffer.from(`${object}${entries}${end}`, 'latin1')]);
  };

  it.each<[string, string, () => Buffer]>([
    [
      'end_changed',
      'bytes between its trailer and its end',
      () => Buffer.from(pdf.toString('latin1').replace(/(?=\nstartxref\n\d+\n%%EOF\n$)/, '\nstar>]\n>>'), 'latin1'),
    ],
    ['end_changed', 'a line break at its end', () => Buffer.concat([pdf, Buffer.from('\n')])],
    ['end_changed', 'bytes at its end', () => Buffer.concat([pdf, Buffer.alloc(512)])],
    ['end_changed', 'its end, once more', () => Buffer.concat([pdf, pdf.subarray(-40)])],
    ['end_changed', 'no line break at its end', () => pdf.subarray(0, -1)],
    ['rewritten', 'an update', updated],
    [
      'rewritten',
      'another program’s head',
      () => Buffer.from(pdf.toString('latin1').replace('%\xff\xff\xff\xff', '%\xbf\xf7\xa2\xfe'), 'latin1'),
    ],
  ])('%s: %s', async (change, _, make) => {
    const opened = await openAttachedBundle(file(make()));
    expect([await textOf(opened.source), opened.change]).toEqual([bundle, change]);
  });

  it('none, where nobody changed it', async () => {
    expect((await openAttachedBundle(path)).change).toBeNull();
  });
});

describe('nothing is taken out of', () => {
  it.each<[string, () => Promise<string>, string]>([
    ['a PDF without attachments', () => pdfWith([]), 'NO_BUNDLE'],
    ['a PDF with another attachment', () => pdfWith([{ name: 'invoice.xml' }]), 'NO_BUNDLE'],
    ['an attachment larger than it says', () => pdfWith([{ size: 100 }]), 'ATTACHMENT_DAMAGED'],
    ['an attachment smaller than it says', () => pdfWith([{ size: 1_000_000 }]), 'ATTACHMENT_DAMAGED'],
    ['an attachment with another checksum', () => pdfWith([{ md5: new Uint8Array(16) }]), 'ATTACHMENT_DAMAGED'],
    ['an attachment beyond all sizes', () => pdfWith([{ size: MAX_BUNDLE_BYTES + 1 }]), 'NO_BUNDLE'],
    [
      'a PDF of another make',
      async () => file('%PDF-1.7\n1 0 obj\n<<>>\nendobj\nstartxref\n0\n%%EOF\n'),
      'NOT_A_REPORT',
    ],
    ['a PDF of several versions', async () => lastPatched('/Info', '/Prev'), 'NOT_A_REPORT'],
    ['a table of objects that is elsewhere', async () => lastPatched('\nxref\n', '\nxxef\n'), 'NOT_A_REPORT'],
    // What follows is one file to this reader and another to those that read on: see protocol R51.
    [
      'decoding that only some programs do',
      async () => lastPatched('/Subtype /application#2fjson', '/DecodeParms << >>'),
      'NOT_A_REPORT',
    ],
    [
      'a second list of attachments',
      async () => firstPatched('/EmbeddedFiles <<\n  /Names', '/EmbeddedFiles <<\n  /Kids '),
      'NOT_A_REPORT',
    ],
    ['a name in the list and another in the specification', async () => lastPatched('/UF (', '/UF <'), 'NOT_A_REPORT'],
    ['another file for programs that read Unicode', otherForUnicode, 'NOT_A_REPORT'],
    ['a table of objects for newer programs', async () => lastPatched('/Info', '/XRef'), 'NOT_A_REPORT'],
    ['a file attached to a page', async () => pageWithFile(), 'NOT_A_REPORT'],
    [
      'a chain of filters',
      async () => lastPatched('/Filter /FlateDecode /Length ', '/Filter[/FlateDecode]/Length '),
      'NOT_A_REPORT',
    ],
  ])('%s', async (_, make, code) => {
    const name = await make();
    await expect(extract(name)).rejects.toMatchObject({ name: 'ExtractError', code });
  });

  it('an attachment that unpacks to far more than it says, of which no more is read', async () => {
    const zeros = Buffer.alloc(8 * 1024 * 1024);
    function* bomb() {
      for (let i = 0; i < 32; i++) yield zeros;
    }
    const name = await pdfWith([{ read: bomb, size: 4096 }]);
    const { source } = await openAttachedBundle(name);
    let total = 0;
    await expect(async () => {
      for await (const chunk of source()) total += chunk.length;
    }).rejects.toMatchObject({ code: 'ATTACHMENT_DAMAGED' });
    expect(total).toBeLessThanOrEqual(4096);
  });

  it('a report that is cut off, wherever that is', async () => {
    for (let share = 0; share < 40; share++) {
      const name = file(pdf.subarray(0, Math.floor((pdf.length * share) / 40)));
      await expect(extract(name)).rejects.toBeInstanceOf(ExtractError);
    }
    await expect(extract(file(pdf.subarray(0, -2)))).rejects.toBeInstanceOf(ExtractError);
  });

  it('a report with any byte changed, unless it is the bundle all the same', async () => {
    // The last part holds the attachment, the catalog and the table of objects.
    const from = pdf.indexOf('/EmbeddedFile');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: from, max: pdf.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const changed = Buffer.from(pdf);
          changed[at] = (changed[at] ?? 0) ^ by;
          try {
            expect(await extract(file(changed))).toBe(bundle);
          } catch (error) {
            expect(error).toBeInstanceOf(ExtractError);
          }
        },
      ),
      runs(300),
    );
  });

  it('random bytes that begin and end as a PDF does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.nat(500), async (bytes, at) => {
        const name = file(Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes, Buffer.from(`startxref\n${at}\n%%EOF\n`)]));
        await expect(extract(name)).rejects.toBeInstanceOf(ExtractError);
      }),
      runs(),
    );
  });

  it('a value nested without end', async () => {
    const object = `1 0 obj\n${'['.repeat(60_000)}`;
    const head = `%PDF-1.7\n${object}\n`;
    const entry = `${String(9).padStart(10, '0')} 00000 n \n`;
    const table = `xref\n0 2\n0000000000 65535 f \n${entry}trailer\n<<\n/Root 1 0 R\n>>\n`;
    const name = file(`${head}${table}startxref\n${head.length}\n%%EOF\n`);
    await expect(extract(name)).rejects.toMatchObject({ code: 'NOT_A_REPORT' });
  });
});
