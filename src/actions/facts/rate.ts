import type { MarkMemory } from './mark-memory.ts';

const HOUR_MS = 3_600_000;
/** An agent's usual rate is known from this many hours in which it was active. */
export const HOURS_BEFORE = 24;
/** Fewer records in an hour are never unusual. */
const LEAST = 20;
const QUANTILE = 0.95;
const TIMES = 2;

/** The number as it is kept: two leading digits, so that the list of them stays short. */
function rounded(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.ceil(count / unit) * unit;
}

type Hours = Record<string, number>;

/** The count of records that 95 % of an agent's active hours did not exceed, and how many hours these were. */
function quantileOf(hours: Hours): { readonly count: number; readonly of: number } {
  const counts = Object.entries(hours)
    .map(([count, times]) => [Number(count), times] as const)
    .toSorted(([a], [b]) => a - b);
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
export function rateBefore(key: string, issuedAt: number, memory: MarkMemory): readonly number[] | null {
  const now = Math.floor(issuedAt / HOUR_MS);
  const [hour = Number.NEGATIVE_INFINITY, count = 0, limit = 0] = (memory.get(key) ?? '')
    .split(' ')
    .filter(Boolean)
    .map(Number);
  if (now <= hour) {
    memory.set(key, `${hour} ${count + 1} ${limit}`);
    if (limit === 0 || count + 1 !== limit) return null;
    const usual = quantileOf(JSON.parse(memory.get(`${key}\nhours`) ?? '{}') as Hours);
    return [count + 1, hour * HOUR_MS, usual.count, usual.of];
  }
  const hours = JSON.parse(memory.get(`${key}\nhours`) ?? '{}') as Hours;
  if (count > 0) {
    const kept = rounded(count);
    hours[kept] = (hours[kept] ?? 0) + 1;
    memory.set(`${key}\nhours`, JSON.stringify(hours));
  }
  const usual = quantileOf(hours);
  memory.set(key, `${now} 1 ${usual.of < HOURS_BEFORE ? 0 : Math.max(LEAST, TIMES * usual.count + 1)}`);
  return null;
}
