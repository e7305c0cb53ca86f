const HOUR_MS = 3_600_000;
/** An agent's usual rate is known from this many hours in which it was active. */
export const HOURS_BEFORE = 24;
/** Fewer records in an hour are never unusual. */
const LEAST = 20;
const QUANTILE = 0.95;
const TIMES = 2;

/** What is kept of when an agent was active. */
export interface Rate {
  hour: number;
  /** Records in that hour. */
  count: number;
  /** The count from which on the hour is unusual; 0 where no hour is. */
  limit: number;
  /** How many hours before had that number of records. */
  readonly hours: Map<number, number>;
}

export const newRate = (): Rate => ({ hour: Number.NEGATIVE_INFINITY, count: 0, limit: 0, hours: new Map() });

/** The number as it is kept: two leading digits, so that the list of them stays short. */
function rounded(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.ceil(count / unit) * unit;
}

/** The count of records that 95 % of an agent's active hours did not exceed, and how many hours these were. */
function quantileOf(hours: Rate['hours']): { readonly count: number; readonly of: number } {
  const counts = [...hours].sort(([a], [b]) => a - b);
  const of = counts.reduce((sum, [, times]) => sum + times, 0);
  let below = 0;
  for (const [count, times] of counts) {
    below += times;
    if (below >= of * QUANTILE) return { count, of };
  }
  return { count: 0, of };
}

/**
 * Counts a record of an agent, by the hour in which it was issued, and tells whether it is the one by which that hour became
 * unusual: more than twice the records of 95 % of its active hours before. Hours go forward: a record that says it is from an earlier one
 * counts for the newest.
 * @returns null, or the figures: records in the hour so far, its beginning in milliseconds, the usual most, of how many hours
 */
export function rateBefore(rate: Rate, issuedAt: number): readonly number[] | null {
  const now = Math.floor(issuedAt / HOUR_MS);
  if (now <= rate.hour) {
    rate.count++;
    if (rate.limit === 0 || rate.count !== rate.limit) return null;
    const usual = quantileOf(rate.hours);
    return [rate.count, rate.hour * HOUR_MS, usual.count, usual.of];
  }
  if (rate.count > 0) {
    const kept = rounded(rate.count);
    rate.hours.set(kept, (rate.hours.get(kept) ?? 0) + 1);
  }
  const usual = quantileOf(rate.hours);
  rate.hour = now;
  rate.count = 1;
  rate.limit = usual.of < HOURS_BEFORE ? 0 : Math.max(LEAST, TIMES * usual.count + 1);
  return null;
}
