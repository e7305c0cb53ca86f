import {
  MARKS,
  type Mark,
  marksOfFacts,
  matchesQuery,
  type Outcome,
  type PreparedRules,
  prepareRules,
  type Query,
} from '../../../actions/index.ts';
import { type StopSignal, withinTime } from '../../../node/index.ts';
import { Bits } from './bits.ts';
import { type CategoryName, FLAG } from './columns.ts';
import { Evaluation, type FewField, type NumberField, type NumberRange, type OtherFields } from './evaluate.ts';
import { bookmarkedRecords, type Given, type GivenMarks, NOTHING_GIVEN, taggedRecords } from './given-marks.ts';
import { type Calls, readCalls } from './indexed-calls.ts';
import { LoadedColumns } from './loaded-columns.ts';
import { ownFields, queriedRecord, type ReadRecord, readRecord } from './record-content.ts';
import type { Direction, RecordSource } from './record-source.ts';
import { recordsByOutcome } from './records-by-value.ts';
import { ContentDamaged } from './segment-format.ts';
import type { ShelfReader, Window } from './shelf-reader.ts';
import { exactly } from './text-terms.ts';
import { asksOf, type Candidate, isTold, type UnindexedRecords, walkUnindexed } from './unindexed-records.ts';

/** What a query finds. */
export interface Found {
  readonly records: Bits;
  /** Whether all records were looked at: where they have to be read, the time for that is limited. */
  readonly complete: boolean;
}

/** What was found so far, for the next call with the same query. */
interface Kept {
  readonly must: Bits;
  /** Records that still have to be read. */
  readonly open: Bits;
  /** Whether there were any. */
  isRead: boolean;
  /** Those of them that took all the time of an earlier question: they are read after all others. */
  readonly late: Set<number>;
  /** The records that were not looked at yet, from the oldest on. */
  readonly windows: Set<Window>;
  /** Whether the queries within it were answered to the end. */
  partsComplete: boolean;
}

/** A part of what a query means, in an order. */
export interface Page {
  readonly order: Direction;
  /** The number of the last record of the page before. */
  readonly place: number | null;
  readonly limit: number;
}

export interface FoundPage {
  readonly ns: readonly number[];
  /** Whether no record of it was left out because there was no time to look at it. */
  readonly complete: boolean;
  /** The records up to this number were looked at. */
  readonly to: number;
  /** Where there was no time to look at records that the index does not have: the one behind which the next page begins. */
  readonly resume: number | null;
}

/** Which records are read, and in which order. */
interface Reading {
  readonly order: Direction;
  /** The record behind which it begins. */
  readonly behind: number;
  /** Whether no record from the next one on has to be read; -1 stands for the end of all. */
  readonly isEnough: (next: number) => boolean;
  /** Whether those are read as well that took all the time of an earlier question. */
  readonly withLate: boolean;
}

function nextOf(records: Bits, order: Direction, n: number): number {
  return order === 'newest' ? records.before(n) : records.from(n + 1);
}

/** The first records of a set behind one. */
function firstOf(records: Bits, order: Direction, behind: number, most: number): number[] {
  const ns: number[] = [];
  for (let n = nextOf(records, order, behind); n >= 0 && ns.length < most; n = nextOf(records, order, n)) ns.push(n);
  return ns;
}

/** Answers that are kept; each takes two bits a record. */
const KEPT_ANSWERS = 16;
/** Records that stay read, with their payloads. */
const KEPT_RECORDS = 64;
/** How long one question may read records, in milliseconds, with all that it asks within. */
const READING_MS = 1500;

/** How long the record may still take that is being looked at when that time is over, in milliseconds. */
const LAST_RECORD_MS = 250;
/** Records that are read, and then matched, at a time. */
const BATCH = 32;

/** What is known of one question while it is answered. */
interface Question {
  readonly signal: StopSignal;
  /** Until when it may read records, by performance.now. */
  readonly deadline: number;
  /** What its queries have found, by the parsed query itself: each is looked for once. */
  readonly found: Map<Query, Found>;
  /** All records of the sessions of what was found. */
  readonly sessions: Map<Bits, Bits>;
}

const NEVER: StopSignal = { aborted: false, throwIfAborted: () => undefined };

function newQuestion(signal: StopSignal): Question {
  return { signal, deadline: performance.now() + READING_MS, found: new Map(), sessions: new Map() };
}

/** The records of an organization or a case, as questions about many of them see them, on the thread that reads. */
export class ContentView implements UnindexedRecords {
  readonly reader: ShelfReader;
  readonly columns: LoadedColumns;
  readonly source: RecordSource;
  readonly #given: GivenMarks;
  readonly #answers = new Map<string, Kept>();
  readonly #records = new Map<number, ReadRecord>();
  #rules: PreparedRules;
  #version = -1;
  #isInOrder: boolean | null = null;
  #calls: Calls | null = null;
  #few = new Map<string, ReadonlyMap<string, Bits>>();
  readonly #ranges = new Map<string, NumberRange>();
  #marks: ReadonlyMap<number, ReadonlySet<Mark>> | null = null;
  #sessions = new WeakMap<Bits, Bits>();
  #question = newQuestion(NEVER);
  /** The newest record there is, which the index may not have yet. */
  last = 0;

  constructor(reader: ShelfReader, source: RecordSource, given: GivenMarks = NOTHING_GIVEN) {
    this.reader = reader;
    this.source = source;
    this.#given = given;
    this.columns = new LoadedColumns(reader);
    this.#rules = prepareRules(source.rules());
  }

  /** Begins a question: all that it asks of this view shares one time for reading, and ends with its signal. */
  begin(signal: StopSignal = NEVER): void {
    this.#question = newQuestion(signal);
    this.last = this.source.last();
  }

  /** Whether the question may read another record. @throws RequestStopped once nobody waits for its answer */
  mayRead(): boolean {
    const { signal, deadline } = this.#question;
    signal.throwIfAborted();
    return performance.now() < deadline;
  }

  /** Begins a question, which sees what was indexed since. @throws ContentDamaged */
  refresh(signal: StopSignal = NEVER): void {
    this.begin(signal);
    this.reader.refresh();
    // What was erased must not be shown from memory.
    this.#records.clear();
    if (this.#version === this.reader.version) return;
    // A backup that was put back, say: whoever writes the index sees it only at its next step.
    if (!this.reader.isOf(this.source)) throw new ContentDamaged('the content index is that of another ledger');
    this.#version = this.reader.version;
    this.#answers.clear();
    this.#few.clear();
    this.#ranges.clear();
    this.#marks = null;
    this.#calls = null;
    this.#isInOrder = null;
    this.#rules = prepareRules(this.source.rules());
  }

  /** Records up to this number are found. */
  get indexedTo(): number {
    return this.reader.indexedTo;
  }

  /** Whether a record with a greater number has a greater seq_no: in a ledger always, in a file as whoever made it wanted. */
  get isInOrder(): boolean {
    if (this.#isLedger) return true;
    this.#isInOrder ??= rises(this.columns.number('seq'));
    return this.#isInOrder;
  }

  get #isLedger(): boolean {
    return this.source.owner !== '';
  }

  /** A record's seq_no: in a ledger its number, for which no column has to be read. */
  seqNo(n: number): number {
    return this.#isLedger ? n : (this.columns.number('seq')[n] ?? 0);
  }

  /** The number of the record with a seq_no; null where there is none. */
  withSeqNo(seqNo: number): number | null {
    const n = this.#isLedger ? seqNo : this.columns.number('seq').indexOf(seqNo);
    return n > 0 && n <= this.indexedTo ? n : null;
  }

  get rules(): PreparedRules {
    return this.#rules;
  }

  get calls(): Calls {
    this.#calls ??= readCalls(this.columns, this.reader.names);
    return this.#calls;
  }

  /** A record and what is read out of it. @throws Error where the index has a record that is not there */
  record(n: number): ReadRecord {
    const known = this.#records.get(n);
    if (known !== undefined) return known;
    const record = this.source.record(n);
    if (record === null) throw new Error(`the content index names record ${n}, which is not there`);
    const read = readRecord(record, this.#rules);
    const [oldest] = this.#records.keys();
    if (oldest !== undefined && this.#records.size >= KEPT_RECORDS) this.#records.delete(oldest);
    this.#records.set(n, read);
    return read;
  }

  /** What was found about records, by their numbers. */
  get #found(): ReadonlyMap<number, ReadonlySet<Mark>> {
    if (this.#marks !== null) return this.#marks;
    const marks = new Map<number, Set<Mark>>();
    const numbers = this.#isLedger ? null : firstWithSeqNo(this.columns.number('seq'));
    const { settled, standing } = this.reader.marked();
    for (const { code, seq_no: seqNo } of [...settled, ...standing]) {
      const n = numbers === null ? seqNo : (numbers.get(seqNo) ?? 0);
      const known = marks.get(n);
      if (known === undefined) marks.set(n, new Set([code]));
      else known.add(code);
    }
    this.#marks = marks;
    return marks;
  }

  /** What a record says of itself, and what was found about it. */
  marks(n: number): Mark[] {
    const disguised = ((this.columns.number('flags')[n] ?? 0) & FLAG.disguised) !== 0;
    const own = marksOfFacts({ outcome: this.calls.ownOutcome(n), isDisguised: disguised });
    const found = this.#found.get(n);
    return found === undefined ? own : MARKS.filter((mark) => found.has(mark) || own.includes(mark));
  }

  #recordsByMark(): ReadonlyMap<string, Bits> {
    const values = new Map(MARKS.map((mark) => [mark, new Bits(this.indexedTo + 1)]));
    const add = (n: number, marks: Iterable<Mark>): void => {
      for (const mark of marks) values.get(mark)?.add(n);
    };
    for (const [n, marks] of this.#found) if (n > 0 && n <= this.indexedTo) add(n, marks);
    const flags = this.columns.number('flags');
    for (let n = 1; n <= this.indexedTo; n++) {
      const disguised = ((flags[n] ?? 0) & FLAG.disguised) !== 0;
      add(n, marksOfFacts({ outcome: this.calls.ownOutcome(n), isDisguised: disguised }));
    }
    return values;
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
    return Math.max(0, this.columns.category(name).digests.indexOf(this.reader.names.digest(text)));
  }

  /** Which records a query means. @param first where reading begins, if records have to be read @throws RequestStopped */
  find(query: Query, first: Direction = 'newest'): Found {
    const { found } = this.#question;
    const known = found.get(query);
    if (known !== undefined) return known;
    const kept = this.#keptOf(query);
    const { windows, whole } = this.reader;
    for (const window of kept.windows.size === windows.length ? [whole] : kept.windows) this.#look(kept, query, window);
    kept.windows.clear();
    const behind = first === 'newest' ? kept.open.size : -1;
    this.#settle(kept, query, { order: first, behind, isEnough: () => false, withLate: true });
    const answer = { records: kept.must, complete: kept.open.isEmpty && kept.partsComplete && this.#isJudged(query) };
    found.set(query, answer);
    return answer;
  }

  /**
   * A page of the records that a query means, and one more where there is one. No more records are looked at than the page needs:
   * those nearest to its place first, and with them those that the index does not have yet.
   * @throws RequestStopped
   */
  page(query: Query, page: Page): FoundPage {
    const { order, place, limit } = page;
    const to = isTold(query, this) ? this.last : this.indexedTo;
    if (to === this.indexedTo) return { ...this.#indexedPage(query, page), to, resume: null };
    const isNewest = order === 'newest';
    const indexed = isNewest ? null : this.#indexedPage(query, page);
    const ns = [...(indexed?.ns ?? [])];
    let resume: number | null = null;
    if (ns.length <= limit) {
      const behind = place ?? (isNewest ? this.last + 1 : 0);
      resume = walkUnindexed(this, query, { order, behind }, ({ n }) => ns.push(n) <= limit);
    }
    const complete = (indexed?.complete ?? true) && resume === null;
    if (!isNewest || ns.length > limit || resume !== null) return { ns, complete, to, resume };
    const older = this.#indexedPage(query, { order, place, limit: limit - ns.length });
    return { ns: [...ns, ...older.ns], complete: older.complete, to, resume };
  }

  #indexedPage(query: Query, { order, place, limit }: Page): Omit<FoundPage, 'to' | 'resume'> {
    const isNewest = order === 'newest';
    const kept = this.#keptOf(query);
    const behind = place ?? (isNewest ? kept.must.size : -1);
    /** Whether what comes next is behind the page. */
    const isFull = (next: number): boolean => {
      const last = firstOf(kept.must, order, behind, limit + 1)[limit];
      return last !== undefined && (next < 0 || (isNewest ? next < last : next > last));
    };
    const ns: number[] = [];
    const { windows } = this.reader;
    for (const window of isNewest ? windows.toReversed() : windows) {
      if (ns.length > limit) break;
      if (isNewest ? window.start >= behind : window.size <= behind) continue;
      if (kept.windows.delete(window)) this.#look(kept, query, window);
      this.#settle(kept, query, { order, behind, isEnough: isFull, withLate: false });
      const found = kept.must.within(window.start, window.size);
      ns.push(...firstOf(found, order, behind, limit + 1 - ns.length));
    }
    if (!kept.isRead) return { ns, complete: kept.partsComplete && this.#isJudged(query) };
    const isSettled = (): boolean => {
      const open = nextOf(kept.open, order, behind);
      return open < 0 || isFull(open);
    };
    if (!isSettled()) this.#settle(kept, query, { order, behind, isEnough: isFull, withLate: true });
    return {
      ns: firstOf(kept.must, order, behind, limit + 1),
      complete: isSettled() && kept.partsComplete && this.#isJudged(query),
    };
  }

  /** Whether all that a query asks for is known: what was found about the newest records may not be. */
  #isJudged(query: Query): boolean {
    return this.reader.judgedTo >= this.indexedTo || !asksOf(query, 'ledger');
  }

  /** What is known of a query; it was asked before, or nothing is. @throws RequestStopped */
  #keptOf(query: Query): Kept {
    this.#question.signal.throwIfAborted();
    const key = JSON.stringify(query);
    const known = this.#answers.get(key);
    // What a part may still find was held against records that are settled now: the question begins again.
    if (known?.partsComplete === true && !asksOf(query, 'people')) return known;
    const size = this.indexedTo + 1;
    const windows = new Set(this.reader.windows);
    const kept: Kept = {
      must: new Bits(size),
      open: new Bits(size),
      isRead: false,
      late: new Set(),
      windows,
      partsComplete: true,
    };
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size >= KEPT_ANSWERS) this.#answers.delete(oldest);
    this.#answers.set(key, kept);
    return kept;
  }

  /** Looks for what a query means among the terms of some records. */
  #look(kept: Kept, query: Query, window: Window): void {
    const parts: Found[] = [];
    const { must, may } = new Evaluation(this.reader, this.#others(parts), window).of(query);
    kept.must.or(must);
    if (may !== must) {
      kept.open.or(may.without(must));
      kept.isRead = true;
    }
    kept.partsComplete &&= parts.every(({ complete }) => complete);
  }

  /** Reads the records of which terms alone do not tell. One that was not read to its end stays open. */
  #settle(kept: Kept, query: Query, { order, behind, isEnough, withLate }: Reading): void {
    const { must, open, late } = kept;
    if (!kept.isRead || open.isEmpty) return;
    const next = (from: number): number => {
      let n = nextOf(open, order, from);
      while (late.has(n)) n = nextOf(open, order, n);
      return n;
    };
    let n = next(behind);
    // Before anything is matched: what is stopped by time must not be reading.
    const parts = new Map(sessionParts(query).map((part) => [part, this.find(part)]));
    kept.partsComplete &&= [...parts.values()].every(({ complete }) => complete);
    while (this.mayRead()) {
      const batch: Candidate[] = [];
      if (!isEnough(n)) for (; n >= 0 && batch.length < BATCH; n = next(n)) batch.push(this.#candidate(n));
      const [waiting] = late;
      if (batch.length === 0 && withLate && waiting !== undefined) batch.push(this.#candidate(waiting));
      if (batch.length === 0) return;
      const meant = this.matched(batch, query, parts);
      for (const [place, isMeant] of meant.entries()) {
        const at = batch[place]?.n ?? 0;
        open.delete(at);
        late.delete(at);
        if (isMeant) must.add(at);
      }
      const stopped = batch[meant.length];
      if (stopped === undefined) continue;
      // Where the time ended: those before it were read, so whatever comes next is behind it. Of the late ones the next has its turn.
      late.delete(stopped.n);
      late.add(stopped.n);
      break;
    }
  }

  #candidate(n: number): Candidate {
    const read = this.record(n);
    const known = { marks: this.marks(n), outcome: this.outcome(n), ...this.#given.of(read.record) };
    return { n, record: queriedRecord(read, known) };
  }

  /** Whether each of some records is meant, as far as the time goes: a single record may take longer than there is. */
  matched(batch: readonly Candidate[], query: Query, parts: ReadonlyMap<Query, Found> = new Map()): readonly boolean[] {
    const sessions = new Map([...parts].map(([part, found]) => [part, this.#ofSessions(found)]));
    const { deadline } = this.#question;
    const meant: boolean[] = [];
    const isWhole = withinTime(deadline - performance.now() + LAST_RECORD_MS, () => {
      for (const { n, record } of batch) {
        meant.push(matchesQuery(query, record, (_, part) => sessions.get(part)?.has(n) ?? false));
        if (performance.now() > deadline) return;
      }
    });
    // What it was stopped in the middle of, it may have left half done.
    if (!isWhole) this.#records.clear();
    return meant;
  }

  /** All records of the sessions of some records. */
  #ofSessions({ records, complete }: Found): Bits {
    const known = this.#sessions.get(records) ?? this.#question.sessions.get(records);
    if (known !== undefined) return known;
    const { ids, digests } = this.columns.category('session');
    const isMeant = new Uint8Array(digests.length);
    records.each((n) => {
      isMeant[ids[n] ?? 0] = 1;
    });
    const bits = new Bits(records.size);
    for (let n = 1; n < records.size; n++) if (ids[n] !== 0 && isMeant[ids[n] ?? 0] === 1) bits.add(n);
    // Of an answer that is not complete there may be more next time.
    if (complete) this.#sessions.set(records, bits);
    else this.#question.sessions.set(records, bits);
    return bits;
  }

  #others(parts: Found[]): OtherFields {
    return {
      ofSessions: (part) => {
        const found = this.find(part);
        parts.push(found);
        return exactly(this.#ofSessions(found));
      },
      numbers: (name) => this.columns.number(name),
      range: (name, window) => this.#range(name, window),
      few: (name) => this.few(name),
    };
  }

  #range(name: NumberField, { start, size }: Window): NumberRange {
    const key = `${name} ${start} ${size}`;
    const known = this.#ranges.get(key);
    if (known !== undefined) return known;
    const numbers = this.columns.number(name);
    let [least, greatest, isWhole] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
    for (let n = start; n < size; n++) {
      const value = numbers[n] ?? Number.NaN;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
      if (Number.isNaN(value)) isWhole = false;
    }
    const range =
      least <= greatest ? { least, greatest, isWhole } : { least: Number.NaN, greatest: Number.NaN, isWhole };
    this.#ranges.set(key, range);
    return range;
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

/** The questions about sessions in a query, without those within them. */
function sessionParts(query: Query): Query[] {
  switch (query.kind) {
    case 'and':
    case 'or':
      return query.parts.flatMap(sessionParts);
    case 'not':
      return sessionParts(query.part);
    case 'session':
      return [query.part];
    default:
      return [];
  }
}

function firstWithSeqNo(seqNos: Float64Array): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>();
  for (let n = seqNos.length - 1; n > 0; n--) numbers.set(seqNos[n] ?? 0, n);
  return numbers;
}

function rises(numbers: Float64Array): boolean {
  for (let n = 2; n < numbers.length; n++) if ((numbers[n] ?? 0) <= (numbers[n - 1] ?? 0)) return false;
  return true;
}
