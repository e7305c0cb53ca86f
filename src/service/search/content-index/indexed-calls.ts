import {
  actsWith,
  type CallState,
  FACT_PHASES,
  type FactPhase,
  NEW_CALL,
  OUTCOMES,
  type Outcome,
  outcomeOfCall,
  type RecordOutcome,
  withRecord,
} from '../../../actions/index.ts';
import { keptOfView } from './kept-of-view.ts';
import type { LoadedColumns } from './loaded-columns.ts';
import type { TermNames } from './term-names.ts';

/** What came of calls, over all of their records. */
export interface Calls {
  /** For each call, by its number in the column `call`. */
  readonly outcomes: readonly (Outcome | null)[];
  /** Of calls that are unfinished, the newest record. */
  readonly unfinished: ReadonlySet<number>;
  /** What each record says of an outcome itself; null where it says nothing. */
  readonly ownOutcome: (n: number) => RecordOutcome | null;
  /** The same of all records: for each the number of its outcome, and for each number which that is. */
  readonly ownOutcomes: { readonly ids: Int32Array; readonly names: readonly (RecordOutcome | null)[] };
  readonly phase: (n: number) => FactPhase;
  /** The same; null for a record of a call that is of another agent than the one that acts. */
  readonly actingPhase: (n: number) => FactPhase | null;
}

/** Names of a closed list, for the numbers of a column. */
function namesOf<T extends string>(list: readonly T[], digests: readonly number[], names: TermNames): (T | null)[] {
  const known = new Map(list.map((name) => [names.digest(name), name]));
  return digests.map((digest) => known.get(digest) ?? null);
}

/** States of calls, each once, and which follows from which. */
class States {
  readonly states: CallState[] = [NEW_CALL];
  readonly #next = new Map<number, number>();

  after(key: number, state: number, facts: Parameters<typeof withRecord>[1], isActing: boolean): number {
    let next = this.#next.get(key);
    if (next === undefined) {
      const made = withRecord(this.states[state] ?? NEW_CALL, facts, isActing);
      const found = this.states.findIndex(
        ({ begun, denied, outcome: end }) => begun === made.begun && denied === made.denied && end === made.outcome,
      );
      next = found >= 0 ? found : this.states.push(made) - 1;
      this.#next.set(key, next);
    }
    return next;
  }
}

/** Goes through all records in the order of their numbers. */
function readCalls(columns: LoadedColumns, names: TermNames): Calls {
  const calls = columns.category('call');
  const phases = columns.category('phase');
  const outcomes = columns.category('outcome');
  const { size } = columns;
  const phaseNames = namesOf(FACT_PHASES, phases.digests, names);
  const outcomeNames = namesOf(OUTCOMES, outcomes.digests, names) as (RecordOutcome | null)[];
  const phase = (n: number): FactPhase => phaseNames[phases.ids[n] ?? 0] ?? 'record';
  const ownOutcome = (n: number): RecordOutcome | null => outcomeNames[outcomes.ids[n] ?? 0] ?? null;
  const states = new States();
  const agents = columns.category('agent').ids;
  const stateOf = new Uint8Array(calls.digests.length);
  const newest = new Uint32Array(calls.digests.length);
  const actors = new Int32Array(calls.digests.length);
  for (let n = 1; n < size; n++) {
    const call = calls.ids[n] as number;
    if (call === 0) continue;
    const state = stateOf[call] as number;
    const facts = { phase: phase(n), outcome: ownOutcome(n) };
    if (actors[call] === 0 && actsWith(facts.phase)) actors[call] = agents[n] as number;
    const isActing = actors[call] === agents[n];
    const key = ((state * 64 + (phases.ids[n] as number)) * 16 + (outcomes.ids[n] as number)) * 2 + Number(isActing);
    stateOf[call] = states.after(key, state, facts, isActing);
    if (isActing || facts.phase === 'decided') newest[call] = n;
  }
  const actingPhase = (n: number): FactPhase | null => {
    const call = calls.ids[n] ?? 0;
    return call === 0 || actors[call] === agents[n] ? phase(n) : null;
  };
  const ends = Array.from(stateOf, (state, call) =>
    call === 0 ? null : outcomeOfCall(states.states[state] ?? NEW_CALL),
  );
  const unfinished = new Set(ends.flatMap((end, call) => (end === 'unfinished' ? [newest[call] ?? 0] : [])));
  return {
    outcomes: ends,
    unfinished,
    ownOutcome,
    ownOutcomes: { ids: outcomes.ids, names: outcomeNames },
    phase,
    actingPhase,
  };
}

/** What came of the calls of a view. */
export const callsOf = keptOfView(({ columns, reader }) => readCalls(columns, reader.names));
