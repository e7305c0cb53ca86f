import { firstPlace } from '../first-place.ts';
import * as shape from '../shape.ts';
import { formatTime } from '../time.ts';
import { type AdminEventStatement, type BundledEvent, isWholeEvent } from './admin-event.ts';

/** The action of an event that sets the ledger's clock back (protocol F100). */
export const CLOCK_CORRECTED = 'ledger.clock_corrected';

/** How many events are clock corrections: what a manifest states as `clock_corrections`. */
export function countClockCorrections(events: readonly BundledEvent[]): number {
  return events.filter((event) => isWholeEvent(event) && event.action === CLOCK_CORRECTED).length;
}

/** The last millisecond of the year 9999: no time of a correction is later. */
const LATEST = 253_402_300_799_999;

/** How far a ledger was: how many receipts, epochs and administrative events it had. */
export interface LedgerPlace {
  readonly seq_no: number;
  readonly epoch_no: number;
}

/** The same with the administrative events. */
export interface LedgerCounts extends LedgerPlace {
  readonly events: number;
}

/** What is counted along a ledger: receipts, epochs, and administrative events, each from 1. */
export type Count = keyof LedgerCounts;

/** A jump forward between two times that a ledger has signed one after the other, and how far the ledger was before it. */
export interface ClockJump extends LedgerCounts {
  /** Null where there was nothing before it: of the first jump alone. */
  readonly before: number | null;
  readonly after: number;
}

/** Each is one more by which a correction may take back: few and large, so that everyday gaps do not add up (protocol F101). */
export const MOST_CLOCK_JUMPS = 4;

/** The least of each of several jumps, in milliseconds. A smaller one of a clock is made up for by waiting that long. */
export const LEAST_CLOCK_JUMP_MS = 3_600_000;

/** What a clock correction says of the stretch whose times are wrong. All times in milliseconds since the Unix epoch. */
export interface ClockCorrection {
  /** Oldest first; the stretch begins behind the first. */
  readonly jumps: readonly [ClockJump, ...ClockJump[]];
  /** The latest time of the stretch. */
  readonly last_time: number;
  /** How far the ledger was at the correction. */
  readonly until: LedgerPlace;
}

/** A correction in its place in the log. */
export interface LoggedCorrection extends Omit<ClockCorrection, 'until'> {
  /** The time from which the ledger continues, in milliseconds since the Unix epoch. */
  readonly continued: number;
  readonly until: LedgerCounts;
}

/**
 * From when to when a receipt may have been issued whatever it says, both inclusive: one of a stretch between the time before the first jump
 * and the correction (protocol R76).
 * @param corrections in the order of the log: their stretches are apart (protocol F101)
 * @returns null for a receipt of no stretch
 */
export function timesOfStretch<Correction extends LoggedCorrection>(
  corrections: readonly Correction[],
  seqNo: number,
): { readonly correction: Correction; readonly from: number; readonly to: number } | null {
  const found = firstPlace(corrections.length, (place) => (corrections[place]?.until.seq_no ?? 0) >= seqNo);
  const correction = corrections[found];
  if (correction === undefined || seqNo <= correction.jumps[0].seq_no) return null;
  return { correction, from: correction.jumps[0].before ?? Number.NEGATIVE_INFINITY, to: correction.continued };
}

const TIME = shape.integer(0, LATEST);

/** The members that are wanted of an object; it may hold more. */
function holds(value: unknown, members: Readonly<Record<string, shape.Check>>): boolean {
  if (shape.object(value) !== null) return false;
  const object = value as Readonly<Record<string, unknown>>;
  return Object.entries(members).every(([name, check]) => Object.hasOwn(object, name) && check(object[name]) === null);
}

const PLACE = { seq_no: shape.integer(), epoch_no: shape.integer() };
const JUMP = { ...PLACE, before: shape.nullable(TIME), after: TIME, events: shape.integer() };

/** What an event of the action says; null where its details lack what a correction holds. */
export function clockCorrectionOf({ details }: Pick<AdminEventStatement, 'details'>): ClockCorrection | null {
  const { jumps, last_time, until } = details as unknown as ClockCorrection;
  const isWhole =
    holds(details, { last_time: TIME }) &&
    holds(until, PLACE) &&
    Array.isArray(jumps) &&
    jumps.length <= MOST_CLOCK_JUMPS &&
    jumps.every((jump) => holds(jump, JUMP));
  if (!isWhole) return null;
  // Its details may hold more, of any size.
  const [first, ...others] = jumps.map(({ before, after, seq_no, epoch_no, events }: ClockJump) => {
    return { before, after, seq_no, epoch_no, events };
  });
  if (first === undefined) return null;
  return { jumps: [first, ...others], last_time, until: { seq_no: until.seq_no, epoch_no: until.epoch_no } };
}

/** A stretch of a ledger whose times may be those of a wrong clock (protocol V147): what has a number above `after`, up to `until`. */
export interface CorrectedTimes {
  /** When the clock was set back: RFC 3339, or a number and ` ms` where that is beyond the year 9999. */
  readonly corrected_at: string;
  readonly after: LedgerCounts;
  readonly until: LedgerCounts;
}

/** More corrections than these are no clock that was wrong now and then: the last element covers the rest. */
const MOST_CORRECTED_TIMES = 1000;

/** What the corrections of a ledger, in the order of its log, leave in doubt (protocol V147). */
export function correctedTimes(corrections: readonly LoggedCorrection[]): CorrectedTimes[] {
  const last = corrections.at(-1);
  return corrections.slice(0, MOST_CORRECTED_TIMES).map(({ jumps: [first], until, continued }, index) => {
    const { seq_no, epoch_no, events } = first;
    const end = index === MOST_CORRECTED_TIMES - 1 && last !== undefined ? last.until : until;
    const at = continued <= LATEST ? formatTime(continued) : `${continued} ms`;
    return { corrected_at: at, after: { seq_no, epoch_no, events }, until: end };
  });
}

/** When the clock was set back that a receipt, an epoch or an event may have its time from; null where nothing says so. */
export function clockCorrectedAt(times: readonly CorrectedTimes[] | null, count: Count, number: number): string | null {
  const found = times?.find(({ after, until }) => after[count] < number && number <= until[count]);
  return found?.corrected_at ?? null;
}
