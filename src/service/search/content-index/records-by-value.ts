import { OUTCOMES } from '../../../actions/index.ts';
import { Bits } from './bits.ts';
import type { Calls } from './indexed-calls.ts';

function noneOf(values: readonly string[], size: number): Map<string, Bits> {
  return new Map(values.map((value) => [value, new Bits(size)]));
}

/** Which records have which outcome, by what ContentView.outcome says of single ones. @param size one more than the greatest number of a record */
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
