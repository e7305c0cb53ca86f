// docs/content-index.md, Segments.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CATEGORIES, LISTS, NUMBERS, SegmentColumns } from '../../../../src/service/search/content-index/columns.ts';
import { type RecordContent, SegmentBuilder } from '../../../../src/service/search/content-index/segment-builder.ts';
import { SegmentFile } from '../../../../src/service/search/content-index/segment-file.ts';
import { writeWithout } from '../../../../src/service/search/content-index/segment-merge.ts';
import { SegmentWriter } from '../../../../src/service/search/content-index/segment-writer.ts';
import { TermNames } from '../../../../src/service/search/content-index/term-names.ts';
import { seedOf } from '../../../support/extent.ts';
import { temporaryFolder } from '../../../support/folders.ts';
import { SeededRandom } from '../../../support/random.ts';

const SEED = seedOf(20_261_123);
const BASE = 7;
const random = new SeededRandom(SEED);
const names = new TermNames(1);
const folder = temporaryFolder();

/** Of every kind of term some that most records have, and some that one or two have. */
function contentOf(n: number): RecordContent {
  const some = (count: number): number[] => Array.from({ length: random.below(count) }, () => random.below(9));
  const text = (): string => ['common', ...some(4).map((word) => `word${word}`), `own${n >> 1}`].join(' ');
  const values = [text(), text(), n, random.below(3), random.below(2) === 0, null, `2026-11-0${1 + random.below(9)}`];
  return {
    leaves: values.map((value, i) => ({ path: ['member', `m${i % 4}`], pointer: '', value })),
    fields: [
      ['agent', `agent ${random.below(3)}`],
      ['entity', text()],
    ],
    row: {
      n,
      categories: Object.fromEntries(CATEGORIES.map((name) => [name, random.below(n)])) as never,
      lists: Object.fromEntries(LISTS.map((name) => [name, some(4)])) as never,
      numbers: Object.fromEntries(NUMBERS.map((name) => [name, random.below(4) === 0 ? Number.NaN : n])) as never,
    },
  };
}

function written(name: string, write: (writer: SegmentWriter) => void): SegmentFile {
  const path = join(folder, name);
  const writer = new SegmentWriter(path);
  write(writer);
  writer.finish();
  return new SegmentFile(path, BASE);
}

function built(name: string, contents: readonly RecordContent[]): SegmentFile {
  const builder = new SegmentBuilder(BASE, names);
  for (const content of contents) builder.add(content);
  return written(name, (writer) => builder.write(writer));
}

/** Everything that can be read from a segment. */
function everything(file: SegmentFile): unknown {
  const columns = new SegmentColumns(file);
  const terms = Array.from(file.all(), ({ term, records, bytes }) => [term, records, [...bytes]]);
  const categories = CATEGORIES.map((name) => columns.coded(name));
  const lists = LISTS.map((name) => columns.codedList(name));
  const numbers = NUMBERS.map((name) => columns.number(name));
  // As it stands in the file: a digest that no record has any more is not there either.
  const bytes = ['n', ...CATEGORIES, ...LISTS, ...NUMBERS].map((name) => [...(file.column(name) ?? [])]);
  const { ns } = columns;
  file.close();
  return { terms, ns, categories, lists, numbers, bytes };
}

it(`a segment from which records were left out is that of the others, seed ${SEED}`, () => {
  // Far apart as well, so that steps take more than one byte.
  const contents = Array.from({ length: 60 }, (_, i) => contentOf(BASE + i + (i > 40 ? 5000 * i : 0)));
  const ns = contents.map(({ row }) => row.n);
  const whole = built('whole', contents);
  const many = (share: number): number[] => ns.filter(() => random.next() < share);
  const chosen = [ns.slice(0, 1), ns.slice(-1), ns.slice(0, -1), ns.slice(1), [], many(0.1), many(0.5), many(0.9)];
  for (const [i, gone] of chosen.entries()) {
    const set = new Set([...gone, 3, 1e9]);
    const left = written(`left-${i}`, (writer) => writeWithout(whole, new SegmentColumns(whole), set, writer));
    const others = contents.filter(({ row }) => !set.has(row.n));
    expect(everything(left)).toEqual(everything(built(`built-${i}`, others)));
  }
  whole.close();
});
