import type { DamageRun, DamageState } from '../../protocol/index.ts';

/** A part of the bar, in columns from 0; `last` is inclusive. */
export interface BarPart {
  readonly first: number;
  readonly last: number;
  readonly state: DamageState;
}

/** What must not be overlooked covers what else falls into the same column. */
const GRAVITY: Readonly<Record<DamageState, number>> = { proven: 1, unproven: 2, missing: 3, damaged: 4 };

/**
 * Runs of sequence numbers as parts of a bar of this many columns. One damaged record among millions still has a column.
 * @param runs in ascending order, none overlapping another; numbers between them stay empty
 */
export function barParts(runs: readonly DamageRun[], columns: number): BarPart[] {
  const first = runs[0]?.first_seq_no ?? 0;
  const span = (runs.at(-1)?.last_seq_no ?? 0) - first + 1;
  const drawn: (DamageState | null)[] = Array.from({ length: columns }, () => null);
  for (const { first_seq_no, last_seq_no, state } of runs) {
    const from = Math.floor(((first_seq_no - first) / span) * columns);
    const to = Math.max(from, Math.ceil(((last_seq_no - first + 1) / span) * columns) - 1);
    for (let column = from; column <= to; column++) {
      const there = drawn[column] ?? null;
      if (there === null || GRAVITY[state] > GRAVITY[there]) drawn[column] = state;
    }
  }
  const parts: BarPart[] = [];
  for (const [column, state] of drawn.entries()) {
    const before = parts.at(-1);
    if (state === null) continue;
    if (before?.state === state && before.last === column - 1) parts[parts.length - 1] = { ...before, last: column };
    else parts.push({ first: column, last: column, state });
  }
  return parts;
}

/** How many numbers are in each state. */
export function numbersByState(runs: readonly DamageRun[]): ReadonlyMap<DamageState, number> {
  const counts = new Map<DamageState, number>();
  for (const { first_seq_no, last_seq_no, state } of runs) {
    counts.set(state, (counts.get(state) ?? 0) + last_seq_no - first_seq_no + 1);
  }
  return counts;
}
