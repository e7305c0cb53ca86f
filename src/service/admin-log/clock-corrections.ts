import type { ClockAnswer } from '../../contract/index.ts';
import {
  CLOCK_CORRECTED,
  type ClockCorrection,
  clockCorrectionOf,
  formatTime,
  parseJson,
} from '../../protocol/index.ts';
import type { Store } from '../store/open.ts';

/** A correction of the ledger's clock as the administrative log has it. */
export interface StoredCorrection extends ClockCorrection {
  readonly eventNo: number;
  /** The time from which the ledger continues, in milliseconds since the Unix epoch. */
  readonly continued: number;
}

const CORRECTIONS = `SELECT event_no AS eventNo, details, created_at AS continued FROM admin_events
  WHERE org_id = ? AND action = '${CLOCK_CORRECTED}' ORDER BY event_no`;

/** The corrections of an organization's clock, oldest first (protocol F100). Usually none: an index holds nothing else. */
export function clockCorrections({ statement }: Store, orgId: string): StoredCorrection[] {
  const rows = statement(CORRECTIONS).all(orgId) as { eventNo: number; details: string; continued: number }[];
  return rows.flatMap(({ eventNo, details, continued }) => {
    const stated = clockCorrectionOf({ details: parseJson(details) as never });
    return stated === null ? [] : [{ ...stated, eventNo, continued }];
  });
}

/** The records of an organization whose times of receipt may be those of a wrong clock, oldest first. */
export function recordsUnderWrongClock(store: Store, orgId: string): ClockAnswer['corrected'] {
  return clockCorrections(store, orgId)
    .filter(({ jumps: [first], until }) => first.seq_no < until.seq_no)
    .map(({ jumps: [first], until, continued }) => ({
      first_seq_no: first.seq_no + 1,
      last_seq_no: until.seq_no,
      corrected_at: formatTime(continued),
    }));
}

/**
 * How receipts of an organization lie in ranges of time: by their time or, before the clock was set back, by the time to which it was
 * (protocol F103). These times never decrease with the sequence number.
 * @returns takes a number and its time of receipt in milliseconds
 */
export function placeInRanges(store: Store, orgId: string): (seqNo: number, receivedAt: number) => number {
  const corrections = clockCorrections(store, orgId);
  return (seqNo, receivedAt) =>
    corrections.reduce(
      (time, { until, continued }) => (seqNo <= until.seq_no ? Math.min(time, continued) : time),
      receivedAt,
    );
}
