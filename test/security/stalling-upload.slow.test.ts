import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeBundle } from '../support/bundle-maker.ts';
import { enterWorkstation, importCase, uploadOf } from '../support/cases.ts';
import { parsedHere } from '../support/parsed-here.ts';
import { TestService } from '../support/service.ts';

const service = await TestService.start();
const desk = await enterWorkstation(service);
const { text } = makeBundle({ agents: 1, epochs: [1] });
const begin = text.slice(0, text.indexOf('"records":[') + '"records":['.length);

/** A bundle of some kilobytes whose records are millions, of which none can be read. */
function unreadable(millions: number): Buffer {
  return gzipSync(`${begin}${'{},'.repeat(millions * 1_000_000)}`);
}

describe('an upload of a few kilobytes that holds millions of unreadable records', () => {
  const files = {
    compressed: unreadable(3),
    plain: Buffer.from(`${begin}${'{},'.repeat(50_000)}`),
  };

  it.each(Object.entries(files))('is looked at beside the thread that answers (%s)', async (name, bytes) => {
    // The first one starts a thread.
    await uploadOf(desk, { name: 'sound', bytes: gzipSync(text) });
    const { calls } = await parsedHere(async () => {
      const upload = await uploadOf(desk, { name, bytes });
      // What stands before the records is told all the same.
      expect(upload.claims?.org_id).toBe(JSON.parse(`${begin}]}`).org.org_id);
    });
    expect(calls).toBeLessThan(100);
  });

  it('ends its import at the number of records that cannot be read', async () => {
    const { state, failure } = await importCase(desk, { name: 'unreadable', bytes: unreadable(3) });
    expect({ state, code: failure?.code }).toEqual({ state: 'failed', code: 'FILE_DAMAGED' });
    expect(failure?.message).toContain('10000 of its records cannot be read');
  });

  it('ends its import in time also where the end of the compression is missing', async () => {
    const bytes = unreadable(3);
    const { failure } = await importCase(desk, { name: 'cut off', bytes: bytes.subarray(0, bytes.length - 100) });
    expect(failure?.code).toBe('FILE_DAMAGED');
  });
});

describe('a file that unpacks to far more than it is', () => {
  it('is given up at a hundred times its size, not at that of the largest file', async () => {
    const bytes = gzipSync(Buffer.alloc(100_000_000, 0x20));
    const { state, failure } = await importCase(desk, { name: 'blanks', bytes });
    expect({ state, code: failure?.code }).toEqual({ state: 'failed', code: 'FILE_TOO_LARGE' });
  });
});
