import {
  CLOCK_CORRECTED,
  type CorrectedTimes,
  clockCorrectionOf,
  correctedTimes,
  type LoggedCorrection,
  parseJson,
} from '../../../protocol/index.ts';
import type { Store } from '../../store/open.ts';

/** A correction of the ledger's clock as the administrative log has it. */
export interface StoredCorrection extends LoggedCorrection {
  readonly eventNo: number;
}

const CORRECTIONS = `SELECT event_no AS eventNo, details, created_at AS continued FROM admin_events
  WHERE org_id = ? AND action = '${CLOCK_CORRECTED}' AND event_no <= ? ORDER BY event_no`;

/**
 * The corrections of an organization's clock, oldest first (protocol F100). Usually none: an index holds nothing else.
 * @param lastEventNo the newest event that counts
 */
export function clockCorrections(
  { statement }: Store,
  orgId: string,
  lastEventNo = Number.MAX_SAFE_INTEGER,
): StoredCorrection[] {
  const rows = statement(CORRECTIONS).all(orgId, lastEventNo) as {
    eventNo: number;
    details: string;
    continued: number;
  }[];
  return rows.flatMap(({ eventNo, details, continued }) => {
    const stated = clockCorrectionOf({ details: parseJson(details) as never });
    return stated === null ? [] : [{ ...stated, until: { ...stated.until, events: eventNo - 1 }, eventNo, continued }];
  });
}

/** What of an organization's ledger has times that may be those of a wrong clock, oldest first (protocol V147). */
export function correctedTimesOf(store: Store, orgId: string): CorrectedTimes[] {
  return correctedTimes(clockCorrections(store, orgId));
}

/**
 * How receipts of an organization lie in ranges of time: by their time or, before the clock was set back, by the time to which it was
 * (protocol F103). These times never decrease with the sequence number.
 * @returns takes a number and its time of receipt in milliseconds
 */
export function placeInRanges(
  store: Store,
  orgId: string,
  lastEventNo?: number,
): (seqNo: number, receivedAt: number) => number {
  const corrections = clockCorrections(store, orgId, lastEventNo);
  return (seqNo, receivedAt) =>
    corrections.reduce(
      (time, { until, continued }) => (seqNo <= until.seq_no ? Math.min(time, continued) : time),
      receivedAt,
    );
}
