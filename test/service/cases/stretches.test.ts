// Where the stretches of a run are: docs/decisions/0095-archive.md, 0097-archive-search.md.
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { NoStretches, stretchesOf, unpackStretch } from '../../../src/service/cases/archived/stretches.ts';

const LINES = Array.from({ length: 40 }, (_, n) => `{"n":${n},"text":"größe 数"},\n`);

/** A gzip member of pieces, each of which ends with a full flush, as runs have it. */
function flushedAfter(pieces: readonly string[]): Buffer {
  const whole = gzipSync(pieces.join(''));
  const packed = pieces.map((piece, at) =>
    deflateRawSync(piece, {
      finishFlush: at === pieces.length - 1 ? constants.Z_FINISH : constants.Z_FULL_FLUSH,
    }),
  );
  return Buffer.concat([whole.subarray(0, 10), ...packed, whole.subarray(-8)]);
}

/** Reads a file in chunks of so many bytes. */
async function found(file: Buffer, chunk: number) {
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < file.length; at += chunk) yield file.subarray(at, at + chunk);
  };
  const all = [];
  for await (const stretch of stretchesOf(chunks())) all.push(stretch);
  return all;
}

const CHUNKS = [1, 3, 10, 64, 1000, 1_000_000];

describe.each(CHUNKS)('the stretches of a run that comes in chunks of %i bytes', (chunk) => {
  const pieces = [0, 10, 20, 30].map((from) => LINES.slice(from, from + 10).join(''));
  const run = flushedAfter([...pieces, '']);

  it('are found in its bytes, and each is unpacked alone', async () => {
    const all = await found(run, chunk);
    expect(all.map(({ firstLine }) => firstLine)).toEqual([1, 11, 21, 31]);
    expect(all.map(({ text }) => String(text))).toEqual(pieces);
    expect(all.map(({ offset, bytes }) => String(unpackStretch(run.subarray(offset, offset + bytes))))).toEqual(pieces);
  });

  it('go on over such bytes within a line', async () => {
    const [first = '', ...others] = pieces;
    const all = await found(flushedAfter([first.slice(0, 15), first.slice(15), ...others, '']), chunk);
    expect(all.map(({ firstLine }) => firstLine)).toEqual([1, 11, 21, 31]);
  });

  it.each([
    ['that another program packed', gzipSync(LINES.join(''))],
    ['with a changed sum', Buffer.concat([run.subarray(0, -8), Buffer.alloc(8, 1)])],
    ['cut off', run.subarray(0, run.length / 2)],
    // Each would have all before it unpacked once more.
    ['that is flushed in the middle of its lines, again and again', flushedAfter([...LINES.join(''), ''])],
    ['of nothing', Buffer.alloc(0)],
  ])('are none of a file %s', async (_, file) => {
    await expect(found(file, chunk)).rejects.toBeInstanceOf(NoStretches);
  });
});
