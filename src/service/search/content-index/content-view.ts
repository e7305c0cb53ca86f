import { matchesAction, type Query } from '../../../actions/index.ts';
import type { Unit } from '../../../api/index.ts';
import { type StopSignal, withinTime } from '../../../node/index.ts';
import { Bits } from './bits.ts';
import { Evaluation, type NumberField, type NumberRange, type OtherFields } from './evaluate.ts';
import {
  type Found,
  type FoundPage,
  firstOf,
  type Kept,
  nextOf,
  type Page,
  type Reading,
  sessionParts,
} from './found.ts';
import { actionsByOutcome, actionsOf, durationsOfActions, outcomeOfAction } from './indexed-actions.ts';
import { isInherited, type JoinedField, withInherited } from './joined-values.ts';
import { KnownRecords } from './known-records.ts';
import type { Direction } from './record-source.ts';
import type { Window } from './shelf-reader.ts';
import { type Bound, exactly } from './text-terms.ts';
import { asksOf, type Candidate, isTold, type UnindexedRecords, walkUnindexed } from './unindexed-records.ts';

/** Answers that are kept, of which each takes two bits a record: with very many records fewer, but some that people go back and forth between. */
const KEPT_ANSWERS = { most: 16, least: 4, bytes: 16 * 1024 * 1024 };
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
  readonly found: Readonly<Record<Unit, Map<Query, Found>>>;
  /** All records of the sessions of what was found. */
  readonly sessions: Map<Bits, Bits>;
  /** Terms that were looked for in all records, since what they find is of calls. */
  readonly whole: Map<Query, Bound>;
}

const NEVER: StopSignal = { aborted: false, throwIfAborted: () => undefined };

function newQuestion(signal: StopSignal): Question {
  const found = { records: new Map<Query, Found>(), actions: new Map<Query, Found>() };
  return { signal, deadline: performance.now() + READING_MS, found, sessions: new Map(), whole: new Map() };
}

/** The records of an organization or a case, as questions about many of them see them, on the thread that reads. */
export class ContentView extends KnownRecords implements UnindexedRecords {
  readonly #answers = new Map<string, Kept>();
  readonly #ranges = new Map<string, NumberRange>();
  #sessions = new WeakMap<Bits, Bits>();
  #question = newQuestion(NEVER);
  /** The newest record there is, which the index may not have yet. */
  last = 0;

  /** Begins a question: all that it asks of this view shares one time for reading, and ends with its signal. */
  begin(signal: StopSignal = NEVER): void {
    this.#question = newQuestion(signal);
    this.last = this.source.last();
  }

  /** @throws RequestStopped once nobody waits for the answer */
  throwIfStopped(): void {
    this.#question.signal.throwIfAborted();
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
    if (!this.renew()) return;
    this.#answers.clear();
    this.#ranges.clear();
  }

  /**
   * Which records a query means, or which actions.
   * @param first where reading begins, if records have to be read
   * @throws RequestStopped
   */
  find(query: Query, first: Direction = 'newest', unit: Unit = 'records'): Found {
    const found: Map<Query, Found> = this.#question.found[unit];
    const known = found.get(query);
    if (known !== undefined) return known;
    const kept = this.#keptOf(query, unit);
    const { whole } = this.reader;
    for (const window of kept.windows.size === kept.all.length ? [whole] : kept.windows)
      this.#look(kept, query, window);
    kept.windows.clear();
    const behind = first === 'newest' ? kept.open.size : -1;
    this.#settle(kept, query, { order: first, behind, isEnough: () => false, withLate: true });
    const answer = { records: kept.must, complete: kept.open.isEmpty && kept.partsComplete && this.#isJudged(query) };
    found.set(query, answer);
    return answer;
  }

  /** All records that a query means, or all records of the actions that it means. @throws RequestStopped */
  findRecords(query: Query, unit: Unit, first: Direction = 'newest'): Found {
    const found = this.find(query, first, unit);
    return unit === 'records' ? found : { ...found, records: actionsOf(this).all(found.records) };
  }

  /**
   * A page of the records that a query means, and one more where there is one. No more records are looked at than the page needs:
   * those nearest to its place first, and with them those that the index does not have yet.
   * @throws RequestStopped
   */
  page(query: Query, page: Page): FoundPage {
    const { order, place, limit } = page;
    const to = isTold(query, this) ? this.last : this.indexedTo;
    if (to === this.indexedTo) return { ...this.#indexedPage(query, page, 'records'), to, resume: null };
    const isNewest = order === 'newest';
    const indexed = isNewest ? null : this.#indexedPage(query, page, 'records');
    const ns = [...(indexed?.ns ?? [])];
    let resume: number | null = null;
    if (ns.length <= limit) {
      const behind = place ?? (isNewest ? this.last + 1 : 0);
      resume = walkUnindexed(this, query, { order, behind }, ({ n }) => ns.push(n) <= limit);
    }
    const complete = (indexed?.complete ?? true) && resume === null;
    if (!isNewest || ns.length > limit || resume !== null) return { ns, complete, to, resume };
    const older = this.#indexedPage(query, { order, place, limit: limit - ns.length }, 'records');
    return { ns: [...ns, ...older.ns], complete: older.complete, to, resume };
  }

  /** A page of the actions that a query means, each by its first record, and how many there are; null where that is not known. */
  actionsPage(query: Query, page: Page): Omit<FoundPage, 'to' | 'resume'> & { readonly total: number | null } {
    const found = this.#indexedPage(query, page, 'actions');
    const { must, open, partsComplete } = this.#keptOf(query, 'actions');
    return { ...found, total: open.isEmpty && partsComplete ? must.count() : null };
  }

  #indexedPage(query: Query, { order, place, limit }: Page, unit: Unit): Omit<FoundPage, 'to' | 'resume'> {
    const isNewest = order === 'newest';
    const kept = this.#keptOf(query, unit);
    const behind = place ?? (isNewest ? kept.must.size : -1);
    /** Whether what comes next is behind the page. */
    const isFull = (next: number): boolean => {
      const last = firstOf(kept.must, order, behind, limit + 1)[limit];
      return last !== undefined && (next < 0 || (isNewest ? next < last : next > last));
    };
    const ns: number[] = [];
    for (const window of isNewest ? kept.all.toReversed() : kept.all) {
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
    return this.reader.isJudged || !asksOf(query, 'ledger');
  }

  /** What is known of a query; it was asked before, or nothing is. @throws RequestStopped */
  #keptOf(query: Query, unit: Unit): Kept {
    this.#question.signal.throwIfAborted();
    const key = `${unit} ${JSON.stringify(query)}`;
    const known = this.#answers.get(key);
    // What a part may still find was held against records that are settled now: the question begins again.
    if (known?.partsComplete === true && !asksOf(query, 'people')) return known;
    const kept = this.#newKept(unit, new Bits(this.indexedTo + 1));
    const [oldest] = this.#answers.keys();
    const { most, least, bytes } = KEPT_ANSWERS;
    const fitting = Math.max(least, Math.min(most, Math.floor((4 * bytes) / (this.indexedTo + 1))));
    if (oldest !== undefined && this.#answers.size >= fitting) this.#answers.delete(oldest);
    this.#answers.set(key, kept);
    return kept;
  }

  #newKept(unit: Unit, open: Bits): Kept {
    const all = unit === 'actions' ? [this.reader.whole] : this.reader.windows;
    const must = new Bits(this.indexedTo + 1);
    return { unit, must, open, isRead: false, late: new Set(), all, windows: new Set(all), partsComplete: true };
  }

  /** Which of some records, or actions by their first ones, a query means: each is read, as long as there is time. @throws RequestStopped */
  decided(query: Query, ns: readonly number[], unit: Unit): Found {
    const open = new Bits(this.indexedTo + 1);
    for (const n of ns) open.add(n);
    const kept = { ...this.#newKept(unit, open), isRead: true };
    this.#settle(kept, query, { order: 'newest', behind: open.size, isEnough: () => false, withLate: true });
    return { records: kept.must, complete: open.isEmpty && kept.partsComplete && this.#isJudged(query) };
  }

  /** Looks for what a query means among the terms of some records. */
  #look(kept: Kept, query: Query, window: Window): void {
    const parts: Found[] = [];
    const { must, may } = new Evaluation(this.reader, this.#others(parts, kept.unit), window).of(query);
    kept.must.or(must);
    if (may !== must) {
      kept.open.or(may.without(must));
      kept.isRead = true;
    }
    kept.partsComplete &&= parts.every(({ complete }) => complete);
  }

  /** Reads the records of which terms alone do not tell. One that was not read to its end stays open. */
  #settle(kept: Kept, query: Query, { order, behind, isEnough, withLate }: Reading): void {
    const { must, open, late, unit } = kept;
    if (!kept.isRead || open.isEmpty) return;
    const next = (from: number): number => {
      let n = nextOf(open, order, from);
      while (late.has(n)) n = nextOf(open, order, n);
      return n;
    };
    let n = next(behind);
    // Before anything is matched: what is stopped by time must not be reading.
    const parts = new Map(sessionParts(query).map((part) => [part, this.find(part, 'newest', unit)]));
    kept.partsComplete &&= [...parts.values()].every(({ complete }) => complete);
    while (this.mayRead()) {
      const batch: Candidate[] = [];
      if (!isEnough(n)) for (; n >= 0 && batch.length < BATCH; n = next(n)) batch.push(this.#candidate(n, unit));
      const [waiting] = late;
      if (batch.length === 0 && withLate && waiting !== undefined) batch.push(this.#candidate(waiting, unit));
      if (batch.length === 0) return;
      const sessions = new Map([...parts].map(([part, found]) => [part, this.#ofSessions(found, unit)]));
      const meant = this.matched(batch, query, sessions);
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

  #candidate(n: number, unit: Unit): Candidate {
    if (unit === 'records') return { n, records: [this.queried(n)] };
    const outcome = outcomeOfAction(this, n);
    const took = durationsOfActions(this)[n] ?? Number.NaN;
    const duration = Number.isNaN(took) ? null : took;
    const ns = Array.from(actionsOf(this).records(n));
    return { n, records: ns.map((each) => ({ ...this.queried(each, outcome), duration })) };
  }

  /** Whether each of some records or actions is meant, as far as the time goes: a single one may take longer than there is. */
  matched(
    batch: readonly Candidate[],
    query: Query,
    sessions: ReadonlyMap<Query, Bits> = new Map(),
  ): readonly boolean[] {
    const { deadline } = this.#question;
    const meant: boolean[] = [];
    const isWhole = withinTime(deadline - performance.now() + LAST_RECORD_MS, () => {
      for (const { n, records } of batch) {
        meant.push(matchesAction(query, records, (_, part) => sessions.get(part)?.has(n) ?? false));
        if (performance.now() > deadline) return;
      }
    });
    // What it was stopped in the middle of, it may have left half done.
    if (!isWhole) this.forgetRead();
    return meant;
  }

  /** All records of the sessions of what was found, or all actions. */
  #ofSessions({ records, complete }: Found, unit: Unit): Bits {
    const known = this.#sessions.get(records) ?? this.#question.sessions.get(records);
    if (known !== undefined) return known;
    const { ids, digests } = this.category('session');
    const isMeant = new Uint8Array(digests.length);
    const actions = actionsOf(this);
    (unit === 'actions' ? actions.all(records) : records).each((n) => {
      isMeant[ids[n] ?? 0] = 1;
    });
    const bits = new Bits(records.size);
    for (let n = 1; n < records.size; n++) if (ids[n] !== 0 && isMeant[ids[n] ?? 0] === 1) bits.add(n);
    const all = unit === 'actions' ? actions.of(bits) : bits;
    // Of an answer that is not complete there may be more next time.
    if (complete) this.#sessions.set(records, all);
    else this.#question.sessions.set(records, all);
    return all;
  }

  #others(parts: Found[], unit: Unit): OtherFields {
    const others: OtherFields = {
      ofSessions: (part) => {
        const found = this.find(part, 'newest', unit);
        parts.push(found);
        return exactly(this.#ofSessions(found, unit));
      },
      numbers: (name) => this.#numbers(name, unit),
      range: (name, window) => this.#range(name, window, unit),
      few: (name) => this.few(name),
    };
    if (unit === 'records') return { ...others, whole: (query, name, find) => this.#whole(query, name, find) };
    const { leads, of } = actionsOf(this);
    // Of an outcome there is one for all records of a call, and so is there of a duration.
    const few: OtherFields['few'] = (name) => (name === 'outcome' ? actionsByOutcome(this) : this.few(name));
    return { ...others, few, actions: { all: leads, of } };
  }

  /** What a term finds in a field that ends have from their calls; null where each record says it itself. */
  #whole(query: Query, name: JoinedField, find: () => Bound): Bound | null {
    if (!isInherited(this, name)) return null;
    const { whole } = this.#question;
    const known = whole.get(query);
    if (known !== undefined) return known;
    const { must, may } = find();
    const all = withInherited(this, name, must);
    const bound = may === must ? exactly(all) : { must: all, may: withInherited(this, name, may) };
    whole.set(query, bound);
    return bound;
  }

  #numbers(name: NumberField, unit: Unit): Float64Array {
    return unit === 'actions' && name === 'duration' ? durationsOfActions(this) : this.columns.number(name);
  }

  #range(name: NumberField, { start, size }: Window, unit: Unit): NumberRange {
    const key = `${unit} ${name} ${start} ${size}`;
    const known = this.#ranges.get(key);
    if (known !== undefined) return known;
    const numbers = this.#numbers(name, unit);
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
}
