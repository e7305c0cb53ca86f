import { Bits } from './bits.ts';
import { ByteWriter } from './byte-writer.ts';
import { encodeColumns, SegmentColumns } from './columns.ts';
import { mergedColumns } from './merged-columns.ts';
import { leaveOut, mergePostings } from './postings.ts';
import type { FoundTerm, SegmentFile } from './segment-file.ts';
import { findEntry } from './segment-format.ts';
import type { SegmentWriter } from './segment-writer.ts';
import { TermReader } from './term-reader.ts';

/**
 * Writes a segment without some of its records. Blocks in which these are not are copied as they stand, and of the others the
 * lists in which these are not.
 */
export function writeWithout(
  segment: SegmentFile,
  columns: SegmentColumns,
  gone: ReadonlySet<number>,
  writer: SegmentWriter,
): void {
  const { base } = segment;
  const marked = new Bits((columns.ns.at(-1) ?? base) - base + 1);
  for (const n of columns.ns) if (gone.has(n)) marked.add(n - base);
  const out = new ByteWriter();
  for (const block of segment.blocks()) {
    const { terms, postings: bytes } = block;
    const first = findEntry(terms, (kind, from, to) => leaveOut(kind, { bytes, from, to }, marked, out) > 0);
    if (first < 0) {
      writer.block(block);
      continue;
    }
    const reader = new TermReader(terms);
    for (let entry = 0; reader.next(); entry++) {
      const { records, at: from } = reader;
      const text = reader.text();
      const to = from + reader.size;
      out.clear();
      const left = entry < first ? 0 : leaveOut(text.charAt(0), { bytes, from, to }, marked, out);
      if (left === 0) writer.add(text, records, bytes, from, to);
      else if (left < records) writer.add(text, records - left, out.view());
    }
  }
  const isLeft = (n: number): boolean => !gone.has(n);
  encodeColumns(mergedColumns([columns], isLeft), base, (name, bytes) => writer.column(name, bytes));
}

interface Input {
  readonly terms: Generator<FoundTerm>;
  head: FoundTerm | undefined;
}

/** Writes segments as one; no record is in two of them. @param base at most the number of their first record */
export function mergeSegments(segments: readonly SegmentFile[], base: number, writer: SegmentWriter): void {
  const inputs = segments.map((segment): Input => {
    const terms = segment.all();
    return { terms, head: terms.next().value };
  });
  const out = new ByteWriter();
  for (;;) {
    let term: string | undefined;
    for (const { head } of inputs) if (head !== undefined && (term === undefined || head.term < term)) term = head.term;
    if (term === undefined) break;
    const same = inputs.filter(({ head }) => head?.term === term);
    out.clear();
    const lists = same.flatMap(({ head }) => head ?? []);
    const records = mergePostings(term.charAt(0), lists, base, out);
    if (records > 0) writer.add(term, records, out.view());
    for (const input of same) input.head = input.terms.next().value;
  }
  const columns = mergedColumns(
    segments.map((segment) => new SegmentColumns(segment)),
    () => true,
  );
  encodeColumns(columns, base, (name, bytes) => writer.column(name, bytes));
}
