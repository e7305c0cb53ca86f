import { placeInRanges } from '../../ledger/admin-log/clock-corrections.ts';
import type { ShownRun } from '../../ledger/epochs/time-stamps.ts';
import type { Store } from '../../store/open.ts';

/** A run of sequence numbers, both ends among it. */
export type SequenceRun = ShownRun;

/** Where a range of time begins and ends among the records: the first one received then or later; null where there is none. */
export interface RangeBounds {
  readonly start: number | null;
  readonly end: number | null;
}

interface Place {
  readonly seqNo: number;
  readonly receivedAt: number;
}

/**
 * Finds a range of time among the records of an organization, up to a sequence number. The times by which they lie in ranges
 * never decrease with it (protocol F103), so both ends are found by halving.
 * @param from milliseconds, inclusive @param to milliseconds, exclusive
 * @param lastEventNo the newest administrative event that counts; all do where it is left out
 */
export function boundsOfRange(
  store: Store,
  orgId: string,
  from: number,
  to: number,
  lastSeqNo: number,
  lastEventNo?: number,
): RangeBounds {
  const at = store.statement(
    `SELECT seq_no AS seqNo, received_at AS receivedAt FROM operations
     WHERE org_id = ? AND seq_no >= ? AND seq_no <= ? ORDER BY seq_no LIMIT 1`,
  );
  const placed = placeInRanges(store, orgId, lastEventNo);
  /** The first record received at a time or later; rows may be missing where somebody took them out. */
  const firstFrom = (time: number): number | null => {
    let low = 1;
    let high = lastSeqNo + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const place = at.get(orgId, middle, lastSeqNo) as Place | undefined;
      if (place === undefined || placed(place.seqNo, place.receivedAt) >= time) high = middle;
      else low = place.seqNo + 1;
    }
    return (at.get(orgId, low, lastSeqNo) as Place | undefined)?.seqNo ?? null;
  };
  return { start: firstFrom(from), end: firstFrom(to) };
}

/**
 * The records between two bounds.
 * @returns null where there are none
 */
export function runBetween(
  store: Store,
  orgId: string,
  { start, end }: RangeBounds,
  lastSeqNo: number,
): SequenceRun | null {
  const newest = store.statement('SELECT max(seq_no) AS last FROM operations WHERE org_id = ? AND seq_no < ?');
  const { last } = newest.get(orgId, end ?? lastSeqNo + 1) as { last: number | null };
  return start === null || last === null || last < start ? null : { first: start, last };
}

/**
 * The records of an organization that were received in a range of time, up to a sequence number.
 * @param from milliseconds, inclusive @param to milliseconds, exclusive
 * @returns null where there are none
 */
export function runReceivedWithin(
  store: Store,
  orgId: string,
  from: number,
  to: number,
  lastSeqNo: number,
): SequenceRun | null {
  return runBetween(store, orgId, boundsOfRange(store, orgId, from, to, lastSeqNo), lastSeqNo);
}
