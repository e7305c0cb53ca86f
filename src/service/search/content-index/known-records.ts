import {
  joinedFacts,
  LEAVING_OUT,
  MARKS,
  type Mark,
  marksOfFacts,
  OUTCOMES,
  type Outcome,
  type PreparedRules,
  prepareRules,
  type QueriedRecord,
} from '../../../actions/index.ts';
import { Bits } from './bits.ts';
import { type Category, type CategoryName, FLAG } from './columns.ts';
import type { FewField } from './evaluate.ts';
import { bookmarkedRecords, type Given, type GivenMarks, NOTHING_GIVEN, taggedRecords } from './given-marks.ts';
import { type Calls, callsOf } from './indexed-calls.ts';
import { giversOf, JOINED_FIELDS, type JoinedCategory, joinedCategory } from './joined-values.ts';
import type { ColumnsView } from './kept-of-view.ts';
import { LoadedColumns } from './loaded-columns.ts';
import { ownFields, queriedRecord, type ReadRecord, readRecord } from './record-content.ts';
import type { RecordSource } from './record-source.ts';
import { ContentDamaged } from './segment-format.ts';
import type { ShelfReader } from './shelf-reader.ts';

function noneOf(values: readonly string[], size: number): Map<string, Bits> {
  return new Map(values.map((value) => [value, new Bits(size)]));
}

/** Which records have which outcome, by what ContentView.outcome says of single ones. @param size one more than the greatest number of a record */
function recordsByOutcome({ unfinished, ownOutcome, ownOutcomes }: Calls, size: number): ReadonlyMap<string, Bits> {
  const values = noneOf(OUTCOMES, size);
  const { ids, names } = ownOutcomes;
  const byId = names.map((name) => (name === null ? undefined : values.get(name)));
  for (let n = 1; n < size; n++) byId[ids[n] ?? 0]?.add(n);
  for (const n of unfinished) if (ownOutcome(n) === null) values.get('unfinished')?.add(n);
  return values;
}

/** Records that stay read, with their payloads. */
const KEPT_RECORDS = 64;

/** A record as it was read. */
interface KnownRecord {
  readonly own: ReadRecord;
  /** With what it has from its call, once that was asked for. */
  joined: ReadRecord | null;
}

/** What is known of the records of an organization or a case, and of each of them. */
export class KnownRecords implements ColumnsView {
  readonly reader: ShelfReader;
  readonly columns: LoadedColumns;
  readonly source: RecordSource;
  readonly #given: GivenMarks;
  readonly #records = new Map<number, KnownRecord>();
  #rules: PreparedRules;
  #version = -1;
  #isInOrder: boolean | null = null;
  #few = new Map<string, ReadonlyMap<string, Bits>>();
  #marks: ReadonlyMap<number, ReadonlySet<Mark>> | null = null;

  constructor(reader: ShelfReader, source: RecordSource, given: GivenMarks = NOTHING_GIVEN) {
    this.reader = reader;
    this.source = source;
    this.#given = given;
    this.columns = new LoadedColumns(reader);
    this.#rules = prepareRules(source.rules());
  }

  /** Sees what was indexed since. @returns whether that is anything @throws ContentDamaged */
  protected renew(): boolean {
    this.reader.refresh();
    // What was erased must not be shown from memory.
    this.#records.clear();
    if (this.#version === this.reader.version) return false;
    // A backup that was put back, say: whoever writes the index sees it only at its next step.
    if (!this.reader.isOf(this.source)) throw new ContentDamaged('the content index is that of another ledger');
    this.#version = this.reader.version;
    this.#few.clear();
    this.#marks = null;
    this.#isInOrder = null;
    this.#rules = prepareRules(this.source.rules());
    return true;
  }

  /** What was read in part is read again. */
  protected forgetRead(): void {
    this.#records.clear();
  }

  /** Records up to this number are found. */
  get indexedTo(): number {
    return this.reader.indexedTo;
  }

  /** Whether a record with a greater number has a greater seq_no: in a ledger always, in a file as whoever made it wanted. */
  get isInOrder(): boolean {
    if (this.#seqShift !== null) return true;
    this.#isInOrder ??= rises(this.columns.number('seq'));
    return this.#isInOrder;
  }

  /** What every seq_no is more than the number of the record: nothing in a ledger, for which no column has to be read. Null where it differs. */
  get #seqShift(): number | null {
    return this.#isLedger ? 0 : this.columns.seqShift;
  }

  /** Whether more records may come: a file has those that it has. */
  get isLive(): boolean {
    return this.#isLedger;
  }

  get #isLedger(): boolean {
    return this.source.owner !== '';
  }

  /** Tells the seq_no of any record: for whoever asks of many. */
  get seqNos(): (n: number) => number {
    const shift = this.#seqShift;
    if (shift !== null) return (n) => n + shift;
    const column = this.columns.number('seq');
    return (n) => column[n] ?? 0;
  }

  seqNo(n: number): number {
    return this.seqNos(n);
  }

  /** The number of the record with a seq_no; null where there is none. */
  withSeqNo(seqNo: number): number | null {
    const shift = this.#seqShift;
    const n = shift === null ? this.columns.number('seq').indexOf(seqNo) : seqNo - shift;
    return n > 0 && n <= this.indexedTo ? n : null;
  }

  get rules(): PreparedRules {
    return this.#rules;
  }

  get calls(): Calls {
    return callsOf(this);
  }

  /** A field of all records; ends have from their call what they do not name. */
  category(name: CategoryName): Category {
    return isJoined(name) ? joinedCategory(this, name) : this.columns.category(name);
  }

  /**
   * A record and what is read out of it; an end has from its call what it does not name.
   * @throws Error where the index has a record that is not there
   */
  record(n: number): ReadRecord {
    const known = this.#known(n);
    known.joined ??= this.#joined(n, known.own);
    return known.joined;
  }

  #known(n: number): KnownRecord {
    const known = this.#records.get(n);
    if (known !== undefined) return known;
    const record = this.source.record(n);
    if (record === null) throw new Error(`the content index names record ${n}, which is not there`);
    const read: KnownRecord = { own: readRecord(record, this.#rules), joined: null };
    const [oldest] = this.#records.keys();
    if (oldest !== undefined && this.#records.size >= KEPT_RECORDS) this.#records.delete(oldest);
    this.#records.set(n, read);
    return read;
  }

  #joined(n: number, own: ReadRecord): ReadRecord {
    if (!LEAVING_OUT.has(own.facts.phase) || n > this.indexedTo) return own;
    const read = (other: number): ReadRecord => this.#known(other).own;
    const others = giversOf(this, n, own, read).map(read);
    return others.length === 0 ? own : { ...own, facts: joinedFacts(own, others) };
  }

  /** What was found about records, by their numbers. */
  get #found(): ReadonlyMap<number, ReadonlySet<Mark>> {
    if (this.#marks !== null) return this.#marks;
    const marks = new Map<number, ReadonlySet<Mark>>();
    // Few combinations of marks for many records, which share a set of each.
    const none: ReadonlySet<Mark> = new Set();
    const after = new Map<ReadonlySet<Mark>, Map<Mark, ReadonlySet<Mark>>>();
    const withMark = (before: ReadonlySet<Mark>, code: Mark): ReadonlySet<Mark> => {
      if (before.has(code)) return before;
      const ways = after.get(before) ?? new Map<Mark, ReadonlySet<Mark>>();
      after.set(before, ways);
      const both = ways.get(code) ?? new Set([...before, code]);
      ways.set(code, both);
      return both;
    };
    const shift = this.#seqShift;
    const firstWith = shift === null ? firstWithSeqNo(this.columns.number('seq')) : (seqNo: number) => seqNo - shift;
    const { settled, standing } = this.reader.marked();
    for (const { code, seq_no: seqNo } of [...settled, ...standing]) {
      const n = firstWith(seqNo);
      marks.set(n, withMark(marks.get(n) ?? none, code));
    }
    this.#marks = marks;
    return marks;
  }

  /** What a record says of itself, and what was found about it. */
  marks(n: number): Mark[] {
    const own = this.#ownMarks(n);
    const found = this.#found.get(n);
    return found === undefined ? own : MARKS.filter((mark) => found.has(mark) || own.includes(mark));
  }

  /** What a record says of itself, without what was found about it. */
  #ownMarks(n: number): Mark[] {
    const flags = this.columns.flags[n] ?? 0;
    return marksOfFacts({
      outcome: this.calls.ownOutcome(n),
      isDisguised: (flags & FLAG.disguised) !== 0,
      isUnsigned: (flags & FLAG.unsigned) !== 0,
    });
  }

  /** Of the marks that any record has. */
  #recordsByMark(): ReadonlyMap<string, Bits> {
    const found = new Map<Mark, Bits>();
    const add = (n: number, marks: Iterable<Mark>): void => {
      for (const mark of marks) {
        const bits = found.get(mark) ?? new Bits(this.indexedTo + 1);
        found.set(mark, bits);
        bits.add(n);
      }
    };
    for (const [n, marks] of this.#found) if (n > 0 && n <= this.indexedTo) add(n, marks);
    for (let n = 1; n <= this.indexedTo; n++) add(n, this.#ownMarks(n));
    return new Map([...found].sort(([a], [b]) => MARKS.indexOf(a) - MARKS.indexOf(b)));
  }

  /** What came of a record's call, as far as this record shows it; `unfinished` of the last one of a call that has no end. */
  outcome(n: number): Outcome | null {
    return this.calls.ownOutcome(n) ?? (this.calls.unfinished.has(n) ? 'unfinished' : null);
  }

  /** The text of a value of a field, from the first record that has it. */
  text(name: CategoryName, id: number): string | null {
    const first = this.columns.category(name).firsts[id];
    if (id === 0 || first === undefined) return null;
    const read = this.record(first);
    return name === 'parent' ? read.facts.parentSession : ownFields(read)[name];
  }

  /** The number of a value of a field; 0 where no record has it. */
  idOf(name: CategoryName, text: string): number {
    return this.columns.category(name).idOf(this.reader.names.digest(text));
  }

  /** A record as the language asks about it. @param outcome of its action, where it is asked as a part of that */
  queried(n: number, outcome: Outcome | null = this.outcome(n)): QueriedRecord {
    const read = this.record(n);
    return queriedRecord(read, { marks: this.marks(n), outcome, ...this.given(read.record) });
  }

  /** What people gave all records. */
  get people(): GivenMarks {
    return this.#given;
  }

  /** What people gave a record. */
  given(record: Pick<ReadRecord['record'], 'operationId'>): Given {
    return this.#given.of(record);
  }

  /** Which records have which value of a field. */
  few(name: FewField): ReadonlyMap<string, Bits> {
    const size = this.indexedTo + 1;
    // What people gave leaves no trace in the index: it is asked for each time.
    if (name === 'tag') return taggedRecords(this.#given, size);
    if (name === 'bookmarked') return bookmarkedRecords(this.#given, size);
    const known = this.#few.get(name);
    if (known !== undefined) return known;
    const found = {
      mark: () => this.#recordsByMark(),
      outcome: () => recordsByOutcome(this.calls, size),
    }[name]();
    this.#few.set(name, found);
    return found;
  }

  close(): void {
    this.reader.close();
  }
}

function isJoined(name: CategoryName): name is JoinedCategory {
  return JOINED_FIELDS.some((joined) => joined === name);
}

function firstWithSeqNo(seqNos: Float64Array): (seqNo: number) => number {
  const numbers = new Map<number, number>();
  for (let n = seqNos.length - 1; n > 0; n--) numbers.set(seqNos[n] ?? 0, n);
  return (seqNo) => numbers.get(seqNo) ?? 0;
}

function rises(numbers: Float64Array): boolean {
  for (let n = 2; n < numbers.length; n++) if ((numbers[n] ?? 0) <= (numbers[n - 1] ?? 0)) return false;
  return true;
}
