/**
 * Three weeks of a hospital, 12 October to 1 November 2026: what six agents do, a third of it through the agent library, a third through a
 * recorder, a third with payloads of no profile. The same at every run.
 */
import type { Moment } from './moments.ts';
import { coding, commands, laboratory } from './systems.ts';
import { mailRounds, payments, pharmacy } from './ward.ts';

/** Before the first moment. */
export const BEGINS = Date.UTC(2026, 9, 11, 22);
/** After the last: the Monday on which somebody looks at it. */
export const LOOKED_AT = Date.UTC(2026, 10, 2, 8);

/** All moments in the order of their times. */
export function story(): Moment[] {
  const all = [...pharmacy(), ...mailRounds(), ...payments(), ...coding(), ...commands(), ...laboratory()];
  return all.toSorted((a, b) => a.at - b.at);
}
