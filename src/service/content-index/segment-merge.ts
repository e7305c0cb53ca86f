import { ByteWriter } from './byte-writer.ts';
import { encodeColumns, mergedColumns, SegmentColumns } from './columns.ts';
import { hasAny, mergePostings } from './postings.ts';
import type { FoundTerm, SegmentFile } from './segment-file.ts';
import { readTerms, someEntry } from './segment-format.ts';
import type { SegmentWriter } from './segment-writer.ts';

/**
 * Writes a segment without some of its records. Blocks in which these are not are copied as they stand, which most are.
 */
export function writeWithout(segment: SegmentFile, gone: ReadonlySet<number>, writer: SegmentWriter): void {
  const isLeft = (n: number): boolean => !gone.has(n);
  const out = new ByteWriter();
  for (const block of segment.blocks()) {
    const hasGone = someEntry(block.terms, (kind, at, length) =>
      hasAny(kind, block.postings.subarray(at, at + length), segment.base, gone),
    );
    if (!hasGone) {
      writer.block(block);
      continue;
    }
    for (const { term, at, length } of readTerms(block.terms)) {
      out.clear();
      const list = { bytes: block.postings.subarray(at, at + length), base: segment.base };
      const records = mergePostings(term.charAt(0), [list], segment.base, isLeft, out);
      if (records > 0) writer.add(term, records, out.view());
    }
  }
  const columns = mergedColumns([new SegmentColumns(segment)], isLeft);
  encodeColumns(columns, segment.base, (name, bytes) => writer.column(name, bytes));
}

interface Input {
  readonly terms: Generator<FoundTerm>;
  head: FoundTerm | undefined;
}

function everything(): boolean {
  return true;
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
    const records = mergePostings(term.charAt(0), lists, base, everything, out);
    if (records > 0) writer.add(term, records, out.view());
    for (const input of same) input.head = input.terms.next().value;
  }
  const columns = mergedColumns(
    segments.map((segment) => new SegmentColumns(segment)),
    everything,
  );
  encodeColumns(columns, base, (name, bytes) => writer.column(name, bytes));
}
