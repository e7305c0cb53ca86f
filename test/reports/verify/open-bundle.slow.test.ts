import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BundleSource } from '../../../src/protocol/index.ts';
import {
  type BundleInput,
  DamagedArchive,
  ExtractError,
  openBundle,
  verifyBundle,
} from '../../../src/reports/verify/index.ts';
import { makeBundle, serviceKid } from '../../support/bundle-maker.ts';
import { honest } from '../../support/dishonest.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { textOf, writeReport } from '../../support/reports.ts';

const folder = temporaryFolder();
const trustedKids = [serviceKid(0)];
const plain = Buffer.from(honest.text);
const packed = gzipSync(plain);
let pdf: Buffer;

beforeAll(async () => {
  await writeReport(join(folder, 'report.pdf'), honest.text);
  pdf = readFileSync(join(folder, 'report.pdf'));
});

/** A function that reads a file again with each call. */
function streamOf(bytes: Uint8Array): BundleSource {
  const path = join(folder, `file-${bytes.length}`);
  writeFileSync(path, bytes);
  return () => createReadStream(path, { highWaterMark: 3 });
}

const blobOf = (bytes: Uint8Array): Blob => new Blob([new Uint8Array(bytes)]);

describe('a bundle', () => {
  it.each<[string, 'none' | 'gzip' | 'report', () => BundleInput]>([
    ['plain bytes', 'none', () => plain],
    ['a plain Blob', 'none', () => blobOf(plain)],
    ['a plain stream', 'none', () => streamOf(plain)],
    ['gzip bytes', 'gzip', () => packed],
    ['a gzip Blob', 'gzip', () => blobOf(packed)],
    ['a gzip stream', 'gzip', () => streamOf(packed)],
    ['the bytes of a report', 'report', () => pdf],
    ['a Blob of a report', 'report', () => blobOf(pdf)],
  ])('comes out of %s as it is, as often as it is read', async (_, container, input) => {
    const opened = await openBundle(input());
    expect(opened.container).toBe(container);
    for (const _reading of [1, 2]) expect(await textOf(opened.source)).toBe(honest.text);
    expect((await verifyBundle(input(), { trustedKids })).verdict).toBe('verified');
  });

  it('comes out whole where it is larger than what is read or unpacked at once', async () => {
    const { text } = makeBundle({ epochs: [260] });
    const compressed = gzipSync(text);
    expect(text.length).toBeGreaterThan(256 * 1024);
    expect(compressed.length).toBeGreaterThan(3 * 8 * 1024);
    await writeReport(join(folder, 'large.pdf'), text);
    for (const input of [Buffer.from(text), compressed, readFileSync(join(folder, 'large.pdf'))]) {
      expect(await textOf((await openBundle(blobOf(input))).source)).toBe(text);
    }
  });

  it('is told apart by its beginning alone', async () => {
    let chunks = 0;
    await openBundle(function* () {
      for (; chunks < 100; chunks++) yield plain.subarray(3 * chunks, 3 * chunks + 3);
    });
    expect(chunks).toBe(1);
  });

  it('is not found in a PDF that is given as a function, is no report, or was damaged', async () => {
    await expect(openBundle(streamOf(pdf))).rejects.toThrow(TypeError);
    await expect(openBundle(Buffer.from('%PDF-1.7\nnothing else'))).rejects.toThrow(ExtractError);
    const damaged = Buffer.from(pdf);
    const at = pdf.indexOf('stream\n', pdf.indexOf('/EmbeddedFile')) + 40;
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    await expect(verifyBundle(damaged, { trustedKids })).rejects.toMatchObject({ code: 'ATTACHMENT_DAMAGED' });
  });

  it('is refused where its archive is damaged or ends too early', async () => {
    const damaged = Buffer.from(packed);
    damaged[packed.length >> 1] = (damaged[packed.length >> 1] ?? 0) ^ 0xff;
    for (const bytes of [packed.subarray(0, -20), damaged]) {
      await expect(verifyBundle(bytes)).rejects.toThrow(DamagedArchive);
    }
  });

  it('is told apart from a source that fails: its error comes as it is', async () => {
    const failure = new TypeError('the disk is gone');
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield packed.subarray(0, 30);
      throw failure;
    }
    await expect(verifyBundle(failing)).rejects.toBe(failure);
  });

  it('that is short or empty is no bundle, and no error', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('{'), packed.subarray(0, 1)]) {
      expect(await verifyBundle(bytes)).toMatchObject({ recognised: false, verdict: 'failed' });
    }
  });
});
