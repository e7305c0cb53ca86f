import { firstPlace } from '../first-place.ts';
import {
  type CorrectedTimes,
  type Count,
  correctedTimes,
  LEAST_CLOCK_JUMP_MS,
  type LoggedCorrection,
} from '../statements/clock-correction.ts';
import type { Manifest } from '../statements/manifest.ts';
import { instantText, parseTime } from '../time.ts';
import type { NotedEvent } from './noted-event.ts';

/** A correction in its place in the log, and the event that it is. */
export interface PlacedCorrection extends LoggedCorrection {
  readonly eventId: string;
  readonly hash: string;
}

const COUNTS: readonly Count[] = ['seq_no', 'epoch_no', 'events'];

/**
 * The order of times in a ledger (protocol F102): they never decrease, but where a correction sets the clock back.
 * Every time has an order time, which is the time itself plus what the corrections before it took back; order times never
 * decrease. A ledger without corrections has none but the times themselves.
 */
export class LedgerOrder {
  /** Those that stand where they say, in the order of the log. */
  corrections: readonly PlacedCorrection[] = [];
  /** What is wrong with a correction, by event_id. */
  problems: ReadonlyMap<string, string> = new Map();
  #isLoaded = false;
  /** By how many corrections come before: what they took back together. */
  #shifts: readonly number[] = [0];
  /** By how many corrections count: by how many of them come before, the earliest time at which one of the others continues. */
  readonly #ends = new Map<number, readonly number[]>();

  /** @param events the whole log, from its first event on */
  load(events: readonly NotedEvent[]): this {
    const corrections: PlacedCorrection[] = [];
    const problems = new Map<string, string>();
    for (const [index, { createdAt, hash, whole }] of events.entries()) {
      if (whole === null || whole.correction === null) continue;
      const { eventId, correction: stated } = whole;
      if (stated === 'unclear') {
        problems.set(eventId, 'it does not say which times it corrects');
        continue;
      }
      const until = { ...stated.until, events: index };
      const correction = { ...stated, until, eventId, hash, continued: createdAt };
      const misplaced = misplacement(correction, corrections.at(-1));
      const problem = misplaced ?? excess(correction);
      if (problem !== null) problems.set(eventId, problem);
      if (misplaced === null) corrections.push(correction);
    }
    const shifts = [0];
    for (const { last_time, continued } of corrections) {
      shifts.push((shifts.at(-1) ?? 0) + Math.max(0, last_time - continued));
    }
    this.corrections = corrections;
    this.problems = problems;
    this.#isLoaded = true;
    this.#shifts = shifts;
    this.#ends.clear();
    return this;
  }

  /** How many corrections come before a statement. */
  before(count: Count, number: number): number {
    const { corrections } = this;
    return firstPlace(corrections.length, (place) => (corrections[place]?.until[count] ?? number) >= number);
  }

  /** What the first corrections took back together, in milliseconds. */
  shift(corrections: number): number {
    return this.#shifts[Math.min(corrections, this.corrections.length)] ?? 0;
  }

  /** What all of them took back. */
  get total(): number {
    return this.shift(this.corrections.length);
  }

  /** The order time of a statement's time. */
  at(count: Count, number: number, time: number): number {
    return time + this.shift(this.before(count, number));
  }

  /** The order time at which a bundle was made. */
  made({ created_at, clock_corrections = 0 }: Pick<Manifest, 'created_at' | 'clock_corrections'>): number {
    return parseTime(created_at) + this.shift(clock_corrections);
  }

  /**
   * The time of a receipt by which it lies in the range of a bundle: none is behind a time to which the clock was set back after it.
   * @param corrections how many there were when the bundle was made
   */
  inRange(seqNo: number, time: number, corrections: number): number {
    return Math.min(
      time,
      this.#endsOf(Math.min(corrections, this.corrections.length))[this.before('seq_no', seqNo)] ?? time,
    );
  }

  #endsOf(corrections: number): readonly number[] {
    const known = this.#ends.get(corrections);
    if (known !== undefined) return known;
    const ends: number[] = [];
    for (const { continued } of this.corrections.slice(0, corrections).toReversed()) {
      ends.push(Math.min(continued, ends.at(-1) ?? continued));
    }
    ends.reverse();
    this.#ends.set(corrections, ends);
    return ends;
  }

  /** Why a time cannot be that of a statement, by what the corrections say of it; null where it can. */
  misfit(count: Count, number: number, time: number): string | null {
    if (this.corrections.length === 0) return null;
    const place = this.before(count, number);
    const [last, next] = [this.corrections[place - 1], this.corrections[place]];
    if (last !== undefined && time < last.continued) return `at the earliest ${instantText(last.continued)}`;
    if (next === undefined) return null;
    const { jumps, last_time: end } = next;
    const behind = jumps.findLastIndex((jump) => number > jump[count]);
    const [from, to] = [
      jumps[behind]?.after ?? Number.NEGATIVE_INFINITY,
      behind + 1 < jumps.length ? jumps[behind + 1]?.before : end,
    ];
    if (to == null) return 'no statement before the times that were corrected';
    if (time >= from && time <= to) return null;
    return behind < 0 ? `at the latest ${instantText(to)}` : `from ${instantText(from)} to ${instantText(to)}`;
  }

  /** What they leave in doubt; null where no log was read. */
  get correctedTimes(): CorrectedTimes[] | null {
    return this.#isLoaded ? correctedTimes(this.corrections) : null;
  }

  /** Whether these corrections begin with those of another log. */
  continues(other: LedgerOrder): boolean {
    return other.corrections.every(({ hash }, index) => hash === this.corrections[index]?.hash);
  }

  /** Whether a correction states no time before its stretch although something was there: nothing bounds then how far it goes. */
  get isUnbounded(): boolean {
    return this.corrections.some(
      ({ jumps: [first], until }) => first.before === null && COUNTS.some((count) => until[count] > 0),
    );
  }
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => number >= (numbers[index - 1] ?? number));
}

/** Why a correction cannot stand where it does; null where it can. */
function misplacement({ jumps, until }: PlacedCorrection, last: PlacedCorrection | undefined): string | null {
  const isInOrder = COUNTS.every((count) => {
    // The correction before it is itself an event of what follows.
    const earliest = last === undefined ? 0 : last.until[count] + (count === 'events' ? 1 : 0);
    return isAscending([earliest, ...jumps.map((jump) => jump[count]), until[count]]);
  });
  return isInOrder ? null : 'it reaches behind another correction, or beyond its own place';
}

/** Why a correction takes back more than it may; null where it does not. */
function excess({ jumps, last_time: last, continued }: PlacedCorrection): string | null {
  const [first, ...others] = jumps;
  // A time without anything that has it would be a jump that the ledger does not show.
  if ((first.before === null) !== COUNTS.every((count) => first[count] === 0)) {
    return 'it states a time before those that it corrects exactly where something was there';
  }
  if (others.some(({ before }) => before === null)) return 'it states no time before a later jump';
  const times = [...jumps.flatMap(({ before, after }) => [before ?? after, after]), last];
  if (!isAscending(times)) return 'its times do not follow each other';
  const shown = jumps.map(({ before, after }) => (before === null ? null : after - before));
  if (jumps.length > 1 && shown.some((jump) => jump !== null && jump < LEAST_CLOCK_JUMP_MS)) {
    return 'it names several jumps, and one of less than an hour';
  }
  if (first.before === null) return null;
  const most = shown.reduce<number>((sum, jump) => sum + (jump ?? 0), 0);
  if (continued < first.before) return 'it sets the clock back behind what came before the times that it corrects';
  return last - continued <= most
    ? null
    : `it takes back ${last - continued} ms, and the ledger shows jumps of ${most} ms`;
}
