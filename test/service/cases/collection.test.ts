// Protocol R80 to R82: a collection is read as it was made, and refused where anything but the words of its manifest changed.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CaseRefused } from '../../../src/service/cases/case-source.ts';
import { collect } from '../../../src/service/cases/collection/collect.ts';
import { checkDigests, isCollection, openCollection } from '../../../src/service/cases/collection/read-collection.ts';
import { runs } from '../../support/extent.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { claudeHome, put } from '../../support/found-home.ts';

const folder = temporaryFolder();
const { signal } = new AbortController();
const home = claudeHome(join(folder, 'a'));
const path = join(folder, 'collection');
const collecting = { by: 'ada', host: null, at: Date.UTC(2026, 10, 27) };
const manifest = await collect({ ...collecting, roots: [home] }, path, { signal });
const bytes = readFileSync(path);
/** Where the manifest ends: what stands behind it is exactly one thing. */
const behind = 512 + Math.ceil(Number.parseInt(bytes.toString('latin1', 124, 135), 8) / 512) * 512;

/** Why bytes are no collection; null where they are one. */
async function refusalOf(changed: Uint8Array): Promise<string | null> {
  const other = join(folder, 'changed');
  writeFileSync(other, changed);
  try {
    await checkDigests(await openCollection(other), signal);
    return null;
  } catch (error) {
    if (error instanceof CaseRefused) return error.code;
    throw error;
  }
}

describe('a collection', () => {
  it('has each file with its path, size and digest, and the same bytes each time', async () => {
    const again = join(folder, 'again');
    await collect({ ...collecting, roots: [home] }, again, { signal });
    expect(readFileSync(again)).toEqual(bytes);
    expect(isCollection(bytes)).toBe(true);
    const { files } = await openCollection(path);
    for (const { path: found, bytes: size, offset } of files) {
      expect(statSync(found).size).toBe(size);
      expect(bytes.subarray(offset, offset + size)).toEqual(readFileSync(found));
    }
    expect(manifest.files).toHaveLength(2);
  });

  it('is refused where a byte behind its manifest is another, is missing or is too much', async () => {
    const at = fc.integer({ min: behind, max: bytes.length - 1 });
    await fc.assert(
      fc.asyncProperty(
        at,
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom('turn', 'cut', 'add'),
        async (n, by, how) => {
          const changed = Buffer.from(bytes);
          changed[n] = (changed[n] ?? 0) ^ by;
          const made = { turn: changed, cut: bytes.subarray(0, n), add: Buffer.concat([bytes, Buffer.from([by])]) }[
            how
          ];
          expect(await refusalOf(made)).toMatch(/^FILE_(?:DAMAGED|CUT_OFF)$/);
        },
      ),
      runs(60),
    );
  });

  it('never ends otherwise than with a refusal, whatever its manifest is', async () => {
    const at = fc.integer({ min: 0, max: behind - 1 });
    await fc.assert(
      fc.asyncProperty(at, fc.uint8Array({ minLength: 1, maxLength: 32 }), async (n, junk) => {
        const changed = Buffer.from(bytes);
        changed.set(junk.subarray(0, bytes.length - n), n);
        await refusalOf(changed);
      }),
      runs(60),
    );
  });
});

describe('collecting', () => {
  it('leaves out folders that are too deep, and says so', async () => {
    const deep = join(folder, 'deep', ...Array.from({ length: 70 }, () => 'd'));
    mkdirSync(deep, { recursive: true });
    put(deep, 's.jsonl', readFileSync(manifest.files[0]?.path ?? '', 'utf8'));
    const wanted = collect({ ...collecting, roots: [join(folder, 'deep')] }, join(folder, 'out'), { signal });
    await expect(wanted).rejects.toMatchObject({ code: 'NOTHING_FOUND', message: expect.stringContaining('TOO_DEEP') });
  });

  it('takes what is in folders that are called as those of the system are', async () => {
    const whole = readFileSync(manifest.files[0]?.path ?? '', 'utf8');
    const paths = ['dev', 'proc', 'sys'].map((name) => put(join(folder, 'named', name), 's.jsonl', whole));
    const { files } = await collect({ ...collecting, roots: [join(folder, 'named')] }, join(folder, 'out'), { signal });
    expect(files.map(({ path: found }) => found)).toEqual(paths);
  });

  it('ends where it is told to', async () => {
    const controller = new AbortController();
    controller.abort(new Error('stop'));
    const out = join(folder, 'stopped');
    await expect(collect({ ...collecting, roots: [home] }, out, controller)).rejects.toThrow('stop');
    expect(() => statSync(out)).toThrow('ENOENT');
    expect(() => statSync(`${out}.part`)).toThrow('ENOENT');
  });
});
