import { rmSync } from 'node:fs';
import { type PreparedRules, prepareRules } from '../../../actions/index.ts';
import { type Catalog, isShelfOf, type SegmentRow, type Shelf, segmentPath } from './catalog.ts';
import { SegmentColumns } from './columns.ts';
import { readingText } from './default-rules.ts';
import { contentOf, readRecord } from './record-content.ts';
import type { RecordSource } from './record-source.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { SegmentFile } from './segment-file.ts';
import { mergeSegments, writeWithout } from './segment-merge.ts';
import { SegmentWriter } from './segment-writer.ts';
import { OpenJudges, type ShelfJudge } from './shelf-judge.ts';
import { TermNames } from './term-names.ts';

/** Records that are read and indexed at once: what else is asked of the thread waits for so long. */
const STEP_RECORDS = 2048;
const READ_AT_ONCE = 256;
/** A step ends before its time once it has read payloads with this many values. */
const STEP_LEAVES = 100_000;

/**
 * Segments of up to this many records, and of more than the size before, are written as one once there are eight of them. Those far
 * smaller do not count: a few records that were erased one by one would have everything written again.
 */
const MERGED_SIZES = [256, 2048, 16_384];
const MERGED_AT = 8;

/** Records that are judged at once: what else is asked of the thread waits for so long. */
const JUDGED_RECORDS = 512;
/** How many records a question waits for to be judged; it does not wait for more. */
const NEAR = 2 * JUDGED_RECORDS;

export interface Step {
  readonly indexedTo: number;
  /** Whether anything is left to do. */
  readonly more: boolean;
  /** Whether a question should wait for it: not where many records are to be judged, as after an erasure. */
  readonly isNear: boolean;
}

/** Writes the index of one organization's records, or of a case's. */
export class ShelfWriter {
  readonly #catalog: Catalog;
  readonly #folder: string;
  readonly #source: RecordSource;
  readonly #judges: OpenJudges;

  constructor(catalog: Catalog, folder: string, source: RecordSource, judges = new OpenJudges()) {
    this.#judges = judges;
    this.#catalog = catalog;
    this.#folder = folder;
    this.#source = source;
  }

  /** The shelf; a new one where there is none, or where what is there was read from another ledger or by other rules. */
  #shelf(rules: string): Shelf {
    const { owner } = this.#source;
    const found = this.#catalog.shelf(owner);
    if (found !== null && found.rules === rules && isShelfOf(found, this.#source)) return found;
    if (found !== null) this.#remove(found);
    return this.#catalog.addShelf(owner, rules, this.#source.erasedAfter(0).to);
  }

  /** Forgets everything, so that the next step begins again. */
  clear(): void {
    const found = this.#catalog.shelf(this.#source.owner);
    if (found !== null) this.#remove(found);
  }

  #remove(shelf: Shelf): void {
    this.#judges.remove(shelf.shelf);
    this.#catalog.removeShelf(shelf);
  }

  /** Writes what the judges keep, so that the next writer continues from there. */
  save(): void {
    this.#judges.save();
  }

  /** Carries out erasures, then takes in the next records. Afterwards all of it is in the files, or none. */
  step(): Step {
    const rules = this.#source.rules();
    const text = readingText(rules);
    const prepared = prepareRules(rules);
    this.#erase(this.#shelf(text), prepared);
    const shelf = this.#shelf(text);
    try {
      const indexedTo = this.#takeIn(shelf, prepared);
      this.#merge(shelf);
      // What is found by its words comes first: judging of what was taken in before gives way as long as records are taken in.
      if (indexedTo < this.#source.last()) return { indexedTo, more: true, isNear: true };
      const unjudged = this.#judge(prepared);
      return { indexedTo, more: unjudged > 0, isNear: unjudged <= NEAR };
    } catch (error) {
      // The judge's state may have records of which the catalog knows nothing.
      this.#judges.remove(shelf.shelf);
      throw error;
    }
  }

  /** Judges records that are indexed and were not judged yet. @returns how many are left */
  #judge(rules: PreparedRules): number {
    const shelf = this.#catalog.shelf(this.#source.owner);
    if (shelf === null || shelf.judged_to >= shelf.indexed_to) return 0;
    const judge = this.#judges.of(this.#catalog, shelf, this.#source, rules);
    for (let left = JUDGED_RECORDS; left > 0 && judge.place < shelf.indexed_to; ) {
      const records = this.#source.after(judge.place, Math.min(READ_AT_ONCE, shelf.indexed_to - judge.place));
      for (const record of records) judge.take(readRecord(record, rules));
      left -= records.length;
      if (records.length === 0) break;
    }
    this.#catalog.transact(() => judge.keep(shelf.indexed_to));
    return shelf.indexed_to - judge.place;
  }

  #takeIn(of: Shelf, rules: PreparedRules): number {
    const { indexed_to, judged_to } = of;
    if (indexed_to >= this.#source.last()) return indexed_to;
    // Whatever is read is judged at once, where all before it is: else all of it would be read twice.
    const judge = judged_to === indexed_to ? this.#judges.of(this.#catalog, of, this.#source, rules) : null;
    return this.#take(of, rules, judge?.place === indexed_to ? judge : null);
  }

  #take({ shelf, seed, indexed_to }: Shelf, rules: PreparedRules, judge: ShelfJudge | null): number {
    const names = new TermNames(seed);
    const builder = new SegmentBuilder(indexed_to + 1, names);
    let last = indexed_to;
    let leaves = 0;
    while (builder.records < STEP_RECORDS && leaves < STEP_LEAVES) {
      const records = this.#source.after(last, READ_AT_ONCE);
      for (const record of records) {
        const read = readRecord(record, rules);
        builder.add(contentOf(read, names));
        judge?.take(read);
        last = record.n;
        leaves += read.read.leaves.length;
      }
      if (records.length < READ_AT_ONCE) break;
    }
    if (builder.records === 0) return indexed_to;
    const leafHash = this.#source.leafHash(last);
    const row = this.#build(builder);
    this.#catalog.transact(() => {
      this.#catalog.addSegment(shelf, row);
      const sql = 'UPDATE shelves SET indexed_to = ?, leaf_hash = ? WHERE shelf = ?';
      this.#catalog.statement(sql).run(last, leafHash, shelf);
      judge?.keep(this.#source.last());
    });
    return last;
  }

  /** Writes the file of a new segment; no reader knows of it before the catalog lists it. */
  #write(write: (writer: SegmentWriter) => void): { readonly segment: number; readonly bytes: number } {
    const segment = this.#catalog.takeNumber();
    const path = segmentPath(this.#folder, segment);
    // What a step left that failed.
    rmSync(path, { force: true });
    const writer = new SegmentWriter(path);
    try {
      write(writer);
      return { segment, bytes: writer.finish() };
    } catch (error) {
      writer.close();
      rmSync(path, { force: true });
      throw error;
    }
  }

  #build(builder: SegmentBuilder): SegmentRow {
    const { base, last, records } = builder;
    return { ...this.#write((writer) => builder.write(writer)), base, last, records };
  }

  #open({ segment, base }: SegmentRow): SegmentFile {
    return new SegmentFile(segmentPath(this.#folder, segment), base);
  }

  /** Writes segments as one. */
  #merged(rows: readonly SegmentRow[]): SegmentRow {
    const base = Math.min(...rows.map((row) => row.base));
    const last = Math.max(...rows.map((row) => row.last));
    const records = rows.reduce((sum, row) => sum + row.records, 0);
    const files: SegmentFile[] = [];
    try {
      for (const row of rows) files.push(this.#open(row));
      return { ...this.#write((writer) => mergeSegments(files, base, writer)), base, last, records };
    } finally {
      for (const file of files) file.close();
    }
  }

  #merge({ shelf }: Shelf): void {
    let above = 0;
    for (const size of MERGED_SIZES) {
      const rows = this.#catalog.segments(shelf);
      const least = above;
      above = size;
      const small = rows.filter(({ records }) => records > least && records <= size);
      if (small.length < MERGED_AT) continue;
      const merged = this.#merged(small);
      this.#catalog.transact(() => {
        this.#catalog.dropSegments(small);
        this.#catalog.addSegment(shelf, merged);
      });
      this.#catalog.removeFiles(small);
    }
  }

  /**
   * Takes out all that was in records of which something was erased, and puts in what is left of them. The files that had it are
   * gone when this returns. A crash before the catalog says so has it done again.
   */
  #erase({ shelf, seed, erased_to, indexed_to }: Shelf, rules: PreparedRules): void {
    const { ns, to } = this.#source.erasedAfter(erased_to);
    if (to === erased_to) return;
    const erased = new Set(ns.filter((n) => n <= indexed_to));
    // First, and by itself: where the log cannot be emptied now, all of this is done again.
    if (erased.size > 0) this.#forget(shelf);
    const dropped: SegmentRow[] = [];
    const added: SegmentRow[] = [];
    const left = new Set<number>();
    for (const row of erased.size === 0 ? [] : this.#catalog.segments(shelf)) {
      const rewritten = this.#without(row, erased, left);
      if (rewritten === undefined) continue;
      dropped.push(row);
      if (rewritten !== null) added.push(rewritten);
    }
    const patch = this.#patch(left, new TermNames(seed), rules);
    if (patch !== null) added.push(patch);
    this.#catalog.transact(() => {
      this.#catalog.dropSegments(dropped);
      for (const row of added) this.#catalog.addSegment(shelf, row);
      this.#catalog.statement('UPDATE shelves SET erased_to = ? WHERE shelf = ?').run(to, shelf);
    });
    this.#catalog.removeFiles(dropped);
  }

  /** What was found may tell of what is erased, and says of what is left what it said with it. */
  #forget(shelf: number): void {
    this.#judges.remove(shelf);
    this.#catalog.transact(() => this.#catalog.forgetJudgement(shelf));
    this.#catalog.emptyLog();
  }

  /**
   * Writes a segment without some records, once whatever their number.
   * @param left gets which of them it has
   * @returns null where no record is left, undefined where the segment has none of these
   */
  #without(row: SegmentRow, gone: ReadonlySet<number>, left: Set<number>): SegmentRow | null | undefined {
    if (![...gone].some((n) => n >= row.base && n <= row.last)) return undefined;
    const file = this.#open(row);
    try {
      const columns = new SegmentColumns(file);
      const own = columns.ns.filter((n) => gone.has(n));
      if (own.length === 0) return undefined;
      for (const n of own) left.add(n);
      const records = row.records - own.length;
      if (records === 0) return null;
      return { ...row, ...this.#write((writer) => writeWithout(file, columns, gone, writer)), records };
    } finally {
      file.close();
    }
  }

  /** A segment of what is left of some records. */
  #patch(left: ReadonlySet<number>, names: TermNames, rules: PreparedRules): SegmentRow | null {
    const ns = [...left].sort((a, b) => a - b);
    const builder = new SegmentBuilder(ns[0] ?? 0, names);
    for (const n of ns) {
      const record = this.#source.record(n);
      if (record !== null) builder.add(contentOf(readRecord(record, rules), names));
    }
    return builder.records === 0 ? null : this.#build(builder);
  }
}
