import { MARKS, OUTCOMES } from '../../../actions/index.ts';
import { Bits } from './bits.ts';
import type { Calls } from './indexed-calls.ts';

function noneOf(values: readonly string[], size: number): Map<string, Bits> {
  return new Map(values.map((value) => [value, new Bits(size)]));
}

/** Which records have which mark, by what ContentView.marks says of single ones. @param size one more than the greatest number of a record */
export function recordsByMark(marks: Float64Array, { unfinished }: Calls, size: number): ReadonlyMap<string, Bits> {
  const values = noneOf(MARKS, size);
  const byBit = MARKS.map((mark) => values.get(mark));
  for (let n = 1; n < marks.length; n++) {
    // Hardly any record has one; NaN becomes 0.
    for (let left = (marks[n] ?? 0) | 0; left !== 0; left &= left - 1) byBit[31 - Math.clz32(left & -left)]?.add(n);
  }
  for (const n of unfinished) values.get('UNFINISHED')?.add(n);
  return values;
}

/** Which records have which outcome, by what ContentView.outcome says of single ones. @param size as of recordsByMark */
export function recordsByOutcome(
  { unfinished, ownOutcome, ownOutcomes }: Calls,
  size: number,
): ReadonlyMap<string, Bits> {
  const values = noneOf(OUTCOMES, size);
  const { ids, names } = ownOutcomes;
  const byId = names.map((name) => (name === null ? undefined : values.get(name)));
  for (let n = 1; n < size; n++) byId[ids[n] ?? 0]?.add(n);
  for (const n of unfinished) if (ownOutcome(n) === null) values.get('unfinished')?.add(n);
  return values;
}
