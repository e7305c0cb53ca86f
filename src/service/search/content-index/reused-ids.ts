import { afterIdOf, type FactPhase, type IdState } from '../../../actions/index.ts';
import type { Category } from './columns.ts';
import type { TermNames } from './term-names.ts';

const STATES: readonly IdState[] = ['unused', 'begun', 'ended', 'whole'];
const OF_NO_PROFILE: FactPhase = 'record';

/** For each state, and what a record names, the next state, and 4 more where the record opens another call. */
const NEXT = Uint8Array.from(
  STATES.flatMap((from) => [0, 1, 2, 3].map((names) => ({ from, names }))),
  ({ from, names }) => {
    const { state, opens } = afterIdOf(from, { tool: (names & 1) !== 0, outcome: (names & 2) !== 0 });
    return STATES.indexOf(state) + (opens ? STATES.length : 0);
  },
);

/** The column of calls, with another number for each call that begins under an id from before: in payloads of no profile, whose ids come again. */
export function withReusedIds(
  calls: Category,
  { phase, tool, outcome }: { readonly [name in 'phase' | 'tool' | 'outcome']: Category },
  names: TermNames,
): Category {
  const plain = phase.idOf(names.digest(OF_NO_PROFILE));
  if (plain === 0 || calls.digests.length <= 1) return calls;
  const state = new Uint8Array(calls.digests.length);
  const newest = new Map<number, number>();
  // Copied only where an id does come again: there may be half a million calls.
  let split: { readonly ids: Int32Array; readonly digests: number[]; readonly firsts: number[] } | null = null;
  for (let n = 1; n < calls.ids.length; n++) {
    const id = calls.ids[n] as number;
    if (id === 0 || phase.ids[n] !== plain) continue;
    const next = NEXT[
      (state[id] as number) * 4 + Number(tool.ids[n] !== 0) + 2 * Number(outcome.ids[n] !== 0)
    ] as number;
    state[id] = next % STATES.length;
    if (next >= STATES.length) {
      split ??= { ids: calls.ids.slice(), digests: [...calls.digests], firsts: [...calls.firsts] };
      newest.set(id, split.digests.push(calls.digests[id] as number) - 1);
      split.firsts.push(n);
    }
    if (split === null) continue;
    const own = newest.get(id);
    if (own !== undefined) split.ids[n] = own;
  }
  return split === null ? calls : { ...split, idOf: calls.idOf };
}
