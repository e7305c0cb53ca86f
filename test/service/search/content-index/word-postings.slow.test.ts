// docs/content-index.md, Segments.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { ByteReader } from '../../../../src/service/search/content-index/byte-writer.ts';
import { SegmentFile } from '../../../../src/service/search/content-index/segment-file.ts';
import { SegmentWriter } from '../../../../src/service/search/content-index/segment-writer.ts';
import { WordPostings } from '../../../../src/service/search/content-index/word-postings.ts';
import { temporaryFolder } from '../../../support/folders.ts';

/** The entries of a list: record and place. */
function entriesOf(bytes: Uint8Array): [n: number, place: number][] {
  const reader = new ByteReader(bytes);
  const entries: [number, number][] = [];
  for (let [n, place] = [0, 0]; !reader.done; entries.push([n, place])) {
    const head = reader.varint();
    if (head % 2 === 0) place += head / 2;
    else [n, place] = [n + (head - 1) / 2, reader.varint()];
  }
  return entries;
}

it('keeps every place of each of many words, in the order of words', () => {
  // The table grows several times, and is as full in the end as it gets: some words find no slot near theirs.
  const scattered = (n: number) => createHash('sha1').update(`${n}`).digest('hex').slice(0, 9);
  const wordsOf = (n: number) => [scattered(n % 32_000), 'the', `ж${n % 7}`, 'the'];
  const postings = new WordPostings();
  const wanted = new Map<string, [number, number][]>();
  for (let n = 0; n < 64_000; n++) {
    postings.record(n * 3);
    const text = wordsOf(n).join(' ');
    let start = 0;
    for (const [place, word] of wordsOf(n).entries()) {
      postings.add(text, start, start + word.length, place * 2);
      start += word.length + 1;
      const entries = wanted.get(word) ?? [];
      wanted.set(word, entries);
      entries.push([n * 3, place * 2]);
    }
  }
  const path = join(temporaryFolder(), 'segment');
  const writer = new SegmentWriter(path);
  postings.write('w', writer);
  writer.finish();
  const file = new SegmentFile(path, 0);
  const found = Array.from(file.all(), ({ term, records, bytes }) => [term, records, entriesOf(bytes)] as const);
  file.close();
  expect(found.map(([term]) => term)).toEqual([...wanted.keys()].map((word) => `w${word}`).sort());
  const differing = found.filter(([term, records, entries]) => {
    const of = wanted.get(term.slice(1)) ?? [];
    return records !== new Set(of.map(([n]) => n)).size || JSON.stringify(entries) !== JSON.stringify(of);
  });
  expect(differing).toEqual([]);
});

it('takes little more than their units for long words that are all different', async () => {
  const at = (path: string): string =>
    new URL(`../../../../src/service/search/content-index/${path}`, import.meta.url).href;
  const path = join(temporaryFolder(), 'segment');
  const program = `
    const { createHash } = await import('node:crypto');
    const { WordPostings } = await import(${JSON.stringify(at('word-postings.ts'))});
    const { SegmentWriter } = await import(${JSON.stringify(at('segment-writer.ts'))});
    const postings = new WordPostings();
    postings.record(0);
    for (let n = 0; n < 100_000; n++) postings.add(createHash('sha256').update(String(n)).digest('hex'), 0, 64, n);
    const writer = new SegmentWriter(${JSON.stringify(path)});
    postings.write('w', writer);
    writer.finish();
  `;
  // The thread that indexes has 512 MB, for whatever a step of it reads.
  const limits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), { resourceLimits: limits });
  expect(await once(worker, 'exit')).toEqual([0]);
  const file = new SegmentFile(path, 0);
  expect([...file.all()]).toHaveLength(100_000);
  file.close();
});
