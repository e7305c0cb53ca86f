import * as shape from '../shape.ts';
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

/** What a clock correction says of the stretch whose times are wrong. All times in milliseconds since the Unix epoch. */
export interface ClockCorrection {
  /** The last statement before the stretch: its time, null where there is none, and how far the ledger was. */
  readonly before: LedgerPlace & { readonly time: number | null; readonly events: number };
  /** The earliest and the latest time of the stretch. */
  readonly first_time: number;
  readonly last_time: number;
  /** How far the ledger was at the correction. */
  readonly until: LedgerPlace;
}

const TIME = shape.integer(0, LATEST);

/** The members that are wanted of an object; it may hold more. */
function holds(value: unknown, members: Readonly<Record<string, shape.Check>>): boolean {
  if (shape.object(value) !== null) return false;
  const object = value as Readonly<Record<string, unknown>>;
  return Object.entries(members).every(([name, check]) => Object.hasOwn(object, name) && check(object[name]) === null);
}

const PLACE = { seq_no: shape.integer(), epoch_no: shape.integer() };

/** What an event of the action says; null where its details lack what a correction holds. */
export function clockCorrectionOf({ details }: Pick<AdminEventStatement, 'details'>): ClockCorrection | null {
  const { before, first_time, last_time, until } = details as unknown as ClockCorrection;
  const isWhole =
    holds(details, { first_time: TIME, last_time: TIME }) &&
    holds(before, { ...PLACE, time: shape.nullable(TIME), events: shape.integer() }) &&
    holds(until, PLACE);
  if (!isWhole) return null;
  // Its details may hold more, of any size.
  const { time, events, ...place } = before;
  return {
    before: { time, events, seq_no: place.seq_no, epoch_no: place.epoch_no },
    ...{ first_time, last_time },
    until: { seq_no: until.seq_no, epoch_no: until.epoch_no },
  };
}
